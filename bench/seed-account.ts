/** The account of lists, searches and pages: nearly all of a million checkouts, and what belongs to them. */
import type { World } from './world.ts';

/** A checkout every half minute, the last one when they are stored. */
const betweenMs = 30_000;

/** When the checkout of this number was made. */
export type MadeAt = (number: number) => Date;

/**
 * Of ten one is another merchant's; states, prices and words as in a shop: most alike, a few rare. One credit in ten was
 * converted, and after every hundredth checkout something was transferred.
 */
export async function seedAccount({ db, shop }: World, of: string, stored: number): Promise<MadeAt> {
  const batch = 50_000;
  const firstAt = Date.now() - stored * betweenMs;
  const id = `lpad(to_hex(n * 7919 % 268435399), 12, 'x')`;
  const merchant = `case when n % 10 = 9 then 'another-shop' else '${shop.merchantId}' end`;
  const made = `timestamptz '${new Date(firstAt).toISOString()}' + n * interval '${betweenMs} milliseconds'`;
  for (let first = 0; first < stored; first += batch) {
    const series = `generate_series(${first}::bigint, ${Math.min(first + batch, stored) - 1}::bigint) as n`;
    await db.script(`
      set local session_replication_role = replica;
      insert into checkout (merchant_id, id, api_key, type, origin, state, exceptions, billing_currency, total,
                            settlement_asset, language, webhook, customer_id, tolerance, late_tolerance,
                            extra_confirmations, payload, quotes, quoted_at, created_at, updated_at, window_ends_at,
                            awaits_decision)
      select ${merchant}, ${id}, api_key, type, origin,
             case when n % 1000 = 7 then 'UNDERPAID' when n % 5 = 0 then 'EXPIRED' else 'COMPLETED' end,
             case when n % 1000 = 7 then '{PARTIAL}' when n % 50 = 3 then '{LATE}' else '{}' end::text[],
             billing_currency, case when n % 3 = 0 then 9.99 else 5 + (n % 20000) / 100.0 end, settlement_asset, language,
             webhook, ${customerOf}, tolerance, late_tolerance,
             extra_confirmations, payload, quotes, ${made}, ${made}, ${made}, ${made}, n % 1000 = 7
        from checkout, ${series} where id = '${of}';
      insert into commitment (merchant_id, checkout_id, id, network, asset, due_units, quote, target_key, address,
                              committed_at, expires_at)
      select ${merchant}, ${id}, 'c' || ${id}, ${railOf('network')}, ${railOf('asset')}, due_units, quote,
             'bcrt1q' || ${id}, 'bcrt1q' || ${id}, ${made}, ${made}
        from commitment, ${series} where checkout_id = '${of}';
      insert into checkout_rail (merchant_id, network, asset, created_at, checkout_id)
      select ${merchant}, ${railOf('network')}, ${railOf('asset')}, ${made}, ${id}
        from commitment, ${series} where checkout_id = '${of}';
      insert into deposit_target (network, key, id, purpose, merchant_id, owner_id, index, address, created_at)
      select 'BITCOIN', 'bcrt1q' || ${id}, ${id}, 'checkout', ${merchant}, ${id}, n, 'bcrt1q' || ${id}, ${made}
        from ${series};
      insert into payment (merchant_id, owner_id, purpose, id, commitment_id, network, tx_hash, tx_index, target_key, asset,
                           units, state, confirmations_required, first_seen_at, place)
      select ${merchant}, ${id}, 'checkout', 'p' || ${id}, 'c' || ${id}, 'BITCOIN', ${hashOf}, '0', 'bcrt1q' || ${id}, 'BTC',
             1000, 'FINAL', 1, ${made}, 'settled'
        from ${series} where n % 5 <> 0;
      insert into checkout_term (merchant_id, term, created_at, checkout_id)
      select ${merchant}, term, ${made}, ${id} from ${series},
             lateral (values ('order-' || n), ('north'), ('sku-' || n % 500)) as word (term);
      insert into event (merchant_id, id, type, subject, body, created_at)
      select ${merchant}, ${id}, 'CHECKOUT_COMPLETED', ${id}, '{}', ${made} from ${series};
      insert into delivery (merchant_id, id, event_id, subject, url, api_key, state, created_at)
      select ${merchant}, ${id}, ${id}, ${id}, 'https://shop.example/hook', 'key',
             case when n % 20000 = 11 then 'FAILED' else 'DELIVERED' end, ${made} from ${series};
      insert into ledger_entry (reference, kind, merchant_id, subject_kind, subject_id, posted_at)
      select 'settlement:' || ${id} || ':1', 'settlement', ${merchant}, 'checkout', ${id}, ${made} from ${series};
      insert into ledger_line (reference, account_id, units)
      select 'settlement:' || ${id} || ':1', 'merchant/' || ${merchant} || '/available/' || ${railOf('asset')}, 1
        from commitment, ${series} where checkout_id = '${of}';
      insert into ledger_line (reference, account_id, units)
      select 'settlement:' || ${id} || ':1', 'operator/fx/BTC', 1000 from ${series} where n % 10 = 1;
      insert into transfer (merchant_id, id, api_key, requested_by, state, network, asset, units, network_fee_units,
                            service_fee_units, address, usable_from, created_at, ended_at)
      select ${merchant}, 't' || ${id}, 'key', 'key:shop', 'COMPLETED', 'BITCOIN', 'BTC', 100000, 200, 0, 'bcrt1q' || ${id},
             ${made}, ${made}, ${made} from ${series} where n % 100 = 2;
      insert into ledger_entry (reference, kind, merchant_id, subject_kind, subject_id, posted_at)
      select 'transfer:t' || ${id} || ':sent', 'transfer_sent', ${merchant}, 'transfer', 't' || ${id}, ${made}
        from ${series} where n % 100 = 2;
      insert into ledger_line (reference, account_id, units)
      select 'transfer:t' || ${id} || ':sent', account.id, account.units from ${series},
             lateral (values ('operator/wallet-BITCOIN/BTC', 100000),
                             ('merchant/' || ${merchant} || '/reserved/BTC', -100000)) as account (id, units)
       where n % 100 = 2;
      insert into customer (merchant_id, id, email, fields, created_at, updated_at)
      select ${merchant}, ${customerOf}, 'person-' || n || '@example.com',
             jsonb_build_object('firstname', 'Ada', 'lastname', 'Name ' || n % 1000, 'city', 'Oslo'), ${made}, ${made}
        from ${series} where n % 4 <> 0;
      insert into audit_log (merchant_id, at, actor, action)
      select ${merchant}, ${made}, case when n % 1000 = 5 then 'person:ada' else 'key:shop' end,
             case when n % 20000 = 11 then 'settings.changed' else 'transfer.created' end
        from ${series};`);
  }
  await db`
    insert into customer (merchant_id, id, email, fields, created_at, updated_at)
    values (${shop.merchantId}, 'guest', 'guests@example.com', '{}', ${new Date(firstAt)}, ${new Date(firstAt)})`;
  return (number) => new Date(firstAt + number * betweenMs);
}

/** A quarter is of guests, who are one customer to the shop; the others came once. */
const customerOf = `case when n % 4 = 0 then 'guest' else 'c' || lpad(n::text, 11, '0') end`;

/** One in ten thousand paid with another coin. */
const railOf = (column: 'network' | 'asset'): string =>
  `case when n % 10000 = 4 then replace(replace(${column}, 'BITCOIN', 'LITECOIN'), 'BTC', 'LTC') else ${column} end`;
const hashOf = `md5(n::text) || md5((n + 1)::text)`;
