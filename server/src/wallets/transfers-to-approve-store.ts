import type { Query, Row } from '../db/database.ts';
import { type Asker, storedAsker } from '../http/actor.ts';
import type { Holder } from '../networks/port/sending.ts';

export type TransferToApprove = {
  readonly id: string;
  readonly asset: string;
  readonly units: bigint;
  readonly network: string;
  readonly address: string;
  readonly memo: string | null;
  readonly memoType: string | null;
  readonly holder: Holder | null;
  readonly requestedBy: Asker;
  readonly since: Date;
};

type WaitingRow = Row &
  Omit<TransferToApprove, 'units' | 'requestedBy'> & { units: string } & Record<
    'requested_by' | 'api_key',
    string | null
  >;

/** Oldest first. */
export async function transfersToApprove(
  query: Query,
  merchantId: string,
  limit: number,
): Promise<TransferToApprove[]> {
  const rows = await query<WaitingRow>`
    select id, asset, units, network, address, memo, memo_type as "memoType", holder, requested_by, api_key, created_at as since
      from transfer
     where merchant_id = ${merchantId} and state = 'AWAITING_APPROVAL'
     order by created_at, id limit ${limit}`;
  return rows.map(({ requested_by, api_key, ...row }) => ({
    ...row,
    units: BigInt(row.units),
    requestedBy: storedAsker(requested_by, api_key),
  }));
}
