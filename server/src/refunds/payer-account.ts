/**
 * Where a refund goes at banks: back to the account that it came from, which the network has named with the payment.
 * Nobody else's account is taken: a name that somebody types proves nothing. No more goes there than came from there, because
 * the rest of a checkout may have been paid by another person, with a coin. Where the network only gives back, the refund
 * is a part of one payment, and of each payment no more goes back than it brought.
 */
import { type CheckoutDossier, firstIdOf, type Payment } from '../checkouts/checkout.ts';
import { isAlive, isConfirmed } from '../checkouts/checkout-state.ts';
import { arrivedUnits, type Refund } from '../checkouts/refund.ts';
import type { Query } from '../db/database.ts';
import { formatUnits, smaller } from '../money/amount.ts';
import type { NetworkDefinition } from '../networks/port/definition.ts';
import type { Destination } from '../networks/port/sending.ts';
import { tracesOfPayments } from '../payments/payment-store.ts';
import type { PricedRefund } from './price-refund.ts';
import type { RefundCarrier } from './refund-carrier.ts';
import {
  moreThanPaidThere,
  payerNotPayable,
  payersDiffer,
  payerUnknown,
  tooMuchOfOnePayment,
} from './refund-errors.ts';

type Paid = { readonly payment: Payment; readonly payer: Destination };

export type PayerAccount = {
  readonly destination: Destination;
  /** The payments that came from there: as far as they stand, something goes back. Null: its bank sees to that. */
  readonly givesBack: readonly string[] | null;
};

export async function payerAccount(
  query: Query,
  carrier: RefundCarrier,
  dossier: CheckoutDossier,
  priced: Pick<PricedRefund, 'asset' | 'takes' | 'units'>,
): Promise<PayerAccount> {
  const { connector } = carrier;
  const { network } = connector;
  const given = givenBack(dossier, network.id, priced);
  const here = paymentsOn(dossier, network.id, priced);
  const { id: ownerId, merchantId } = dossier.checkout;
  const owned = here.map(({ id }) => ({ ownerId, id }));
  const traces = await tracesOfPayments(query, merchantId, owned);
  const tracedHere = here.flatMap((payment) => {
    const payer = connector.payerOf?.(traces.get(payment.id) ?? {}) ?? null;
    return payer === null ? [] : [{ payment, payer: payer.account, problem: payer.problem }];
  });
  const traced = tracedHere.filter(({ payment }) => given.includes(payment));
  if (network.givesBackOnly) return { destination: oneThatCovers(carrier, dossier, priced, traced), givesBack: null };
  const [first] = traced;
  if (!first || traced.length < given.length) throw payerUnknown(network.name);
  if (traced.some(({ payer }) => !isOneAccount(network, payer, first.payer))) throw payersDiffer(network.name);
  const came = tracedHere
    .filter(({ payment, payer }) => isConfirmed(payment) && isOneAccount(network, payer, first.payer))
    .map(({ payment }) => payment);
  demandCameFromThere(carrier, dossier, priced, { payments: came, payer: first.payer });
  // Of several payments from one account the bank may have told more with one than with another.
  const payable = traced.find(({ problem }) => problem === null);
  if (payable) return { destination: payable.payer, givesBack: came.map(firstIdOf) };
  throw first.problem === null ? payerUnknown(network.name) : payerNotPayable(network.name, first.problem);
}

function demandCameFromThere(
  { connector: { network }, assetCode, ledgerScale, sendable }: RefundCarrier,
  { refunds }: CheckoutDossier,
  { units: wanted }: Pick<PricedRefund, 'units'>,
  { payments, payer }: { readonly payments: readonly Payment[]; readonly payer: Destination },
): void {
  const came = payments.reduce((sum, { units }) => sum + units, 0n);
  const gone = refunds
    .filter((each) => goesTo(each, network, payer))
    .reduce((sum, refund) => sum + arrivedUnits(refund), 0n);
  const left = came > gone ? came - gone : 0n;
  if (sendable(wanted) > left) throw moreThanPaidThere(formatUnits(left, ledgerScale), assetCode, network.name);
}

/** What stands of it, wherever it is booked. */
const paymentsOn = (
  { payments }: CheckoutDossier,
  network: string,
  { asset }: Pick<PricedRefund, 'asset'>,
): readonly Payment[] =>
  payments.filter((payment) => isAlive(payment) && payment.network === network && payment.asset === asset);

/** Out of suspense, the payments that units are taken from; of what was credited, all that were. */
function givenBack(
  dossier: CheckoutDossier,
  network: string,
  priced: Pick<PricedRefund, 'asset' | 'takes'>,
): readonly Payment[] {
  const taken = new Set(priced.takes.map(({ paymentId }) => paymentId));
  return paymentsOn(dossier, network, priced).filter(({ id, place }) =>
    taken.size === 0 ? place === 'settled' : taken.has(id),
  );
}

/**
 * Several payments are several refunds: one that covers it, or the sentence says how much can go at once. Out of suspense
 * units are taken from payment after payment, so the first of them decides.
 */
function oneThatCovers(
  { connector: { network }, assetCode, ledgerScale }: RefundCarrier,
  { refunds }: CheckoutDossier,
  { units, takes }: Pick<PricedRefund, 'units' | 'takes'>,
  paid: readonly Paid[],
): Destination {
  const [take] = takes;
  const coverable = paid
    .filter(({ payment }) => take === undefined || take.paymentId === payment.id)
    .map(({ payment, payer }) => {
      const gone = refunds.filter((each) => goesTo(each, network, payer));
      const left = gone.reduce((rest, { sentUnits }) => rest - sentUnits, payment.units);
      return { payer, units: take === undefined ? left : smaller(left, BigInt(take.units)) };
    });
  const found = coverable.find((each) => each.units >= units);
  if (found) return found.payer;
  if (coverable.length === 0) throw payerUnknown(network.name);
  const most = coverable.reduce((largest, each) => (each.units > largest ? each.units : largest), 0n);
  throw tooMuchOfOnePayment(formatUnits(most, ledgerScale), assetCode, network.name);
}

const goesTo = (refund: Refund, wanted: NetworkDefinition, payer: Destination): boolean =>
  refund.network === wanted.id && isOneAccount(wanted, refund, payer) && refund.place !== 'returned';

type Account = Pick<Refund, 'address' | 'holder'>;

/** A number is an account of one bank: another one may have given the same to somebody else. Branches are no banks. */
const isOneAccount = ({ accountNumbers }: NetworkDefinition, one: Account, other: Account): boolean =>
  one.address === other.address &&
  (accountNumbers === undefined || accountNumbers.isIban(one.address ?? '') || bankOf(one) === bankOf(other));

const bankOf = ({ holder }: Account): string | undefined => holder?.bic?.slice(0, 8).toUpperCase();
