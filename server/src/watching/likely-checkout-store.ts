/** The SQL of checkouts for which money may have been meant that named none. Decides nothing. */
import type { CheckoutState } from '../checkouts/checkout-state.ts';
import type { Query, Row } from '../db/database.ts';
import { paymentStates } from '../deposits/payment-state.ts';
import type { WaitingCheckout } from './likely-checkout.ts';
import type { UnmatchedPayment } from './unmatched-store.ts';

/** So many of a network's newest are looked through: who forgets a reference has chosen the network days before. */
const lookedThrough = 5_000;

type WaitingRow = Row & {
  id: string;
  merchant_id: string;
  merchant_name: string;
  committed_at: Date;
  due_units: string;
  missing_units: string;
  customer: { firstname?: string; lastname?: string; company?: string } | null;
};

/** Those in these states that were committed on its network, in its asset, before it was seen. */
export async function waitingCheckouts(
  query: Query,
  { network, asset, seenAt }: Pick<UnmatchedPayment, 'network' | 'asset' | 'seenAt'>,
  states: readonly CheckoutState[],
): Promise<readonly WaitingCheckout[]> {
  const rows = await query<WaitingRow>`
    select distinct on (recent.merchant_id, recent.checkout_id)
           recent.checkout_id as id, recent.merchant_id, merchant.name as merchant_name, recent.committed_at, recent.due_units,
           recent.due_units - coalesce((select sum(units) from payment
                                         where merchant_id = recent.merchant_id and owner_id = recent.checkout_id
                                           and commitment_id = recent.id and state = any(${paymentStates.from('reverse')})),
                                       0) as missing_units,
           customer.fields as customer
      from (select * from commitment where network = ${network} and committed_at <= ${seenAt}
             order by committed_at desc limit ${lookedThrough}) as recent
      join checkout on checkout.merchant_id = recent.merchant_id and checkout.id = recent.checkout_id
      join merchant on merchant.id = recent.merchant_id
      left join customer on customer.merchant_id = checkout.merchant_id and customer.id = checkout.customer_id
                        and customer.deleted_at is null
     where recent.asset = ${asset} and checkout.state = any(${[...states]})
     order by recent.merchant_id, recent.checkout_id, recent.committed_at desc`;
  return rows.map((row) => {
    const { firstname = '', lastname = '', company = '' } = row.customer ?? {};
    return {
      id: row.id,
      merchantId: row.merchant_id,
      merchantName: row.merchant_name,
      committedAt: row.committed_at,
      dueUnits: BigInt(row.due_units),
      missingUnits: BigInt(row.missing_units),
      names: [`${firstname} ${lastname}`, company].filter((name) => name.trim() !== ''),
    };
  });
}
