/**
 * What bookings and answers say about payments of our own: that they were booked, that the bank refused them, that they came
 * back. Only a booking says that money left. A payment is booked once and comes back once: whatever else names it is for a
 * person to look at. What is read again is what it was when it was told first, whatever became of its payment since.
 */
import { present } from '../../../lib/assert.ts';
import { withoutHidden } from '../../../lib/hidden-characters.ts';
import type { KnownOrder } from '../../port/orders.ts';
import type { BlockRef, Comeback, ObserveContext, ToldBefore } from '../../port/receiving.ts';
import type { SentUpdate } from '../../port/sending.ts';
import { fileIdOf, isFileId, isOrderId, payoutIdOf, plainId, unitsOfOrder } from './bank-orders.ts';
import type { FileAnswer } from './bank-statement.ts';
import type { BookingTold, OrderIds } from './bank-told.ts';

export type OwnBookings = {
  readonly sent: readonly SentUpdate[];
  readonly comebacks: readonly Comeback[];
  /** The identities of all bookings that these explain. */
  readonly explained: ReadonlySet<string>;
  /** Payouts that debits name which explain nothing, by the identity of the debit: another amount, or a second time. */
  readonly doubted: ReadonlyMap<string, readonly string[]>;
};

/** In the order in which they were told. */
export type ToldOfOrders =
  | { readonly what: 'answer'; readonly answer: FileAnswer }
  | {
      readonly what: 'booking';
      readonly identity: string;
      readonly booking: Pick<BookingTold, 'tx' | 'kind' | 'ids' | 'note'>;
      readonly units: bigint;
      readonly block: BlockRef;
    };

type Told = Extract<ToldOfOrders, { what: 'booking' }>;

export async function ownBookings(
  told: readonly ToldOfOrders[],
  assetCode: string,
  context: Pick<ObserveContext, 'orders' | 'toldBefore'>,
): Promise<OwnBookings> {
  const ids = told.map((each) => (each.what === 'answer' ? idsOfAnswer(each.answer) : idsOfBooking(each.booking.ids)));
  const hashes = [...new Set(ids.flatMap(({ orders }) => orders))];
  const fileIds = [...new Set(ids.flatMap(({ files }) => files))];
  if (hashes.length + fileIds.length === 0)
    return { sent: [], comebacks: [], explained: new Set(), doubted: new Map() };

  const known = new Map((await context.orders({ hashes, fileIds })).map((order) => [order.txHash, order]));
  const before = known.size === 0 ? new Map<string, ToldBefore>() : await context.toldBefore(told.flatMap(namesOf));
  const sent = new Map<string, SentUpdate>();
  const comebacks: Comeback[] = [];
  const explained = new Set<string>();
  const doubted = new Map<string, readonly string[]>();

  const named = ({ orders }: Named): KnownOrder | undefined =>
    orders.map((id) => known.get(id)).find((order) => order !== undefined);
  const inFiles = ({ files }: Named): readonly KnownOrder[] =>
    [...known.values()].filter(({ fileId }) => files.includes(fileId));

  /** Something that is not it, as far as anybody knows, left under its name. */
  const isDoubted = ({ wasDoubted, payoutId }: KnownOrder): boolean =>
    wasDoubted || [...doubted.values()].some((payoutIds) => payoutIds.includes(payoutId));

  const become = (order: KnownOrder, fate: KnownOrder['fate'], update: Omit<SentUpdate, 'txHash' | 'fee'>): void => {
    const trace = { ...order.trace, ...update.traced };
    known.set(order.txHash, { ...order, fate, trace });
    const traced = { ...sent.get(order.txHash)?.traced, ...update.traced };
    sent.set(order.txHash, { ...update, txHash: order.txHash, fee: { assetCode, units: 0n }, traced });
  };

  function refuse({ answer }: { readonly answer: FileAnswer }, ofAnswer: Named): void {
    if (answer.meaning !== 'rejected' || isRefusedAsDuplicate(answer)) return;
    const one = named(ofAnswer);
    const refused = answer.about === 'payment' ? (one ? [one] : []) : inFiles(ofAnswer);
    // What may have been paid was refused when it was handed in once more, perhaps: its file is given up, or a person says that it was paid.
    for (const order of refused.filter((each) => each.fate === 'open' && !isDoubted(each)))
      become(order, 'failed', { outcome: 'failed', block: null, reason: reasonOf(answer) });
  }

  function leave({ identity, units, block, booking: { kind } }: Told, ofBooking: Named): void {
    const one = named(ofBooking);
    const together = one ? [one] : inFiles(ofBooking);
    const booked = together.filter(({ trace }) => trace['bookedAs'] === identity);
    const open = together.filter(({ fate }) => fate === 'open');
    // A file that was given up may have been signed all the same.
    const unpaid = together.filter(({ fate }) => fate === 'open' || fate === 'void');
    const isNew = before.get(identity) !== 'movement';
    const isAll = isNew && open.length > 0 && sumOf(open) === -units;
    const hasAll = isNew && unpaid.length > 0 && sumOf(unpaid) <= -units;
    const isFee = isFeeKind(kind);
    if (booked.length > 0) explained.add(identity);
    // What the bank took for a payment names it too, and says nothing about what became of it. Of its amount or more it may be the
    // payment, with its fee, under a code of fees: were it none, the payment could be made once more.
    else if (isFee && !hasAll) return;
    else if (isAll && !isFee) {
      explained.add(identity);
      for (const order of open) become(order, 'booked', { outcome: 'included', block, traced: { bookedAs: identity } });
    } else {
      const named = one ? [one] : unpaid;
      doubted.set(identity, [
        ...new Set([...named.map(({ payoutId }) => payoutId), ...ofBooking.orders.map(payoutIdOf)]),
      ]);
    }
  }

  function comeBack({ identity, units, block, booking }: Told, ofBooking: Named): void {
    const order = named(ofBooking);
    if (!order || before.get(booking.tx) === 'unmatched') return;
    const { txHash, payoutId, fate } = order;
    const wasComeback = before.get(identity) === 'comeback';
    // What a bank corrects is its own booking: where it booked a payment twice, most likely the second one.
    const isOfDoubted = booking.kind === 'correction' && isDoubted(order) && (fate === 'booked' || fate === 'done');
    if (isOfDoubted && !wasComeback) return;
    const isWhole = unitsOfOrder(order) === units;
    if (order.trace['returnedAs'] === identity) explained.add(identity);
    else if (fate === 'booked' && isWhole && !wasComeback) {
      explained.add(identity);
      const reason = booking.note ?? 'The bank booked it back.';
      become(order, 'failed', { outcome: 'failed', block, reason, traced: { returnedAs: identity } });
    } else {
      // Also before it was booked, as far as we were told: it waits until it is, or is for nobody.
      explained.add(identity);
      comebacks.push({ comebackId: identity, txHash, payoutId, assetCode, units, block, reason: booking.note });
    }
  }

  for (const place of inLikelyOrder(told)) {
    const each = present(told[place], 'what was told');
    const ofEach = ids[place] ?? { orders: [], files: [] };
    if (each.what === 'answer') refuse(each, ofEach);
    else if (each.units < 0n) leave(each, ofEach);
    else if (each.booking.kind === 'return' || each.booking.kind === 'correction') comeBack(each, ofEach);
  }
  return { sent: [...sent.values()], comebacks, explained, doubted };
}

const namesOf = (told: ToldOfOrders): readonly string[] =>
  told.what === 'booking' ? [told.identity, told.booking.tx] : [];

const sumOf = (orders: readonly KnownOrder[]): bigint => orders.reduce((sum, order) => sum + unitsOfOrder(order), 0n);

const isFeeKind = (kind: BookingTold['kind']): boolean => kind === 'fee' || kind === 'interest';

/**
 * Some banks print what came before what left, and a payment that came back on the day it left before itself; or what they
 * took for a payment before it, which would be doubted as that payment.
 */
function inLikelyOrder(told: readonly ToldOfOrders[]): readonly number[] {
  const documentOf = (each: ToldOfOrders): number | null => (each.what === 'booking' ? each.block.height : null);
  const places: number[] = [];
  for (let from = 0; from < told.length; ) {
    const document = documentOf(present(told[from], 'what was told'));
    const rest = told.findIndex((each, place) => place > from && (document === null || documentOf(each) !== document));
    const to = rest === -1 ? told.length : rest;
    const run = Array.from({ length: to - from }, (_, step) => from + step);
    const turnOf = (place: number): number => {
      const each = told[place];
      if (each?.what !== 'booking' || each.units >= 0n) return 3;
      return isFeeKind(each.booking.kind) ? 2 : 1;
    };
    places.push(...run.toSorted((a, b) => turnOf(a) - turnOf(b)));
    from = to;
  }
  return places;
}

/**
 * The bank has the same already: a file that was handed in twice, or a payment that looks like another. What it refuses is
 * the second one, under the name of both; so the first one may be on its way, and nothing is decided.
 */
const isRefusedAsDuplicate = ({ reasons }: FileAnswer): boolean =>
  reasons.some(
    ({ code, texts }) => (code !== null && duplicateCodes.has(code)) || texts.some((text) => duplicateWords.test(text)),
  );

/** Of ISO 20022's external codes for reasons: duplicate message, batch, payment, ids; duplication; duplicate payment. */
const duplicateCodes = new Set(['DU01', 'DU02', 'DU03', 'DU04', 'DU05', 'AM05', 'DUPL']);
/** With NARR or MS03 banks say it in words. One too many costs a declaration, one too few a payment. */
const duplicateWords =
  /dupli[ck]|doppel|dubbel|doublon|already (?:been )?(?:received|submitted|processed|sent|exists)|bereits (?:eingereicht|vorhanden|verarbeitet)/i;

/** What may name orders of ours: their own ids, and those of their files. */
type Named = { readonly orders: readonly string[]; readonly files: readonly string[] };

const namedBy = (ids: readonly (string | null)[], batches: readonly (string | null)[]): Named => ({
  orders: ids.flatMap((id) => (id !== null && isOrderId(id) ? [plainId(id)] : [])),
  files: batches.flatMap((id) => (id !== null && isFileId(id) ? [fileIdOf(id)] : [])),
});

/** German banks write the file's id where the line of an MT940 has a reference of ours, or where a payment has its own. */
const idsOfBooking = (ids: OrderIds): Named =>
  namedBy(
    [ids.endToEndId, ids.instructionId],
    [ids.messageId, ids.paymentInfoId, ids.entryRef, ids.instructionId, ...ids.batches],
  );

const idsOfAnswer = (answer: FileAnswer): Named =>
  namedBy([answer.endToEndId, answer.instructionId], [answer.messageId, answer.paymentInfoId]);

/** Other programs may pay from the same account, and the bank answers them too. */
export function mayBeOurs(answer: FileAnswer): boolean {
  const { orders, files } = idsOfAnswer(answer);
  return orders.length + files.length > 0;
}

function reasonOf({ reasons }: FileAnswer): string {
  const said = reasons.flatMap(({ code, texts }) => [code, ...texts]).filter((part) => part !== null);
  return said.length === 0
    ? 'The bank refused it.'
    : `The bank refused it: ${withoutHidden(said.join(' ')).slice(0, 300).toWellFormed()}`;
}
