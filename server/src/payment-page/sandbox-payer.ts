/**
 * Gives the sandbox's chains the commands of their owner, which no real network has: pay with test money, and mine.
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
};

export class SandboxRefused extends Error {}

export function createSandboxPayer(chains: ReadonlyMap<string, Secret>): SandboxPayer {
  async function call(network: string, method: string, params: readonly unknown[]): Promise<void> {
    const url = chains.get(network);
    if (!url) throw new SandboxRefused(`${network} is not a chain of this sandbox`);
    await callSandboxChain(url.reveal(), method, params);
  }
  return {
    canPay: (network) => chains.has(network),
    pay: (network, payment) => call(network, 'sandbox_pay', [payment]),
    mine: (network, blocks) => call(network, 'sandbox_mine', [blocks]),
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
