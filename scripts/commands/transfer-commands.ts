/** Money on its way out: merchants' transfers, and the operator's own. */
import type { Db } from '@quittance/server/db/database';
import { loadNetworkStatus } from '@quittance/server/deposits/network-health';
import { notFound } from '@quittance/server/lib/errors';
import { newId } from '@quittance/server/lib/ids';
import { formatDecimal, parseDecimal } from '@quittance/server/money/decimal';
import { feeUnitsOf, type Transfer } from '@quittance/server/wallets/transfer';
import { shownTransferState } from '@quittance/server/wallets/transfer-state';
import { findTransfers, listTransferKeys, merchantOfTransfer } from '@quittance/server/wallets/transfer-store';
import { whyDeclined } from '@quittance/server/wallets/withdraw-own-money';
import { findWithdrawal, type Withdrawal } from '@quittance/server/wallets/withdrawal-store';
import { askForOrder } from '../ask-for-order.ts';
import { type Command, CommandError, command, readCount, UsageError } from '../command-line.ts';
import { amountText, assetCode, factList, textTable } from '../text-table.ts';

export const transferCommands: readonly Command[] = [
  command({
    name: 'transfer list',
    summary: 'List the newest transfers of all merchants, or of one.',
    options: {
      merchant: { value: 'merchantId', meaning: 'Only of this merchant.' },
      state: { value: 'state', meaning: 'Only in this state, for example QUEUED or AWAITING_APPROVAL.' },
      limit: { value: 'count', meaning: 'At most so many (20).' },
    },
    examples: ['transfer list', 'transfer list --state QUEUED --limit 100'],
    async run({ withDatabase }, _, { merchant = null, state, limit = '20' }) {
      const filter = { merchantId: merchant, state: state?.toUpperCase() ?? null, network: null, asset: null };
      const found = await withDatabase(async (db) => {
        const count = readCount('--limit', limit, 1_000);
        const keys = await listTransferKeys(db, { ...filter, from: null, to: null, before: null, limit: count });
        return Promise.all(keys.map(async ({ merchantId, id }) => (await findTransfers(db, merchantId, [id]))[0]));
      });
      const data = found.filter((transfer) => transfer !== undefined).map(dataOf);
      const rows = data.map((each) => [
        ...[each.id, each.createdAt, each.state, `${each.amount} ${assetCode(each.asset)}`, each.network],
        ...[each.address, each.merchantId],
      ]);
      const headings = ['TRANSFER', 'CREATED', 'STATE', 'AMOUNT', 'NETWORK', 'TO', 'MERCHANT'];
      return { data, text: textTable(headings, rows) };
    },
  }),
  command({
    name: 'transfer show',
    summary: 'Show all that is known about a transfer.',
    arguments: ['transferId'],
    examples: ['transfer show c81k2mz09qal'],
    run: ({ withDatabase }, { transferId }) =>
      withDatabase(async (db) => {
        const merchantId = await merchantOfTransfer(db, transferId);
        const [transfer] = merchantId === undefined ? [] : await findTransfers(db, merchantId, [transferId]);
        if (!transfer) throw notFound('transfer', transferId);
        const data = dataOf(transfer);
        const code = assetCode(transfer.asset);
        const text = factList({
          ...data,
          asset: code,
          amount: `${data.amount} ${code}`,
          fee: `${data.fee} ${code}`,
        });
        return { data, text };
      }),
  }),
  command({
    name: 'withdraw',
    summary: "Send out the operator's own money: what was brought in and earned, and no more.",
    details:
      'The running service checks the address, sets the amount aside and sends it. Amounts are in the asset. Once two of the staff move money, one of them approves it under /operator/money first.',
    arguments: ['network', 'asset', 'amount', 'address'],
    options: {
      memo: { value: 'memo', meaning: 'Memo that the receiver asks for.' },
      'memo-type': { value: 'type', meaning: 'text, id, hash or return (text).' },
    },
    examples: ['withdraw BITCOIN BTC 0.25 bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'],
    async run(
      { withDatabase },
      { network: name, asset, amount: amountGiven, address },
      { memo = null, 'memo-type': type = null },
    ) {
      const amount = parseDecimal(amountGiven);
      if (!amount || amount.digits <= 0n) throw new UsageError('<amount> must be a number greater than zero.');
      const memoType = type === null ? null : knownMemoType(type);
      const network = name.toUpperCase();
      const order = { network, asset, amount: formatDecimal(amount), address, memo, memoType };
      const { id, state } = await withDatabase((db) => askForWithdrawal(db, order));
      const data = { id, state, ...order };
      const sum = `${order.amount} ${assetCode(asset)}`;
      const text =
        state === 'AWAITING_APPROVAL'
          ? `Withdrawal ${id} of ${sum} to ${address} waits: somebody of the staff approves it under /operator/money.`
          : `${sum} are on their way to ${address} as ${id}.`;
      return { data, text };
    },
  }),
];

const memoTypes = ['text', 'id', 'hash', 'return'] as const;

function knownMemoType(text: string): (typeof memoTypes)[number] {
  const found = memoTypes.find((type) => type === text);
  if (!found) throw new UsageError(`--memo-type must be ${memoTypes.join(', ')}.`);
  return found;
}

function dataOf(transfer: Transfer) {
  const { id, merchantId, network, asset, address, memo, targetLabel, apiKey, approvedBy } = transfer;
  return {
    id,
    merchantId,
    state: shownTransferState(transfer.state, transfer.isSigned),
    network,
    asset,
    amount: amountText(transfer.units, asset),
    fee: amountText(feeUnitsOf(transfer), asset),
    address,
    memo,
    targetAccount: targetLabel,
    createdBy: apiKey,
    approvedBy,
    usableFrom: transfer.usableFrom,
    txHash: transfer.txHash,
    failure: transfer.failure,
    createdAt: transfer.createdAt,
    endedAt: transfer.endedAt,
  };
}

type Order = {
  readonly network: string;
  readonly asset: string;
  readonly amount: string;
  readonly address: string;
  readonly memo: string | null;
  readonly memoType: (typeof memoTypes)[number] | null;
};

async function askForWithdrawal(db: Db, order: Order): Promise<Withdrawal> {
  const watched = (await loadNetworkStatus(db)).map((status) => status.network);
  if (!watched.includes(order.network))
    throw new CommandError(`${order.network} has not been watched yet. These have: ${watched.join(', ') || 'none'}.`);
  const payload = { transferId: newId(), ...order };
  return askForOrder(db, 'withdrawal.request', payload, { taken: findWithdrawal, whyDeclined });
}
