/**
 * What a command is, how its words are read and how its help looks. A command returns what it found as data and as
 * text: `--json` chooses, so that no command prints by itself.
 */
import { parseArgs } from 'node:util';
import type { Installation } from './installation.ts';

/** `value` names what follows the option; without it the option is a switch. */
export type Option = {
  readonly meaning: string;
  readonly value?: string;
  readonly isRequired?: true;
  readonly isRepeatable?: true;
};

type OptionValue<O extends Option> = O extends { value: string }
  ? O extends { isRepeatable: true }
    ? readonly string[]
    : O extends { isRequired: true }
      ? string
      : string | undefined
  : boolean;

/** `blocks?` may be left out. */
type ArgumentValues<A extends readonly string[]> = {
  readonly [N in A[number] as N extends `${infer Name}?` ? Name : N]: N extends `${string}?`
    ? string | undefined
    : string;
};

export type Output = { readonly data: unknown; readonly text: string; readonly exitCode?: number };

export type Command = {
  readonly name: string;
  readonly summary: string;
  readonly details?: string;
  readonly arguments: readonly string[];
  readonly options: Readonly<Record<string, Option>>;
  readonly examples: readonly string[];
  run(installation: Installation, given: never, options: never): Promise<Output>;
};

export function command<const A extends readonly string[], const O extends Readonly<Record<string, Option>>>(
  definition: Omit<Command, 'arguments' | 'options' | 'run'> & {
    readonly arguments?: A;
    readonly options?: O;
    run(
      installation: Installation,
      given: ArgumentValues<A>,
      options: { readonly [N in keyof O]: OptionValue<O[N]> },
    ): Promise<Output>;
  },
): Command {
  return { arguments: [], options: {}, ...definition };
}

/** The command was called in a way that it does not understand: exit code 2, and a hint to its help. */
export class UsageError extends Error {}

/** It was understood but cannot be done: exit code 1. The message is a sentence that says what would help. */
export class CommandError extends Error {}

const everywhere: Readonly<Record<string, Option>> = {
  json: { meaning: 'Print JSON, for programs.' },
  help: { meaning: 'Print this help.' },
};

export type Call = {
  readonly isHelp: boolean;
  readonly isJson: boolean;
  run(installation: Installation): Promise<Output>;
};

export function readCall(chosen: Command, words: readonly string[]): Call {
  const options = { ...chosen.options, ...everywhere };
  const { values, positionals } = parse(options, words);
  if (values['help'] === true) return { isHelp: true, isJson: false, run: () => Promise.reject(new Error('help')) };

  const given: Record<string, string | undefined> = {};
  for (const [position, name] of chosen.arguments.entries()) {
    const word = positionals[position];
    if (word === undefined && !name.endsWith('?')) throw new UsageError(`${placeholder(name)} is missing.`);
    given[name.replace('?', '')] = word;
  }
  const extra = positionals[chosen.arguments.length];
  if (extra !== undefined) throw new UsageError(`${JSON.stringify(extra)} is one word too many.`);
  for (const [name, option] of Object.entries(options)) {
    if (option.isRequired && values[name] === undefined) throw new UsageError(`--${name} is missing.`);
    if (option.value === undefined) values[name] ??= false;
    if (option.isRepeatable) values[name] ??= [];
  }
  return {
    isHelp: false,
    isJson: values['json'] === true,
    run: (installation) => chosen.run(installation, given as never, values as never),
  };
}

function parse(options: Readonly<Record<string, Option>>, words: readonly string[]) {
  const config = Object.fromEntries(
    Object.entries(options).map(([name, { value, isRepeatable = false }]) => [
      name,
      {
        type: value === undefined ? ('boolean' as const) : ('string' as const),
        multiple: isRepeatable,
        ...(name === 'help' && { short: 'h' }),
      },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({ args: [...words], options: config, allowPositionals: true });
    return { values: { ...values } as Record<string, unknown>, positionals };
  } catch (error) {
    // Node's first sentence is clear; the rest is advice for other cases.
    const [sentence] = (error as Error).message.split(/\.?(?:\s*\n|\. )/, 1);
    throw new UsageError(`${sentence}.`);
  }
}

/** A number that a person typed. */
export function readCount(name: string, text: string, most: number): number {
  const count = /^[0-9]{1,9}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > most) throw new UsageError(`${name} must be a whole number from 1 to ${most}.`);
  return count;
}

const placeholder = (name: string): string => (name.endsWith('?') ? `[${name.slice(0, -1)}]` : `<${name}>`);

/** The words that a command needs. */
function synopsis({ name, options, ...chosen }: Command): string {
  const required = Object.entries(options).filter(([, option]) => option.isRequired);
  return [
    name,
    ...chosen.arguments.map(placeholder),
    ...required.map(([each, { value }]) => `--${each} <${value}>`),
  ].join(' ');
}

export function commandHelp(chosen: Command): string {
  const options = Object.entries({ ...chosen.options, ...everywhere }).map(
    ([name, { value, meaning, isRequired }]): [string, string] => [
      `--${name}${value === undefined ? '' : ` <${value}>`}`,
      isRequired ? `${meaning} Required.` : meaning,
    ],
  );
  return [
    `npx quittance ${synopsis(chosen)} [options]`,
    '',
    [chosen.summary, chosen.details].filter((text) => text !== undefined).join('\n'),
    '',
    'Options:',
    twoColumns(options),
    '',
    chosen.examples.length === 1 ? 'Example:' : 'Examples:',
    ...chosen.examples.map((example) => `  npx quittance ${example}`),
  ].join('\n');
}

/** All commands, or those of one group such as `merchant`. */
export function listHelp(commands: readonly Command[]): string {
  return [
    'npx quittance <command> [options]',
    '',
    twoColumns(commands.map((each) => [synopsis(each), each.summary])),
    '',
    'npx quittance <command> --help explains a command, with examples. --json prints JSON, for programs.',
    'DATA_DIR (./data) is the folder of the installation; DATABASE_URL its database, if it is not the embedded one.',
  ].join('\n');
}

function twoColumns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}
