/** Plays the sending side of the service in the conformance suite: stores what was signed, as the database does. */
import assert from 'node:assert/strict';
import type { Connector } from './port/connector.ts';
import { type DeclaredVoid, isFiling, type KnownOrder, type OrderFate, type OrdersAsked } from './port/orders.ts';
import type { DepositTarget } from './port/receiving.ts';
import type { Coin, OutgoingTransaction, SendContext, Sender, SentUpdate, SignedTransaction } from './port/sending.ts';

type Kept = SignedTransaction & { signedAt: Date; update: SentUpdate | null; replaced: string | undefined };

export type OutgoingMemory = ReturnType<typeof createOutgoingMemory>;

export function createOutgoingMemory(unspentCoins: (assetCode: string) => readonly Coin[]) {
  const transactions = new Map<string, Kept>();
  const voids = new Map<string, Date>();
  const doubted = new Set<string>();
  let safe = 0;
  let clock = () => new Date();

  const usersOf = (use: string): Kept[] => [...transactions.values()].filter(({ uses }) => uses.includes(use));
  const isOpen = ({ update }: Kept): boolean => update === null || update.outcome === 'included';
  const toOutgoing = ({ txHash, raw, uses, trace, signedAt, update }: Kept): OutgoingTransaction => ({
    txHash,
    raw,
    uses,
    trace,
    signedAt,
    block: update?.block ?? null,
  });

  return {
    transactions,
    setClock(next: () => Date) {
      clock = next;
    },
    open: (): OutgoingTransaction[] => [...transactions.values()].filter(isOpen).map(toOutgoing),
    asOutgoing: (txHash: string): OutgoingTransaction => toOutgoing(transactions.get(txHash) as Kept),
    isOurs: (txHash: string): boolean => transactions.has(txHash),
    /** Stores what was signed. Two transactions may share a use only if one replaces the other, directly or not. */
    keep(signed: SignedTransaction, replaced?: string): OutgoingTransaction {
      const replacedOnes = new Set<string>();
      for (let next = replaced; next !== undefined; next = transactions.get(next)?.replaced) replacedOnes.add(next);
      for (const use of signed.uses) {
        const rivals = usersOf(use).filter(
          ({ txHash, update }) => !replacedOnes.has(txHash) && update?.outcome !== 'expired',
        );
        assert.deepEqual(
          rivals.map(({ txHash }) => txHash),
          [],
          `${use} is used twice`,
        );
      }
      const kept = {
        ...(JSON.parse(toJson(signed)) as SignedTransaction),
        fee: signed.fee,
        signedAt: clock(),
        update: null,
        replaced,
      };
      transactions.set(signed.txHash, kept);
      return toOutgoing(kept);
    },
    store(updates: readonly SentUpdate[], vanishedBlocks: ReadonlySet<string>, safeHeight = 0) {
      safe = safeHeight;
      for (const kept of transactions.values()) {
        if (kept.update?.block && vanishedBlocks.has(kept.update.block.hash)) kept.update = null;
      }
      for (const update of updates) {
        const kept = transactions.get(update.txHash);
        if (!kept) continue;
        const isLate = 'file' in kept.trace && update.block === null && kept.update !== null; // Bookings decide.
        if (!isLate) transactions.set(kept.txHash, { ...kept, update, trace: { ...kept.trace, ...update.traced } });
      }
    },
    orders: ({ hashes, fileIds }: OrdersAsked): KnownOrder[] =>
      [...transactions.values()]
        .filter(({ txHash, trace }) => hashes.includes(txHash) || fileIds.includes(String(trace['file'])))
        .map((kept) => ({
          txHash: kept.txHash,
          payoutId: String(kept.trace['payout']),
          fileId: String(kept.trace['file']),
          raw: kept.raw,
          trace: kept.trace,
          fate: fateOf(kept, safe),
          wasDoubted: doubted.has(String(kept.trace['payout'])),
        })),
    /** Movements that nobody has explained are about these payouts. */
    doubt(payoutIds: readonly string[]) {
      for (const id of payoutIds) doubted.add(id);
    },
    /** Somebody said that what was about it was just this payment. */
    believe(payoutId: string) {
      doubted.delete(payoutId);
    },
    declareVoid(fileId: string, at: Date) {
      for (const kept of transactions.values())
        if (kept.trace['file'] === fileId && kept.update === null) voids.set(kept.txHash, at);
    },
    declaredVoid: (): DeclaredVoid[] =>
      Array.from(voids, ([txHash, declaredAt]) => ({
        txHash,
        payoutId: String(transactions.get(txHash)?.trace['payout']),
        declaredAt,
      })).filter(({ txHash, payoutId }) => transactions.get(txHash)?.update === null && !doubted.has(payoutId)),
    movedAt: (targetKey: string, assetCode: string): bigint =>
      [...transactions.values()]
        .flatMap(({ update }) => update?.moves ?? [])
        .filter((move) => move.targetKey === targetKey && move.assetCode === assetCode)
        .reduce((sum, { units }) => sum + units, 0n),
    context(changeTarget: () => Promise<DepositTarget & { index: number }>): SendContext {
      return {
        now: clock(),
        changeTarget,
        async unspent({ assetCode, limit, order, leastUnits = 0n }) {
          const isFree = ({ txHash, index }: Coin) =>
            usersOf(`${txHash}:${index}`).every(({ update }) => update?.outcome === 'expired');
          const free = unspentCoins(assetCode).filter((coin) => isFree(coin) && coin.units >= leastUnits);
          if (order)
            free.sort((a, b) => (a.units === b.units ? 0 : a.units < b.units === (order === 'smallest') ? -1 : 1));
          return free.slice(0, limit);
        },
        async used(prefix) {
          const live = [...transactions.values()].filter(({ update }) => update?.outcome !== 'expired');
          return live.flatMap(({ uses }) => uses).filter((use) => use.startsWith(prefix));
        },
      };
    },
  };
}

export function senderOf(connector: Connector): Sender {
  const { sender } = connector;
  assert.ok(sender && !isFiling(sender), `${connector.network.id} signs nothing`);
  return sender;
}

function fateOf({ update, until }: Kept, safeHeight: number): OrderFate {
  if (update === null) return 'open';
  if (update.outcome !== 'included') return update.outcome === 'expired' ? 'void' : 'failed';
  return until === undefined || (update.block?.height ?? 0) <= safeHeight ? 'done' : 'booked';
}

/** A trace must survive storing, so it may contain only JSON. */
const toJson = (signed: SignedTransaction): string => JSON.stringify({ ...signed, fee: null });
