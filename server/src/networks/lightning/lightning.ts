/**
 * Lightning, by an LND of the operator's. Every checkout has an invoice of its own, which the node lets be paid once,
 * not in part and not after it has expired. A settled invoice is final: there are no blocks, and the settle index, by
 * which the node counts the settled ones, stands for their height.
 */
import { createHash, createHmac } from 'node:crypto';
import type { BlockRef, Connector, NetworkDefinition, NetworkFacts, Observation } from '../port.ts';
import { NetworkError } from '../port.ts';
import { readLightningCursor } from './lightning-cursor.ts';
import {
  findFirstSettled,
  type LndInvoice,
  newestSettleIndex,
  recentSettleIndex,
  settleIndexOf,
} from './lnd-invoice.ts';
import { createLndRest, type LndAccess, LndRefusal } from './lnd-rest.ts';
import { createSettledInvoices, invoicesPerRound } from './settled-invoices.ts';

export type LightningChain = 'main' | 'test' | 'regtest';
export type LightningSettings = LndAccess & { readonly chain: LightningChain; readonly timeoutMs?: number };

const assetCode = 'BTCLN';

export const lightning: NetworkDefinition = {
  id: 'LIGHTNING',
  name: 'Lightning',
  type: 'BLOCKCHAIN',
  imageSrc: '/images/networks/lightning.svg',
  bridged: true,
  assets: [{ assetCode, paymentCode: 'SAT', scale: 8, minimumUnits: 1n }],
  confirmationTiers: [{ confirmations: 1 }],
  finalityDepth: 1,
  averageBlockSeconds: 1,
  hasInvoices: true,
};

/** How many of the newest invoices are looked at to know at once what has just been paid. */
const newestCount = 20;

type NodeInfo = {
  readonly identity_pubkey: string;
  readonly alias?: string;
  readonly synced_to_chain: boolean;
  readonly chains?: readonly { readonly network: string }[];
};

type Channel = {
  readonly local_balance: string;
  readonly remote_balance: string;
  readonly local_constraints?: { readonly chan_reserve_sat: string };
  readonly remote_constraints?: { readonly chan_reserve_sat: string };
};

export function createLightningConnector(settings: LightningSettings): Connector {
  const lnd = createLndRest(settings, settings.timeoutMs ?? 30_000);
  const settled = createSettledInvoices(lnd);

  async function nodeInfo(): Promise<NodeInfo> {
    const info = await lnd.get<NodeInfo>('/v1/getinfo');
    const network = info.chains?.[0]?.network ?? 'mainnet';
    const chain = network === 'mainnet' ? 'main' : network === 'regtest' ? 'regtest' : 'test'; // testnet, signet
    if (chain !== settings.chain) {
      throw new NetworkError(`The Lightning node is on ${network}, but ${settings.chain} is configured.`, {
        isRetryable: false,
      });
    }
    return info;
  }

  /** What its peers could send it now: a payment may come in parts over all channels whose peer is there. */
  async function factsOf(info: NodeInfo): Promise<NetworkFacts> {
    const { channels = [] } = await lnd.get<{ channels?: readonly Channel[] }>('/v1/channels?active_only=true');
    let receivable = 0n;
    let sendable = 0n;
    for (const channel of channels) {
      receivable += spendable(channel.remote_balance, channel.remote_constraints);
      sendable += spendable(channel.local_balance, channel.local_constraints);
    }
    // A node that does not know the newest blocks must not take part in payments.
    if (!info.synced_to_chain) receivable = sendable = 0n;
    return {
      nodeId: info.identity_pubkey,
      ...(info.alias && { nodeName: info.alias }),
      receivable: { [assetCode]: receivable.toString() },
      sendable: { [assetCode]: sendable.toString() },
    };
  }

  /** The invoices settled after `index`; `next` is where to go on, which is past one that is not listed at all. */
  async function settledAfter(
    index: number,
    known: number,
  ): Promise<{ invoices: readonly LndInvoice[]; next: number }> {
    if (index > 0) {
      const invoices = await settled.after(index, known);
      return { invoices, next: invoices.reduce((most, invoice) => Math.max(most, settleIndexOf(invoice)), index) };
    }
    const first = await findFirstSettled(lnd);
    if (first === 'none yet') return { invoices: [], next: 0 };
    return { invoices: first === 'not listed' ? [] : [first], next: 1 };
  }

  return {
    network: lightning,

    async createTarget({ targetId, reference, amount, requestedAt, expiresAt }) {
      // The same preimage for the same target: whoever asks again, because the answer was lost, gets the same invoice.
      const preimage = createHmac('sha256', settings.macaroon.reveal()).update(`invoice ${targetId}`).digest();
      const hash = createHash('sha256').update(preimage).digest('hex');
      const body = {
        value: amount.units.toString(),
        memo: reference,
        expiry: String(Math.max(1, Math.ceil((expiresAt.getTime() - requestedAt.getTime()) / 1000))),
        r_preimage: preimage.toString('base64'),
        private: true, // Hints at channels that are not announced: without them many nodes cannot be reached.
      };
      const { payment_request: invoice } = await lnd
        .post<{ payment_request: string }>('/v1/invoices', body)
        .catch((error: unknown) => {
          if (!(error instanceof LndRefusal)) throw error;
          return lnd.get<LndInvoice>(`/v1/invoice/${hash}`).catch(() => Promise.reject(error));
        });
      return { key: hash, address: invoice.toLowerCase(), memo: null, memoType: null };
    },

    async observe(stored, context) {
      const info = await nodeInfo();
      const [facts, known] = await Promise.all([factsOf(info), newestSettleIndex(lnd, newestCount)]);
      const cursor = readLightningCursor(stored);
      const start = cursor.nodes[info.identity_pubkey] ?? { settleIndex: await recentSettleIndex(lnd), settledAt: 0 };
      const { invoices, next } = await settledAfter(start.settleIndex, known);

      const all = invoices.map(toObservation);
      const ours = await context.knownTargets(all.map(({ targetKey }) => targetKey));
      const settledAt = all.at(-1)?.block.time.getTime() ?? start.settledAt;
      return {
        observations: all.filter(({ targetKey }) => ours.has(targetKey)),
        vanishedBlocks: [],
        vanishedTransfers: [],
        tip: { hash: `${info.identity_pubkey}/${next}`, height: next, time: new Date(settledAt) },
        cursor: { nodes: { ...cursor.nodes, [info.identity_pubkey]: { settleIndex: next, settledAt } } },
        isCaughtUp: next >= known && invoices.length < invoicesPerRound,
        blocksBehind: Math.max(0, known - next),
        facts,
      };
    },
  };
}

function toObservation(invoice: LndInvoice): Observation & { block: BlockRef } {
  const hash = Buffer.from(invoice.r_hash, 'base64').toString('hex');
  const block = { hash, height: settleIndexOf(invoice), time: new Date(Number(invoice.settle_date) * 1000) };
  return {
    targetKey: hash,
    txHash: hash,
    index: '0',
    assetCode,
    units: BigInt(invoice.amt_paid_sat),
    block,
    trace: {},
  };
}

/** A side of a channel must keep its reserve. */
function spendable(balance: string, constraints: { chan_reserve_sat: string } | undefined): bigint {
  const free = BigInt(balance) - BigInt(constraints?.chan_reserve_sat ?? '0');
  return free > 0n ? free : 0n;
}
