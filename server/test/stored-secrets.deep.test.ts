/**
 * Whoever gets hold of the database alone opens nothing with it. Everything that is answered in a rich story and looks
 * like a secret, i.e. long and of letters and digits, is looked for in every column of every table. It may stand only
 * where it opens nothing: `opensNothing` says what that is.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type AccountWorld, accountsAt, sessionCookie, type Visitor } from './account-world.ts';
import { type RequestOptions, testIssuer, withoutLitecoin } from './gateway.ts';
import { type RefundWorld, startRefundWorld } from './refund-world.ts';

let world: RefundWorld;
let accounts: AccountWorld;
before(async () => {
  world = await startRefundWorld({ env: withoutLitecoin, hasAccount: true });
  accounts = accountsAt(world.gateway);
});
after(() => world.gateway.stop());

const answered: string[] = [];
const note = (text: string): string => {
  answered.push(text);
  return text;
};

/** Every answer is noted, and given again for the same key. */
async function askTwice(path: string, body: unknown, options: RequestOptions): Promise<any> {
  const headers = { 'idempotency-key': `twice ${path}`.replaceAll(/[^\w]/g, '-') };
  const [first, second] = [
    await world.gateway.request('POST', path, body, { ...options, headers }),
    await world.gateway.request('POST', path, body, { ...options, headers }),
  ];
  assert.equal(first.status, 200, note(JSON.stringify(first.body)));
  assert.deepEqual(second.body, first.body, path);
  return first.body;
}

async function browse(visitor: Visitor, path: string, form?: Record<string, string>): Promise<string> {
  const answer = form ? await visitor.post(path, form) : await visitor.get(path);
  assert.ok(answer.status < 400, `${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
  note([answer.text, answer.location, ...(answer.headers['set-cookie'] ?? [])].join('\n'));
  return answer.text;
}

const looksSecret = (text: string): boolean => /\d/.test(text) && /[a-z]/i.test(text);
const candidates = (): string[] => {
  const found = answered.flatMap((text) => text.match(/[\w+/=-]{14,}/g) ?? []);
  return [...new Set(found.flatMap((text) => [text, ...text.split(/[/=+]/)]))].filter(
    (text) => text.length >= 14 && looksSecret(text),
  );
};

const asWritten = (sql: string): TemplateStringsArray => Object.assign([sql], { raw: [sql] });

/** The whole database, as text by column. */
async function dump(): Promise<Map<string, string>> {
  const { db } = world.gateway;
  const columns = await db<{ table: string; column: string; type: string }>`
    select c.table_name as table, c.column_name as column, c.data_type as type
      from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
       and c.data_type in ('text', 'json', 'jsonb', 'bytea', 'ARRAY', 'character varying')`;
  const told = new Map<string, string>();
  for (const { table, column, type } of columns) {
    const as = type === 'bytea' ? `encode("${column}", 'escape')` : `"${column}"::text`;
    const [row] = await db<{ text: string }>(asWritten(`select string_agg(${as}, ' ') as text from "${table}"`));
    told.set(`${table}.${column}`, row?.text ?? '');
  }
  return told;
}

test('what was answered in a rich story opens nothing out of a dump', async () => {
  const { gateway } = world;
  const shop = await world.shop();
  const { merchantId } = shop.merchant;
  const as = { as: shop.merchant };
  note(JSON.stringify(shop.merchant));

  const { id } = await world.underpaid(shop, '0.0006');
  const { claimUrl } = await askTwice('/refund', { checkoutId: id }, as);
  const charge = { currency: 'EUR', lineItems: [{ description: 'A book', netAmount: 5 }] };
  await askTwice('/checkout/hosted', { charge }, as);
  const signedOnly = { description: 'Signed', currency: 'EUR', signedOnly: true };
  const { paymentLink } = await askTwice('/payment-link', signedOnly, as);
  note(JSON.stringify(await shop.get(`/payment-link/secret?id=${paymentLink.id}`)));
  note(await (await fetch(claimUrl.replace('https://pay.test', new URL(gateway.url).origin))).text());

  const owner = await accounts.member('owner', 'ada@example.com', merchantId);
  const hasKey = await browse(owner, '/account/developers/keys', { label: 'shop', scope: 'charge' });
  assert.match(hasKey, /([a-z0-9]{4}-){5}[a-z0-9]{4}/);
  const hasWebhookSecret = await browse(owner, '/account/developers/webhooks/secret', { 'at-once': 'yes' });
  assert.match(hasWebhookSecret, /whsec_/);
  await browse(owner, '/account/settings/payment-page/domain', { domain: 'pay.shop.example' });
  await browse(owner, '/account/my-sign-in/codes', {});
  await browse(owner, '/account/people/invite', { email: 'bob@example.com', role: 'support' });
  for (const path of ['/account/people', '/account/my-sign-in/totp', `/account/checkouts/${id}`, '/account'])
    await browse(owner, path);
  note(owner.cookie(sessionCookie) ?? '');
  await world.pass({ minutes: 1 });

  const token = new URL(claimUrl).searchParams.get('token') ?? '';
  const { apiSecret, webhookSecret } = shop.merchant;
  const sought = candidates();
  for (const known of [token, apiSecret, webhookSecret, owner.cookie(sessionCookie) ?? ''])
    assert.ok(sought.includes(known), `${known} is looked for`);
  const columns = [...(await dump())];
  const harmless = await opensNothing();
  const found = sought.flatMap((text) =>
    columns.flatMap(([name, held]) => (held.includes(text) ? [`${name}: ${text}`] : [])),
  );
  assert.deepEqual(
    found.filter((line) => !harmless.some((text) => line.endsWith(text))),
    [],
  );
});

/** What looks random and is not: what a chain calls something, where it is paid, and the name of a row about a link. */
async function opensNothing(): Promise<string[]> {
  const rows = await world.gateway.db<{ text: string }>`
    select tx_hash as text from payment union select address from deposit_target union select id from one_time_link`;
  return [testIssuer, ...rows.map(({ text }) => text)];
}
