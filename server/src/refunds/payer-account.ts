/**
 * Where a refund goes on networks that ask for a holder's name: back to the account that it came from, which the network
 * has named with the payment. Nobody else's account is taken: a name that somebody types proves nothing.
 */
import type { CheckoutDossier } from '../checkouts/checkout.ts';
import { isAlive } from '../checkouts/checkout-state.ts';
import type { Query } from '../db/database.ts';
import type { Connector } from '../networks/port/connector.ts';
import { missingOfHolder } from '../networks/port/definition.ts';
import type { Destination } from '../networks/port/sending.ts';
import { tracesOfPayments } from '../payments/payment-store.ts';
import type { PricedRefund } from './price-refund.ts';
import { payersDiffer, payerUnknown } from './refund-errors.ts';

export async function payerAccount(
  query: Query,
  connector: Connector,
  { checkout, payments }: CheckoutDossier,
  { asset, takes }: Pick<PricedRefund, 'asset' | 'takes'>,
): Promise<Destination> {
  const { network } = connector;
  const taken = new Set(takes.map(({ paymentId }) => paymentId));
  const given = payments.filter(
    (payment) =>
      isAlive(payment) &&
      payment.network === network.id &&
      payment.asset === asset &&
      (taken.size === 0 ? payment.place === 'settled' : taken.has(payment.id)),
  );
  const traces = await tracesOfPayments(
    query,
    checkout.merchantId,
    given.map(({ id }) => id),
  );
  const payers = traces.map((trace) => connector.payerOf?.(trace) ?? null);
  const [first] = payers;
  if (!first || payers.some((payer) => payer === null || missingOfHolder(network, payer.holder).length > 0))
    throw payerUnknown(network.name);
  if (payers.some((payer) => payer?.address !== first.address)) throw payersDiffer(network.name);
  return first;
}
