/** What a payer is shown, and what a payer's wallet is told, beyond an address, a memo and an amount. Pure. */

export type PayerRequest = {
  readonly assetCode: string;
  /** As the payer's wallet writes it. */
  readonly amount: string;
  readonly address: string;
  readonly memo: string | null;
  /** Where the same can be paid on the network of `NetworkIdentity.jointWith`; null: nowhere at the moment. */
  readonly joint: string | null;
};

export type PayerInstructions = {
  readonly link: PaymentLink;
  /** Shown after the address; of an account they are all that is shown, in the order in which a bank asks for them. */
  readonly fields: readonly PayerField[];
  readonly wallet: BrowserWallet | null;
  /** What the address is to whoever copies it; an account is that of a bank, with an owner and a reference. */
  readonly target: 'address' | 'invoice' | 'account';
  /** For apps that cannot read the link; null: there is nothing less than that. */
  readonly addressOnly: AddressOnly | null;
  /** Exchanges pay there, and take their fee out of what they send. */
  readonly isPaidFromExchanges: boolean;
  /** Apps that open such a link, for those whose telephone knows none. */
  readonly wallets: readonly string[];
  /** How long it takes, where no block tells; null: nothing is said beyond what the page says of every payment. */
  readonly takes: InWords | null;
};

/** How a way to pay is offered where nobody would look for it by the name of what is paid. */
export type OfferedAs = {
  readonly name: InWords;
  /** "Pay by …" */
  readonly button: InWords;
  /** How long it takes, in a few words: after "usually" too. */
  readonly takes: InWords;
  /** What the payer does, in a sentence. */
  readonly howTo: InWords;
};

/** `hint`: what has to be known or typed besides. Null: the amount, and nothing else. */
export type AddressOnly = { readonly qrText: string; readonly hint: InWords | null };

/** The link is for a click, the code for a camera. */
export type PaymentLink = {
  /** Null where there is no link that wallets agree on. */
  readonly href: string | null;
  /** Null where no app reads one. */
  readonly qrText: string | null;
};

export type PayerField = {
  readonly name: InWords;
  /** For its copy button. */
  readonly shortName: InWords;
  readonly value: string;
  /** A code is compared in groups of four; words are read. */
  readonly form: 'code' | 'words';
  /** What goes wrong without it; null: nothing that needs to be said. */
  readonly hint: InWords | null;
};

/** In every language of the pages: what is missing there does not compile. */
export type InWords = Readonly<Record<'en' | 'de' | 'pt' | 'es' | 'it' | 'tr' | 'pl' | 'fr' | 'ar', string>>;

/**
 * What a browser wallet is asked to do. Made here, because the page does no arithmetic. A kind is a protocol that wallets
 * speak, on however many networks; `web/js/pay.mjs` speaks it too.
 */
export type BrowserWallet =
  /** EIP-1193, eth_sendTransaction. `data`: the call of a token's contract; null for the chain's own coin. */
  | {
      readonly kind: 'eip1193';
      readonly chainId: string;
      readonly to: string;
      readonly value: string;
      readonly data: string | null;
      /** For a wallet that does not know the chain; null: its owner has to add the chain by hand. */
      readonly unknownChain: UnknownChain | null;
    }
  /** The wallet only signs: `Connector.walletSigning` makes the transaction and sends it. */
  | { readonly kind: 'freighter' };

/** The parameter of wallet_addEthereumChain (EIP-3085), as wallets want it: some refuse a chain without a node. */
export type UnknownChain = {
  readonly chainId: string;
  readonly chainName: string;
  readonly nativeCurrency: { readonly name: string; readonly symbol: string; readonly decimals: number };
  readonly rpcUrls: readonly string[];
  readonly blockExplorerUrls: readonly string[];
};

/** Only an address. */
export const plainInstructions = ({ address }: Pick<PayerRequest, 'address'>): PayerInstructions => ({
  link: { href: null, qrText: address },
  fields: [],
  wallet: null,
  target: 'address',
  addressOnly: null,
  isPaidFromExchanges: true,
  wallets: [],
  takes: null,
});
