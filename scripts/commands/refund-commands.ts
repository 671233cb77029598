import { sentAs } from '@quittance/server/catalog/sent-as';
import { listNewestRefunds } from '@quittance/server/checkouts/refund-store';
import { type Command, command, readCount } from '../command-line.ts';
import { amountText, assetCode, textTable } from '../text-table.ts';

export const refundCommands: readonly Command[] = [
  command({
    name: 'refund list',
    summary: 'List the newest refunds of all merchants, or of one.',
    options: {
      merchant: { value: 'merchantId', meaning: 'Only of this merchant.' },
      state: { value: 'state', meaning: 'Only in this state, for example FAILED.' },
      limit: { value: 'count', meaning: 'At most so many (20).' },
    },
    examples: ['refund list', 'refund list --state SENDING'],
    async run({ withDatabase }, _, { merchant = null, state = null, limit = '20' }) {
      const filter = { merchantId: merchant, state, limit: readCount('--limit', limit, 10_000) };
      const found = await withDatabase((db) => listNewestRefunds(db, filter));
      const data = found.map(({ merchantId, checkoutId, refund }) => ({
        id: refund.id,
        merchantId,
        checkoutId,
        context: refund.context,
        state: refund.state,
        amount: `${amountText(refund.units, refund.asset)} ${assetCode(refund.asset)}`,
        network: refund.network,
        requestedAt: refund.requestedAt,
        tx: refund.txHash,
        failure: refund.failure,
      }));
      const rows = data.map((row) => [
        ...[row.id, row.merchantId, row.checkoutId, row.context, row.state, row.amount, row.network, row.requestedAt],
        sentAs(row.network, row.tx) ?? row.failure,
      ]);
      const headings = ['REFUND', 'MERCHANT', 'CHECKOUT', 'CONTEXT', 'STATE', 'AMOUNT', 'NETWORK', 'REQUESTED'];
      return { data, text: textTable([...headings, 'TRANSACTION OR FAILURE'], rows) };
    },
  }),
];
