/** Loaded into a process of its own before the service: says on request how long a turn of its loop took at most. See `held-loop`. */
import { countTurns, knownWorkMs } from './held-loop.ts';

let stop: (() => Promise<number>) | null = null;

process.on('message', (order: 'begin' | 'end') => {
  if (order === 'begin') {
    stop = countTurns();
    process.send?.({ begun: true });
  } else void stop?.().then((ms) => process.send?.({ works: ms / knownWorkMs(), ms }));
});
process.channel?.unref();
