/** All SQL of the operator's own money. */
import type { Row, Tx } from '../db/database.ts';
import type { PaymentPlace, PaymentState } from '../deposits/payment-state.ts';

export type FundingPayment = {
  readonly id: string;
  readonly ownerId: string;
  readonly network: string;
  readonly asset: string;
  readonly units: bigint;
  readonly state: PaymentState;
  readonly place: PaymentPlace;
  readonly generation: number;
};

/** What arrived for the operator and is not booked as it should be, locked. At most so many. */
export async function lockUnbookedFunding(tx: Tx, network: string, limit: number): Promise<FundingPayment[]> {
  const rows = await tx<Row & Omit<FundingPayment, 'units'> & { units: string }>`
    select id, owner_id as "ownerId", network, asset, units, state, place, generation from payment
     where network = ${network} and purpose = 'funding' and (state in ('CONFIRMED', 'FINAL')) = (place = 'none')
     order by id limit ${limit} for update`;
  return rows.map((row) => ({ ...row, units: BigInt(row.units) }));
}
