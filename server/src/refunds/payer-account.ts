/**
 * Where a refund goes at banks: back to the account that it came from, which the network has named with the payment.
 * Nobody else's account is taken: a name that somebody types proves nothing. Where the network only gives back, the refund
 * is a part of one payment, and of each payment no more goes back than it brought.
 */
import type { CheckoutDossier, Payment } from '../checkouts/checkout.ts';
import { isAlive } from '../checkouts/checkout-state.ts';
import type { Refund } from '../checkouts/refund.ts';
import type { Query } from '../db/database.ts';
import { formatUnits, smaller } from '../money/amount.ts';
import type { Destination } from '../networks/port/sending.ts';
import { tracesOfPayments } from '../payments/payment-store.ts';
import type { PricedRefund } from './price-refund.ts';
import type { RefundCarrier } from './refund-carrier.ts';
import { payerNotPayable, payersDiffer, payerUnknown, tooMuchOfOnePayment } from './refund-errors.ts';

type Paid = { readonly payment: Payment; readonly payer: Destination };

export async function payerAccount(
  query: Query,
  carrier: RefundCarrier,
  dossier: CheckoutDossier,
  priced: Pick<PricedRefund, 'asset' | 'takes' | 'units'>,
): Promise<Destination> {
  const { connector } = carrier;
  const { network } = connector;
  const given = givenBack(dossier, network.id, priced);
  const { id: ownerId, merchantId } = dossier.checkout;
  const owned = given.map(({ id }) => ({ ownerId, id }));
  const traces = await tracesOfPayments(query, merchantId, owned);
  const traced = given.flatMap((payment) => {
    const payer = connector.payerOf?.(traces.get(payment.id) ?? {}) ?? null;
    return payer === null ? [] : [{ payment, payer: payer.account, problem: payer.problem }];
  });
  if (network.givesBackOnly) return oneThatCovers(carrier, dossier, priced, traced);
  const [first] = traced;
  if (!first || traced.length < given.length) throw payerUnknown(network.name);
  if (traced.some(({ payer }) => payer.address !== first.payer.address)) throw payersDiffer(network.name);
  // Of several payments from one account the bank may have told more with one than with another.
  const payable = traced.find(({ problem }) => problem === null);
  if (payable) return payable.payer;
  throw first.problem === null ? payerUnknown(network.name) : payerNotPayable(network.name, first.problem);
}

/** Out of suspense, the payments that units are taken from; of what was credited, all that were. */
function givenBack(
  { payments }: CheckoutDossier,
  network: string,
  { asset, takes }: Pick<PricedRefund, 'asset' | 'takes'>,
): readonly Payment[] {
  const taken = new Set(takes.map(({ paymentId }) => paymentId));
  return payments.filter(
    (payment) =>
      isAlive(payment) &&
      payment.network === network &&
      payment.asset === asset &&
      (taken.size === 0 ? payment.place === 'settled' : taken.has(payment.id)),
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
      const gone = refunds.filter((each) => goesTo(each, network.id, payer));
      const left = gone.reduce((rest, { sentUnits }) => rest - sentUnits, payment.units);
      return { payer, units: take === undefined ? left : smaller(left, BigInt(take.units)) };
    });
  const found = coverable.find((each) => each.units >= units);
  if (found) return found.payer;
  if (coverable.length === 0) throw payerUnknown(network.name);
  const most = coverable.reduce((largest, each) => (each.units > largest ? each.units : largest), 0n);
  throw tooMuchOfOnePayment(formatUnits(most, ledgerScale), assetCode, network.name);
}

const goesTo = ({ network, address, place }: Refund, wanted: string, payer: Destination): boolean =>
  network === wanted && address === payer.address && place !== 'returned';
