/** Plays the rest of the service in the conformance suite: stores what a connector observes, the way payments do. */
import assert from 'node:assert/strict';
import { createOutgoingMemory } from '../../src/networks/outgoing-memory.ts';
import type { Connector } from '../../src/networks/port/connector.ts';
import type {
  Cursor,
  DepositTarget,
  Observation,
  ObserveContext,
  Observed,
  Reversal,
  ToldBefore,
  UnmatchedArrival,
} from '../../src/networks/port/receiving.ts';
import type { Coin, SendContext } from '../../src/networks/port/sending.ts';
import { noDocuments } from './no-documents.ts';

type Stored = {
  observation: Observation;
  fate: 'waiting' | 'in a block' | 'replaced' | 'dropped';
  replacedBy: string | null;
};

export type Watched = ReturnType<typeof createWatched>;

/** `documents`: where the network is told in documents, what was accepted of them. */
export function createWatched(first: Connector, documents: ObserveContext['documents'] = noDocuments) {
  let connector = first;
  let cursor: Cursor | null = null;
  let tipHeight = 0;
  let lookUps = 0;
  const targets = new Set<string>();
  const payments = new Map<string, Stored>();
  /** Derivation indexes, by key, of targets whose money can be sent on. */
  const targetIndexes = new Map<string, number>();
  /** What was taken back, each once. */
  const reversals = new Map<string, Reversal>();
  /** What names no target, by its transaction. */
  const unmatched = new Map<string, UnmatchedArrival>();
  /** What was booked in another way than as a payment, by what the network calls it. */
  const toldAs = new Map<string, ToldBefore>();
  const changeKeys = new Set<string>();
  let nextChangeIndex = 500_000;
  const outgoing = createOutgoingMemory((assetCode) => coins(assetCode));

  const ask = (): Promise<Observed> =>
    connector.observe(cursor, {
      async knownTargets(keys) {
        lookUps += 1;
        return new Set(keys.filter((key) => targets.has(key)));
      },
      async unconfirmed() {
        const waiting = [...payments.values()].filter(({ fate }) => fate === 'waiting');
        const traces = new Map(waiting.map(({ observation: { txHash, trace } }) => [txHash, trace]));
        return [...traces].map(([txHash, trace]) => ({ txHash, trace }));
      },
      async knownArrivals(transfers) {
        return new Set(transfers.filter((transfer) => payments.has(transfer)));
      },
      async arrivalsAt(keys) {
        const arrived = [...payments.values()].filter(({ fate }) => fate === 'in a block');
        return arrived
          .map(({ observation }) => ({ ...observation, units: observation.units - takenOf(observation) }))
          .filter(({ targetKey }) => keys.includes(targetKey));
      },
      waitingUnmatched: async (amounts) =>
        [...unmatched.values()].filter(
          (each) =>
            takenOf(each) === 0n &&
            amounts.some(({ assetCode, units }) => each.assetCode === assetCode && each.units === units),
        ),
      async recentTargets({ assetCode, afterKey, limit }) {
        const keys = [...targets].filter((key) => key > afterKey).sort();
        return keys.slice(0, limit).map((key) => ({
          key,
          receivedUnits: receivedBy(key, assetCode) + outgoing.movedAt(key, assetCode),
        }));
      },
      urgentTargets: async () => [],
      outgoing: async () => outgoing.open(),
      orders: async (asked) => outgoing.orders(asked),
      toldBefore: async (names) => new Map([...toldAs].filter(([name]) => names.includes(name))),
      declaredVoid: async () => outgoing.declaredVoid(),
      documents,
    });

  const takenOf = ({ txHash, index }: Pick<Observation, 'txHash' | 'index'>): bigint =>
    [...reversals.values()]
      .filter((each) => each.txHash === txHash && each.index === index)
      .reduce((sum, { units }) => sum + units, 0n);

  /** In this order: what a given-up block confirmed may be confirmed by another in the same answer. */
  function store(observed: Observed): void {
    const gone = new Set(observed.vanishedBlocks);
    for (const payment of payments.values()) {
      const { block } = payment.observation;
      if (block && gone.has(block.hash)) {
        payment.observation = { ...payment.observation, block: null };
        payment.fate = 'waiting';
      }
    }
    for (const { txHash, replacedBy } of observed.vanishedArrivals) {
      for (const payment of payments.values()) {
        if (payment.observation.txHash !== txHash) continue;
        payment.fate = replacedBy === null ? 'dropped' : 'replaced';
        payment.replacedBy = replacedBy;
      }
    }
    outgoing.store(observed.sent ?? [], gone, observed.safeHeight ?? 0);
    for (const { key, about = [] } of observed.otherMovements ?? []) {
      if (toldAs.has(key)) continue;
      toldAs.set(key, 'movement');
      outgoing.doubt(about);
    }
    for (const each of observed.unmatched ?? []) {
      toldAs.set(each.txHash, 'unmatched');
      unmatched.set(each.txHash, each);
    }
    for (const { reversalId } of observed.reversals ?? []) toldAs.set(reversalId, 'movement');
    for (const { comebackId } of observed.comebacks ?? []) toldAs.set(comebackId, 'comeback');
    for (const observation of observed.observations) {
      // The service leaves out what its own transactions bring to targets, but for change.
      if (outgoing.isOurs(observation.txHash) && !changeKeys.has(observation.targetKey)) continue;
      const key = `${observation.txHash}:${observation.index}`;
      const isConfirmed = payments.get(key)?.fate === 'in a block';
      if (isConfirmed && !observation.block) continue;
      payments.set(key, { observation, fate: observation.block ? 'in a block' : 'waiting', replacedBy: null });
    }
    for (const each of observed.reversals ?? []) reversals.set(each.reversalId, each);
    cursor = JSON.parse(JSON.stringify(observed.cursor)) as Cursor;
    tipHeight = observed.tip.height;
  }

  function receivedBy(key: string, assetCode: string): bigint {
    const arrived = [...payments.values()].filter(
      ({ observation, fate }) =>
        observation.targetKey === key && observation.assetCode === assetCode && fate === 'in a block',
    );
    return arrived.reduce((sum, { observation }) => sum + observation.units, 0n);
  }

  function coins(assetCode: string): Coin[] {
    return [...payments.values()].flatMap(({ observation, fate }) => {
      const { txHash, index, units, targetKey, trace } = observation;
      const targetIndex = targetIndexes.get(targetKey);
      if (fate !== 'in a block' || observation.assetCode !== assetCode || targetIndex === undefined) return [];
      return [{ txHash, index, units, targetKey, targetIndex, trace }];
    });
  }

  async function changeTarget(): Promise<DepositTarget & { index: number }> {
    const index = nextChangeIndex++;
    const target = await createOwnTarget(index);
    changeKeys.add(target.key);
    return { ...target, index };
  }

  /** A target whose money can be sent on. */
  async function createOwnTarget(index: number): Promise<DepositTarget> {
    const { network } = connector;
    const assetCode = network.assets[0]?.assetCode ?? '';
    const target = await connector.createTarget({
      targetId: `own-${index}`,
      index,
      reference: `own-${index}`,
      assetCode,
      amount: { asset: assetCode, units: 0n },
      requestedAt: new Date(),
      expiresAt: new Date(Date.now() + 3_600_000),
    });
    targets.add(target.key);
    targetIndexes.set(target.key, index);
    return target;
  }

  const paymentsTo = (target: DepositTarget): Stored[] =>
    [...payments.values()].filter(({ observation }) => observation.targetKey === target.key);

  return {
    get connector() {
      return connector;
    },
    get lookUps() {
      return lookUps;
    },
    targets,
    payments,
    outgoing,
    changeKeys,
    createOwnTarget,
    sendContext: (): SendContext => outgoing.context(changeTarget),
    ask,
    paymentsTo,
    restart(next: Connector) {
      connector = next;
    },
    resumeAt(place: Cursor) {
      cursor = place;
    },
    /** Asks and stores until there is nothing more to read. */
    async observe(): Promise<Observed[]> {
      const rounds: Observed[] = [];
      while (rounds.at(-1)?.isCaughtUp !== true) {
        assert.ok(rounds.length < 50, 'the connector never catches up');
        const observed = await ask();
        store(observed);
        rounds.push(observed);
      }
      return rounds;
    },
    summary: (target: DepositTarget) =>
      paymentsTo(target).map(({ observation, fate }) => [observation.txHash, observation.units, fate] as const),
    /** Of the deepest payment to the target. */
    confirmations: (target: DepositTarget): number =>
      Math.max(
        0,
        ...paymentsTo(target).map(({ observation: { block } }) => (block ? tipHeight - block.height + 1 : 0)),
      ),
    fateOf(txHash: string): string {
      const payment = [...payments.values()].find(({ observation }) => observation.txHash === txHash);
      return payment?.fate === 'replaced' ? `replaced by ${payment.replacedBy}` : (payment?.fate ?? 'unknown');
    },
  };
}
