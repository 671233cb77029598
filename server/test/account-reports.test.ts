/** Reports of an account, on their pages and in files. 60.00 USD are 0.001 BTC. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Role } from '../src/people/roles.ts';
import { type AccountWorld, accountsAt, type PageAnswer, type Visitor, words } from './account-world.ts';
import { withoutLitecoin } from './gateway.ts';
import { type RefundWorld, startRefundWorld } from './refund-world.ts';
import type { Shop } from './shop.ts';

let world: RefundWorld;
let accounts: AccountWorld;
before(async () => {
  world = await startRefundWorld({ env: withoutLitecoin, hasAccount: true });
  accounts = accountsAt(world.gateway);
});
after(() => world.gateway.stop());

const statement = '/account/reports/statement';
let people = 0;
const member = (shop: Shop, role: Role): Promise<Visitor> =>
  accounts.member(role, `reports-${role}-${(people += 1)}@example.com`, shop.merchant.merchantId);
const today = (): string => world.gateway.clock.now().toISOString().slice(0, 10);
const fileLinks = ({ text }: PageAnswer): string[] =>
  Array.from(text.matchAll(/href="([^"]*\/export[^"]*)" data-plain/g), ([, path = '']) =>
    path.replaceAll('&amp;', '&'),
  );

async function dayLater(): Promise<void> {
  world.gateway.clock.advance({ hours: 24 });
  await world.gateway.runUntilIdle();
}

test('a report is about closed days of a period that stands in its address, and files are for who may export', async () => {
  const shop = await world.shop();
  const owner = await member(shop, 'owner');
  await world.gateway.runUntilIdle();
  assert.match(words(await owner.get(statement)), /No day of this period is closed yet/);
  const day = today();
  await world.paid(shop, '0.0015');
  await dayLater();
  await owner.signInWithPasskey();

  const page = await owner.get(statement);
  assert.equal(page.status, 200);
  assert.match(page.text, /<a href="\/account\/reports\/statement" data-go="r" aria-current="page">/);
  assert.match(words(page), /Day Month Quarter Year March 2026 .*BTC 0 0\.000995 .*0\.000995/);
  assert.match(words(page), /This period is not over: it is covered up to Mar 1, 2026/);
  const year = await owner.get(`${statement}?period=2026`);
  assert.match(year.text, /aria-current="true">Year<\/a>/);
  assert.match(words(await owner.get(`${statement}?period=2026-Q1`)), /Q1 2026/);
  assert.doesNotMatch(words(await owner.get(`${statement}?period=${day}`)), /not over/);
  for (const [period, status] of [
    ['2027', 404],
    [today(), 404],
    ['soon', 400],
    ['2026-13', 400],
  ])
    assert.equal((await owner.get(`${statement}?period=${period}`)).status, status, String(period));

  const links = fileLinks(page);
  assert.ok(links.length >= 2);
  for (const link of links) {
    const file = await owner.get(link);
    assert.equal(file.status, 200, link);
    assert.match(file.headers['content-disposition'] ?? '', /Statement-2026-03\.\w+"$/);
  }
  assert.equal((await owner.get(`${statement}/export?format=xls`)).status, 404);
  const viewer = await member(shop, 'viewer');
  const seen = await viewer.get(statement);
  assert.match(words(seen), /0\.000995/);
  assert.deepEqual(fileLinks(seen), []);
  assert.equal((await viewer.get(links[0] ?? '')).status, 403);
  assert.equal((await (await member(shop, 'support')).get(statement)).status, 403);
  const stranger = await member(await world.shop(), 'owner');
  assert.doesNotMatch(words(await stranger.get(statement)), /0\.000995/);
  const trail = await world.gateway.db<{ detail: unknown }>`
    select detail from audit_log where merchant_id = ${shop.merchant.merchantId} and action = 'export.report' order by id`;
  assert.equal(trail.length, links.length, 'what was refused is not in it');
  assert.deepEqual(trail.at(-1)?.detail, { report: 'statement', period: '2026-03', format: 'pdf' });
});
