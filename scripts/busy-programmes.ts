/** Programs that use all the time they can get, to see what happens on a busy machine. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** They end with us, however we end: none of them lives longer than the process that started it. */
const program = `
  const parent = process.ppid;
  process.stdout.write('busy');
  while (process.ppid === parent) for (let count = 0; count < 1e7; count += 1);`;

export async function startBusyProgrammes(count: number): Promise<{ stop(): Promise<void> }> {
  const programmes: ChildProcess[] = [];
  for (let number = 0; number < count; number += 1) {
    const child = spawn(process.execPath, ['--eval', program], { stdio: ['ignore', 'pipe', 'inherit'] });
    programmes.push(child);
    await once(child.stdout, 'data');
  }
  return {
    async stop() {
      for (const child of programmes) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
    },
  };
}
