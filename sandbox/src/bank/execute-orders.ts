/**
 * Pays what was ordered, each order once, on its day and if there is money for it; and books what was expected for a day
 * that has come. Days are gone through one after the other, so the books are in order however long nobody looked.
 */
import type { Day } from '@quittance/server/lib/local-day';
import { type Charge, type Detail, type Entry, sumOf } from './bank-entry.ts';
import type { BankLedger, Change } from './bank-ledger.ts';
import { ownBic } from './bank-parties.ts';
import type { Order } from './payment-order.ts';
import { uetrOf } from './receive-payment.ts';
import { returnEntry } from './return-payment.ts';
import { addBankingDays, bankDay, bankingDayFrom } from './target-calendar.ts';

/**
 * What this bank takes for an order by SWIFT, in an entry of its own; if the payer bears all, inside of the payment's unless its
 * charges are apart.
 */
const wholeFee = 2_500n;
const sharedFee = 750n;

/** `isImpatient`: what is signed is paid at once, whatever day it is and was ordered for. */
export function bringUpToDate(ledger: BankLedger, now: Date, isImpatient = false): void {
  const today = bankDay(now);
  for (;;) {
    const entries = [...ledger.expected.values()].map(({ entry }) => entry).filter(({ day }) => day <= today);
    const groups = dueGroups(ledger, isImpatient).filter(({ day }) => day <= today);
    const [day] = [...entries, ...groups].map((each) => each.day).sort();
    if (day === undefined) return;
    // What comes in on a day is there for what goes out on it.
    for (const entry of entries) if (entry.day === day) ledger.record({ book: entry });
    for (const group of groups) if (group.day === day) payGroup(ledger, now, day, group.orders);
  }
}

type DueGroup = { readonly day: Day; readonly orders: Order[] };

/** Orders that are booked as one sum, and each other one by itself. */
function dueGroups(ledger: BankLedger, isImpatient: boolean): DueGroup[] {
  const groups = new Map<string, DueGroup>();
  for (const order of ledger.orders.values()) {
    const signedOn = ledger.files.get(order.messageId)?.signedOn ?? null;
    if (order.status !== 'ACSP' || signedOn === null) continue;
    const key = isBookedAlone(order) ? order.id : `${order.messageId}\n${order.groupId}`;
    const group = groups.get(key);
    if (group) group.orders.push(order);
    else groups.set(key, { day: isImpatient ? signedOn : dueDay(order, signedOn), orders: [order] });
  }
  return [...groups.values()];
}

const isBookedAlone = (order: Order): boolean => !order.isBatched || order.isInstant || order.isSwift;

function dueDay({ requestedDay, isInstant }: Order, signedOn: Day): Day {
  const day = requestedDay > signedOn ? requestedDay : signedOn;
  return isInstant ? day : bankingDayFrom(day);
}

function payGroup(ledger: BankLedger, now: Date, day: Day, wanted: readonly Order[]): void {
  const at = now.toISOString();
  const refused = wanted.flatMap((order): Change[] => {
    const shut = ledger.closed.get(order.payee.iban ?? '');
    // Whoever is paid at once answers at once.
    const isRefused = shut !== undefined && (order.isInstant || shut.how === 'reject');
    return isRefused ? [{ order: order.id, status: 'RJCT', code: shut.code, at }] : [];
  });
  ledger.record(...refused);
  const orders = wanted.filter(({ id }) => ledger.orders.get(id)?.status === 'ACSP');
  const [first] = orders;
  if (!first) return;
  const id = ledger.nextId(day);
  const details = orders.map((order) => detailOf(ledger, order, orders.length === 1 ? id : ledger.nextId(day)));
  const entry: Entry = {
    id,
    account: first.account,
    kind: first.isSwift ? 'swiftOut' : first.isInstant ? 'instantOut' : 'transferOut',
    units: sumOf(details),
    day,
    valueDay: day,
    isReversal: false,
    details,
    batch: isBookedAlone(first) ? null : { messageId: first.messageId, groupId: first.groupId },
  };
  const moved = (status: Order['status'], code: string | null): Change[] =>
    orders.map((order) => ({ order: order.id, status, code, at }));
  if (ledger.balance(first.account) + entry.units < 0n) return ledger.record(...moved('RJCT', 'AM04'));
  ledger.record(
    { book: entry },
    ...feeOf(ledger, first, day),
    ...moved('ACSC', null),
    ...comingBack(ledger, orders, day),
  );
}

function detailOf({ areChargesApart }: BankLedger, order: Order, id: string): Detail {
  const charges: Charge[] =
    order.isSwift && order.bearer === 'OUR' && !areChargesApart
      ? [{ units: wholeFee, bearer: 'OUR', bic: ownBic }]
      : [];
  return {
    id: `${id}T`,
    units: -(order.units + sumOf(charges)),
    party: order.payee,
    endToEndId: order.endToEndId,
    instructionId: order.instructionId,
    uetr: order.isSwift ? uetrOf(order.id) : null,
    text: order.text,
    reference: order.reference,
    instructed: charges.length > 0 ? { units: order.units, currency: order.currency } : null,
    charges,
    returned: null,
  };
}

function feeOf(ledger: BankLedger, order: Order, day: Day): Change[] {
  const isApart = order.bearer === 'SHA' || (order.bearer === 'OUR' && ledger.areChargesApart);
  if (!order.isSwift || !isApart) return [];
  const fee = order.bearer === 'SHA' ? sharedFee : wholeFee;
  return [{ book: feeEntry(order.account, fee, day, ledger.nextId(day), `Entgelt Ausland ${order.endToEndId}`) }];
}

export const feeEntry = (account: string, units: bigint, day: Day, id: string, text: string): Entry => ({
  id,
  account,
  kind: 'fee',
  units: -units,
  day,
  valueDay: day,
  isReversal: false,
  details: [
    {
      id: `${id}T`,
      units: -units,
      party: null,
      endToEndId: null,
      instructionId: null,
      uetr: null,
      text,
      reference: null,
      instructed: null,
      charges: [],
      returned: null,
    },
  ],
  batch: null,
});

/** The payee's bank finds out only when it has the money, and sends it back. */
function comingBack(ledger: BankLedger, orders: readonly Order[], day: Day): Change[] {
  return orders.flatMap((order): Change[] => {
    const shut = ledger.closed.get(order.payee.iban ?? '');
    if (shut?.how !== 'return') return [];
    const back = returnEntry(order, { code: shut.code, fee: 0n, day: addBankingDays(day, 2), id: ledger.nextId(day) });
    return [
      { expect: back, isAnnounced: false },
      { returned: order.id, by: back.id },
    ];
  });
}
