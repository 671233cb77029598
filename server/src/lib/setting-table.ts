/**
 * Settings as tables: what a setting is called, which kind of value it takes, what holds when it is not given, and what
 * it means. Reading, checking, `npx quittance config` and the manual all come from these tables.
 */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Which setting is being read, and where to say what is wrong with it: a whole sentence that begins with its name. */
export type Told = { readonly name: string; problem(text: string): undefined };

/**
 * What may be written for a setting. If `read` has reported a problem, its result is only used to look for further
 * problems; undefined then means the fallback. `isSecret`: the text opens something, or contains something that does,
 * as the address of a node may; it is never shown.
 */
export type Kind<T> = { readonly isSecret?: boolean; read(text: string, told: Told): T | undefined };

export type Setting<T> = {
  readonly kind: Kind<T>;
  readonly meaning: string;
  /** What holds when it is not given, as somebody would write it; it may depend on the mode. */
  readonly fallback?: string | { readonly sandbox: string; readonly production: string };
  /** What holds or happens without it, in words, where no text could be written instead. */
  readonly otherwise?: string;
  readonly isRequired?: true;
  /** The rest of the sentence that begins with its name, if this value is not allowed in production. */
  wrongInProduction?(value: T | undefined): string | null;
};

export type SettingTable = Readonly<Record<string, Setting<unknown>>>;

/** Undefined when it is not given and has no fallback. If it is required, that is also reported as a problem. */
export type ValueOf<Each> = Each extends { readonly kind: Kind<infer T> }
  ? Each extends { readonly fallback: unknown }
    ? T
    : T | undefined
  : never;

export type SettingsReader = {
  /** The values of a table, each read and checked when it is first asked for. */
  of<Table extends SettingTable>(
    table: Table,
    prefix?: string,
  ): <Name extends keyof Table & string>(name: Name) => ValueOf<Table[Name]>;
  /** The text of a setting that belongs to another table. */
  given(name: string): string | undefined;
  /** Notes a problem; the start then fails with all of them. */
  problem(text: string): undefined;
  readonly isProduction: boolean;
};

export function createSettingsReader(
  env: Environment,
  isProduction: boolean,
): { readonly reader: SettingsReader; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const problem = (text: string): undefined => void problems.push(text);
  const given = (name: string): string | undefined => env[name]?.trim() || undefined;

  function read<T>(name: string, setting: Setting<T>): T | undefined {
    const before = problems.length;
    const text = given(name);
    if (text === undefined && setting.isRequired) problem(`${name} must be set.`);
    const own = text === undefined ? undefined : setting.kind.read(text, { name, problem });
    const value = own ?? readFallback(name, setting, isProduction);
    const wrong = isProduction && problems.length === before ? setting.wrongInProduction?.(value) : null;
    if (typeof wrong === 'string') problem(`${name} ${wrong}`);
    return value;
  }

  const of: SettingsReader['of'] = (table, prefix = '') => {
    const known = new Map<string, unknown>();
    return (name) => {
      if (!known.has(name)) known.set(name, read(`${prefix}${name}`, table[name] as Setting<unknown>));
      return known.get(name) as ValueOf<(typeof table)[typeof name]>;
    };
  };
  return { reader: { of, given, problem, isProduction }, problems };
}

function readFallback<T>(name: string, { kind, fallback }: Setting<T>, isProduction: boolean): T | undefined {
  if (fallback === undefined) return undefined;
  const text = typeof fallback === 'string' ? fallback : fallback[isProduction ? 'production' : 'sandbox'];
  return kind.read(text, {
    name,
    problem(sentence) {
      throw new Error(`the fallback of a setting is wrong: ${sentence}`);
    },
  });
}

/** A setting as people are told of it. */
export type DescribedSetting = {
  readonly name: string;
  readonly fallback: string;
  readonly meaning: string;
  readonly isSecret: boolean;
};

export const describeSettings = (table: SettingTable, prefix = ''): readonly DescribedSetting[] =>
  Object.entries(table).map(([name, { kind, fallback = '', otherwise, meaning }]) => ({
    name: `${prefix}${name}`,
    fallback:
      otherwise ??
      (typeof fallback === 'string' ? fallback : `${fallback.sandbox}, or ${fallback.production} in production`),
    meaning,
    isSecret: kind.isSecret === true,
  }));
