/**
 * Whatever may be there only once: two who want it at the same moment must not meet as an error of the database. For
 * every unique index it is said here what keeps that from happening, and a new one without a word fails.
 */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { Tx } from '../src/db/database.ts';
import { atLeastOne } from './at-least-one.ts';
import { type Gateway, startGateway, testIssuer } from './gateway.ts';
import { meetAt } from './meet-at.ts';
import { openShop, type Shop } from './shop.ts';
import { stockTreasury } from './stock-treasury.ts';
import { freshAddress, openSender } from './transfer-story.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway({ env: { TREASURY_LIMITS: '*=0' } });
});
after(() => gateway.stop());

/** What becomes of a second one. */
const ways = {
  random: 'the value is drawn at random, or is a number that PostgreSQL gives out',
  absorbed: 'every insert into the table says what happens on a conflict',
  locked: 'written by whoever has locked the row that it belongs to, or made it a moment ago',
  'signed again': 'what uses up the same is dropped by `send-network`, and signed anew',
  counted: 'a trigger of the database inserts, and adds to what is there',
  told: 'whoever comes second is told so in a sentence: see the races below',
} as const;

const indexes: Readonly<Record<string, keyof typeof ways>> = {
  allowed_address_pkey: 'absorbed',
  anchored_asset_pkey: 'absorbed',
  api_key_basic_digest_key: 'random',
  api_key_key_key: 'random',
  api_key_pkey: 'random',
  api_key_use_pkey: 'absorbed',
  audit_log_pkey: 'random',
  bank_document_digest: 'absorbed',
  bank_document_name: 'absorbed',
  bank_document_pkey: 'absorbed',
  bank_file_piece_pkey: 'locked',
  bank_file_pkey: 'random',
  bank_folder_file_pkey: 'absorbed',
  bank_order_piece_pkey: 'locked',
  bank_order_pkey: 'random',
  bank_record_identity: 'absorbed',
  bank_record_pkey: 'absorbed',
  beneficiary_pkey: 'random',
  brand_domain_pkey: 'absorbed',
  brand_domain_shown: 'locked',
  brand_file_pkey: 'absorbed',
  brand_pkey: 'absorbed',
  branding_key_key_digest_key: 'random',
  branding_key_pkey: 'random',
  bridge_token_pkey: 'absorbed',
  challenge_pkey: 'random',
  checkout_contact_pkey: 'absorbed',
  checkout_day_pkey: 'absorbed',
  checkout_pkey: 'absorbed',
  checkout_rail_pkey: 'locked',
  checkout_term_pkey: 'absorbed',
  claim_link_pkey: 'random',
  commitment_pkey: 'random',
  crumb_adoption_pkey: 'random',
  crumb_adoption_waiting: 'locked',
  crumb_heap_pkey: 'absorbed',
  credited_position_pkey: 'absorbed',
  credited_today_pkey: 'absorbed',
  customer_email: 'told',
  customer_pkey: 'random',
  daily_statement_once: 'absorbed',
  daily_statement_pkey: 'absorbed',
  day_position_pkey: 'absorbed',
  day_turn_pkey: 'absorbed',
  delivery_attempt_pkey: 'locked',
  delivery_pkey: 'random',
  deposit_credit_pkey: 'absorbed',
  deposit_pkey: 'random',
  deposit_target_pkey: 'absorbed',
  deposit_total_pkey: 'locked',
  disabled_webhook_pkey: 'absorbed',
  disposal_day_pkey: 'absorbed',
  email_id: 'random',
  email_pkey: 'absorbed',
  event_pkey: 'random',
  export_piece_pkey: 'locked',
  export_pkey: 'random',
  failed_request_pkey: 'absorbed',
  fee_day_pkey: 'absorbed',
  forgotten_checkouts_pkey: 'absorbed',
  former_api_secret_basic_digest_key: 'random',
  former_api_secret_pkey: 'random',
  hidden_need_pkey: 'absorbed',
  idempotency_key_pkey: 'absorbed',
  job_pkey: 'random',
  known_browser_pkey: 'absorbed',
  ledger_account_pkey: 'absorbed',
  ledger_day_pkey: 'absorbed',
  ledger_entry_pkey: 'absorbed',
  ledger_line_pkey: 'locked',
  lost_approver_pkey: 'absorbed',
  lost_staff_pkey: 'absorbed',
  mail_address_pkey: 'absorbed',
  mail_count_pkey: 'absorbed',
  membership_pkey: 'absorbed',
  merchant_pkey: 'random',
  network_cursor_pkey: 'absorbed',
  network_movement_once: 'absorbed',
  network_movement_pkey: 'random',
  notification_choice_pkey: 'absorbed',
  notification_digest_pkey: 'absorbed',
  notification_look_pkey: 'absorbed',
  notification_pkey: 'absorbed',
  one_time_link_id: 'random',
  one_time_link_pkey: 'random',
  outgoing_claim_pkey: 'signed again',
  outgoing_move_pkey: 'absorbed',
  outgoing_transaction_network_tx_hash_key: 'signed again',
  outgoing_transaction_pkey: 'signed again',
  outgoing_transfer_pkey: 'absorbed',
  paper_number: 'locked',
  paper_once: 'locked',
  paper_pkey: 'random',
  paper_series_pkey: 'absorbed',
  passkey_pkey: 'absorbed',
  payment_once: 'absorbed',
  payment_pkey: 'random',
  payment_file_order_pkey: 'random',
  payment_file_piece_pkey: 'locked',
  payment_file_pkey: 'random',
  payment_link_checkout_once: 'locked',
  payment_link_checkout_pkey: 'random',
  payment_link_pkey: 'random',
  payment_link_public: 'random',
  payment_link_tally_pkey: 'random',
  payout_comeback_pkey: 'absorbed',
  person_email_key: 'absorbed',
  person_pkey: 'random',
  policy_change_pkey: 'random',
  queue_sample_pkey: 'absorbed',
  rate_bucket_pkey: 'absorbed',
  rate_hour_pkey: 'absorbed',
  rate_observation_pkey: 'absorbed',
  reconciliation_pkey: 'absorbed',
  recovery_code_pkey: 'locked',
  refund_claim_hash_key: 'random',
  refund_id_key: 'random',
  refund_pkey: 'random',
  schema_migration_pkey: 'locked',
  session_id_key: 'random',
  session_pkey: 'random',
  settlement_pkey: 'locked',
  sign_in_failure_pkey: 'absorbed',
  sign_up_open: 'locked',
  sign_up_pkey: 'random',
  small_acceptance_pkey: 'absorbed',
  small_excess_pkey: 'locked',
  staff_digest_pkey: 'absorbed',
  staff_notification_choice_pkey: 'absorbed',
  staff_notification_pkey: 'absorbed',
  staff_pkey: 'absorbed',
  statement_day_pkey: 'absorbed',
  statement_key_pkey: 'locked',
  statement_mail_pkey: 'absorbed',
  status_mail_id: 'random',
  status_mail_pkey: 'absorbed',
  stored_bytes_pkey: 'counted',
  stray_transfer_pkey: 'absorbed',
  swap_id_key: 'random',
  swap_pkey: 'random',
  swap_quote_pkey: 'random',
  swap_quoted: 'told',
  target_account_label: 'told',
  target_account_pkey: 'random',
  tax_day_pkey: 'absorbed',
  term_position_pkey: 'absorbed',
  timeline_pkey: 'random',
  transfer_id_key: 'random',
  transfer_pkey: 'random',
  treasury_promise_pkey: 'absorbed',
  unmatched_adoption_pkey: 'random',
  unmatched_adoption_waiting: 'locked',
  unmatched_payment_network_tx_hash_tx_index_key: 'absorbed',
  unmatched_payment_pkey: 'random',
  unmatched_payment_return_id_key: 'random',
  unmatched_return_pkey: 'random',
  unmatched_return_waiting: 'locked',
  used_signature_pkey: 'absorbed',
  venue_order_pkey: 'absorbed',
  webhook_turn_pkey: 'absorbed',
  withdrawal_pkey: 'absorbed',
};

const uniqueIndexes = () => gateway.db<{ name: string; table: string }>`
  select name.relname as name, indexed.relname as table
    from pg_index join pg_class name on name.oid = indexrelid join pg_class indexed on indexed.oid = indrelid
   where indisunique and name.relnamespace = 'public'::regnamespace order by 1`;

test('it is known of every unique index what becomes of a second one', async () => {
  const names = (await uniqueIndexes()).map(({ name }) => name);
  assert.deepEqual(Object.keys(indexes).toSorted(), names.toSorted());
});

/** Every statement of the service that inserts into a table, by the name of the table. */
async function insertsByTable(): Promise<Map<string, string[]>> {
  const folder = new URL('../src/', import.meta.url);
  const found = new Map<string, string[]>();
  for (const path of await readdir(folder, { recursive: true })) {
    if (!path.endsWith('.ts') || path.endsWith('.test.ts')) continue;
    const text = await readFile(new URL(path, folder), 'utf8');
    // Up to the next one of the same statement, or to its end: an expression inside has no backtick before a brace.
    for (const [statement, table = ''] of text.matchAll(/insert into "?(\w+)[\s\S]*?(?=insert into|`(?:;|,|\)|\.))/g))
      found.set(table, [...(found.get(table) ?? []), statement]);
  }
  return found;
}

/**
 * What became of a heap of crumbs has a number, which is given out under the lock of the heap; what is left of a payment is
 * written under the lock of the payment, which has only one rest.
 */
const countsUnderLock = (statement: string): boolean => /from gathering\b|coalesce\(rest_of, id\)/.test(statement);

test('where a second one is absorbed, every insert says so', async () => {
  const inserts = await insertsByTable();
  for (const { name, table } of atLeastOne(await uniqueIndexes())) {
    if (indexes[name] !== 'absorbed') continue;
    const statements = inserts.get(table) ?? [];
    assert.notEqual(statements.length, 0, `somebody inserts into ${table}`);
    for (const statement of statements)
      if (!countsUnderLock(statement)) assert.match(statement, /on conflict/, `${name}: ${statement}`);
  }
});

/** Nobody writes to the table, everybody may read it: whoever looks before writing has looked. */
const closed = (table: string) => (tx: Tx) =>
  tx([`lock table ${table} in share row exclusive mode`] as unknown as TemplateStringsArray);

type Outcome = { readonly status: number; readonly sentence: string };
type Race = {
  readonly table: string;
  start(): Promise<readonly (() => Promise<Outcome>)[]>;
  readonly sentence: RegExp;
};

const asking = async (shop: Shop, path: string, body: object): Promise<Outcome> => {
  const { status, body: reply } = await shop.request('POST', path, body);
  return { status, sentence: String(reply.errors ?? '') };
};

const races: Readonly<Record<string, Race>> = {
  customer_email: {
    table: 'customer',
    sentence: /wanted@example\.com/,
    async start() {
      const shop = await openShop(gateway);
      const ids: string[] = [];
      for (const email of ['one@example.com', 'two@example.com'])
        ids.push((await shop.post('/customer', { customer: { email } })).customerId);
      return ids.map((id) => () => changing(shop, id));
    },
  },
  target_account_label: {
    table: 'target_account',
    sentence: /Rent/,
    async start() {
      const shop = await openSender(gateway, '0');
      return [freshAddress(), freshAddress()].map(
        (address) => () => asking(shop, '/target-account', { label: 'Rent', network: 'BITCOIN', address }),
      );
    },
  },
  swap_quoted: {
    table: 'swap',
    sentence: /quote/,
    async start() {
      await stockTreasury(gateway, `LTC:${testIssuer}`, 100_000_000n);
      const shop = await openSender(gateway, '0.01');
      const { quote } = await shop.get('/swap/quote?sourceAsset=BTC&targetAsset=LTC&sourceAmount=0.001');
      return [1, 2].map((order) => () => asking(shop, '/swap', { quoteId: quote.id, meta: { order } }));
    },
  },
};

/** Two customers want the same address. */
async function changing(shop: Shop, id: string): Promise<Outcome> {
  const { status, body } = await shop.request('PUT', '/customer', { customer: { id, email: 'wanted@example.com' } });
  return { status, sentence: String(body.errors ?? '') };
}

test('whatever is told is raced for', () => {
  const told = Object.keys(indexes).filter((name) => indexes[name] === 'told');
  assert.deepEqual(Object.keys(races).toSorted(), told.toSorted());
});

for (const [name, { table, start, sentence }] of Object.entries(races))
  test(`two want the same at once, and the second is told (${name})`, async () => {
    const outcomes = await meetAt(gateway.db, closed(table), await start());
    const [first, second] = outcomes.toSorted((one, other) => one.status - other.status); // Whoever was the faster.
    assert.equal(first?.status, 200, first?.sentence);
    assert.ok(second && second.status >= 400 && second.status < 500, `${second?.status}: ${second?.sentence}`);
    assert.match(second.sentence, sentence);
  });
