/** Somebody else's node, to which one can send: it makes invoices, accepts what comes, and can be told to wait. */
import * as ldk from 'lightningdevkit';
import { fromHex, makeInvoice, preimageOf, readInvoice, toHex } from './ldk-invoice.ts';
import type { LdkNode } from './ldk-node.ts';

export type RequestedInvoice = { readonly invoice: string; readonly hash: string };

export type LdkWallet = {
  /**
   * `sat` null: whoever pays decides. `isHeld`: what comes is neither accepted nor refused before `release`, or until so many
   * blocks have passed.
   */
  request(wish: {
    sat: bigint | null;
    expirySeconds?: number;
    isHeld?: boolean;
    finalBlocks?: number;
  }): RequestedInvoice;
  release(hash: string, verdict: 'take' | 'refuse'): void;
  /** In millisatoshis, of all payments to this hash: so paying twice would be seen. */
  received(hash: string): bigint;
  /** How many payments wait for a decision, or have had one. */
  arrivals(hash: string): number;
  onEvent(event: ldk.Event): void;
};

export function createLdkWallet(node: () => LdkNode): LdkWallet {
  const preimages = new Map<string, Uint8Array>();
  const held = new Set<string>();
  const arrived = new Map<string, number>();
  const taken = new Map<string, bigint>();

  return {
    request({ sat, expirySeconds = 3_600, isHeld = false, finalBlocks }) {
      const invoice = makeInvoice(node(), { valueSat: sat, memo: '', expirySeconds, finalBlocks });
      const { hash } = readInvoice(invoice);
      if (isHeld) held.add(hash);
      return { hash, invoice };
    },
    release(hash, verdict) {
      held.delete(hash);
      const preimage = preimages.get(hash);
      if (verdict === 'take' && preimage) node().channels.claim_funds(preimage);
      else node().channels.fail_htlc_backwards(fromHex(hash));
    },
    received: (hash) => taken.get(hash) ?? 0n,
    arrivals: (hash) => arrived.get(hash) ?? 0,
    onEvent(event) {
      if (event instanceof ldk.Event_PaymentClaimable) {
        const hash = toHex(event.payment_hash);
        arrived.set(hash, (arrived.get(hash) ?? 0) + 1);
        const preimage = preimageOf(event);
        if (!preimage) return node().channels.fail_htlc_backwards(event.payment_hash);
        preimages.set(hash, preimage);
        if (!held.has(hash)) node().channels.claim_funds(preimage);
      } else if (event instanceof ldk.Event_PaymentClaimed) {
        const hash = toHex(event.payment_hash);
        taken.set(hash, (taken.get(hash) ?? 0n) + event.amount_msat);
      }
    },
  };
}
