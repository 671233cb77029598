/** What others look for under our domain because a network says so, readable from every origin. */
export type PublishedFile = { readonly path: string; readonly contentType: string; readonly body: string };

/** Who publishes it, and which assets the operator issues. */
export type Publisher = {
  readonly operator: {
    readonly issuerAccount: string;
    readonly issuerName: string;
    readonly issuerDomain: string;
    readonly issuerAddress: string;
  };
  readonly issued: readonly {
    readonly code: string;
    readonly name: string;
    readonly ledgerScale: number;
    readonly currencyCode: string;
    readonly isCoin: boolean;
  }[];
};
