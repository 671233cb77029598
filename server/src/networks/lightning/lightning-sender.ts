/**
 * Pays invoices with the operator's LND. The node knows a payment by its hash: begun or done, it is not begun again.
 * Only one that has failed would be, so nothing is sent that the node knows already, whatever became of it.
 */
import { smaller } from '../../money/amount.ts';
import { divideUnits } from '../../money/decimal.ts';
import { AllMustWait } from '../held-fee.ts';
import { NetworkError } from '../port/connector.ts';
import type { Payout, SendContext, Sender, SignedTransaction } from '../port/sending.ts';
import { SendRefused } from '../port/sending.ts';
import { type Bolt11Invoice, decodeBolt11 } from './bolt11.ts';
import { type InvoiceLimits, invoiceProblem } from './lightning-destination.ts';
import {
  type FeeLimit,
  feeLimitOf,
  type LightningOrder,
  partsOf,
  readOrder,
  satoshisOf,
  writeOrder,
} from './lightning-order.ts';
import type { LndNode, NodeInfo } from './lnd-node.ts';
import { findPayment } from './lnd-payment.ts';
import { alreadyExistsCode, LndRefusal, type LndRest } from './lnd-rest.ts';

/** For how long the node looks for ways. What is on its way then goes on. */
const timeoutSeconds = 60;

type SenderDeps = {
  readonly lnd: LndRest;
  readonly node: LndNode;
  readonly limits: InvoiceLimits;
  readonly assetCode: string;
  readonly feeLimit: FeeLimit;
  /** How old our knowledge may be, when we ask for a payment, that the node does not know it. */
  readonly staleMs: number;
};

export function createLightningSender({ lnd, node, limits, assetCode, feeLimit, staleMs }: SenderDeps): Sender {
  const refuse = ({ id }: Payout, reason: string): SendRefused => new SendRefused(id, reason);

  function invoiceOf(payout: Payout): Bolt11Invoice {
    const problem = invoiceProblem(payout.address, limits);
    if (problem !== null) throw refuse(payout, problem);
    return decodeBolt11(payout.address);
  }

  /** The owner of the last part of the way can take all of it: so it is never more than was set aside. */
  function limitFor({ units, heldFee }: Payout): bigint {
    const limit = feeLimitOf(units, feeLimit);
    return heldFee === undefined ? limit : smaller(limit, heldFee.units);
  }

  /** Throws for a payout that can never be sent. */
  async function orderOf(payout: Payout, info: NodeInfo, context: SendContext): Promise<LightningOrder> {
    const { units, address } = payout;
    const { paymentHash, msat, payee, expiresAt } = invoiceOf(payout);
    if (context.now >= expiresAt) throw refuse(payout, 'The invoice has expired.');
    const asked = msat === null ? null : satoshisOf(msat);
    if (asked !== null && asked !== units) throw refuse(payout, `The invoice asks for ${asked} SAT, not for ${units}.`);
    if (payee === info.identity_pubkey)
      throw refuse(payout, 'The invoice is of our own node, which cannot pay itself.');
    const use = useOf(paymentHash);
    if ((await context.used(use)).includes(use) || (await findPayment(lnd, paymentHash)) !== null)
      throw refuse(payout, 'The invoice was paid or tried before: ask the recipient for a new one.');
    return {
      paymentHash,
      invoice: address.toLowerCase(),
      units: units.toString(),
      isAmountOpen: msat === null,
      feeLimit: limitFor(payout).toString(),
      timeoutSeconds,
      partsMax: partsOf(units, payout.slotsMax),
      holdBlocksMax: limits.holdBlocksMax,
      expiresAt: expiresAt.toISOString(),
      nodeId: info.identity_pubkey,
    };
  }

  const signed = ({ id }: Payout, order: LightningOrder): SignedTransaction => ({
    txHash: order.paymentHash,
    raw: writeOrder(order),
    uses: [useOf(order.paymentHash)],
    payoutIds: [id],
    fee: { assetCode, units: BigInt(order.feeLimit) },
    trace: {},
    slots: mostParts(order),
  });

  return {
    feeAssetCode: assetCode,
    /**
     * Twice what it would cost by the node's map of the network, because the first way may not work, and at least the
     * least limit. If no way is known, or it is to ourselves: the most that it may cost.
     */
    async estimateFee(payout) {
      const { payee } = invoiceOf(payout);
      const limit = feeLimitOf(payout.units, feeLimit);
      const { identity_pubkey: own } = await node.info();
      if (payee === own) return { assetCode, units: limit };
      const question = { dest: Buffer.from(payee, 'hex').toString('base64'), amt_sat: payout.units.toString() };
      const units = await lnd
        .post<{ routing_fee_msat?: string }>('/v2/router/route/estimatefee', question)
        .then(({ routing_fee_msat: msat = '0' }) => divideUnits(BigInt(msat), 1_000n, 'up'))
        .catch((error: unknown) => (error instanceof LndRefusal ? limit : Promise.reject(error)));
      return { assetCode, units: smaller(limit, larger(2n * units, feeLimit.minimumUnits)) };
    },

    async slots() {
      return (await node.capacity(await node.info())).slots;
    },

    /** One at a time: the first for which there is money, so that a large one does not stop the others. */
    async prepare(payouts, context) {
      const info = await node.info();
      const { sendable } = await node.capacity(info);
      for (const payout of payouts) {
        const order = await orderOf(payout, info, context);
        if (sendable >= payout.units + BigInt(order.feeLimit)) return signed(payout, order);
      }
      const needed = payouts.map((payout) => payout.units + limitFor(payout)).join(', ');
      throw new AllMustWait(`The Lightning channels can send ${sendable} SAT, and ${needed} are needed.`);
    },

    async broadcast({ txHash, raw }) {
      const order = readOrder(raw);
      const { identity_pubkey: nodeId } = await node.info();
      if (nodeId !== order.nodeId)
        throw new NetworkError(`Payment ${txHash} is for the Lightning node ${order.nodeId}.`, { isRetryable: false });
      const askedAt = performance.now();
      if ((await findPayment(lnd, txHash)) !== null) return;
      if (performance.now() - askedAt > staleMs)
        throw new NetworkError('The Lightning node answers too slowly to be asked to pay.', { isRetryable: true });
      try {
        // The first message comes when the payment has begun. The payment goes on when we hang up.
        await lnd.first('POST', '/v2/router/send', {
          payment_request: order.invoice,
          ...(order.isAmountOpen && { amt: order.units }),
          fee_limit_sat: order.feeLimit,
          timeout_seconds: order.timeoutSeconds,
          max_parts: mostParts(order),
          cltv_limit: order.holdBlocksMax ?? limits.holdBlocksMax,
        });
      } catch (error) {
        if (!(error instanceof LndRefusal && error.code === alreadyExistsCode)) throw error;
      }
    },
  };
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

const mostParts = ({ partsMax, units }: LightningOrder): number => partsMax ?? partsOf(BigInt(units));

const useOf = (paymentHash: string): string => `hash:${paymentHash}`;
