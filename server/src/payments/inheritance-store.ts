/**
 * A replacement keeps the first sights of what it replaced, up to as many units, on one rail of one checkout.
 * `inheritedSights` decides which sights a payment gets; here they are read and stored.
 */

import type { Row, Tx } from '../db/database.ts';
import { inheritedSights, type LinkedPayment } from './inherit-sights.ts';
import type { SeenPayment } from './payment-sights.ts';

type LinkedRow = Row &
  Record<'merchant_id' | 'owner_id' | 'asset' | 'id' | 'tx_hash' | 'units', string> & {
    replaced_by: string | null;
    first_seen_at: Date;
    valuations: SeenPayment['valuations'];
  };

/** Nobody needs more replacements than this to pay; what is further back passes nothing on. */
const lineMax = 500;

/**
 * For payments of these transactions. We may see a replacement before or after we learn that it is one, so every
 * transaction is looked at that is new or has replaced something.
 */
export async function inheritSights(tx: Tx, network: string, hashes: readonly string[]): Promise<void> {
  if (hashes.length === 0) return;
  const rows = await tx<LinkedRow>`
    with recursive line as (
      select payment.merchant_id, payment.owner_id, payment.asset, payment.id, payment.tx_hash
        from payment
       where payment.network = ${network} and payment.tx_hash = any(${[...new Set(hashes)]})
         and exists (select from payment original
                      where original.network = ${network} and original.replaced_by = payment.tx_hash)
      union
      select original.merchant_id, original.owner_id, original.asset, original.id, original.tx_hash
        from payment original
        join line on original.network = ${network} and original.replaced_by = line.tx_hash
             and original.merchant_id = line.merchant_id and original.owner_id = line.owner_id
             and original.asset = line.asset
    )
    select payment.merchant_id, payment.owner_id, payment.asset, payment.id, payment.tx_hash, payment.units::text,
           payment.replaced_by, payment.first_seen_at, payment.valuations
      from (select * from line limit ${lineMax}) as line
      join payment on payment.merchant_id = line.merchant_id and payment.owner_id = line.owner_id
           and payment.id = line.id`;
  const wanted = new Set(hashes);
  const changes = [...Map.groupBy(rows, (row) => `${row.merchant_id} ${row.owner_id} ${row.asset}`).values()].flatMap(
    (line) => {
      const linked = line.map(toLinked);
      const replacements = new Set(line.map(({ tx_hash }) => tx_hash).filter((hash) => wanted.has(hash)));
      const inherited = new Map([...replacements].flatMap((hash) => [...inheritedSights(linked, hash)]));
      return line.flatMap(({ merchant_id, owner_id, id }) => {
        const sights = inherited.get(id);
        return sights ? [{ merchant_id, owner_id, id, sights }] : [];
      });
    },
  );
  if (changes.length === 0) return;
  await tx`
    update payment set inherited = heir.inherited
      from unnest(${changes.map((each) => each.merchant_id)}::text[], ${changes.map((each) => each.owner_id)}::text[],
                  ${changes.map((each) => each.id)}::text[],
                  ${changes.map(({ sights }) => JSON.stringify(sights))}::jsonb[])
             as heir (merchant_id, owner_id, id, inherited)
     where payment.merchant_id = heir.merchant_id and payment.owner_id = heir.owner_id and payment.id = heir.id`;
}

const toLinked = (row: LinkedRow): LinkedPayment => ({
  id: row.id,
  txHash: row.tx_hash,
  replacedBy: row.replaced_by,
  units: BigInt(row.units),
  firstSeenAt: row.first_seen_at,
  inherited: [],
  valuations: row.valuations,
});
