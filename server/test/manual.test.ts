/** The manual at /docs: who reads it, what is in it for them, and that every example of the reference works. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Endpoint, endpoints } from '@quittance/contract/endpoints';
import { readExamples } from '@quittance/contract/examples';
import { hasPhpCurl, hasRuby } from '../../sdk/test/programs.ts';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { sdkCalls } from '../src/manual/sdk-calls.ts';
import { type AccountWorld, accountsAt, signed, type Visitor, words } from './account-world.ts';
import { startGateway, withoutLitecoin } from './gateway.ts';
import { runPrograms, type ShownLanguage, type ShownProgram, startRecorder } from './run-examples.ts';

let world: AccountWorld;
let owner: Visitor;
let stranger: Visitor;
before(async () => {
  world = accountsAt(await startGateway({ env: withoutLitecoin, hasAccount: true, isUncounted: true }));
  owner = await world.member('owner', 'owner@example.com');
  stranger = world.visitor();
});
after(() => world.gateway.stop());

const apiKey = (): string => world.gateway.merchant.apiKey;

test('anybody reads the manual, as a page and as plain text', async () => {
  const start = await stranger.get('/docs');
  assert.equal(start.status, 200);
  assert.match(
    String(start.headers['content-security-policy']),
    /default-src 'none'; script-src 'self'; style-src 'self'/,
  );
  assert.match(start.headers['vary'] ?? '', /cookie/);
  assert.match(start.text, /<html lang="en"/);
  for (const path of ['/docs/operations', '/docs/shops', '/docs/shops/woocommerce', '/docs/api', '/docs/errors']) {
    const page = await stranger.get(path);
    assert.equal(page.status, 200, path);
    assert.match(page.text, new RegExp(`href="${path}" aria-current="page"`), path);
    const plain = await stranger.get(`${path}.md`);
    assert.deepEqual([plain.status, plain.headers['content-type']], [200, 'text/markdown; charset=utf-8'], path);
    assert.match(plain.text, /^# /, path);
  }
  assert.match((await stranger.get('/docs.md')).text, /^# The manual/);
  for (const path of ['/docs/nothing', '/docs/api/nothing', '/docs/decisions/0001', '/docs/..%2fREADME'])
    assert.equal((await stranger.get(path)).status, 404, path);
  for (const path of ['/docs/nothing.md', '/docs/pictures/none.svg', '/docs/pictures/..%2f..%2fserver.svg'])
    assert.deepEqual([(await stranger.get(path)).status, path], [404, path]);
});

test('programs that read manuals find every page', async () => {
  const [short, long] = [await stranger.get('/llms.txt'), await stranger.get('/docs/llms.txt')];
  assert.equal(short.text, long.text);
  const pages = Array.from(short.text.matchAll(/\]\(https:\/\/pay\.test(\/docs[^)]+)\)/g), ([, path = '']) => path);
  assert.ok(pages.length > 70, `${pages.length}`);
  for (const path of pages.slice(0, 12)) assert.equal((await stranger.get(path)).status, 200, path);
});

test('code names this installation, and the key of who is signed in; never a secret', async () => {
  const path = '/docs/api/createHostedCheckout';
  for (const address of [path, `${path}.md`]) {
    const page = await stranger.get(address);
    assert.match(page.text, /https:\/\/pay\.test\/api\/v1\/checkout\/hosted/);
    assert.match(page.text, /YOUR_KEY/);
    assert.doesNotMatch(page.text, /127\.0\.0\.1:8080/);
    assert.equal(page.headers['cache-control'], 'public, max-age=60');
    const own = await owner.get(address);
    assert.ok(own.text.includes(apiKey()) && !own.text.includes('YOUR_KEY'), address);
    assert.ok(!own.text.includes(world.gateway.merchant.apiSecret), address);
    assert.equal(own.headers['cache-control'], 'no-store');
  }
  const viewer = await world.member('viewer', 'viewer@example.com');
  assert.match((await viewer.get(path)).text, /YOUR_KEY/, 'keys are not for this role to see');
});

test('what is looked for is found without a script', async () => {
  const found = await stranger.get('/docs/search?q=webhook+signature');
  assert.match(found.text, /<mark>signature<\/mark>/i);
  assert.match(found.text, /value="webhook signature"/);
  assert.match(words(await stranger.get('/docs/search?q=xyzzy')), /Nothing was found for “xyzzy”/);
  const attack = await stranger.get(`/docs/search?q=${encodeURIComponent('"><script>alert(1)</script>')}`);
  assert.equal(attack.status, 200);
  assert.doesNotMatch(attack.text, /<script>alert/);
});

const examples = readExamples().operations;
const hosted = '/docs/api/createHostedCheckout';
const charge = { billingCurrency: 'USD', lineItems: [{ description: 'T-shirt', netAmount: '20' }] };
const answerOf = ({ text }: { readonly text: string }): { status: number; json: Record<string, unknown> } => {
  const [, status = '0', code = '{}'] = /Answered (\d+)<[^]*?<code>([^]*?)<\/code>/.exec(text) ?? [];
  return { status: Number(status), json: JSON.parse(code.replaceAll('&quot;', '"').replaceAll('&#39;', "'")) };
};

test('in the sandbox somebody signed in sends a request from the page, as themselves', async () => {
  const signedOut = await stranger.get(hosted);
  assert.match(signedOut.text, /\/account\/sign-in\?next=%2Fdocs%2Fapi%2FcreateHostedCheckout"/);
  assert.doesNotMatch(signedOut.text, /<textarea/);
  const form = await owner.get(hosted);
  assert.match(form.text, /<textarea[^>]*name="body"[^>]*>\{\n {2}&quot;charge&quot;/);
  const [, name = ''] = /name="form" value="([^"]+)"/.exec(form.text) ?? [];
  const sent = { body: JSON.stringify({ charge }), form: name };
  const made = await owner.post(`${hosted}/try`, sent);
  assert.equal(made.status, 200, made.text);
  const { status, json } = answerOf(made);
  assert.equal(status, 200, JSON.stringify(json));
  assert.deepEqual(answerOf(await owner.post(`${hosted}/try`, sent)).json, json, 'the same form is the same checkout');
  const [row] = await world.gateway.db`
    select count(*)::int as made, min(actor) as actor from audit_log
     where action = 'checkout.created' and detail ->> 'checkoutId' = ${String(json['id'])}`;
  assert.equal(row?.['made'], 1);
  assert.match(String(row?.['actor']), /^person:/);
  const read = answerOf(await owner.get(`/docs/api/getCheckout/try?id=${String(json['id'])}`));
  assert.equal((read.json['checkout'] as { id: string }).id, json['id']);
  const [, filled = ''] = /<textarea[^>]*>([^]*?)<\/textarea>/.exec(form.text) ?? [];
  const whole = answerOf(await owner.post(`${hosted}/try`, { body: filled.replaceAll('&quot;', '"') }));
  assert.equal(whole.status, 200, 'the example as the form has it');
  const told = answerOf(await owner.post(`${hosted}/try`, { body: '{"webhook":"https://shop.example/"}' }));
  assert.match(JSON.stringify(told.json), /webhook must be left out here/, 'nobody could sign it');
  const refused = answerOf(await owner.post(`${hosted}/try`, { body: '{"charge":{}}' }));
  assert.equal(refused.status, 400);
  assert.match(JSON.stringify(refused.json), /charge\.billingCurrency is missing/);
  assert.equal(answerOf(await owner.post(`${hosted}/try`, { body: 'no json' })).status, 400);
});

test('trying is as narrow as the account: role, own pages, own account, proof', async () => {
  const body = JSON.stringify({ charge });
  assert.equal((await stranger.post(`${hosted}/try`, { body })).status, 303, 'to the sign-in');
  assert.equal((await owner.post(`${hosted}/try`, { body }, { 'sec-fetch-site': 'cross-site' })).status, 403);
  assert.equal((await owner.post(`${hosted}/try`, { body, account: 'abcdefghijkl' })).status, 409);
  const developer = await world.member('developer', 'dev@example.com');
  assert.equal((await developer.post(`${hosted}/try`, { body })).status, 403);
  assert.match(words(await developer.get(hosted)), /Your role in .* does not send this from here/);
  assert.equal(answerOf(await developer.get('/docs/api/listCheckouts/try?limit=2')).status, 200);
  assert.equal((await developer.get('/docs/api/listWallets/try')).status, 403);
  const accountant = await world.member('accountant', 'books@example.com');
  const address = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
  const transfer = { body: JSON.stringify({ network: 'BITCOIN', asset: 'BTC', amount: '0.1', address }) };
  const path = '/docs/api/createTransfer/try';
  const ordered = await signed(accountant, path, transfer);
  assert.equal(ordered.status, 403, 'who only prepares does it in the account');
  assert.equal((await owner.post(path, transfer)).status, 403, 'money needs a passkey’s signature');
  const other = { body: transfer.body.replace('0.1', '0.2') };
  assert.equal((await signed(owner, path, transfer, other)).status, 409, 'of this very order');
  const tried = await signed(owner, path, transfer);
  assert.equal(tried.status, 200, words(tried));
  const answered = answerOf(tried);
  assert.equal(answered.status, 422, JSON.stringify(answered.json));
  assert.match(JSON.stringify(answered.json), /too little for/);
});

test('outside the sandbox the manual is there, and nothing is sent from it', async () => {
  const { gateway } = world;
  const { SANDBOX_CHAINS: _chains, ...rest } = gateway.env;
  const config = { ...readConfig(rest), mode: 'production' as const };
  const app = createApp({
    config,
    publicUrl: 'https://pay.test',
    db: gateway.db,
    clock: gateway.clock,
    log: gateway.log,
  });
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 });
  try {
    const page = await fetch(`${url}${hosted}`);
    assert.equal(page.status, 200);
    assert.doesNotMatch(await page.text(), /Try it|sandbox:/);
    assert.equal((await fetch(`${url}${hosted}/try`, { method: 'POST' })).status, 405);
    assert.equal((await fetch(`${url}/docs/api/getCheckout/try?id=x`)).status, 404);
  } finally {
    await app.server.close();
  }
});

const operations = Object.values(endpoints) as readonly Endpoint[];

/** What the page of an endpoint shows in a language, asking at `base`. */
async function shown(language: ShownLanguage, operation: string, base: string): Promise<ShownProgram> {
  const { text } = await stranger.get(`/docs/api/${operation}.md`);
  const [, code = ''] = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'm').exec(text) ?? [];
  assert.ok(code.includes('https://pay.test'), `${operation} in ${language}`);
  return { operation, code: code.replaceAll('https://pay.test', base).replaceAll('YOUR_KEY', apiKey()) };
}

/** A report is asked for by its period alone there: how many rows a page has is the SDK's to say. */
const expectedQuery = ({ id }: Endpoint, language: string): object => {
  const { limit, ...rest } = examples[id]?.query ?? {};
  const isWhole = limit === undefined || sdkCalls[id]?.takes !== 'period' || language === 'sh' || language === 'js';
  return Object.fromEntries(
    Object.entries(isWhole && limit !== undefined ? { ...rest, limit } : rest).map(([name, value]) => [
      name,
      String(value),
    ]),
  );
};

/** What is possible in an account in which nothing happened yet. */
const onNew = [
  ...['time', 'authTest', 'getSettings', 'health', 'status', 'networks', 'assets', 'currencies', 'languages'],
  ...['listCheckouts', 'listCustomers', 'listDeposits', 'listSwaps', 'listTransfers', 'listWallets'],
  ...['listBeneficiaries', 'listTargetAccounts', 'listLedgerEntries', 'getWallet'],
  ...['validateCharge', 'createCustomer', 'createHostedCheckout', 'createDeposit', 'createBeneficiary'],
];

const isMissing: Readonly<Record<ShownLanguage, string | false>> = {
  sh: false,
  js: false,
  php: !hasPhpCurl() && 'NOT TESTED for want of PHP with curl',
  ruby: !hasRuby() && 'NOT TESTED for want of Ruby',
};

for (const language of ['sh', 'js', 'php', 'ruby'] as const)
  test(`every example of the reference runs: ${language}`, { skip: isMissing[language] }, async () => {
    const { merchant, url, clock } = world.gateway;
    const recorder = await startRecorder(examples, merchant);
    try {
      const programs = operations.map(({ id }) => shown(language, id, recorder.base(language, id)));
      await runPrograms(language, await Promise.all(programs), merchant);
      for (const endpoint of operations) {
        const { id, method, path } = endpoint;
        const expected = { method, path, query: expectedQuery(endpoint, language), body: examples[id]?.body };
        assert.deepEqual(recorder.asked(language, id), expected, `${id} in ${language}`);
      }
    } finally {
      await recorder.stop();
    }
    const origin = new URL(url).origin;
    const real = onNew.map((id) => shown(language, id, origin));
    const around = `date() { echo ${Math.floor(clock.now().getTime() / 1000)}; }`;
    const printed = await runPrograms(language, await Promise.all(real), { ...merchant, around });
    if (language === 'sh')
      for (const [id, text] of printed) assert.ok(!('errors' in JSON.parse(text)), `${id}: ${text}`);
  });

// It moves the clock.
test('the newest key that works is the one in the code', async () => {
  const path = '/docs/api/authTest';
  world.gateway.clock.advance({ minutes: 1 });
  const made = await owner.post('/account/developers/keys', { label: 'newest', scope: 'charge' });
  const [, newest = ''] = /data-copy="([a-z0-9]{12})"/.exec(made.text) ?? [];
  assert.ok((await owner.get(path)).text.includes(newest), 'the newest');
  await owner.post(`/account/developers/keys/${newest}/revoke`);
  assert.ok(!(await owner.get(path)).text.includes(newest), 'a revoked one is gone');
});
