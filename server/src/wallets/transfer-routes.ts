import { endpoints } from '@quittance/contract/endpoints';
import type { TransferEstimate } from '@quittance/contract/transfer';
import { type Route, routeFor } from '../http/route.ts';
import { addMs, formatTimestamp, hours } from '../lib/clock.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { formatUnits, rescale } from '../money/amount.ts';
import { type WebhookRule, webhookUrlProblems } from '../webhooks/webhook-url-problems.ts';
import { approvalLimitRecord } from './approval-limit.ts';
import { approveTransfer } from './approve-transfer.ts';
import { cancelTransfer } from './cancel-transfer.ts';
import { createTransfer, type OrderedTransfer, type TransferDeps } from './create-transfer.ts';
import { estimateTransfer } from './estimate-transfer.ts';
import { listTransfers } from './list-transfers.ts';
import type { TransferQuote } from './quote-transfer.ts';
import { type ReadOrder, readTransferOrder } from './read-transfer-order.ts';
import type { Transfer } from './transfer.ts';
import { transferNotFound } from './transfer-errors.ts';
import { transferRecord } from './transfer-record.ts';
import { findTransfer, findTransferAskedBy } from './transfer-store.ts';

const route = routeFor<Merchant>();

/** How long the previous release found a transfer by its idempotency key. */
const keyKeptMs = hours(24);

export const transferRoutes = (deps: TransferDeps & WebhookRule): Route<Merchant>[] => {
  const reply = (transfer: Transfer) => ({ id: transfer.id, transfer: transferRecord(deps, transfer) });
  return [
    route({
      endpoint: endpoints.estimateTransfer,
      async handle({ merchant, query }) {
        const estimated = await estimateTransfer(deps, merchant, query);
        const { read, quote, availableUnits, waiting, isToApprove, limit } = estimated;
        const approval = { needsApproval: isToApprove, ...approvalLimitRecord(deps, limit) };
        return { ...estimateOf(read, quote, availableUnits), ...waiting, ...approval };
      },
    }),
    route({
      endpoint: endpoints.createTransfer,
      check: async ({ merchant, body }) => [
        ...(await readTransferOrder(deps, merchant.id, body)).problems,
        ...webhookUrlProblems(deps, merchant, body.webhook),
      ],
      async recall(merchantId, key) {
        const id = await findTransferAskedBy(deps.db, merchantId, key, addMs(deps.clock.now(), -keyKeptMs));
        const asked = id === undefined ? undefined : await findTransfer(deps.db, merchantId, id);
        return asked && reply(asked);
      },
      handle: ({ merchant, actor, body, carryOut }) =>
        carryOut(
          ({ begin }) => createTransfer(deps, merchant, { body, actor, begin }),
          ({ transfer, ...approval }: OrderedTransfer) => ({ ...reply(transfer), ...approval }),
        ),
    }),
    route({
      endpoint: endpoints.approveTransfer,
      handle: ({ merchant, actor, body, carryOut }) =>
        carryOut(({ begin }) => approveTransfer(deps, merchant.id, body.id, { actor, begin }), reply),
    }),
    route({
      endpoint: endpoints.cancelTransfer,
      handle: ({ merchant, actor, body, carryOut }) =>
        carryOut(({ begin }) => cancelTransfer({ ...deps, begin }, merchant.id, body.id, actor), reply),
    }),
    route({
      endpoint: endpoints.getTransfer,
      async handle({ merchant, query }) {
        const transfer = await findTransfer(deps.db, merchant.id, query.id);
        if (!transfer) throw transferNotFound(query.id);
        return reply(transfer);
      },
    }),
    route({
      endpoint: endpoints.listTransfers,
      async handle({ merchant, query }) {
        const { items, next } = await listTransfers(deps, merchant.id, query);
        return { transfers: items.map((transfer) => transferRecord(deps, transfer)), next };
      },
    }),
  ];
};

function estimateOf(
  { method, units }: ReadOrder,
  quote: TransferQuote,
  available: bigint,
): Omit<TransferEstimate, 'needsApproval'> {
  const { asset, carried, connector } = method;
  const text = (each: bigint): string => formatUnits(each, asset.ledgerScale);
  const fee = quote.networkFeeUnits + quote.serviceFeeUnits;
  return {
    network: connector.network.id,
    assetId: asset.id,
    assetCode: asset.assetCode,
    amount: text(units),
    fee: text(fee),
    networkFee: text(quote.networkFeeUnits),
    serviceFee: text(quote.serviceFeeUnits),
    total: text(units + fee),
    minimum: text(rescale(carried.minimumUnits, carried.scale, asset.ledgerScale, 'up')),
    available: text(available),
    usableFrom: formatTimestamp(quote.usableFrom),
  };
}
