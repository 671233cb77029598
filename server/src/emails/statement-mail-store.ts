/** All SQL about announced statements. Decides nothing. */
import type { Tx } from '../db/database.ts';

/** False: this month was announced to this person before. */
export async function insertStatementMail(
  tx: Tx,
  merchantId: string,
  { personId, month, at }: { readonly personId: string; readonly month: string; readonly at: Date },
): Promise<boolean> {
  const rows = await tx`
    insert into statement_mail (merchant_id, person_id, month, told_at)
    values (${merchantId}, ${personId}, ${month}, ${at}) on conflict do nothing returning month`;
  return rows.length > 0;
}
