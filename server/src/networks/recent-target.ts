/** What a connector asks about targets where money can arrive though no transaction or log names them. */
export type RecentTargetsRequest = {
  readonly assetCode: string;
  readonly afterKey: string;
  readonly limit: number;
  readonly checkoutsOnly?: boolean;
};

/**
 * `receivedUnits`: what the target should hold: all that is stored as arrived in a block, less what our own
 * transactions took away, plus what they brought (`SentUpdate.moves`). In units of the network asset's scale.
 */
export type RecentTarget = { readonly key: string; readonly receivedUnits: bigint };

export type UrgentTargetsRequest = { readonly assetCode: string; readonly round: number; readonly limit: number };
