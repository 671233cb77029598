/**
 * Networks that are sent from by files, as banks are: a person hands over a file of payments, and only what the network
 * tells afterwards says which of them happened. Nothing is signed before a file is made, so until then an order can be
 * taken back. Each payment of a file is a transaction of its own: one may be booked and the next one refused.
 */
import type { Destination, Payout, Pricing, Sender, SignedTransaction } from './sending.ts';

export type FilingSender = Pricing & { readonly files: OrderFiles };

export const isFiling = (sender: Sender | FilingSender): sender is FilingSender => 'files' in sender;

/**
 * What keeps any payment to this account and holder from ever being written, whatever its amount; null: nothing does, or
 * nothing is sent by files there.
 */
export function destinationProblem(
  sender: Sender | FilingSender | undefined,
  destination: Destination,
  assetCode: string,
): OrderProblem | null {
  if (sender === undefined || !isFiling(sender)) return null;
  return sender.files.problem({ ...destination, id: 'anyofthem000', assetCode, units: 1n });
}

/** What keeps a payment from being written, in one sentence. */
export type OrderProblem = {
  readonly sentence: string;
  /**
   * Who can mend it follows from that. ownAddress: of whoever sends it, which only the operator can set. bic, holderName,
   * holderAddress: what must be known of the account and of who holds it.
   */
  readonly about: 'account' | 'bic' | 'holderName' | 'holderAddress' | 'ownAddress' | 'payment';
  /** Of the account, where that is why. */
  readonly country?: string;
};

export type OrderFiles = {
  /** More are not written into one file. */
  readonly ordersMost: number;
  /** What keeps this from ever being written into a file; null: nothing does. */
  problem(payout: Payout): OrderProblem | null;
  /** The same request gives the same bytes. Whoever asks has had `problem` say that there is none. */
  write(request: OrderFileRequest): WrittenOrders;
};

export type OrderFileRequest = {
  readonly id: string; // ours, and never used again
  readonly createdAt: Date;
  readonly payouts: readonly FiledPayout[];
};

/** `text`: what whoever is paid reads with the payment. */
export type FiledPayout = Payout & { readonly text?: string };

export type WrittenOrders = {
  readonly fileName: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  /** One for each payout, in their order. `trace.file` is the id of the file. */
  readonly orders: readonly SignedTransaction[];
};

/**
 * What has become of an order. open: it may still happen. booked: it happened, and may come back. done: it happened, and
 * whoever asked was told so. failed: it did not happen, or came back before it was done. void: its file was never handed
 * over.
 */
export type OrderFate = 'open' | 'booked' | 'done' | 'failed' | 'void';

export type KnownOrder = {
  readonly txHash: string;
  readonly payoutId: string;
  readonly fileId: string;
  readonly raw: string;
  readonly trace: { readonly [key: string]: unknown };
  readonly fate: OrderFate;
  /** Something else left that named its payout, and was not it as far as anybody knows. */
  readonly wasDoubted: boolean;
};

export type OrdersAsked = { readonly hashes: readonly string[]; readonly fileIds: readonly string[] };

/** Without those that a movement may be about which nobody has explained: something left, perhaps this. */
export type DeclaredVoid = { readonly txHash: string; readonly payoutId: string; readonly declaredAt: Date };
