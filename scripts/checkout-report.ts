/** Everything about one checkout, from all slices, for the operator who must explain it to somebody. */
import type { Checkout, CheckoutDossier } from '@quittance/server/checkouts/checkout';
import { findDossier, findPublicCheckout, listNewestCheckouts } from '@quittance/server/checkouts/checkout-store';
import { findTimeline } from '@quittance/server/checkouts/timeline-store';
import type { Db } from '@quittance/server/db/database';
import { assetOfAccount } from '@quittance/server/ledger/chart-of-accounts';
import { entriesAbout } from '@quittance/server/ledger/ledger-store';
import { present } from '@quittance/server/lib/assert';
import { formatDecimal } from '@quittance/server/money/decimal';
import { findBookings } from '@quittance/server/payments/find-bookings';
import { straysOfCheckout } from '@quittance/server/watching/stray-store';
import { deliveriesOfSubject, eventsOfSubject } from '@quittance/server/webhooks/webhook-log-store';
import { bookingText, withoutOwnMark } from './booking-text.ts';
import { CommandError } from './command-line.ts';
import { accountText, amountText, assetCode, detailText, factList, section, textTable } from './text-table.ts';

const deliveriesMax = 50;

/** By its id, or `latest` for the newest of all. */
export async function findDossierByWord(db: Db, idOrLatest: string): Promise<CheckoutDossier> {
  const { merchantId, id } = await findCheckoutByWord(db, idOrLatest);
  return present(await findDossier(db, merchantId, id), `checkout ${id}`);
}

async function findCheckoutByWord(db: Db, idOrLatest: string): Promise<Checkout> {
  if (idOrLatest === 'latest') {
    const [newest] = await listNewestCheckouts(db, { merchantId: null, state: null, limit: 1 });
    if (newest) return newest;
    throw new CommandError('There is no checkout yet: npx quittance checkout create makes one.');
  }
  const found = await findPublicCheckout(db, idOrLatest);
  if (!found) throw new CommandError(`There is no checkout ${JSON.stringify(idOrLatest)}.`);
  return found;
}

export type CheckoutReport = Awaited<ReturnType<typeof loadReport>>;

export async function loadReport(db: Db, idOrLatest: string) {
  const { checkout, commitments, payments, refunds } = await findDossierByWord(db, idOrLatest);
  const { merchantId, id } = checkout;
  const [bookings, timeline, strays, entries, events, deliveries] = await Promise.all([
    findBookings(
      db,
      merchantId,
      payments.map((payment) => ({ ...payment, ownerId: id })),
    ),
    findTimeline(db, merchantId, id),
    straysOfCheckout(db, merchantId, id),
    entriesAbout(db, merchantId, [
      { kind: 'checkout', id },
      ...refunds.map((refund) => ({ kind: 'refund' as const, id: refund.id })),
    ]),
    eventsOfSubject(db, merchantId, id),
    deliveriesOfSubject(db, merchantId, id, deliveriesMax),
  ]);
  return {
    id,
    merchantId,
    state: checkout.state,
    exceptions: checkout.exceptions,
    type: checkout.type,
    total: formatDecimal(checkout.total),
    billingCurrency: checkout.billingCurrency,
    settlementAsset: checkout.settlementAsset,
    createdAt: checkout.createdAt,
    windowEndsAt: checkout.windowEndsAt,
    webhook: checkout.webhook,
    commitments: commitments.map((each) => ({
      id: each.id,
      network: each.network,
      asset: each.asset,
      amount: amountText(each.dueUnits, each.asset),
      address: each.address,
      memo: each.memo,
      committedAt: each.committedAt,
      expiresAt: each.expiresAt,
    })),
    payments: payments.map((each) => ({
      id: each.id,
      network: each.network,
      asset: each.asset,
      amount: amountText(each.units, each.asset),
      state: each.state,
      place: each.place,
      txHash: each.txHash,
      /** At a bank: by what it is found there. */
      booking: bookings.get(each.id) ?? null,
      reference: commitments.find((commitment) => commitment.id === each.commitmentId)?.memo ?? null,
      replacedBy: each.replacedBy,
      blockHeight: each.blockHeight,
      confirmationsRequired: each.confirmationsRequired,
      firstSeenAt: each.firstSeenAt,
    })),
    wrongTokens: strays,
    ledgerEntries: entries.map(({ reference, kind, postedAt, lines }) => ({
      reference,
      kind,
      postedAt,
      lines: lines.map(({ account, units }) => ({ account, amount: amountText(units, assetOfAccount(account)) })),
    })),
    events: events.map(({ id: eventId, type, createdAt }) => ({ id: eventId, type, createdAt })),
    deliveries: deliveries.map((each) => ({
      id: each.id,
      eventType: each.eventType,
      url: each.url,
      state: each.state,
      attempts: each.attempts.length,
      nextAt: each.nextAt,
      failure: each.failure ?? each.attempts.at(-1)?.error ?? null,
    })),
    timeline,
  };
}

export function reportText(report: CheckoutReport): string {
  const { commitments, payments, wrongTokens, ledgerEntries, events, deliveries, timeline } = report;
  return [
    factList({
      checkout: report.id,
      state: [report.state, ...report.exceptions].join(' '),
      total: `${report.total} ${report.billingCurrency}`,
      'settled in': report.settlementAsset,
      merchant: report.merchantId,
      created: report.createdAt,
      'window ends': report.windowEndsAt,
      webhook: report.webhook,
    }),
    section(
      'Timeline',
      textTable(
        ['AT', 'WHAT', 'WHY'],
        timeline.map(({ at, what, why }) => [at, what, detailText(withoutOwnMark(why))]),
      ),
    ),
    section(
      'Commitments',
      textTable(
        ['NETWORK', 'DUE', 'ADDRESS', 'UNTIL'],
        commitments.map(({ network, amount, asset, address, memo, expiresAt }) => [
          network,
          `${amount} ${assetCode(asset)}`,
          memo === null ? address : `${address} memo ${memo}`,
          expiresAt,
        ]),
      ),
    ),
    section(
      'Payments',
      textTable(
        ['NETWORK', 'AMOUNT', 'STATE', 'IN THE BOOKS', 'BLOCK', 'TRANSACTION'],
        payments.map((each) => [
          each.network,
          `${each.amount} ${assetCode(each.asset)}`,
          each.state,
          each.place,
          each.blockHeight,
          each.booking === null ? each.txHash : bookingText(each.booking, each.reference),
        ]),
      ),
    ),
    ...(wrongTokens.length === 0
      ? []
      : [
          section(
            'Wrong tokens, to be sent back by hand (amounts in the smallest unit of each)',
            textTable(
              ['NETWORK', 'TOKEN', 'AMOUNT', 'AT', 'TRANSACTION'],
              wrongTokens.map(({ network, what, units, blockTime, txHash }) => [
                network,
                what,
                units,
                blockTime,
                txHash,
              ]),
            ),
          ),
        ]),
    section(
      'Ledger',
      textTable(
        ['AT', 'ENTRY', 'ACCOUNT', 'AMOUNT'],
        ledgerEntries.flatMap(({ postedAt, kind, lines }) =>
          lines.map(({ account, amount }, at) => [
            at === 0 ? postedAt : '',
            at === 0 ? kind : '',
            accountText(account),
            `${amount} ${assetCode(assetOfAccount(account))}`,
          ]),
        ),
      ),
    ),
    section(
      'Events',
      textTable(
        ['AT', 'EVENT', 'ID'],
        events.map(({ createdAt, type, id }) => [createdAt, type, id]),
      ),
    ),
    section('Webhook deliveries', deliveriesTable(deliveries)),
  ].join('\n');
}

export const deliveriesTable = (deliveries: CheckoutReport['deliveries']): string =>
  textTable(
    ['DELIVERY', 'EVENT', 'STATE', 'ATTEMPTS', 'NEXT', 'URL', 'FAILURE'],
    deliveries.map((each) => [
      each.id,
      each.eventType,
      each.state,
      each.attempts,
      each.nextAt,
      each.url,
      each.failure ?? '',
    ]),
  );
