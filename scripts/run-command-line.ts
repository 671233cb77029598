/** `npx quittance` as a function: carries out its words in an environment, and prints the result. */
import { GatewayError } from '@quittance/server/lib/errors';
import { NetworkError } from '@quittance/server/networks/port/connector';
import { type Command, CommandError, commandHelp, listHelp, readCall, UsageError } from './command-line.ts';
import { commands } from './command-list.ts';
import { openInstallation } from './installation.ts';

/** As `console` has them: a line of output, or what went wrong. */
export type Paper = { log(text: string): void; error(complaint: unknown): void };

/** The exit code: 0 when it was done, 1 when it could not be, 2 when it was not understood. */
export async function runCommandLine(words: readonly string[], env: NodeJS.ProcessEnv, paper: Paper): Promise<number> {
  const chosen = commands.find(({ name }) => words.slice(0, name.split(' ').length).join(' ') === name);
  if (!chosen) return answerWithoutCommand(words, paper);
  try {
    const call = readCall(chosen, words.slice(chosen.name.split(' ').length));
    if (call.isHelp) {
      paper.log(commandHelp(chosen));
      return 0;
    }
    const { data, text, exitCode = 0 } = await call.run(openInstallation(env));
    paper.log(call.isJson ? JSON.stringify(data, null, 2) : text);
    return exitCode;
  } catch (error) {
    return complain(error, chosen, paper);
  }
}

/** A group such as `merchant` lists its commands; anything else that we do not know is wrong usage. */
function answerWithoutCommand(words: readonly string[], paper: Paper): number {
  const spoken = words.filter((word) => !word.startsWith('-'));
  const isHelp = spoken.length === 0 || words.includes('--help') || words.includes('-h') || spoken[0] === 'help';
  const group = commands.filter(({ name }) => name.split(' ')[0] === spoken.find((word) => word !== 'help'));
  if (isHelp) {
    paper.log(listHelp(group.length > 0 ? group : commands));
    return 0;
  }
  const said = JSON.stringify(spoken.slice(0, 2).join(' '));
  const hint = group.length > 0 ? `npx quittance ${spoken[0]} --help` : 'npx quittance --help';
  paper.error(`There is no command ${said}. ${hint} lists those there are.`);
  return 2;
}

function complain(error: unknown, { name }: Command, paper: Paper): number {
  if (error instanceof UsageError) {
    paper.error(`${error.message} See npx quittance ${name} --help.`);
    return 2;
  }
  const isExpected = error instanceof CommandError || error instanceof GatewayError || error instanceof NetworkError;
  paper.error(isExpected ? error.message : error);
  return 1;
}
