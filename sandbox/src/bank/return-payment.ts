/** A payment of the operator comes back: a credit that names it, perhaps for less than was sent. */
import type { Day } from '@quittance/server/lib/local-day';
import type { Entry } from './bank-entry.ts';
import { BankRefused } from './bank-ledger.ts';
import type { Order } from './payment-order.ts';
import { sentenceOf } from './reason-codes.ts';

export function returnEntry(
  order: Order,
  { code, fee, day, id }: { code: string; fee: bigint; day: Day; id: string },
): Entry {
  const units = order.units - fee;
  if (fee < 0n || units <= 0n) throw new BankRefused('More would be kept than was sent.');
  return {
    id,
    account: order.account,
    kind: 'returned',
    units,
    day,
    valueDay: day,
    isReversal: false,
    details: [
      {
        id: `${id}T`,
        units,
        party: order.payee,
        endToEndId: order.endToEndId,
        instructionId: order.instructionId,
        uetr: null,
        text: `Retoure ${code} ${order.text}`.slice(0, 140),
        reference: order.reference,
        instructed: fee > 0n ? { units: order.units, currency: order.currency } : null,
        charges: fee > 0n ? [{ units: fee, bearer: 'BEN', bic: order.payee.bic }] : [],
        returned: { code, sentence: sentenceOf(code) },
      },
    ],
    batch: null,
  };
}
