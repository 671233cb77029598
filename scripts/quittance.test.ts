/**
 * The newcomer's story, told with the commands against a real service in a folder of its own. Most commands are called
 * as what they are, a function; some are typed: what a shell adds is the same for all of them.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, afterEach, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { verifyBridge } from '@quittance/server/bridge/verify-bridge';
import { type Db, openDatabase } from '@quittance/server/db/database';
import { runningPostgresUrl } from '@quittance/server/db/embedded-postgres';
import { verifyLedger } from '@quittance/server/ledger/verify-ledger';
import { Secret } from '@quittance/server/lib/secret';
import { isSound } from '@quittance/server/watching/reconcile';
import { lastReconciliations } from '@quittance/server/watching/reconciliation-store';
import { until } from '../server/test/until.ts';
import { createApiClient } from './api-client.ts';
import { askForCount } from './ask-for-count.ts';
import { runCommandLine } from './run-command-line.ts';

const scriptAt = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'quittance-commands-'));
const { DATABASE_URL: _database, MASTER_KEY: _key, ...inherited } = process.env;
const env = { ...inherited, DATA_DIR: folder, PORT: '0', WATCH_POLL_MS: '100', LOG_LEVEL: 'warn' };

type Ran = { code: number | null; out: string; err: string };

async function run(program: string, args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<Ran> {
  const child = spawn(program, args, { env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: { out: Buffer[]; err: Buffer[] } = { out: [], err: [] };
  child.stdout.on('data', (chunk: Buffer) => chunks.out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.err.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out: Buffer.concat(chunks.out).toString(), err: Buffer.concat(chunks.err).toString() };
}

const wordsOf = (line: string): string[] => line.split(' ').filter((word) => word !== '');

const typed = (line: string, more: NodeJS.ProcessEnv = {}): Promise<Ran> =>
  run(process.execPath, [scriptAt('quittance.mjs'), ...wordsOf(line)], more);

async function quittance(line: string, more: NodeJS.ProcessEnv = {}): Promise<Ran> {
  let out = '';
  let err = '';
  const paper = {
    log: (text: string) => void (out += `${text}\n`),
    error: (complaint: unknown) => void (err += `${String(complaint)}\n`),
  };
  const code = await runCommandLine(wordsOf(line), { ...env, ...more }, paper);
  return { code, out, err };
}

async function told(words: string, by = quittance): Promise<string> {
  const { code, out, err } = await by(words);
  assert.equal(code, 0, `npx quittance ${words} says: ${err}`);
  return out;
}

const asked = async (words: string): Promise<any> => JSON.parse(await told(`${words} --json`));

let service: ChildProcess;
const banner: string[] = [];

before(async () => {
  service = spawn(process.execPath, [scriptAt('start.mjs')], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: service.stdout as NodeJS.ReadableStream });
  for await (const line of lines) {
    banner.push(line);
    if (line.includes('npx quittance pay')) break;
  }
  service.stdout?.resume();
  assert.ok(banner.some((line) => line.startsWith('Quittance is ready')));
});

after(async () => {
  service.kill('SIGTERM');
  if (service.exitCode === null) await once(service, 'exit');
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
});

/** As after every story about money: the books balance, all networks hold what the books say, the bridge is proven. */
afterEach(async () => {
  const db = openDatabase({ url: (await runningPostgresUrl(join(folder, 'postgres'))) ?? '', poolSize: 2 });
  try {
    assert.deepEqual(await verifyLedger(db), []);
    // What goes on while it is counted, such as bringing the stock over the bridge, is asked again.
    let found = await countAndProve(db);
    for (let again = 0; again < 20 && found.some(({ length }) => length > 0); again += 1)
      found = await countAndProve(db);
    assert.deepEqual(found, [[], []]);
  } finally {
    await db.close();
  }
});

/** What is wrong with the books of the networks, and with the bridge. */
async function countAndProve(db: Db): Promise<[readonly unknown[], readonly unknown[]]> {
  const counted = await askForCount(db, () => lastReconciliations(db));
  const networks = new Set(counted.map(({ network }) => network));
  assert.deepEqual([...networks].sort(), ['BITCOIN', 'ETHEREUM', 'LIGHTNING', 'LITECOIN', 'STELLAR']);
  const unproven = (await verifyBridge(db, new Date())).flatMap(({ problems }) => problems);
  return [counted.filter((each) => !isSound(each)), unproven];
}

async function waitForState(checkoutId: string, state: string): Promise<any> {
  let report: any;
  await until(`checkout ${checkoutId} is ${state}`, async () => {
    report = await asked(`checkout show ${checkoutId}`);
    return report.state === state;
  });
  return report;
}

test('a shop gets its colours, a preview, and a key for a domain of its own', async () => {
  const { merchantId } = await asked('merchant create --name Corner');
  await told(`brand set ${merchantId} --shop-name Shop --accent 7C2D12 --page #fff --font serif --seller-info on`);
  const { brand, pageSettings } = await asked(`brand show ${merchantId}`);
  assert.deepEqual([brand.accentColour, brand.pageColour, brand.font], ['#7c2d12', '#ffffff', 'serif']);
  assert.deepEqual(pageSettings, { shopName: 'Shop', displaySellerInfo: true });
  const logo = join(folder, 'logo.svg');
  await writeFile(logo, '<svg xmlns="http://www.w3.org/2000/svg"/>');
  const refused = await quittance(`brand logo ${merchantId} ${logo}`);
  assert.deepEqual([refused.code, refused.err.includes('PNG, JPEG or WebP')], [1, true]);

  const { url } = await asked(`brand preview ${merchantId}`);
  assert.match(await (await fetch(url)).text(), /--accent:#7c2d12/);

  const made = await asked(`brand key ${merchantId} --domain pay.shop.example --behaviour redirect`);
  assert.equal(Buffer.from(made.brandingKey.split('.')[1], 'base64url').toString(), new URL(url).origin);
  const headers = { 'x-ws-branding-key': made.brandingKey, 'x-forwarded-for-hostname': 'pay.shop.example' };
  const health = () => fetch(new URL('/api/v1/health/brand-connect', url), { headers });
  await until('the key is believed', async () => (await health()).status === 200);
  assert.match(await told(`brand show ${merchantId}`), /Nothing has come through pay\.shop\.example yet/);
  await told(`brand revoke ${merchantId} ${made.keyId}`);
  assert.equal((await quittance(`brand domain ${merchantId} --behaviour everywhere`)).code, 2);
  assert.equal((await asked(`brand domain ${merchantId} --remove`)).domain, null);
});

test('what the start prints can be pasted: it creates a checkout, and the next command pays it', async () => {
  const from = banner.findIndex((line) => line.startsWith('BODY='));
  const to = banner.findIndex((line) => line.endsWith('; echo'));
  const { out, err } = await run('bash', ['-c', banner.slice(from, to + 1).join('\n')]);
  const { id } = JSON.parse(out || err) as { id: string };

  const [where, words = ''] = banner.at(-1)?.split(' npx quittance ') ?? [];
  assert.equal(where, `DATA_DIR='${folder}'`, 'in a folder that the commands would not find');
  const text = await told(words, typed);
  assert.match(text, new RegExp(`^Paid 0\\.00041667 BTC to bcrt1.*\nCheckout ${id} is COMPLETED\\.\n$`));
  await sleep(1); // The next checkout must be the newer one.
});

test('a checkout is created, paid and credited, undone by a reorganisation and credited again', async () => {
  const { id } = await asked('checkout create --amount 60.00');
  const paid = await asked(`pay ${id} --network bitcoin`);
  assert.deepEqual([paid.state, paid.amount, paid.network], ['COMPLETED', '0.001', 'BITCOIN']);

  const text = await told('checkout show latest');
  assert.match(text, /state +COMPLETED/);
  assert.match(text, /settlement +merchant\/[a-z0-9]{12}\/available +0\.000995 BTC/);
  assert.match(text, /CHECKOUT_COMPLETED/);

  await told('reorganise BITCOIN 1');
  const undone = await waitForState(id, 'PROCESSING');
  assert.deepEqual(undone.exceptions, ['REORGED']);
  assert.ok(undone.ledgerEntries.some(({ kind }: { kind: string }) => kind === 'settlement_reversed'));

  await told('mine bitcoin');
  await waitForState(id, 'COMPLETED');
  assert.match(await told('ledger verify'), /^The ledger is sound/);
  assert.match(await told('bridge verify'), /^BTC .* yes$/m, 'Stellar and the nodes were asked');
});

test('a payment in two parts on two chains is made up of what was missing', async () => {
  const { id } = await asked('checkout create --amount 60.00');
  const first = await asked(`pay ${id} --network BITCOIN --amount 0.0005 --unconfirmed`);
  assert.deepEqual([first.state, first.exceptions], ['PENDING', ['PARTIAL']]);
  const second = await asked(`pay ${id} --network LITECOIN`);
  assert.deepEqual([second.amount, second.assetCode, second.state], ['0.375', 'LTC', 'PROCESSING']);
  const { code, err } = await quittance(`pay ${id}`);
  assert.deepEqual([code, err], [1, 'Nothing is due any more: say --amount to pay all the same.\n']);
});

test('an invoice is paid over Lightning, and the node says what it can still receive', async () => {
  const { id } = await asked('checkout create --amount 60.00');
  const paid = await asked(`pay ${id} --network lightning`);
  assert.deepEqual([paid.state, paid.amount, paid.assetCode], ['COMPLETED', '0.001', 'BTCLN']);
  const text = await told('network LIGHTNING');
  assert.match(text, /^state +ok$/m);
  assert.match(text, /^node +0[23][0-9a-f]{64}$/m);
  assert.match(text, /^can receive +9\.\d+ BTCLN$/m);
  assert.match(await told('network'), /^LIGHTNING +ok/m);
  assert.match(await told('invoice 0.0001'), /^lnbcrt100u1[02-9ac-hj-np-z]+\n$/);
});

test('the operator brings in money, and it is among what we hold', async () => {
  const { address } = await asked('wallet address BITCOIN');
  assert.match(address, /^bcrt1/);
  assert.match(await told('wallet address stellar'), /^memo +operator$/m);
  assert.match(await told('wallet address lightning --amount 0.0001'), /^address +lnbcrt100u1/m);
  const { code, err } = await quittance('wallet address LIGHTNING');
  assert.deepEqual([code, err.split(' See ')[0]], [2, 'An invoice on LIGHTNING is for one amount: --amount.']);
  const held = await asked('wallet list');
  assert.ok(held.some(({ network, amount }: any) => network === 'BITCOIN' && amount !== '0'));
  assert.match((await quittance('wallet address SEPA')).err, /^SEPA has not been watched yet\./);
});

test('the README is walked: a checkout, a swap, a transfer and a deposit, as they are written there', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const block = /```sh\n([^`]*swap create[^`]*)```/.exec(readme)?.[1] ?? '';
  const lines = block
    .trim()
    .split('\n')
    .map((line) => line.replace(/#.*/, '').replace('npx quittance', '').trim());
  const said: string[] = [];
  for (const words of lines) said.push(await told(words));
  const [made = '', paid = '', swapped = '', sent = '', , , deposit = ''] = said;
  assert.match(made, /^Checkout [a-z0-9]{12}$/m);
  assert.match(paid, /is COMPLETED\.\n$/);
  assert.match(swapped, /^Swap [a-z0-9]{12} of 0\.001 BTC for \d+(\.\d+)? USDC is COMPLETED\.\n$/);
  const [, transferId = ''] = /^Transfer ([a-z0-9]{12}) of 0\.0005 BTC to bcrt1.* is SENT\.\n$/.exec(sent) ?? [];
  const isSent = async () => (await asked(`transfer show ${transferId}`)).state === 'COMPLETED';
  await until('the transfer is completed', isSent);
  const [, command = ''] = /^npx quittance (pay [a-z0-9]{12}) pays it\.$/m.exec(deposit) ?? [];
  assert.match(await told(command), /^Paid 5 USDC to G\w+ in .*\nDeposit [a-z0-9]{12} is COMPLETED\.\n$/);
  const again = await quittance(command);
  assert.deepEqual([again.code, again.err], [1, 'Nothing is due any more: say --amount to pay all the same.\n']);

  const { id } = await asked('deposit create BITCOIN');
  const open = await quittance(`pay ${id}`);
  assert.deepEqual([open.code, open.err], [1, `Deposit ${id} asks for no particular amount: say --amount.\n`]);
  assert.equal((await asked(`pay ${id} --amount 0.001`)).state, 'COMPLETED');
  const wrong = await quittance(`pay ${id} --network STELLAR`);
  assert.deepEqual([wrong.code, /one network and one asset/.test(wrong.err)], [2, true]);
});

test('from an address that is not listed no money moves, and the answer says how to list it', async () => {
  const { merchantId, ...made } = await asked('merchant create --name Elsewhere --scope money');
  const { baseUrl } = JSON.parse(await readFile(join(folder, 'access.json'), 'utf8')) as { baseUrl: string };
  const api = createApiClient({ baseUrl, apiKey: made.apiKey, apiSecret: new Secret(made.apiSecret) });
  const order = {
    network: 'BITCOIN',
    asset: 'BTC',
    amount: '1',
    address: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
  };
  const refusal = () => api.post('/transfer', order).then(String, (error: Error) => error.message);
  const said = await refusal();
  const [, command = ''] = /list\. The operator adds it with npx quittance (.*)$/.exec(said.trim()) ?? [];
  assert.equal(command, `merchant settings ${merchantId} --allow-address 127.0.0.1`, said);
  await told(command);
  let answer = said;
  await until('the list is not the remembered one any more', async () => {
    answer = await refusal();
    return answer !== said;
  });
  assert.match(answer, /available/, 'now it is the balance that is missing');
});

test('a webhook that failed is seen in the lists and sent again', async () => {
  const { id } = await asked('checkout create --webhook http://127.0.0.1:9/webhook');
  await told(`pay ${id}`);
  const [delivery] = await asked(`webhook list ${id}`);
  assert.deepEqual([delivery.eventType, delivery.state], ['CHECKOUT_COMPLETED', 'PENDING']);
  const { deliveryId } = await asked(`webhook redeliver ${delivery.id}`);
  const { jobs } = await asked('job list');
  assert.ok(jobs.some(({ payload }: { payload: { deliveryId?: string } }) => payload.deliveryId === deliveryId));
  const { code, err } = await quittance(`job retry ${jobs[0].id}`);
  assert.deepEqual([code, err], [1, `There is no parked job ${jobs[0].id}.\n`]);
});

test('a rotated key has two secrets for a day, or one at once, and access.json has the new one', async () => {
  const access = async () => {
    const { apiSecret, ...rest } = JSON.parse(await readFile(join(folder, 'access.json'), 'utf8'));
    return { ...rest, apiSecret: new Secret(apiSecret) };
  };
  const works = (credentials: Awaited<ReturnType<typeof access>>) => createApiClient(credentials).get('/auth-test');
  const old = await access();
  const { apiSecret, oldWorksUntil } = await asked(`key rotate ${old.apiKey}`);
  assert.match(oldWorksUntil, /^\d{4}-/);
  const second = await access();
  assert.equal(second.apiSecret.reveal(), apiSecret);
  await Promise.all([works(old), works(second)]);
  assert.equal((await asked(`key rotate ${old.apiKey} --at-once`)).oldWorksUntil, null);
  for (const former of [old, second]) await assert.rejects(works(former), /signature/i);
  await works(await access());
});

test('a key may do what was asked for, is listed, and ends at once', async () => {
  const { merchantId, scopes, apiKey: first } = await asked('merchant create --name Scoped');
  assert.deepEqual(scopes, ['charge']);
  const made = await asked(`key create ${merchantId} --scope money,read --scope approve`);
  assert.deepEqual(made.scopes, ['read', 'money', 'approve']);
  const { baseUrl } = JSON.parse(await readFile(join(folder, 'access.json'), 'utf8')) as { baseUrl: string };
  const api = createApiClient({ baseUrl, apiKey: made.apiKey, apiSecret: new Secret(made.apiSecret) });
  await api.get('/wallets');
  await assert.rejects(api.post('/customer', {}), /This API key lacks the scope charge; it has read, money, approve/);
  await told(`key revoke ${made.apiKey}`);
  await assert.rejects(api.get('/wallets'), /API key is unknown/);
  const listed: { apiKey: string; revokedAt: string | null }[] = await asked(`key list ${merchantId}`);
  assert.deepEqual(
    listed.map(({ apiKey, revokedAt }) => [apiKey, revokedAt === null]),
    [
      [first, true],
      [made.apiKey, false],
    ],
  );
  assert.match(await told(`key list ${merchantId}`), /charge .*in use\n.*read, money, approve .*revoked/);
  const wrong = await quittance(`key create ${merchantId} --scope all`);
  assert.deepEqual(
    [wrong.code, /must be one of charge, read, money, approve, but is "all"/.test(wrong.err)],
    [2, true],
  );
  assert.equal((await quittance(`key revoke ${made.apiKey}`)).code, 1, 'it is no more');
});

test('a merchant is created and its settings are changed', async () => {
  const { merchantId, apiKey, webhookSecret } = await asked('merchant create --name Shop --currency EUR');
  assert.match(webhookSecret, /^whsec_/);
  const changed = await asked(
    `merchant settings ${merchantId} --basic off --allow-address 10.0.0.1/8 --high-risk USDT`,
  );
  assert.deepEqual(
    [changed.isBasicAllowed, changed.allowedAddresses, changed.highRiskAssets, changed.apiKeys],
    [false, ['10.0.0.0/8'], ['USDT'], [apiKey]],
  );
  const { code, err } = await quittance(`merchant settings ${merchantId} --tolerance-percent 7`);
  assert.deepEqual([code, err], [1, 'The tolerance must be from 0 to 5 percent.\n']);
});

test('transfers are listed, and the operator takes out no more than its own', async () => {
  const { merchantId } = await asked('merchant create --name Sender');
  const { apiKey } = await asked(`key create ${merchantId}`);
  assert.match(await told(`merchant show ${merchantId}`), new RegExp(apiKey));
  const late = await told(`merchant settings ${merchantId} --late-tolerance-percent 12.5`);
  assert.match(late, /late tolerance, percent +12\.5/);
  assert.match(await told(`merchant settings ${merchantId} --approval-above 1000`), /approval above +1000 USD/);
  const [plenty, misspelt, nothing] = await Promise.all([
    quittance('withdraw BITCOIN BTC 20000000 bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'),
    quittance('withdraw BITCOIN BTC 0.1 nobody'),
    quittance('transfer show abcdefabcdef'),
  ]);
  assert.deepEqual([plenty.code, misspelt.code, nothing.code], [1, 1, 1]);
  assert.match(plenty.err, /are the operator's own: the rest belongs to merchants or is promised to them\.\n$/);
  assert.match(misspelt.err, /address/);
  assert.equal(nothing.err, 'There is no transfer with the id "abcdefabcdef".\n');
});

test('wrong usage is answered with a sentence and exit code 2', async () => {
  const cases: [string, RegExp][] = [
    [
      'merchant creat',
      /^There is no command "merchant creat"\. npx quittance merchant --help lists those there are\.\n$/,
    ],
    ['merchant create', /^--name is missing\. See npx quittance merchant create --help\.\n$/],
    ['checkout show', /^<checkoutId> is missing\./],
    ['checkout list --limit many', /^--limit must be a whole number from 1 to 10000\./],
    ['pay latest --amont 1', /^Unknown option '--amont'\. See npx quittance pay --help\.\n$/],
    ['pay latest --amount', /^Option '--amount <value>' argument missing\. See /],
    ['mine bitcoin 1 2', /^"2" is one word too many\./],
  ];
  for (const [words, sentence] of cases) {
    const ran = await quittance(words);
    assert.match(ran.err, sentence, words);
    assert.equal(ran.code, 2, words);
  }
  const ran = await typed('pay latest --amont 1');
  assert.deepEqual([ran.code, ran.out, ran.err.split(' See ')[0]], [2, '', "Unknown option '--amont'."]);
});

test('what cannot be done is answered with a sentence and exit code 1', async () => {
  const elsewhere = { DATA_DIR: join(folder, 'nowhere') };
  const cases: [string, NodeJS.ProcessEnv, RegExp][] = [
    ['checkout list', elsewhere, /^Nothing is running on .*nowhere: start it with npm start, or set DATA_DIR /],
    ['checkout show abcdefabcdef', {}, /^There is no checkout "abcdefabcdef"\.\n$/],
    ['mine BITCOIN', { MODE: 'production' }, /^This installation is in production: /],
    ['mine DOGECOIN', {}, /^DOGECOIN is not a chain of this sandbox, which has BITCOIN, LITECOIN/],
  ];
  for (const [words, more, sentence] of cases) {
    const { code, err } = await quittance(words, more);
    assert.match(err, sentence);
    assert.equal(code, 1);
  }
  const { code, err } = await typed('checkout list', elsewhere);
  assert.deepEqual([code, /^Nothing is running on .*nowhere: /.test(err)], [1, true]);
});

test('the help names every command, and config hides secrets', async () => {
  const [help, pay, config] = await Promise.all([
    told('--help'),
    told('pay --help'),
    quittance('config', {
      SMTP_URL: 'abracadabra',
      METRICS_TOKEN: 'abracadabra',
      BITCOIN_XPRV: 'abracadabra',
      ETHEREUM_XPRV: 'abracadabra',
    }),
  ]);
  for (const name of ['checkout create', 'pay <id>', 'merchant create --name <name>', 'cursor rewind'])
    assert.ok(help.includes(name), name);
  assert.match(pay, /Examples:\n {2}npx quittance pay /);
  assert.match(config.out, /METRICS_TOKEN +\[secret\]/);
  assert.match(config.out, /ETHEREUM_XPRV +\[secret\]/);
  assert.ok(!config.out.includes('abracadabra'));
});
