/**
 * What a payment network must do for us. Every network, from Bitcoin to a bank, implements exactly this; one that
 * cannot send leaves `sender` out.
 *
 * A connector owns no table and remembers nothing that matters: what must survive a restart is in the cursor, which the
 * watcher stores in the same transaction as the observations, or in the payments that `ObserveContext` reads back.
 */

import type { Holding, HoldingsContext, SupplyContext } from '../holdings.ts';
import type { NetworkDefinition } from './definition.ts';
import type { DocumentReader } from './documents.ts';
import type { FilingSender, OrderProblem } from './orders.ts';
import type { PayerRequest } from './payer-instructions.ts';
import type { PublishedFile, Publisher } from './published-file.ts';
import type { Cursor, DepositTarget, Observation, ObserveContext, Observed, TargetRequest } from './receiving.ts';
import type { Destination, NetworkAddress, Sender } from './sending.ts';

export type Connector = {
  readonly network: NetworkDefinition;
  createTarget(request: TargetRequest): Promise<DepositTarget>;
  /**
   * The amount that a target itself asks for, if it is an invoice, of ours or not. In units of the asset's scale. Makes
   * no call.
   */
  targetUnits?(target: Pick<DepositTarget, 'address'>): bigint | null;
  /** Everything since `cursor` (null: from now on). Asking twice with the same cursor does no harm. */
  observe(cursor: Cursor | null, context: ObserveContext): Promise<Observed>;
  /** What is wrong with an address (and its memo), in one sentence; null: money can be sent there. Makes no call. */
  addressProblem?(destination: NetworkAddress): string | null;
  /**
   * Whose account a payment came from, by the trace that it was observed with; null: the network did not say. Makes no
   * call. Left out where what was paid from is no place to send to: then payers are asked. Where the network only gives
   * back, the address names the payment.
   */
  payerOf?(trace: Observation['trace']): TracedPayer | null;
  /** Where the operator brings in money, on networks that send from one address. */
  readonly wallet?: DepositTarget;
  /** Our account that exchanges one asset for another, on networks with a market. */
  readonly exchangeAccount?: string;
  /** What the network itself says that we hold, to be compared with the books. */
  holdings?(context: HoldingsContext): Promise<readonly Holding[]>;
  /** How many there are in the world of the tokens that we issue, as the network itself says. */
  supply?(context: SupplyContext): Promise<readonly Holding[]>;
  /** How files become what `observe` reads, on networks that are told in documents. Left out where there is a node to ask. */
  readonly documents?: DocumentReader;
  /** Files that others look for under our domain. */
  publishedFiles?(publisher: Publisher): readonly PublishedFile[];
  /** For browser wallets that only sign. */
  readonly walletSigning?: WalletSigning;
  /** Left out where the connector holds no key: then it only receives. Files are sent with no key of ours. */
  readonly sender?: Sender | FilingSender;
};

/** `problem`: why nothing can be sent there, though the network said who it was; null: it can. */
export type TracedPayer = { readonly account: Destination; readonly problem: OrderProblem | null };

/** Whether money can be sent from here to whom one likes, and not only back to who paid. */
export const sendsAnywhere = ({ network, sender }: Pick<Connector, 'network' | 'sender'>): boolean =>
  sender !== undefined && network.givesBackOnly !== true;

/** What can be known about a network without asking it. */
export type KnownNetwork = Pick<Connector, 'network' | 'targetUnits'>;

export type WalletSigning = {
  /**
   * What the wallet of this account is asked to sign, as JSON for the page; null: nothing can be paid from this
   * account.
   */
  build(
    account: string,
    payment: Pick<PayerRequest, 'assetCode' | 'amount' | 'address' | 'memo'>,
    now: Date,
  ): Promise<Readonly<Record<string, string>> | null>;
  /** Sends on what was signed, if it pays one of these targets and does nothing else; false: it was refused. */
  submit(signed: string, targets: readonly Pick<DepositTarget, 'address' | 'memo'>[]): Promise<boolean>;
};

/** The network does not answer, or its answer makes no sense. `isRetryable` false: the operator must do something. */
export class NetworkError extends Error {
  readonly isRetryable: boolean;

  constructor(message: string, options: { isRetryable: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.name = 'NetworkError';
    this.isRetryable = options.isRetryable;
  }
}
