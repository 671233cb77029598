/**
 * Gives back what was paid, whole or in part, by the bank's own return. One return is one transaction. The bank knows each
 * by a name that we chose, so it is asked for again and again until the list says what became of it.
 */
import type { NetworkFee, Payout, Sender } from '../port/sending.ts';
import { SendRefused } from '../port/sending.ts';
import { type PixApi, PixRefusal } from './pix-api.ts';
import { destinationProblem } from './pix-destination.ts';
import { findPix, findReturn } from './pix-questions.ts';
import {
  bodyOf,
  demandAsOrdered,
  inReais,
  orderOf,
  type PixReturnOrder,
  pathOf,
  readOrder,
  writeOrder,
} from './pix-return-order.ts';
import { assetCode } from './received-pix.ts';
import { leftToReturn, returnableUntil } from './returnable-pix.ts';

/** The interface knows no fee for it. */
export const noFee: NetworkFee = { assetCode, units: 0n };

export function createPixSender(api: PixApi): Sender {
  const isThere = async (order: PixReturnOrder): Promise<boolean> => {
    const found = await findReturn(api, order);
    return found !== null && demandAsOrdered(order, found) === found;
  };

  return {
    feeAssetCode: assetCode,
    /** Whoever asks for a refund learns at once what the bank would refuse. */
    async estimateFee(payout) {
      const problem = destinationProblem(payout);
      if (problem !== null) throw new SendRefused(payout.id, problem);
      const found = await findPix(api, payout.address);
      if (!found) throw new SendRefused(payout.id, 'The bank does not know this payment.');
      const { pix, at } = found;
      if (at >= returnableUntil(pix))
        throw new SendRefused(
          payout.id,
          'It was paid more than 90 days ago, and after that nothing goes back over Pix.',
        );
      const left = leftToReturn(pix);
      if (payout.units > left)
        throw new SendRefused(payout.id, `Of this payment ${inReais(left)} are left at the bank to go back.`);
      return noFee;
    },
    /** Asks the bank nothing: what it refuses by then is seen when the return is looked for. */
    async prepare(payouts) {
      const [payout] = payouts as readonly [Payout, ...Payout[]];
      const problem = destinationProblem(payout);
      if (problem !== null) throw new SendRefused(payout.id, problem);
      const order = orderOf(payout);
      return {
        txHash: order.id,
        raw: writeOrder(order),
        uses: [`devolucao/${order.id}`],
        payoutIds: [payout.id],
        fee: noFee,
        trace: {},
      };
    },
    async broadcast({ raw }) {
      const order = readOrder(raw);
      if (await isThere(order)) return;
      try {
        await api.put(pathOf(order), bodyOf(order));
      } catch (error) {
        // A name that was used before is refused: then it was an earlier request of ours whose answer was lost.
        if (!(error instanceof PixRefusal) || !(await isThere(order))) throw error;
      }
    },
  };
}
