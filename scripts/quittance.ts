/** `npx quittance …`: the operator's command line. */
import { runCommandLine } from './run-command-line.ts';

// A program that reads our output, such as `head`, may have ended.
process.stdout.on('error', () => process.exit());
process.exitCode = await runCommandLine(process.argv.slice(2), process.env, console);
