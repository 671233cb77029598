/**
 * What bookings are for us: payments to a target, money for somebody to look at, payments that are taken back, and all that
 * moved besides. Every cent of every booking is in exactly one of these, so that the books come to the balance of the bank.
 */
import { withoutHidden } from '../../../lib/hidden-characters.ts';
import { addDays, startOfDay } from '../../../lib/local-day.ts';
import type { AcceptedDocument, DocumentRecord } from '../../port/documents.ts';
import type {
  BlockRef,
  Observation,
  ObserveContext,
  OtherMovement,
  Reversal,
  StandingArrival,
  UnmatchedArrival,
  WaitingUnmatched,
} from '../../port/receiving.ts';
import { blockOf } from './bank-cursor.ts';
import { answerOf, type BookingTold, bookingOf } from './bank-told.ts';
import { knownByFolded, matchReference, type ReferenceCandidates, referenceCandidates } from './match-reference.ts';
import { type OwnBookings, ownBookings, type ToldOfOrders } from './own-bookings.ts';

export type SortedBookings = Pick<OwnBookings, 'sent' | 'comebacks' | 'doubted'> & {
  readonly observations: readonly Observation[];
  readonly unmatched: readonly UnmatchedArrival[];
  readonly reversals: readonly Reversal[];
  readonly otherMovements: readonly OtherMovement[];
};

type Read = {
  readonly identity: string;
  readonly booking: BookingTold;
  readonly units: bigint;
  readonly block: BlockRef;
  readonly dayBegan: Date;
  readonly candidates: ReferenceCandidates;
};

const noCandidates: ReferenceCandidates = { folded: [], spelt: new Set() };
/** A booking has no parts: what came together was told apart by the bank. */
const index = '0';

/** By whose calendar the bank's days are, and in which of the time zones it may be in they begin first. */
export type BankZones = { readonly timeZone: string; readonly earliestZone: string };

/** `isStillToCome`: whether something that is not booked yet is. */
export async function sortBookings(
  records: readonly DocumentRecord[],
  documents: readonly AcceptedDocument[],
  options: BankZones & { readonly assetCode: string; isStillToCome(booking: BookingTold): boolean },
  context: Pick<ObserveContext, 'knownTargets' | 'arrivalsAt' | 'waitingUnmatched' | 'orders' | 'toldBefore'>,
): Promise<SortedBookings> {
  const { assetCode } = options;
  const all = readRecords(records, documents, options);
  const { sent, comebacks, explained, doubted } = await ownBookings(toldOfOrders(records, all), assetCode, context);
  const read = all.filter(({ identity }) => !explained.has(identity));
  const keys = new Set(read.flatMap(({ candidates }) => candidates.folded));
  const known = keys.size === 0 ? new Set<string>() : await context.knownTargets([...keys]);
  const names = knownByFolded(Array.from(known, (key) => ({ id: key, targetKey: key })));
  const targetOf = ({ candidates }: Read): string | null => {
    const match = matchReference(candidates, names);
    return match.kind === 'matched' ? match.targetKey : null;
  };

  const takenBack = read.filter(({ booking, units }) => booking.kind === 'correction' && units < 0n);
  const targets = [...new Set(takenBack.flatMap((each) => targetOf(each) ?? []))];
  const arrivals = createArrivals(targets.length === 0 ? [] : await context.arrivalsAt(targets), assetCode);

  const amounts = takenBack.map(({ booking: { payer }, units }) => ({
    assetCode,
    units: -units,
    sender: payer.iban ?? payer.other,
  }));
  const suspended = createSuspended(amounts.length === 0 ? [] : await context.waitingUnmatched(amounts), assetCode);

  const observations: Observation[] = [];
  const unmatched: UnmatchedArrival[] = [];
  const reversals: Reversal[] = [];
  const otherMovements: OtherMovement[] = [];
  for (const each of read) {
    const { booking, units, block, dayBegan, identity } = each;
    const { kind, note } = booking;
    const facts = { txHash: booking.tx, index, assetCode, units, dayBegan, trace: traceOf(booking) };
    const told = booking.instructed ? { ...facts, instructed: booking.instructed } : facts;
    const targetKey = targetOf(each);
    const move = (as: OtherMovement['kind'], about = doubted.get(identity) ?? []) =>
      otherMovements.push({
        key: identity,
        kind: as,
        assetCode,
        units,
        block,
        note,
        about,
      });
    if (booking.what === 'seen') {
      if (targetKey !== null) observations.push({ ...told, targetKey, block: null });
    } else if ((kind === 'fee' || kind === 'interest') && doubted.has(identity)) move('UNKNOWN');
    else if (kind === 'fee') move('FEE');
    else if (kind === 'interest') move('INTEREST');
    else if (units > 0n) {
      if (targetKey === null) {
        const arrival = { ...facts, block, sender: senderOf(booking), memo: note };
        unmatched.push(arrival);
        suspended.add(arrival);
      } else {
        observations.push({ ...told, targetKey, block });
        arrivals.add({ ...facts, targetKey });
      }
    } else {
      // A debit that names a payment of ours is about that: a return of it that the bank takes back, perhaps.
      const mayBeSuspended = kind === 'correction' && !doubted.has(identity);
      const atTarget = (by: 'same payer' | 'anybody') =>
        targetKey === null ? null : arrivals.takenBack(targetKey, -units, booking, by);
      // What waits of the payer goes before what others paid there: it named a target too, before anybody had it.
      const known = atTarget('same payer') ?? (mayBeSuspended ? suspended.takenBack(-units, booking) : null);
      const returning = known === null && mayBeSuspended ? suspended.onTheirWayBack(-units, booking) : [];
      const payment = known ?? (returning.length === 0 ? atTarget('anybody') : null);
      if (payment) reversals.push({ ...payment, reversalId: identity, assetCode, units: -units, block, reason: note });
      else move('UNKNOWN', mayBeSuspended ? returning : undefined);
    }
  }
  return { observations, unmatched, reversals, otherMovements, sent, comebacks, doubted };
}

/** What may be about payments of ours, in the order in which it was told. */
function toldOfOrders(records: readonly DocumentRecord[], read: readonly Read[]): readonly ToldOfOrders[] {
  const byIdentity = new Map(read.map((each) => [each.identity, each]));
  return records.flatMap(({ identity, told }): readonly ToldOfOrders[] => {
    const answer = answerOf(told);
    if (answer) return [{ what: 'answer', answer }];
    const found = byIdentity.get(identity);
    return found?.booking.what === 'booked' ? [{ ...found, what: 'booking' }] : [];
  });
}

function readRecords(
  records: readonly DocumentRecord[],
  documents: readonly AcceptedDocument[],
  options: BankZones & { isStillToCome(booking: BookingTold): boolean },
): readonly Read[] {
  const byPosition = new Map(documents.map((document) => [document.position, document]));
  return records.flatMap(({ position, identity, told }) => {
    const booking = bookingOf(told);
    const document = byPosition.get(position);
    if (!booking) return []; // An answer to a file of ours moves no money.
    if (!document) throw new Error(`a piece has records of document ${position} without it`);
    if (booking.what === 'seen' && !options.isStillToCome(booking)) return [];
    const units = BigInt(booking.units);
    const candidates = isForTarget(booking, units) ? referenceCandidates(booking.texts) : noCandidates;
    const end = startOfDay(options.timeZone, addDays(booking.day, 1));
    const block = { ...blockOf(document), time: end < document.time ? end : document.time };
    const dayBegan = startOfDay(options.earliestZone, booking.day);
    return [{ identity, booking, units, block, dayBegan, candidates }];
  });
}

/** Texts count where somebody paid us, and where that is taken back. A return of ours has a text of ours. */
const isForTarget = ({ kind }: BookingTold, units: bigint): boolean =>
  units > 0n ? kind === 'payment-in' : kind === 'correction';

const senderOf = ({ payer }: BookingTold): string | null => payer.iban ?? payer.other ?? payer.name;

const traceOf = ({ day, payer, ids, bankReference = null }: BookingTold): Observation['trace'] => ({
  day,
  payer: {
    name: payer.name,
    iban: payer.iban,
    bic: payer.bic,
    ...(payer.iban === null && payer.other !== null && { number: payer.other }),
    ...(payer.address && { address: payer.address }),
  },
  ...(ids.endToEndId !== null && { endToEndId: ids.endToEndId }),
  ...(bankReference !== null && { bankReference }),
});

/**
 * Which payment is taken back: of those at the target that its texts name, one of the same amount, rather from the same
 * payer, and rather with the payer's own id; or, in part, the only one that is large enough. What is not clear is for a person.
 */
function createArrivals(stored: readonly StandingArrival[], assetCode: string) {
  const standing = new Map(
    stored.filter((each) => each.assetCode === assetCode).map((each) => [`${each.txHash}:${each.index}`, each]),
  );
  const left = new Map(Array.from(standing, ([name, { units }]) => [name, units]));
  const byTarget = Map.groupBy([...standing], ([, { targetKey }]) => targetKey);
  return {
    add(arrival: StandingArrival): void {
      const { txHash, index: part, units, targetKey } = arrival;
      const name = `${txHash}:${part}`;
      if (left.has(name)) return; // It was told before, and stored.
      left.set(name, units);
      addTo(byTarget, targetKey, [name, arrival]);
    },
    takenBack(
      targetKey: string,
      units: bigint,
      { payer, ids }: BookingTold,
      by: 'same payer' | 'anybody',
    ): { txHash: string; index: string } | null {
      const atTarget = byTarget.get(targetKey) ?? [];
      const alike = atTarget.filter(([name]) => left.get(name) === units);
      const account = accountNamed({ ...payer, number: payer.other });
      const samePayer = alike.filter(([, { trace }]) => account !== null && accountOf(trace) === account);
      const larger = atTarget.filter(([name]) => (left.get(name) ?? 0n) >= units);
      const first = (found: typeof alike) => ofSameOrder(found, ids, ([, { trace }]) => trace)[0];
      const ofAnybody = first(alike) ?? (larger.length === 1 ? larger[0] : undefined);
      const [name, found] = (by === 'same payer' ? first(samePayer) : ofAnybody) ?? [];
      if (name === undefined || !found) return null;
      left.set(name, (left.get(name) ?? 0n) - units);
      return { txHash: found.txHash, index: found.index };
    },
  };
}

/**
 * What matched nobody and is taken back while it waits: the same amount, and the payer, the payer's own id or the texts are the same. Of
 * several that are not alike a person says which.
 */
function createSuspended(stored: readonly WaitingUnmatched[], assetCode: string) {
  const ofAsset = stored.filter((each) => each.assetCode === assetCode);
  const known = new Set(ofAsset.map(({ txHash }) => txHash));
  const isReturning = ({ returnId }: WaitingUnmatched): boolean => (returnId ?? null) !== null;
  const byUnits = Map.groupBy(
    ofAsset.filter((each) => !isReturning(each)),
    ({ units }) => units,
  );
  const returning = ofAsset.filter(isReturning);
  return {
    add(arrival: WaitingUnmatched): void {
      if (known.has(arrival.txHash)) return; // It was told before, and stored.
      known.add(arrival.txHash);
      addTo(byUnits, arrival.units, arrival);
    },
    takenBack(units: bigint, booking: BookingTold): { txHash: string; index: string } | null {
      const waiting = byUnits.get(units) ?? [];
      const ofSame = waiting.filter((each) => isOfSame(each, booking));
      const alike = ofSameOrder(ofSame, booking.ids, ({ trace }) => trace);
      const most = Math.max(...alike.map((each) => textsIn(each, booking)));
      const found = alike.filter((each) => textsIn(each, booking) === most);
      const [first] = found;
      const isClear = found.every(
        ({ memo, trace }) => memo === first?.memo && accountOf(trace) === accountOf(first.trace),
      );
      if (!first || !isClear) return null;
      byUnits.set(
        units,
        waiting.filter((each) => each !== first),
      );
      return { txHash: first.txHash, index: first.index };
    },
    /** It may be what shall be sent back: then that would leave twice, so it waits until a person has said what it was. */
    onTheirWayBack: (units: bigint, booking: BookingTold): readonly string[] =>
      returning
        .filter((each) => each.units === units && isOfSame(each, booking))
        .flatMap(({ returnId }) => returnId ?? []),
  };
}

/** Of those that it may be, the ones that the payer had given the id that it tells. Where it tells none, or another, all of them. */
function ofSameOrder<T>(
  found: readonly T[],
  { endToEndId }: BookingTold['ids'],
  traceOf: (each: T) => Observation['trace'],
): readonly T[] {
  const same = found.filter((each) => endToEndId !== null && traceOf(each)['endToEndId'] === endToEndId);
  return same.length > 0 ? same : found;
}

function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

function isOfSame(arrival: WaitingUnmatched, booking: BookingTold): boolean {
  const { payer, ids } = booking;
  const [theirs, told] = [accountOf(arrival.trace), accountNamed({ ...payer, number: payer.other })];
  if (theirs !== null && told !== null) return theirs === told;
  if (ids.endToEndId !== null && ids.endToEndId === arrival.trace['endToEndId']) return true;
  return booking.texts.length > 0 && textsIn(arrival, booking) === booking.texts.length;
}

/** How many of them it came with. Banks add words of their own to what they take back. */
function textsIn({ memo }: WaitingUnmatched, { texts }: BookingTold): number {
  const told = squeezed(memo ?? '');
  return texts.filter((text) => told.includes(squeezed(text))).length;
}

/** A note is kept without what nobody can see. */
const squeezed = (text: string): string => withoutHidden(text).replaceAll(/\s+/g, '').toUpperCase();

type AccountTold = { readonly [name in 'iban' | 'number' | 'bic']?: string | null };

const accountOf = (trace: Observation['trace']): string | null => accountNamed(trace['payer'] ?? {});

/** By its IBAN or, where there are none, its number: another bank may have given the same to somebody else. Branches are no banks. */
function accountNamed({ iban = null, number = null, bic = null }: AccountTold): string | null {
  return iban ?? (number === null ? null : `${number} ${bic?.slice(0, 8).toUpperCase() ?? ''}`);
}
