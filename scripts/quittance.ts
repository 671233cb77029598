/** `npx quittance …`: the operator's command line. */
import { runCommandLine } from './run-command-line.ts';

// Whoever reads us, such as `head`, may have seen enough.
process.stdout.on('error', () => process.exit());
process.exitCode = await runCommandLine(process.argv.slice(2), process.env, console);
