/** What a connector asks about targets where money arrives without a transfer to read. */
export type RecentTargetsRequest = {
  readonly assetCode: string;
  readonly afterKey: string;
  readonly limit: number;
  readonly checkoutsOnly?: boolean;
};

/**
 * `receivedUnits`: what is stored as having arrived there in a block, less what transactions of our own took away, plus
 * what they brought (`SentUpdate.moves`): what should be there. In units of the network asset's scale.
 */
export type RecentTarget = { readonly key: string; readonly receivedUnits: bigint };

export type UrgentTargetsRequest = { readonly assetCode: string; readonly round: number; readonly limit: number };
