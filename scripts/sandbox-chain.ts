/** The owner's side of a chain of the sandbox: what nobody can do on a real network. */
import { callSandboxChain, SandboxRefused } from '@quittance/server/payment-page/sandbox-payer';
import { CommandError } from './command-line.ts';
import type { Installation } from './installation.ts';

export type SandboxChain = {
  readonly network: string;
  /** `asset` for a chain with several, `memo` for one where many share an address. */
  pay(to: { address: string; amount: string; asset: string; memo: string | null }): Promise<string>;
  mine(blocks: number): Promise<string[]>;
  reorganise(depth: number, options: { keepTransactions: boolean }): Promise<string[]>;
  replace(txid: string): Promise<string>;
  drop(txid: string): Promise<void>;
  /** An invoice of somebody else, to be paid; null: for any amount. */
  requestInvoice(amount: string | null): Promise<string>;
  /** A payment is taken back, whole or in part, by whoever: payers contest, and banks have portals. */
  takeBack(tx: string, options: { amount?: string | undefined; by: 'payer' | 'receiver' }): Promise<string>;
};

export async function openSandboxChain(installation: Installation, name: string): Promise<SandboxChain> {
  const chains = await installation.sandboxChains();
  const network = name.toUpperCase();
  const rpcUrl = chains.get(network);
  if (rpcUrl === undefined) {
    const known = chains.size === 0 ? 'none' : [...chains.keys()].join(', ');
    throw new CommandError(
      `${network} is not a chain of this sandbox, which has ${known}: a real node takes no orders.`,
    );
  }
  const url = rpcUrl;
  async function call<Result>(method: string, ...params: unknown[]): Promise<Result> {
    return (await callChain(url, network, method, params)) as Result;
  }
  return {
    network,
    pay: (to) => call('sandbox_pay', to),
    mine: (blocks) => call('sandbox_mine', blocks),
    reorganise: (depth, { keepTransactions }) => call('sandbox_reorganise', { depth, keepTransactions }),
    replace: (txid) => call('sandbox_replace', { txid }),
    drop: (txid) => call('sandbox_drop', txid),
    requestInvoice: (amount) => call('sandbox_invoice', { amount }),
    takeBack: (tx, { amount, by }) =>
      call(by === 'payer' ? 'sandbox_contest' : 'sandbox_give_back', { tx, ...(amount !== undefined && { amount }) }),
  };
}

async function callChain(rpcUrl: string, network: string, method: string, params: unknown[]): Promise<unknown> {
  try {
    return await callSandboxChain(rpcUrl, method, params);
  } catch (error) {
    if (!(error instanceof SandboxRefused))
      throw new CommandError(`The sandbox's ${network} does not answer: start it with npm start.`);
    throw new CommandError(`${network} refuses: ${error.message.replace(/\.?$/, '.')}`);
  }
}
