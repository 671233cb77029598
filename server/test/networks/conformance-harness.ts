/** A network under a test's control: what the conformance suite asks of whoever wants to pass it. */
import type { Connector } from '../../src/networks/port/connector.ts';
import type { DepositTarget, ObserveContext } from '../../src/networks/port/receiving.ts';

export type ConformancePayment = { readonly target: DepositTarget; readonly units: bigint };

/** A network under the test's control. What a network cannot do is left out here and named in `cannot`. */
export type ConformanceHarness = {
  readonly asset: string;
  readonly assetCode: string;
  /** An ordinary payment, and the smallest that the network carries. */
  readonly ordinaryUnits: bigint;
  readonly smallestUnits: bigint;
  /** A fresh connector on the same node and account: what a restart of the service makes. */
  createConnector(): Connector;
  /** What was accepted, where the network is told in documents. */
  readonly documents?: ObserveContext['documents'];
  /** Pays and gives the transaction's hash. Several payments travel in one transaction. */
  pay(...payments: readonly ConformancePayment[]): Promise<string>;
  /** As many transactions as payments, for a crowded block. */
  payEach?(payments: readonly ConformancePayment[]): Promise<void>;
  /** Lets the network confirm what waits, and go on for `count` blocks or ledgers. */
  mine(count: number): Promise<void>;
  /** Gives up the newest blocks for a longer branch without their transactions, which wait again or are gone. */
  reorganise?(depth: number, options: { keepTransactions: boolean }): Promise<void>;
  /** The payer replaces an unconfirmed transaction, by one that pays this instead. */
  replace?(txHash: string, ...payments: readonly ConformancePayment[]): Promise<string>;
  /** The network forgets an unconfirmed transaction. */
  drop?(txHash: string): Promise<void>;
  stopNode?(): Promise<void>;
  startNode?(): Promise<void>;
  stop(): Promise<void>;
};

export type Capability =
  | 'show unconfirmed transfers'
  | 'wait for blocks'
  | 'pay a target again'
  | 'pay several targets at once'
  | 'fill a block'
  | 'reorganise'
  | 'replace'
  | 'drop'
  | 'lose its node';
