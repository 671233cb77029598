/** Money that arrived and named no checkout, on networks where many share one address. */
import { systemClock as clock } from '@quittance/server/lib/clock';
import { assignUnmatched } from '@quittance/server/payments/assign-unmatched';
import { listUnmatched } from '@quittance/server/payments/unmatched-store';
import { type Command, command } from '../command-line.ts';
import { withDatabase } from '../installation.ts';
import { amountText, assetCode, textTable } from '../text-table.ts';

export const suspenseCommands: readonly Command[] = [
  command({
    name: 'suspense list',
    summary: 'List payments that named no checkout: the memo was forgotten or is wrong.',
    examples: ['suspense list'],
    async run() {
      const payments = await withDatabase(listUnmatched);
      const data = payments.map(({ id, network, txHash, asset, units, sender, memo, seenAt }) => ({
        ...{ id, network, txHash, asset, amount: amountText(units, asset), sender, memo, seenAt },
      }));
      const rows = data.map(({ id, network, amount, asset, sender, memo, seenAt, txHash }) => [
        ...[id, network, `${amount} ${assetCode(asset)}`, memo ?? '', sender ?? '', seenAt, txHash],
      ]);
      const table = textTable(['PAYMENT', 'NETWORK', 'AMOUNT', 'MEMO', 'FROM', 'SEEN', 'TRANSACTION'], rows);
      return { data, text: table };
    },
  }),
  command({
    name: 'suspense assign',
    summary: 'Give such a payment to the checkout or deposit it was meant for.',
    details: 'It counts from the moment when it arrived; the checkout or deposit is looked at again at once.',
    arguments: ['paymentId', 'checkoutId'],
    examples: ['suspense assign c81k2mz09qal 8fk2m1x0c3ab'],
    async run({ paymentId, checkoutId }) {
      const assigned = await withDatabase((db) => assignUnmatched({ db, clock }, paymentId, checkoutId));
      const amount = `${amountText(assigned.units, assigned.asset)} ${assetCode(assigned.asset)}`;
      return {
        data: { paymentId, checkoutId, amount },
        text: `${amount} of transaction ${assigned.txHash} now belong to ${checkoutId}.`,
      };
    },
  }),
];
