/** Everything that the page of one checkout shows, and what can be decided about it by this person. */
import type { CheckoutDossier } from '../../checkouts/checkout.ts';
import { checkoutNotFound } from '../../checkouts/checkout-errors.ts';
import { isAlive } from '../../checkouts/checkout-state.ts';
import { type CheckoutKey, findDossier } from '../../checkouts/checkout-store.ts';
import { type CheckoutContact, findContact } from '../../checkouts/contact-store.ts';
import { receiptMailsOf } from '../../checkouts/email-store.ts';
import type { Refund } from '../../checkouts/refund.ts';
import { askersOfRefunds } from '../../checkouts/refund-store.ts';
import { hasReceipt, receiptAddress } from '../../checkouts/send-receipt-again.ts';
import { type StatusMail, statusMailsOfCheckout } from '../../checkouts/status-mail-store.ts';
import { findTimeline, type TimelineRow } from '../../checkouts/timeline-store.ts';
import { type Customer, findCustomer } from '../../counterparties/customer-store.ts';
import type { Query } from '../../db/database.ts';
import { type Actor, personActor } from '../../http/actor.ts';
import { merchantAccount } from '../../ledger/chart-of-accounts.ts';
import type { Subject } from '../../ledger/entry.ts';
import { entriesAbout, type PostedEntry, readBalances } from '../../ledger/ledger-store.ts';
import { GatewayError } from '../../lib/errors.ts';
import { isOwnOrder } from '../../merchants/is-own-order.ts';
import type { ShownBooking } from '../../networks/port/known-as.ts';
import { papersOfCheckout, type StoredPaper } from '../../papers/paper-store.ts';
import { maskedEmail } from '../../payment-page/public-way-back.ts';
import { findBookings } from '../../payments/find-bookings.ts';
import { membersOf } from '../../people/person-store.ts';
import { type PricedRefund, priceRefund, type RefundWish } from '../../refunds/price-refund.ts';
import type { RequestRefundDeps } from '../../refunds/request-refund.ts';
import { namesOfSigned } from '../../sending/payout-search-store.ts';
import { findPayouts } from '../../sending/payout-store.ts';
import { settlementTerms } from '../../settlements/advance-checkout.ts';
import { type InSuspense, inSuspense } from '../../settlements/refundable.ts';
import { type DeliveryRow, deliveriesOfSubject } from '../../webhooks/webhook-log-store.ts';
import type { AccountLook } from '../frame/account-look.ts';

export type CheckoutView = {
  readonly dossier: CheckoutDossier;
  readonly timeline: readonly TimelineRow[];
  readonly deliveries: readonly DeliveryRow[];
  /** What was written to the customer, and receipts to the payer, for who may see customers. */
  readonly mails: readonly StatusMail[];
  /** Null: the shop named none, or the role does not show who it is. */
  readonly customer: Customer | null;
  /** The newest that was issued, for who may know the customer. */
  readonly invoice: StoredPaper | null;
  /** Where the payer wants money back, left before anything had come; null: nowhere, or it is not for this role. */
  readonly leftAddress: LeftAddress | null;
  readonly waiting: readonly InSuspense[];
  /** What can be sent back at most: one for each rail in suspense, else what was credited. */
  readonly refundable: readonly OfferedRefund[];
  readonly toApprove: readonly AskedRefund[];
  /** Refunds that nobody has signed yet and that need nobody's yes, for who may take them back. */
  readonly toTakeBack: readonly Refund[];
  /** What was posted about it and its refunds, newest first; null: the role does not show it. */
  readonly entries: readonly PostedEntry[] | null;
  /** To whom a receipt can be sent again, enough of it to be recognised; null: it cannot. */
  readonly receiptTo: string | null;
  /** What was issued about it, in the order in which it was. */
  readonly papers: readonly StoredPaper[];
  /** How payments are found where they were made, by their ids, as far as that is not by their transaction. */
  readonly bookings: ReadonlyMap<string, ShownBooking>;
  /** What refunds are called that are signed and under way, by their ids. */
  readonly sentNames: ReadonlyMap<string, string>;
  readonly now: Date;
};

export type LeftAddress = { readonly network: string; readonly address: string };

/**
 * `fillUnits`: what of it can be sent, as the balance is now: the service has taken its fee off the credit. All of it for
 * who may not know the balance.
 */
export type OfferedRefund = PricedRefund & { readonly fillUnits: bigint };

/** A refund that waits for approval. */
export type AskedRefund = {
  readonly refund: Refund;
  /** Undefined: it was not stored. */
  readonly asker: Actor | undefined;
  /** Of a person who still belongs to the account. */
  readonly name: string | null;
  /** Of whoever looks at it, who therefore cannot approve it. */
  readonly isOwn: boolean;
};

const deliveriesShown = 20;

export async function findView(
  deps: RequestRefundDeps,
  look: AccountLook,
  merchantId: string,
  id: string,
): Promise<CheckoutView> {
  const dossier = await findDossier(deps.db, merchantId, id);
  if (!dossier) throw checkoutNotFound(id);
  const { customerId } = dossier.checkout;
  const isCustomerShown = customerId !== null && look.may('seeCustomers');
  const about: Subject[] = [
    { kind: 'checkout', id },
    ...dossier.refunds.map((refund) => ({ kind: 'refund', id: refund.id }) as const),
  ];
  const [
    bookings,
    sentNames,
    timeline,
    deliveries,
    mails,
    customer,
    contact,
    toApprove,
    toTakeBack,
    entries,
    receiptTo,
    papers,
  ] = await Promise.all([
    findBookings(
      deps.db,
      merchantId,
      dossier.payments.map((payment) => ({ ...payment, ownerId: id })),
    ),
    namesOfSigned(
      deps.db,
      dossier.refunds.filter(({ state }) => state === 'SENDING').map((refund) => refund.id),
    ),
    findTimeline(deps.db, merchantId, id),
    deliveriesOfSubject(deps.db, merchantId, id, deliveriesShown),
    mailsShown(deps.db, look, { merchantId, id }),
    isCustomerShown ? findCustomer(deps.db, merchantId, customerId) : null,
    findContact(deps.db, { merchantId, id }),
    refundsToApprove(deps, look, dossier),
    look.may('refund') ? refundsToTakeBack(deps.db, dossier) : [],
    look.may('seeBalances') ? entriesAbout(deps.db, merchantId, about) : null,
    look.may('charge') && hasReceipt(dossier) ? receiptAddress(deps.db, dossier.checkout) : null,
    papersOfCheckout(deps.db, dossier.checkout),
  ]);
  const now = deps.clock.now();
  const waiting = inSuspense(dossier, now);
  return {
    dossier,
    timeline,
    deliveries,
    mails,
    customer,
    invoice: (isCustomerShown ? papers : []).findLast(({ kind }) => kind === 'invoice') ?? null,
    leftAddress: look.may('seeCustomers') ? leftAddressOf(contact) : null,
    waiting,
    refundable: await offered(deps, look, merchantId, refundableOf(deps, dossier, waiting, now)),
    toApprove,
    toTakeBack,
    entries: entries?.toReversed() ?? null,
    receiptTo: receiptTo && maskedEmail(receiptTo),
    papers,
    bookings,
    sentNames,
    now,
  };
}

/** With the receipts that the payer asked for. */
async function mailsShown(query: Query, look: AccountLook, key: CheckoutKey): Promise<StatusMail[]> {
  if (!look.may('seeCustomers')) return [];
  const [mails, receipts] = await Promise.all([statusMailsOfCheckout(query, key), receiptMailsOf(query, key)]);
  return [...receipts.map((mail) => ({ ...mail, kind: 'receipt', cause: '' }) as const), ...mails];
}

const leftAddressOf = (contact: CheckoutContact | null): LeftAddress | null =>
  contact?.refundNetwork && contact.refundAddress
    ? { network: contact.refundNetwork, address: contact.refundAddress }
    : null;

/** Every block of these may bring another confirmation. */
export const networksWaitedFor = ({ dossier }: CheckoutView): string[] => [
  ...new Set(
    dossier.payments.filter(({ state }) => state === 'SEEN' || state === 'CONFIRMED').map(({ network }) => network),
  ),
];

async function refundsToApprove(
  { db }: RequestRefundDeps,
  { signedIn }: AccountLook,
  { checkout: { merchantId }, refunds }: CheckoutDossier,
): Promise<AskedRefund[]> {
  const waiting = refunds.filter(({ state }) => state === 'AWAITING_APPROVAL');
  if (waiting.length === 0 || !signedIn) return [];
  const self = personActor(signedIn.person.id);
  const ids = waiting.map(({ id }) => id);
  const [askers, members] = await Promise.all([askersOfRefunds(db, merchantId, ids), membersOf(db, merchantId)]);
  const names = new Map<Actor, string>(members.map(({ personId, name }) => [personActor(personId), name]));
  return Promise.all(
    waiting.map(async (refund) => {
      const asker = askers.get(refund.id);
      const isOwn = asker !== undefined && (await isOwnOrder(db, merchantId, asker, self));
      return { refund, asker, name: (asker && names.get(asker)) ?? null, isOwn };
    }),
  );
}

async function refundsToTakeBack(db: Query, { refunds }: CheckoutDossier): Promise<Refund[]> {
  const sending = refunds.filter(({ state }) => state === 'SENDING').map(({ id }) => id);
  const payouts = sending.length === 0 ? [] : await findPayouts(db, sending);
  const queued = new Set(payouts.filter(({ state }) => state === 'QUEUED').map(({ id }) => id));
  return refunds.filter(({ id, state }) => state === 'CLAIMABLE' || queued.has(id));
}

async function offered(
  { db }: RequestRefundDeps,
  look: AccountLook,
  merchantId: string,
  refundable: readonly PricedRefund[],
): Promise<OfferedRefund[]> {
  if (!look.may('seeBalances')) return refundable.map((priced) => ({ ...priced, fillUnits: priced.units }));
  const accountOf = ({ asset }: PricedRefund): string => merchantAccount(merchantId, 'available', asset);
  const balances = await readBalances(db, refundable.map(accountOf));
  return refundable.map((priced) => {
    const available = balances.get(accountOf(priced)) ?? 0n;
    const isShort = priced.takes.length === 0 && available > 0n && available < priced.units;
    return { ...priced, fillUnits: isShort ? available : priced.units };
  });
}

function refundableOf(
  deps: RequestRefundDeps,
  dossier: CheckoutDossier,
  waiting: readonly InSuspense[],
  now: Date,
): PricedRefund[] {
  const wishes: RefundWish[] =
    waiting.length > 0
      ? waiting.map(({ context, asset, network }) => ({ context, asset, network }))
      : [{ context: 'COMPLETED_CHECKOUT' }];
  return wishes.flatMap((wish) => {
    try {
      return [priceRefund(dossier, wish, settlementTerms(deps), now)];
    } catch (error) {
      // Nothing is left to refund, or nobody knows at the moment what it would be worth.
      if (error instanceof GatewayError) return [];
      throw error;
    }
  });
}

export const canBeCanceled = ({ checkout, payments }: CheckoutDossier): boolean =>
  (checkout.state === 'CREATED' || checkout.state === 'PENDING') && !payments.some(isAlive);
