/**
 * Lightning, with an LND of the operator's. Every checkout has its own invoice, which the node lets be paid once, not
 * in part, and not after it has expired. A settled invoice is final: there are no blocks. Instead of the height of a
 * block we use the settle index, the node's count of settled invoices.
 */
import { createHash, createHmac } from 'node:crypto';
import { type Connector, NetworkError } from '../port/connector.ts';
import type { NetworkDefinition, PaymentUnit } from '../port/definition.ts';
import type { BlockRef, NetworkFacts, Observation } from '../port/receiving.ts';
import { decodeBolt11 } from './bolt11.ts';
import { type Fraction, fractionOf, readLightningCursor } from './lightning-cursor.ts';
import { destinationProblem } from './lightning-destination.ts';
import { type FeeLimit, satoshisOf } from './lightning-order.ts';
import { lightningInstructions } from './lightning-payer.ts';
import { createLightningSender } from './lightning-sender.ts';
import {
  findFirstSettled,
  type LndInvoice,
  newestSettleIndex,
  recentSettleIndex,
  settleIndexOf,
} from './lnd-invoice.ts';
import { createLndNode, type NodeInfo } from './lnd-node.ts';
import { createLndRest, type LndAccess, LndRefusal } from './lnd-rest.ts';
import { createSentPayments } from './sent-payments.ts';
import { createSettledInvoices, invoicesPerRound } from './settled-invoices.ts';

export type LightningChain = 'main' | 'test' | 'regtest';
export type LightningSettings = LndAccess & {
  readonly chain: LightningChain;
  readonly timeoutMs?: number;
  /** What a payment may cost to send. Left out: this connector only receives. */
  readonly feeLimit?: FeeLimit | undefined;
  /** For how many blocks whoever is paid may hold a payment. */
  readonly holdBlocksMax?: number;
  /** For how long a failed payment must stay failed before it counts. */
  readonly quietMs?: number;
  /** How long after the node said that it does not know a payment it may be asked to pay. */
  readonly staleMs?: number;
  /** The node, and the people who give us invoices, use real time. */
  readonly now?: () => Date;
};

const assetCode = 'BTCLN';

const satoshi: PaymentUnit = {
  name: 'Satoshi',
  places: 8,
  meaning: {
    en: 'SAT means satoshi: a hundred-millionth of a bitcoin.',
    de: 'SAT steht für Satoshi: ein Hundertmillionstel eines Bitcoins.',
    pt: 'SAT significa satoshi: um centésimo de milionésimo de um bitcoin.',
    es: 'SAT significa satoshi: la cienmillonésima parte de un bitcoin.',
    it: 'SAT significa satoshi: un centomilionesimo di bitcoin.',
    tr: 'SAT, satoshi demektir: bir bitcoinin yüz milyonda biri.',
    pl: 'SAT oznacza satoshi: jedną stumilionową bitcoina.',
    fr: 'SAT signifie satoshi\u00a0: un cent-millionième de bitcoin.',
    ar: 'SAT تعني ساتوشي: جزءًا من مئة مليون جزء من البيتكوين.',
  },
};

export const lightning: NetworkDefinition = {
  id: 'LIGHTNING',
  name: 'Lightning',
  type: 'BLOCKCHAIN',
  imageSrc: '/images/networks/lightning.svg',
  bridged: true,
  assets: [{ assetCode, paymentCode: 'SAT', paymentUnit: satoshi, scale: 8, minimumUnits: 1n }],
  confirmationTiers: [{ confirmations: 1 }],
  finalityDepth: 1,
  averageBlockSeconds: 1,
  hasInvoices: true,
  jointWith: 'BITCOIN', // Whoever has no Lightning wallet finds the other way to pay bitcoins beside it.
  payerCost: { assetCode, units: 2n }, // Routes take a satoshi or two for what people buy in shops.
  payerInstructions: lightningInstructions,
};

/** How many of the newest invoices are looked at, to know at once what was just paid. */
const newestCount = 20;

/**
 * We ask for a payment no later than this after the node said that it does not know it, and our request takes no longer
 * than this. Both together are less than the time for which a failure must stand.
 */
const staleMs = 5_000;
const sendPatienceMs = 10_000;
const quietMs = 20_000;

/** Three days: a way over several nodes, each of which wants to be able to hold the payment for most of a day. */
export const defaultHoldBlocks = 432;

export function createLightningConnector(settings: LightningSettings): Connector {
  const lnd = createLndRest(settings, settings.timeoutMs ?? 30_000);
  const node = createLndNode(lnd, settings.chain);
  const settled = createSettledInvoices(lnd);
  const now = settings.now ?? (() => new Date());
  const sent = createSentPayments(lnd, { assetCode, quietMs: settings.quietMs ?? quietMs, now });
  const { feeLimit, chain, holdBlocksMax = defaultHoldBlocks } = settings;
  const limits = { chain, holdBlocksMax };
  const sender =
    feeLimit &&
    createLightningSender({
      lnd: createLndRest(settings, Math.min(settings.timeoutMs ?? sendPatienceMs, sendPatienceMs)),
      node,
      limits,
      assetCode,
      feeLimit,
      staleMs: settings.staleMs ?? staleMs,
    });

  async function factsOf(info: NodeInfo): Promise<NetworkFacts> {
    const { receivable, sendable, slots } = await node.capacity(info);
    return {
      nodeId: info.identity_pubkey,
      ...(info.alias && { nodeName: info.alias }),
      receivable: { [assetCode]: receivable.toString() },
      sendable: { [assetCode]: sendable.toString() },
      slots,
    };
  }

  /** The invoices settled after `index`. `next` is where to go on, also past one that is not listed at all. */
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
    ...(sender && { sender }),
    async holdings({ tip, cursor }) {
      const { identity_pubkey: nodeId } = await node.info();
      const place = readLightningCursor(cursor).nodes[nodeId];
      const units = await node.heldWithout(BigInt(place?.fraction?.msat ?? 0));
      if ((await newestSettleIndex(lnd, newestCount)) > tip.height)
        throw new NetworkError('An invoice was settled while we counted: count again.', { isRetryable: true });
      return [{ assetCode, units }];
    },

    addressProblem: (destination) => destinationProblem(destination, limits),

    async createTarget({ targetId, reference, amount, requestedAt, expiresAt }) {
      // The same preimage for the same target: whoever asks again, because the answer was lost, gets the same invoice.
      const preimage = createHmac('sha256', settings.macaroon.reveal()).update(`invoice ${targetId}`).digest();
      const hash = createHash('sha256').update(preimage).digest('hex');
      const body = {
        value: amount.units.toString(),
        memo: reference,
        expiry: String(Math.max(1, Math.ceil((expiresAt.getTime() - requestedAt.getTime()) / 1000))),
        r_preimage: preimage.toString('base64'),
        private: true, // Names channels that are not announced: without them many nodes cannot be reached.
      };
      const { payment_request: invoice } = await lnd
        .post<{ payment_request: string }>('/v1/invoices', body)
        .catch((error: unknown) => {
          if (!(error instanceof LndRefusal)) throw error;
          return lnd.get<LndInvoice>(`/v1/invoice/${hash}`).catch(() => Promise.reject(error));
        });
      return { key: hash, address: invoice.toLowerCase(), memo: null, memoType: null };
    },

    targetUnits({ address }) {
      const { msat } = decodeBolt11(address);
      return msat === null ? null : satoshisOf(msat);
    },

    async observe(stored, context) {
      const info = await node.info();
      const [facts, known] = await Promise.all([factsOf(info), newestSettleIndex(lnd, newestCount)]);
      const cursor = readLightningCursor(stored);
      const start = cursor.nodes[info.identity_pubkey] ?? { settleIndex: await recentSettleIndex(lnd), settledAt: 0 };
      const { invoices, next } = await settledAfter(start.settleIndex, known);

      const all = invoices.map(toObservation);
      const ours = await context.knownTargets(all.map(({ targetKey }) => targetKey));
      const open = await context.outgoing();
      const settledAt = all.at(-1)?.block.time.getTime() ?? start.settledAt;
      const nodeId = info.identity_pubkey;
      const paid = withFractions(
        fractionOf(start),
        invoices.filter((_, index) => ours.has(all[index]?.targetKey ?? '')),
      );
      const { updates, fraction } = await sent.updates(open, { nodeId, height: next, fraction: paid });
      const place = { settleIndex: next, settledAt, fraction };
      return {
        observations: all.filter(({ targetKey }) => ours.has(targetKey)),
        vanishedBlocks: [],
        vanishedArrivals: [],
        tip: { hash: `${nodeId}/${next}`, height: next, time: new Date(settledAt) },
        cursor: { nodes: { ...cursor.nodes, [nodeId]: place } },
        isCaughtUp: next >= known && invoices.length < invoicesPerRound,
        blocksBehind: Math.max(0, known - next),
        ...(open.length > 0 && { sent: updates }),
        facts,
      };
    },
  };
}

/** Adds what these were paid beyond whole satoshis, unless they were read before. */
function withFractions(before: Fraction, invoices: readonly LndInvoice[]): Fraction {
  const fresh = invoices.filter((invoice) => settleIndexOf(invoice) > before.settleIndex);
  return {
    msat: fresh.reduce((sum, { amt_paid_msat: msat }) => sum + Number(BigInt(msat) % 1_000n), before.msat),
    settleIndex: fresh.reduce((most, invoice) => Math.max(most, settleIndexOf(invoice)), before.settleIndex),
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
