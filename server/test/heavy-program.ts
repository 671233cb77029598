/** A process that has a task done, and nothing else to do: started by `heavy-work.test.ts`. */
import { createHeavyWork } from '../src/lib/heavy-work.ts';

const module = import.meta.resolve('./heavy-samples.ts');
process.stdout.write(
  String(await createHeavyWork().run({ name: 'echo', module, run: 'echo', seconds: 60 }, 'a', 'done')),
);
