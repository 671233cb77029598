/** What a payer is shown, and what a payer's wallet is told, beyond an address, a memo and an amount. Pure. */

export type PayerRequest = {
  readonly assetCode: string;
  /** As the payer's wallet writes it. */
  readonly amount: string;
  readonly address: string;
  readonly memo: string | null;
  /** Where the same may be paid by the network of `NetworkIdentity.jointWith`; null: nowhere, now. */
  readonly joint: string | null;
};

export type PayerInstructions = {
  readonly link: PaymentLink;
  /** Shown after the address. */
  readonly fields: readonly PayerField[];
  readonly wallet: BrowserWallet | null;
};

/** The link is for a click, the code for a camera. */
export type PaymentLink = {
  /** Null where a network has no link that wallets agree on. */
  readonly href: string | null;
  readonly qrText: string;
};

export type PayerField = { readonly name: InWords; readonly value: string };

/** In every language of the pages: what is missing there does not compile. */
export type InWords = Readonly<Record<'en' | 'de' | 'pt' | 'es' | 'it' | 'tr' | 'pl' | 'fr', string>>;

/** What a wallet in the browser is asked to do. Made here: the page does no arithmetic. */
export type BrowserWallet =
  /** EIP-1193, eth_sendTransaction. `data`: the call of a token's contract; null for the chain's own coin. */
  | {
      readonly kind: 'eip1193';
      readonly chainId: string;
      readonly to: string;
      readonly value: string;
      readonly data: string | null;
    }
  /** It signs and does nothing else: `Connector.walletSigning` makes the transaction and hands it in. */
  | { readonly kind: 'freighter' };

/** An address and nothing besides. */
export const plainInstructions = ({ address }: Pick<PayerRequest, 'address'>): PayerInstructions => ({
  link: { href: null, qrText: address },
  fields: [],
  wallet: null,
});
