/** Deposit targets by the million, of every network. */
import type { Db } from '../server/src/db/database.ts';

/** The key of the n-th target, in SQL: scattered, so that an index grows everywhere and not only at its end. */
const keys: Readonly<Record<string, string>> = {
  BITCOIN: `'bcrt1q' || left(md5(n::text) || md5('b' || n), 38)`,
  LITECOIN: `'rltc1q' || left(md5(n::text) || md5('b' || n), 38)`,
  ETHEREUM: `'0x' || left(md5(n::text) || md5('b' || n), 40)`,
  STELLAR: `'G' || upper(md5('account')) || ':text:' || left(md5(n::text), 12)`,
  LIGHTNING: `md5(n::text) || md5('b' || n)`,
};

const batch = 100_000;

/** Given out evenly over the last year, as by a shop that did not grow. */
export async function seedTargets(db: Db, merchantId: string, count: number): Promise<void> {
  for (const [network, key] of Object.entries(keys)) {
    for (let first = 0; first < count; first += batch) {
      const series = `generate_series(${first}::bigint, ${Math.min(first + batch, count) - 1}::bigint) as n`;
      const at = `now() - interval '365 days' * n / ${count}`;
      const id = `left(md5(n::text), 12)`;
      await db.script(`
        insert into deposit_target (network, key, id, purpose, merchant_id, owner_id, index, address, created_at)
        select '${network}', ${key}, ${id}, 'checkout', '${merchantId}', ${id}, n, ${key}, ${at} from ${series}`);
      // Ethereum looks at the balances of the latest ones after every block.
      if (network === 'ETHEREUM')
        await db.script(`
          insert into commitment (merchant_id, checkout_id, id, network, asset, due_units, quote, target_key, address,
                                  committed_at, expires_at)
          select '${merchantId}', ${id}, ${id}, '${network}', 'ETH', 1000, '{}', ${key}, ${key}, ${at}, ${at}
            from ${series}`);
    }
  }
}
