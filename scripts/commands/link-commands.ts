/** Payment links, through the API and with the key in access.json, as a shop would. */
import type { PaymentLinkRecord } from '@quittance/contract/payment-link';
import { createApiClient } from '../api-client.ts';
import { type Command, command, readCount } from '../command-line.ts';
import { textTable } from '../text-table.ts';

type Reply = { readonly paymentLink: PaymentLinkRecord };

export const linkCommands: readonly Command[] = [
  command({
    name: 'link create',
    summary: 'Make a payment link that can be paid many times.',
    details: 'Without an amount the payer says how much; with --signed whoever has the secret of the link does.',
    arguments: ['description'],
    options: {
      amount: { value: 'amount', meaning: 'What every payment is for.' },
      currency: { value: 'code', meaning: 'The currency of the amount (USD).' },
      min: { value: 'amount', meaning: 'The least that a payer can say.' },
      max: { value: 'amount', meaning: 'The most that a payer can say.' },
      signed: { meaning: 'Amounts must be signed; prints the secret for that.' },
      payments: { value: 'count', meaning: 'After so many payments it takes no more.' },
      webhook: { value: 'url', meaning: 'Where events about its checkouts are sent.' },
    },
    examples: ['link create "A cup of tea" --amount 2.50 --currency EUR', 'link create "For the roof" --min 5'],
    async run({ openAccess }, { description }, { amount, currency = 'USD', min, max, signed, payments, webhook }) {
      const api = createApiClient(await openAccess());
      const { paymentLink } = await api.post<Reply>('/payment-link', {
        description,
        currency,
        ...(amount !== undefined && { amount }),
        ...(min !== undefined && { amountMin: min }),
        ...(max !== undefined && { amountMax: max }),
        ...(signed && { signedOnly: true }),
        ...(payments !== undefined && { paymentsMax: readCount('--payments', payments, 100_000) }),
        ...(webhook !== undefined && { webhook }),
      });
      const { id, url } = paymentLink;
      const made = `Payment link ${id}\n${url}`;
      if (!signed) return { data: paymentLink, text: made };
      const { secret } = await api.get<{ secret: string }>('/payment-link/secret', { id });
      return { data: { ...paymentLink, secret }, text: `${made}\nSecret: ${secret}` };
    },
  }),
  command({
    name: 'link list',
    summary: 'List the newest payment links, with how often each was paid.',
    options: { limit: { value: 'count', meaning: 'At most so many (20).' } },
    examples: ['link list', 'link list --limit 100'],
    async run({ openAccess }, _, { limit = '20' }) {
      const api = createApiClient(await openAccess());
      const query = { limit: String(readCount('--limit', limit, 100)) };
      const { paymentLinks } = await api.get<{ paymentLinks: PaymentLinkRecord[] }>('/payment-links', query);
      const rows = paymentLinks.map((link) => [
        link.id,
        link.state,
        `${link.amount ?? (link.signedOnly ? 'signed' : 'open')} ${link.currency}`,
        String(link.checkoutsPaid),
        `${link.amountPaid} ${link.currency}`,
        link.description,
      ]);
      return { data: paymentLinks, text: textTable(['LINK', 'STATE', 'AMOUNT', 'PAID', 'SUM', 'FOR'], rows) };
    },
  }),
  command({
    name: 'link close',
    summary: 'Close a payment link: nobody can begin to pay it any more.',
    arguments: ['linkId'],
    examples: ['link close kq3v8t1m6x0z'],
    async run({ openAccess }, { linkId }) {
      const api = createApiClient(await openAccess());
      const { paymentLink } = await api.post<Reply>('/payment-link/close', { id: linkId });
      return { data: paymentLink, text: `Payment link ${paymentLink.id} is closed.` };
    },
  }),
];
