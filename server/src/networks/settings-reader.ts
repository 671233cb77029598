/** How a network reads its own part of the configuration. config.ts has the environment; a network only asks for names. */
export type SettingsReader = {
  given(name: string): string | undefined;
  choice<T extends string>(name: string, options: readonly T[], fallback: T): T;
  /** Notes what is wrong; the start then fails with all of it. */
  problem(text: string): undefined;
  readonly isProduction: boolean;
  /** The codes of the coins that networks bring along and that the operator can issue tokens for. */
  readonly issuedCoins: readonly string[];
};

export type SettingDescription = { readonly name: string; readonly fallback: string; readonly meaning: string };

/** `read` gives undefined when the network is not configured, or not correctly. */
export type SettingsOf<Settings> = {
  readonly described: readonly SettingDescription[];
  read(reader: SettingsReader): Settings | undefined;
};
