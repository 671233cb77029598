/**
 * Sends back what nobody asked for, for who has only the database: the running service looks whether it can be sent and what that
 * takes, which needs connectors. What is refused is over, and why is in the audit log, where the command looks.
 */
import type { Db, Query } from '../db/database.ts';
import { operatorId } from '../deposits/deposit-target-store.ts';
import type { JobCatalog } from '../jobs/job-catalog.ts';
import { GatewayError, notFound } from '../lib/errors.ts';
import { listAudit } from '../merchants/audit-store.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import { byCommand, type ReturnDeps, returnUnmatched } from '../watching/return-unmatched.ts';
import { findReturn } from '../watching/unmatched-return-store.ts';
import { findUnmatched } from '../watching/unmatched-store.ts';
import { type ReadReturnDeps, readReturn } from './read-return.ts';

export type RequestReturnDeps = ReadReturnDeps & ReturnDeps & { readonly db: Db };

export async function requestReturn(deps: RequestReturnDeps, order: JobCatalog['return.request']): Promise<void> {
  const { transferId, paymentId, address, memo, memoType, feeUnits } = order;
  // The job ran before and only its acknowledgement was lost.
  if (await findReturn(deps.db, transferId)) return;
  try {
    const payment = await findUnmatched(deps.db, paymentId);
    if (!payment) throw notFound('unmatched payment', paymentId);
    const read = await readReturn(deps, payment, { address, memo, memoType, feeUnits: BigInt(feeUnits) });
    await returnUnmatched(deps, paymentId, read, { ...byCommand(deps.db), returnId: transferId });
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    if (await findReturn(deps.db, transferId)) return; // Another worker took it at the same moment.
    const detail = { id: paymentId, returnId: transferId, why: error.problems.join(' ') };
    const row = { merchantId: operatorId, at: deps.clock.now(), actor: 'operator', detail } as const;
    await deps.db.begin((tx) => insertAudit(tx, { ...row, action: declinedAction }));
  }
}

const declinedAction = 'unmatched.return_declined';

/** Why an order of the command was refused, if it is among the newest that were; undefined: it was not, or not yet. */
export async function whyReturnDeclined(query: Query, returnId: string): Promise<string | undefined> {
  const filter = { actor: 'operator', beginnings: [declinedAction], from: null, to: null, before: null, limit: 50 };
  const rows = await listAudit(query, operatorId, filter);
  const declined = rows.find(({ detail }) => detail['returnId'] === returnId);
  return declined && String(declined.detail['why']);
}
