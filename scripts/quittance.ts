/** `npx quittance …`: the operator's command line. */
import { GatewayError } from '@quittance/server/lib/errors';
import { NetworkError } from '@quittance/server/networks/port';
import { type Command, CommandError, commandHelp, listHelp, readCall, UsageError } from './command-line.ts';
import { commands } from './command-list.ts';

const words = process.argv.slice(2);
// Whoever reads us, such as `head`, may have seen enough.
process.stdout.on('error', () => process.exit());
process.exitCode = await runCommandLine();

async function runCommandLine(): Promise<number> {
  const chosen = commands.find(({ name }) => words.slice(0, name.split(' ').length).join(' ') === name);
  if (!chosen) return answerWithoutCommand();
  try {
    const call = readCall(chosen, words.slice(chosen.name.split(' ').length));
    if (call.isHelp) return print(commandHelp(chosen));
    const { data, text, exitCode = 0 } = await call.run();
    print(call.isJson ? JSON.stringify(data, null, 2) : text);
    return exitCode;
  } catch (error) {
    return complain(error, chosen);
  }
}

/** A group such as `merchant` lists its commands; anything else that we do not know is wrong usage. */
function answerWithoutCommand(): number {
  const spoken = words.filter((word) => !word.startsWith('-'));
  const isHelp = spoken.length === 0 || words.includes('--help') || words.includes('-h') || spoken[0] === 'help';
  const group = commands.filter(({ name }) => name.split(' ')[0] === spoken.find((word) => word !== 'help'));
  if (isHelp) return print(listHelp(group.length > 0 ? group : commands));
  const said = JSON.stringify(spoken.slice(0, 2).join(' '));
  const hint = group.length > 0 ? `npx quittance ${spoken[0]} --help` : 'npx quittance --help';
  console.error(`There is no command ${said}. ${hint} lists those there are.`);
  return 2;
}

function print(text: string): 0 {
  console.log(text);
  return 0;
}

function complain(error: unknown, { name }: Command): number {
  if (error instanceof UsageError) {
    console.error(`${error.message} See npx quittance ${name} --help.`);
    return 2;
  }
  const isExpected = error instanceof CommandError || error instanceof GatewayError || error instanceof NetworkError;
  console.error(isExpected ? error.message : error);
  return 1;
}
