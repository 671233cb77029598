/**
 * A bank that lives in memory, to hold the service to what differs from a chain: days to pay, one currency, holders'
 * names. What it accepts and books is a document; a document is a block, and its place in the order its height. It
 * stands under the id of a registered bank network and is given to a gateway beside the networks that are configured.
 */
import type { Connector } from '@quittance/server/networks/port/connector';
import type { BlockRef, Observation } from '@quittance/server/networks/port/receiving';
import type { Payout } from '@quittance/server/networks/port/sending';
import { sepaNetwork } from '@quittance/server/networks/sepa/sepa';

export type PaperBank = {
  readonly connector: Connector;
  /** A transfer with this text arrives and is booked, in cents. Without a payer, the bank does not say who it was. */
  pay(text: string, cents: bigint, payer?: Payer): void;
  /** What was ordered and is in the bank's hands, oldest first. */
  readonly orders: readonly Payout[];
  /** Books all of that. */
  bookOrders(): void;
};

export type Payer = { readonly name: string; readonly iban: string };

export const somebody: Payer = { name: 'Ada Payer', iban: 'DE75512108001245126199' };

type Document = {
  readonly block: BlockRef;
  readonly arrivals: readonly Observation[];
  readonly orderIds: readonly string[];
};

export const bankAccount = 'DE02120300000000202051';

export function openPaperBank(now: () => Date): PaperBank {
  const documents: Document[] = [];
  const orders: Payout[] = [];
  const signed = new Map<string, Payout>();
  const bookedIds = new Set<string>();
  const fee = { assetCode: 'EUR', units: 0n };
  const hashOf = (payoutId: string): string => `order-${payoutId}`;

  function accept(arrivals: Document['arrivals'], orderIds: Document['orderIds']): void {
    const height = documents.length + 1;
    const block = { hash: `document-${height}`, height, time: now() };
    documents.push({ block, arrivals: arrivals.map((each) => ({ ...each, block })), orderIds });
  }
  accept([], []);

  const connector: Connector = {
    network: {
      ...sepaNetwork.identity,
      assets: [{ assetCode: 'EUR', paymentCode: 'EUR', scale: 2, minimumUnits: 1n, mostSentUnits: 99_999_999_999n }],
      confirmationTiers: [{ confirmations: 1 }],
      finalityDepth: 14,
      averageBlockSeconds: 86_400,
    },
    async createTarget({ targetId }) {
      return { key: targetId, address: bankAccount, memo: targetId, memoType: 'text' };
    },
    payerOf({ payer }) {
      const { name, iban } = (payer ?? {}) as Partial<Payer>;
      if (name === undefined || iban === undefined) return null;
      const holder = { name, street: null, postCode: null, town: null, country: null, bic: null };
      return { account: { address: iban, memo: null, memoType: null, holder }, problem: null };
    },
    async observe(cursor, context) {
      const position = cursor === null ? documents.length - 1 : Number(cursor['position']);
      const fresh = documents.slice(position);
      const arrivals = fresh.flatMap((document) => document.arrivals);
      const known = await context.knownTargets(arrivals.map(({ targetKey }) => targetKey));
      const untold = (await context.outgoing()).filter(({ block }) => block === null);
      const outgoing = new Set(untold.map(({ txHash }) => txHash));
      const { block: tip } = documents.at(-1) as Document;
      return {
        observations: arrivals.filter(({ targetKey }) => known.has(targetKey)),
        vanishedBlocks: [],
        vanishedArrivals: [],
        tip,
        finalHeight: 0,
        cursor: { position: documents.length },
        isCaughtUp: true,
        blocksBehind: 0,
        sent: documents.flatMap(({ block, orderIds }) =>
          orderIds
            .map(hashOf)
            .filter((txHash) => outgoing.has(txHash))
            .map((txHash) => ({ txHash, outcome: 'included' as const, block, fee })),
        ),
      };
    },
    sender: {
      feeAssetCode: 'EUR',
      estimateFee: async () => fee,
      async prepare([payout]) {
        if (!payout) throw new Error('nothing to send');
        signed.set(hashOf(payout.id), payout);
        const txHash = hashOf(payout.id);
        return { txHash, raw: txHash, uses: [txHash], payoutIds: [payout.id], fee, trace: {} };
      },
      async broadcast({ txHash }) {
        const payout = signed.get(txHash);
        if (payout && !orders.includes(payout)) orders.push(payout);
      },
    },
  };

  return {
    connector,
    orders,
    pay(text, cents, payer) {
      const txHash = `arrival-${documents.length + 1}`;
      const trace = payer ? { payer } : {};
      const arrival = { targetKey: text, txHash, index: '0', assetCode: 'EUR', units: cents, block: null, trace };
      accept([arrival], []);
    },
    bookOrders() {
      const open = orders.map(({ id }) => id).filter((id) => !bookedIds.has(id));
      for (const id of open) bookedIds.add(id);
      accept([], open);
    },
  };
}
