/**
 * A bank account for stories: what is booked there comes in documents, one after the other, as statements do. It can do
 * all that no chain does: take payments back, give back what was sent, take fees, give interest, book what nobody can explain. Documents can be
 * told again, and one can be held back, so that the next is told first.
 */
import type { Connector } from '../../src/networks/port/connector.ts';
import type { NetworkDefinition } from '../../src/networks/port/definition.ts';
import type { BlockRef, MovementKind, Observed } from '../../src/networks/port/receiving.ts';

export const bankNetwork: NetworkDefinition = {
  id: 'SEPA',
  name: 'SEPA',
  type: 'BANK',
  imageSrc: '/images/networks/sepa.svg',
  bridged: true,
  hasMemos: true,
  assets: [{ assetCode: 'EUR', paymentCode: 'EUR', scale: 2, minimumUnits: 10n }],
  confirmationTiers: [{ confirmations: 1 }],
  finalityDepth: 1, // Nobody waits for another document; what is final is told in `finalHeight`, by days.
  averageBlockSeconds: 86_400,
};

const finalAfterDays = 14;
const documentsPerAnswer = 3;

type Told = {
  -readonly [Part in
    | 'observations'
    | 'unmatched'
    | 'reversals'
    | 'comebacks'
    | 'otherMovements'
    | 'sent']-?: Observed[Part] & {};
};
type Document = { readonly block: BlockRef; readonly told: Told; readonly units: bigint };

export type TestBank = ReturnType<typeof createTestBank>;

export function createTestBank(now: () => Date) {
  const documents: Document[] = [];
  const ordered = new Map<string, bigint>();
  let numbers = 0;
  /** So that stories that are told again, or late, are told in the next answer. */
  let extra: Document[] = [];

  const positionOf = (cursor: { readonly [key: string]: unknown } | null): number => Number(cursor?.['position'] ?? 0);
  const empty: BlockRef = { hash: 'document-0', height: 0, time: now() };
  const nothing: Told = { observations: [], unmatched: [], reversals: [], comebacks: [], otherMovements: [], sent: [] };

  const blockOf = (height: number): BlockRef => documents[height - 1]?.block ?? empty;

  function write(units: bigint, tell: (block: BlockRef) => Partial<Told>): Document {
    const height = documents.length + 1;
    const block = { hash: `document-${height}`, height, time: now() };
    const document = { block, told: { ...nothing, ...tell(block) }, units };
    documents.push(document);
    return document;
  }

  const isFinal = ({ block }: Document): boolean =>
    now().getTime() - block.time.getTime() >= finalAfterDays * 86_400_000;

  const connector: Connector = {
    network: bankNetwork,
    createTarget: async ({ reference }) => ({
      key: reference,
      address: 'DE02120300000000202051',
      memo: reference,
      memoType: 'text',
    }),
    async observe(cursor) {
      const position = positionOf(cursor);
      const read = documents.slice(position, position + documentsPerAnswer);
      const reached = position + read.length;
      const all = [...extra, ...read];
      extra = [];
      const together = <T>(part: (told: Told) => readonly T[]): T[] => all.flatMap(({ told }) => part(told));
      return {
        observations: together((told) => told.observations),
        unmatched: together((told) => told.unmatched),
        reversals: together((told) => told.reversals),
        comebacks: together((told) => told.comebacks),
        otherMovements: together((told) => told.otherMovements),
        sent: together((told) => told.sent),
        vanishedBlocks: [],
        vanishedArrivals: [],
        tip: blockOf(reached),
        cursor: { position: reached },
        finalHeight: documents.slice(0, reached).findLast(isFinal)?.block.height ?? 0,
        isCaughtUp: reached === documents.length,
        blocksBehind: documents.length - reached,
      };
    },
    async holdings({ tip }) {
      const units = documents.slice(0, tip.height).reduce((sum, document) => sum + document.units, 0n);
      return [{ assetCode: 'EUR', units }];
    },
    sender: {
      feeAssetCode: 'EUR',
      estimateFee: async () => ({ assetCode: 'EUR', units: 0n }),
      prepare: async ([payout]) => {
        if (!payout) throw new Error('there is nothing to send');
        const { id, units } = payout;
        const fee = { assetCode: 'EUR', units: 0n };
        return { txHash: `order-${id}`, raw: units.toString(), uses: [id], payoutIds: [id], fee, trace: {} };
      },
      broadcast: async ({ txHash, raw }) => void ordered.set(txHash, BigInt(raw)),
    },
  };

  function move(kind: MovementKind, cents: bigint, key = `movement-${++numbers}`): Document {
    const moved = { key, kind, assetCode: 'EUR', units: cents, note: 'as the bank wrote it' };
    return write(cents, (block) => ({ otherMovements: [{ ...moved, block }] }));
  }

  return {
    connector,
    documents,
    /** The name of a booking that is still to come. */
    newName: (): string => `booking-${++numbers}`,
    /** Money comes, for whoever has this reference; gives its name at the bank. */
    pay(targetKey: string, cents: bigint, txHash = `booking-${++numbers}`): string {
      const arrival = { txHash, index: '0', assetCode: 'EUR', units: cents, trace: {} };
      write(cents, (block) => ({ observations: [{ ...arrival, targetKey, block }] }));
      return txHash;
    },
    payNobody(cents: bigint): string {
      const txHash = `booking-${++numbers}`;
      const arrival = { txHash, index: '0', assetCode: 'EUR', units: cents, trace: {} };
      write(cents, (block) => ({
        unmatched: [{ ...arrival, block, sender: 'DE89370400440532013000', memo: 'order?' }],
      }));
      return txHash;
    },
    takeBack(txHash: string, cents: bigint, reversalId = `return-${++numbers}`): Document {
      const named = { reversalId, txHash, index: '0', assetCode: 'EUR', units: cents, reason: 'Wrong booking' };
      return write(-cents, (block) => ({ reversals: [{ ...named, block }] }));
    },
    /** A payment of ours comes back: the bank names it by what we had signed. */
    comeBack(payoutId: string, cents: bigint, comebackId = `comeback-${++numbers}`): Document {
      const named = { comebackId, payoutId, txHash: `order-${payoutId}`, assetCode: 'EUR', units: cents };
      return write(cents, (block) => ({ comebacks: [{ ...named, block, reason: 'Account closed' }] }));
    },
    move,
    /** What was ordered is booked. */
    carryOut(): void {
      for (const [txHash, cents] of ordered) {
        const fee = { assetCode: 'EUR', units: 0n };
        write(-cents, (block) => ({ sent: [{ txHash, outcome: 'included', block, fee }] }));
      }
      ordered.clear();
    },
    /** What was ordered is not done, and never will be. */
    refuseOrders(): void {
      for (const txHash of ordered.keys()) {
        const fee = { assetCode: 'EUR', units: 0n };
        write(0n, () => ({ sent: [{ txHash, outcome: 'failed', block: null, fee, reason: 'Refused' }] }));
      }
      ordered.clear();
    },
    /** What was ordered is booked, and the bank does not say what it was. */
    carryOutUnnamed(): void {
      for (const cents of ordered.values()) move('UNKNOWN', -cents);
      ordered.clear();
    },
    tellAgain(...again: readonly Document[]): void {
      extra = [...again];
    },
  };
}
