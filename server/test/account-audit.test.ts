/** The audit log on its page: sentences, filters, pages, for those who may read it; and the same at the command line. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { auditKeyOf, auditKinds } from '../src/account/settings/audit-words.ts';
import { hasAuditText } from '../src/account/texts/account-texts.ts';
import { insertAudit } from '../src/merchants/merchant-store.ts';
import { hasStaffSentence } from '../src/operator/staff-audit-words.ts';
import { roles } from '../src/people/roles.ts';
import { type AccountWorld, type PageAnswer, startAccounts, words } from './account-world.ts';

let world: AccountWorld;
before(async () => {
  world = await startAccounts();
});
after(() => world.gateway.stop());

const page = '/account/settings/audit';
const sentences = ({ text }: PageAnswer): string[] =>
  Array.from(
    text.matchAll(/<tr><th scope="row" class="wrap breaks">(.*?)<(?:span class="sub"|br)/gs),
    ([, each = '']) => each,
  );

/** Every name of an action that is written anywhere. */
async function actionsInCode(): Promise<string[]> {
  const source = new URL('../src/', import.meta.url);
  const paths = (await readdir(source, { recursive: true })).filter((path) => /(?<!\.test)\.ts$/.test(path));
  const texts = await Promise.all(
    paths.filter((path) => !path.includes('texts/')).map((path) => readFile(new URL(path, source), 'utf8')),
  );
  const areas = [...new Set(Object.values(auditKinds).flat())].map((each) => each.replace('.', ''));
  const named = new RegExp(`'((?:${areas.join('|')})[a-z_-]*\\.[a-z_]+)'`, 'g');
  const found = texts
    .filter((text) => /insertAudit|audited|auditSignIn/.test(text))
    .flatMap((text) => [...text.matchAll(named)].map(([, action = '']) => action));
  return [...new Set(found)].filter(
    (action) => !/\.(advance|email|mail|deliver|request|rebuild|review|issue)$/.test(action),
  );
}

test('every action has a sentence', async () => {
  const actions = await actionsInCode();
  assert.ok(actions.length > 45, actions.join());
  assert.deepEqual(
    actions.filter((action) => !hasAuditText(auditKeyOf(action)) && !hasStaffSentence(action)),
    [],
  );
});

test('what people, keys and the operator did is told in sentences, with address and proof', async () => {
  const { gateway } = world;
  const { merchantId } = await gateway.createMerchant('Told');
  const { merchantId: otherId } = await gateway.createMerchant('Another');
  const owner = await world.member('owner', 'audit-owner@example.com', merchantId);
  await owner.post('/account/developers/keys', { label: 'Till <1>', scope: 'charge' });
  await owner.post('/account/settings/api/allow', { range: '203.0.113.7' });
  await owner.post('/account/settings/limits', { 'per-day': '100', 'destination-wait': '0' });
  await owner.post('/account/people/invite', { email: 'clerk@example.com', role: 'viewer' });
  const shown = await owner.get(page);
  assert.deepEqual(sentences(shown).slice(0, 6), [
    'Invited clerk@example.com as viewer',
    'Changed “At most in 24 hours”',
    'Added 203.0.113.7/32 to the list of addresses',
    'Made the key Till &lt;1&gt;',
    'Added a passkey of their own',
    'Joined as owner',
  ]);
  assert.match(words(shown), /The owner .*Passkey just before.*127\.0\.0\.1/);
  assert.match(words(shown), /Opened the account operator/);

  const stranger = await world.member('owner', 'audit-stranger@example.com', otherId);
  assert.doesNotMatch((await stranger.get(page)).text, /clerk@example\.com|203\.0\.113\.7/);
  assert.deepEqual(sentences(await owner.get(`${page}?kind=people`)).slice(0, 1), [
    'Invited clerk@example.com as viewer',
  ]);
  assert.deepEqual(sentences(await owner.get(`${page}?kind=developers`)), ['Made the key Till &lt;1&gt;']);
  assert.deepEqual(sentences(await owner.get(`${page}?who=operator`)).slice(-1), ['Opened the account']);
  assert.equal(
    sentences(await owner.get(`${page}?who=key:x&kind=x&period=x&cursor=x`)).length,
    sentences(shown).length,
  );
  gateway.clock.advance({ hours: 25 });
  await owner.signInWithPasskey();
  assert.match(words(await owner.get(`${page}?period=1`)), /Nothing of this kind happened/);
});

test('it goes on page by page, without a gap, and only for who may read it', async () => {
  const { gateway } = world;
  const { merchantId } = await gateway.createMerchant('Long');
  const detail = (index: number) => ({ range: `10.0.0.${index}/32` });
  await gateway.db.begin(async (tx) => {
    for (let index = 1; index <= 120; index += 1)
      await insertAudit(tx, {
        merchantId,
        at: gateway.clock.now(),
        actor: 'operator',
        action: 'address.allowed',
        detail: detail(index),
      });
  });
  const owner = await world.member('owner', 'audit-long@example.com', merchantId);
  const seen: string[] = [];
  for (let path: string | null = `${page}?kind=settings`; path !== null; ) {
    const answer: PageAnswer = await owner.get(path);
    seen.push(...sentences(answer));
    path = /href="([^"]+)" rel="next"/.exec(answer.text)?.[1]?.replaceAll('&amp;', '&') ?? null;
  }
  assert.equal(new Set(seen).size, 121, 'and one more, that it was opened');
  assert.equal(seen[0], 'Added 10.0.0.120/32 to the list of addresses');
  for (const role of roles) {
    const visitor = await world.member(role, `reading-${role}@example.com`, merchantId);
    const isReader = ['owner', 'admin', 'accountant'].includes(role);
    assert.equal((await visitor.get(page)).status, isReader ? 200 : 403, role);
  }
});
