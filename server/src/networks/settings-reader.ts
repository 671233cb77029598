/** How a network reads its own part of the configuration: from a table of its settings, which the manual shows too. */
import type { SettingsReader as CommonReader, DescribedSetting } from '../lib/setting-table.ts';

export type SettingsReader = CommonReader & {
  /** The codes of the coins that networks bring along and that the operator can issue tokens for. */
  readonly issuedCoins: readonly string[];
};

/** `read` gives undefined when the network is not configured, or not correctly. */
export type SettingsOf<Settings> = {
  readonly described: readonly DescribedSetting[];
  read(reader: SettingsReader): Settings | undefined;
  /**
   * What its addresses are made from, where other networks write addresses in the same way. Two networks with the same
   * source would give one address to two customers: who pays on the wrong network would pay for somebody else.
   */
  addressSource?(settings: Settings): AddressSource;
};

export type AddressSource = { readonly setting: string; readonly key: string };
