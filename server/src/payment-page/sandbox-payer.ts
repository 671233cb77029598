/**
 * Gives the sandbox's chains the commands of their owner, which no real network has: pay with test money, and mine. Who tries
 * this out has no wallet: what goes back can go to the one that pays.
 * Only a process in sandbox mode knows the URLs of these chains.
 */
import type { Secret } from '../lib/secret.ts';

export type SandboxPayment = {
  readonly address: string;
  readonly amount: string;
  readonly asset: string;
  readonly memo: string | null;
};

export type SandboxPayer = {
  canPay(network: string): boolean;
  pay(network: string, payment: SandboxPayment): Promise<void>;
  mine(network: string, blocks: number): Promise<void>;
  /** Where the wallet that pays takes this back; null: it does not, or the chain does not answer. */
  addressFor(network: string, wanted: { readonly amount: string; readonly asset: string }): Promise<string | null>;
};

export class SandboxRefused extends Error {}

export function createSandboxPayer(chains: ReadonlyMap<string, Secret>): SandboxPayer {
  async function call(network: string, method: string, params: readonly unknown[]): Promise<unknown> {
    const url = chains.get(network);
    if (!url) throw new SandboxRefused(`${network} is not a chain of this sandbox`);
    return callSandboxChain(url.reveal(), method, params);
  }
  return {
    canPay: (network) => chains.has(network),
    async pay(network, payment) {
      await call(network, 'sandbox_pay', [payment]);
    },
    async mine(network, blocks) {
      await call(network, 'sandbox_mine', [blocks]);
    },
    async addressFor(network, wanted) {
      const address = await call(network, 'sandbox_address', [wanted]).catch(() => null);
      return typeof address === 'string' ? address : null;
    },
  };
}

/** Throws `SandboxRefused` with the chain's own words, or a TypeError when nobody answers. */
export async function callSandboxChain(chainUrl: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const url = new URL(chainUrl);
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  url.username = '';
  url.password = '';
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
    body: JSON.stringify({ id: 1, method, params }),
    signal: AbortSignal.timeout(30_000),
  });
  const reply = (await response.json().catch(() => ({}))) as { result?: unknown; error?: { message: string } | null };
  if (reply.error) throw new SandboxRefused(reply.error.message);
  if (!response.ok) throw new SandboxRefused(`HTTP ${response.status}`);
  return reply.result;
}
