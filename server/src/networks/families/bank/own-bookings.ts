/**
 * What bookings and answers say about payments of our own: that they were booked, that the bank refused them, that they came
 * back. Only a booking says that money left. A payment is booked once and comes back once: whatever else names it is for a
 * person to look at.
 */
import type { KnownOrder } from '../../port/orders.ts';
import type { BlockRef, Comeback, ObserveContext } from '../../port/receiving.ts';
import type { SentUpdate } from '../../port/sending.ts';
import { fileIdOf, isFileId, isOrderId, plainId, unitsOfOrder } from './bank-orders.ts';
import type { FileAnswer } from './bank-statement.ts';
import type { BookingTold, OrderIds } from './bank-told.ts';

export type OwnBookings = {
  readonly sent: readonly SentUpdate[];
  readonly comebacks: readonly Comeback[];
  /** The identities of all bookings that these explain. */
  readonly explained: ReadonlySet<string>;
};

/** In the order in which they were told. */
export type ToldOfOrders =
  | { readonly what: 'answer'; readonly answer: FileAnswer }
  | {
      readonly what: 'booking';
      readonly identity: string;
      readonly booking: Pick<BookingTold, 'kind' | 'ids' | 'note'>;
      readonly units: bigint;
      readonly block: BlockRef;
    };

type Told = Extract<ToldOfOrders, { what: 'booking' }>;

export async function ownBookings(
  told: readonly ToldOfOrders[],
  assetCode: string,
  context: Pick<ObserveContext, 'orders'>,
): Promise<OwnBookings> {
  const ids = told.map((each) => (each.what === 'answer' ? idsOfAnswer(each.answer) : idsOfBooking(each.booking.ids)));
  const hashes = [...new Set(ids.flatMap(({ orders }) => orders))];
  const fileIds = [...new Set(ids.flatMap(({ files }) => files))];
  if (hashes.length + fileIds.length === 0) return { sent: [], comebacks: [], explained: new Set() };

  const known = new Map((await context.orders({ hashes, fileIds })).map((order) => [order.txHash, order]));
  const sent = new Map<string, SentUpdate>();
  const comebacks: Comeback[] = [];
  const explained = new Set<string>();

  const named = ({ orders }: Named): KnownOrder | undefined =>
    orders.map((id) => known.get(id)).find((order) => order !== undefined);
  const inFiles = ({ files }: Named): readonly KnownOrder[] =>
    [...known.values()].filter(({ fileId }) => files.includes(fileId));

  const become = (order: KnownOrder, fate: KnownOrder['fate'], update: Omit<SentUpdate, 'txHash' | 'fee'>): void => {
    const trace = { ...order.trace, ...update.traced };
    known.set(order.txHash, { ...order, fate, trace });
    const traced = { ...sent.get(order.txHash)?.traced, ...update.traced };
    sent.set(order.txHash, { ...update, txHash: order.txHash, fee: { assetCode, units: 0n }, traced });
  };

  function refuse({ answer }: { readonly answer: FileAnswer }, ofAnswer: Named): void {
    if (answer.meaning !== 'rejected') return;
    const one = named(ofAnswer);
    const refused = answer.about === 'payment' ? (one ? [one] : []) : inFiles(ofAnswer);
    for (const order of refused.filter(({ fate }) => fate === 'open'))
      become(order, 'failed', { outcome: 'failed', block: null, reason: reasonOf(answer) });
  }

  function leave({ identity, units, block }: Told, ofBooking: Named): void {
    const one = named(ofBooking);
    const together = one ? [one] : inFiles(ofBooking);
    const booked = together.filter(({ trace }) => trace['bookedAs'] === identity);
    const open = together.filter(({ fate }) => fate === 'open');
    const isAll = open.length > 0 && open.reduce((sum, order) => sum + unitsOfOrder(order), 0n) === -units;
    if (booked.length > 0) explained.add(identity);
    else if (isAll) {
      explained.add(identity);
      for (const order of open) become(order, 'booked', { outcome: 'included', block, traced: { bookedAs: identity } });
    }
  }

  function comeBack({ identity, units, block, booking }: Told, ofBooking: Named): void {
    const order = named(ofBooking);
    if (!order) return;
    const { txHash, payoutId, fate } = order;
    const isWhole = unitsOfOrder(order) === units;
    if (order.trace['returnedAs'] === identity) explained.add(identity);
    else if (fate === 'booked' && isWhole) {
      explained.add(identity);
      const reason = booking.note ?? 'The bank booked it back.';
      become(order, 'failed', { outcome: 'failed', block, reason, traced: { returnedAs: identity } });
    } else if (fate === 'booked' || fate === 'done') {
      explained.add(identity);
      comebacks.push({ comebackId: identity, txHash, payoutId, assetCode, units, block, reason: booking.note });
    }
  }

  told.forEach((each, place) => {
    const ofEach = ids[place] ?? { orders: [], files: [] };
    if (each.what === 'answer') refuse(each, ofEach);
    else if (each.units < 0n) leave(each, ofEach);
    else if (each.booking.kind === 'return' || each.booking.kind === 'correction') comeBack(each, ofEach);
  });
  return { sent: [...sent.values()], comebacks, explained };
}

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

function reasonOf({ reasons }: FileAnswer): string {
  const said = reasons.flatMap(({ code, texts }) => [code, ...texts]).filter((part) => part !== null);
  return said.length === 0
    ? 'The bank refused it.'
    : `The bank refused it: ${said.join(' ').slice(0, 300).toWellFormed()}`;
}
