import type { CheckoutReply } from '@quittance/contract/checkout';
import { checkoutNotFound } from '@quittance/server/checkouts/checkout-errors';
import { findPublicCheckout, listNewestCheckouts } from '@quittance/server/checkouts/checkout-store';
import { askForTerms } from '@quittance/server/checkouts/rebuild-terms';
import { sendReceiptAgain } from '@quittance/server/checkouts/send-receipt-again';
import { systemClock as clock } from '@quittance/server/lib/clock';
import { formatDecimal } from '@quittance/server/money/decimal';
import { createApiClient } from '../api-client.ts';
import { loadReport, reportText } from '../checkout-report.ts';
import { type Command, command, readCount } from '../command-line.ts';
import { assetCode, textTable } from '../text-table.ts';

export const checkoutCommands: readonly Command[] = [
  command({
    name: 'checkout create',
    summary: 'Create a checkout through the API, as a shop would.',
    details: 'Uses the key in access.json. scripts/api-client.ts shows how the request is signed.',
    options: {
      amount: { value: 'amount', meaning: 'The price (25.00).' },
      currency: { value: 'code', meaning: 'The currency of the price (USD).' },
      description: { value: 'text', meaning: 'What is sold (Test purchase).' },
      hosted: { meaning: 'With a payment page of ours; prints its URL.' },
      'settlement-asset': {
        value: 'asset',
        meaning: 'What the merchant is credited in; ORIGIN: what was paid (ORIGIN).',
      },
      webhook: { value: 'url', meaning: 'Where events about this checkout are sent.' },
    },
    examples: [
      'checkout create',
      'checkout create --amount 12.50 --currency EUR --hosted --webhook http://127.0.0.1:3000/webhook',
    ],
    async run(
      { openAccess },
      _,
      { amount = '25.00', currency = 'USD', description = 'Test purchase', hosted, webhook, ...rest },
    ) {
      const api = createApiClient(await openAccess());
      const body = {
        charge: { billingCurrency: currency, lineItems: [{ description, netAmount: amount }] },
        settlementAsset: rest['settlement-asset'] ?? 'ORIGIN',
        ...(webhook !== undefined && { webhook }),
      };
      if (hosted) {
        const made = await api.post<{ id: string; url: string }>('/checkout/hosted', body);
        return { data: made, text: `Checkout ${made.id}\nPayment page: ${made.url}\n${payHint(made.id)}` };
      }
      const made = await api.post<CheckoutReply>('/checkout', body);
      const methods = made.paymentMethods.map(({ network, paymentAmount, assetCode: code, settlement }) => [
        network,
        `${paymentAmount} ${code}`,
        `${settlement.netAmount} ${assetCode(settlement.assetId)}`,
      ]);
      const table = textTable(['NETWORK', 'CUSTOMER PAYS', 'MERCHANT RECEIVES'], methods);
      return { data: made, text: `Checkout ${made.id}\n\n${table}\n\n${payHint(made.id)}` };
    },
  }),
  command({
    name: 'checkout list',
    summary: 'List the newest checkouts of all merchants, or of one.',
    options: {
      merchant: { value: 'merchantId', meaning: 'Only of this merchant.' },
      state: { value: 'state', meaning: 'Only in this state, for example UNDERPAID.' },
      limit: { value: 'count', meaning: 'At most so many (20).' },
    },
    examples: ['checkout list', 'checkout list --state UNDERPAID --limit 100'],
    async run({ withDatabase }, _, { merchant = null, state, limit = '20' }) {
      const filter = {
        merchantId: merchant,
        state: state?.toUpperCase() ?? null,
        limit: readCount('--limit', limit, 10_000),
      };
      const found = await withDatabase((db) => listNewestCheckouts(db, filter));
      const data = found.map((checkout) => ({
        id: checkout.id,
        merchantId: checkout.merchantId,
        createdAt: checkout.createdAt,
        state: checkout.state,
        exceptions: checkout.exceptions,
        total: formatDecimal(checkout.total),
        billingCurrency: checkout.billingCurrency,
        type: checkout.type,
      }));
      const rows = data.map((each) => [
        each.id,
        each.createdAt,
        [each.state, ...each.exceptions].join(' '),
        `${each.total} ${each.billingCurrency}`,
        each.merchantId,
      ]);
      return { data, text: textTable(['CHECKOUT', 'CREATED', 'STATE', 'TOTAL', 'MERCHANT'], rows) };
    },
  }),
  command({
    name: 'checkout show',
    summary: 'Show all that is known about a checkout.',
    details: 'Its timeline, commitments, payments, ledger entries, events and webhook deliveries.',
    arguments: ['checkoutId'],
    examples: ['checkout show 8fk2m1x0c3ab', 'checkout show latest'],
    async run({ withDatabase }, { checkoutId }) {
      const report = await withDatabase((db) => loadReport(db, checkoutId));
      return { data: report, text: reportText(report) };
    },
  }),
  command({
    name: 'checkout receipt',
    summary: "Send the payer's receipt once more, to whom it went or would have gone.",
    details: 'Three times an hour at most. A worker sends it, where the service has a mail server.',
    arguments: ['checkoutId'],
    examples: ['checkout receipt 8fk2m1x0c3ab'],
    run: ({ withDatabase }, { checkoutId }) =>
      withDatabase(async (db) => {
        const checkout = await findPublicCheckout(db, checkoutId);
        if (!checkout) throw checkoutNotFound(checkoutId);
        await sendReceiptAgain({ begin: db.begin, clock, actor: 'operator' }, checkout.merchantId, checkoutId);
        return { data: { checkoutId }, text: `The receipt of ${checkoutId} is sent again.` };
      }),
  }),
  command({
    name: 'search rebuild',
    summary: 'Make anew by what checkouts are found.',
    details:
      'A worker does it, a part at a time, while everybody goes on searching. Needed only when something is not found that should be: what is new is written down within seconds.',
    examples: ['search rebuild'],
    run: ({ withDatabase }) =>
      withDatabase(async (db) => {
        await askForTerms({ db, clock });
        return { data: { isAsked: true }, text: 'A worker makes them anew: job list shows how far it is.' };
      }),
  }),
];

const payHint = (checkoutId: string): string => `Pay it in the sandbox: npx quittance pay ${checkoutId}`;
