/**
 * The newcomer's story, told with the commands against a real service in a folder of its own. Most commands are called
 * as what they are, a function; some are typed: what a shell adds is the same for all of them.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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
import { readAccess } from '@quittance/server/lib/data-folder';
import { Secret } from '@quittance/server/lib/secret';
import { isSound } from '@quittance/server/watching/reconcile';
import { lastReconciliations } from '@quittance/server/watching/reconciliation-store';
import { until } from '../server/test/until.ts';
import { createApiClient } from './api-client.ts';
import { askForCount } from './ask-for-count.ts';
import { runCommandLine } from './run-command-line.ts';
import { sandboxList } from './sandbox-list.ts';

const scriptAt = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'quittance-commands-'));
const { DATABASE_URL: _database, MASTER_KEY: _key, ...inherited } = process.env;
const env = { ...inherited, DATA_DIR: folder, PORT: '0', WATCH_POLL_MS: '300', LOG_LEVEL: 'warn' };

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

async function quittance(line: string | readonly string[], more: NodeJS.ProcessEnv = {}): Promise<Ran> {
  let out = '';
  let err = '';
  const paper = {
    log: (text: string) => void (out += `${text}\n`),
    error: (complaint: unknown) => void (err += `${String(complaint)}\n`),
  };
  const words = typeof line === 'string' ? wordsOf(line) : line;
  const code = await runCommandLine(words, { ...env, ...more }, paper);
  return { code, out, err };
}

async function told(words: string, by: (line: string) => Promise<Ran> = quittance): Promise<string> {
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
    for (let again = 0; again < 60 && found.some(({ length }) => length > 0); again += 1) {
      await sleep(250);
      found = await countAndProve(db);
    }
    assert.deepEqual(found, [[], []]);
  } finally {
    await db.close();
  }
});

/** What is wrong with the books of the networks, and with the bridge. */
async function countAndProve(db: Db): Promise<[readonly unknown[], readonly unknown[]]> {
  const counted = await askForCount(db, () => lastReconciliations(db));
  const networks = new Set(counted.map(({ network }) => network));
  // A bank does not say by Pix what it holds for us.
  const tellers = sandboxList.flatMap(({ names }) => names).filter((name) => name !== 'pix');
  assert.deepEqual([...networks].sort(), tellers.map((name) => name.toUpperCase()).sort());
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
  await told(`brand set ${merchantId} --time-zone europe/berlin --tax-id DE123 --legal-line Shop,Berlin --name off`);
  const changed = await asked(`brand show ${merchantId}`);
  const { timeZone, taxId, legalLine } = changed.pageSettings;
  assert.deepEqual([timeZone, taxId, legalLine], ['Europe/Berlin', 'DE123', 'Shop,Berlin']);
  assert.equal(changed.brand.isNameHidden, true);
  const legal = '--legal-notice https://shop.example/legal --privacy https://shop.example/data';
  const ways = '--return-url https://shop.example/thanks --cancel-url https://shop.example/cart';
  await told(
    `brand set ${merchantId} ${legal} --terms https://shop.example/terms --support-email help@shop.example ${ways}`,
  );
  const { pageSettings: linked } = await asked(`brand show ${merchantId}`);
  const { legalNoticeUrl, privacyUrl, termsUrl, supportEmail, returnUrl, cancelUrl } = linked;
  const at = (path: string): string => `https://shop.example/${path}`;
  assert.deepEqual([legalNoticeUrl, privacyUrl, termsUrl], ['legal', 'data', 'terms'].map(at));
  assert.deepEqual([supportEmail, returnUrl, cancelUrl], ['help@shop.example', at('thanks'), at('cart')]);
  const shown = await told(`brand show ${merchantId}`);
  for (const fact of ['help@shop.example', ...['legal', 'data', 'terms', 'thanks', 'cart'].map(at)])
    assert.ok(shown.includes(fact), `${fact} in ${shown}`);
  await told(`brand set ${merchantId} --terms none --cancel-url none`);
  const { pageSettings: fewer } = await asked(`brand show ${merchantId}`);
  assert.deepEqual([fewer.termsUrl, fewer.cancelUrl, fewer.privacyUrl], [null, null, at('data')]);
  for (const [wrong, right] of [
    ['--terms http://shop.example/terms', 'begins with https://'],
    ['--privacy javascript:alert(1)', 'begins with https://'],
    [
      '--return-url http://127.0.0.1:8080/thanks',
      '--return-url is not valid: it must be a web address that begins with',
    ],
    ['--support-email shop.example', 'an e-mail address such as'],
    [`--tax-id ${'9'.repeat(41)}`, 'at most 40 letters'],
  ] as const) {
    const { code, err } = await quittance(`brand set ${merchantId} ${wrong}`);
    assert.deepEqual([code, err.includes(right)], [1, true], `${wrong}: ${err}`);
  }
  const nowhere = await quittance(`brand set ${merchantId} --time-zone Europe/Nowhere`);
  assert.deepEqual([nowhere.code, nowhere.err.includes('is no time zone')], [1, true]);
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
  const notFound = /container was not found at pay\.shop\.example yet/;
  assert.match(await told(`brand show ${merchantId}`), notFound);
  assert.doesNotMatch(await told(`brand domain ${merchantId} --in-use`), notFound);
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
  assert.match(text, new RegExp(`^Paid 0\\.0004167 BTC to bcrt1.*\nCheckout ${id} is COMPLETED\\.\n$`));
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

test('a charge in reais is paid by Pix, and what the payer contests is taken back', async () => {
  const { id } = await asked('checkout create --amount 60.00 --currency BRL');
  const paid = await asked(`pay ${id} --network pix`);
  assert.deepEqual([paid.state, paid.amount, paid.assetCode], ['COMPLETED', '60', 'BRL']);
  assert.match(await told(`contest PIX ${paid.txid} 20.00`), /^20\.00 of E99999999\w+ went back, as D99999999\w+\.\n$/);
  await waitForState(id, 'PENDING');
  assert.match(await told(`contest PIX ${paid.txid} --portal`), /^All of /);
  const { code, err } = await quittance(`contest PIX ${paid.txid}`);
  assert.deepEqual([code, err], [1, 'PIX refuses: refused: there is not so much left of it.\n']);
  assert.match((await quittance('mine PIX')).err, /Pix has no blocks/);
});

test('a charge in euros is paid by transfer: seen by a notice, booked by a report, and corrected by the bank', async () => {
  const { id } = await asked('checkout create --amount 60.00 --currency EUR');
  const paid = await asked(`pay ${id} --network sepa`);
  assert.deepEqual([paid.state, paid.amount, paid.assetCode], ['COMPLETED', '60', 'EUR']);
  const { timeline } = await asked(`checkout show ${id}`);
  const kinds = timeline.map(({ what }: { what: string }) => what);
  assert.ok(kinds.indexOf('payment_seen') < kinds.indexOf('payment_confirmed'), kinds.join());
  assert.match(await told('bank documents'), /^SEPA .* camt\.052 .* 60\.00 EUR .*$/m);
  assert.match(await told(`contest SEPA ${paid.txid}`), /^All of QB\w+ went back, as QB\w+\.\n$/);
  await waitForState(id, 'PENDING');
});

test('a charge in dollars is paid from abroad, to the account in dollars', async () => {
  const { id } = await asked('checkout create --amount 75.00 --currency USD');
  const paid = await asked(`pay ${id} --network SWIFT`);
  assert.deepEqual([paid.state, paid.amount, paid.assetCode], ['COMPLETED', '75', 'USD']);
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
  assert.match(await told('wallet address sepa'), /^iban +DE\d\d \d{4} .*\nreference +RF\d\d/m);
  const deposit = await told('deposit create SEPA 25');
  assert.match(deposit, /^holder +\S.*\niban +DE\d\d \d{4} .*\nbic +\w+\nreference +RF\d\d/m);
  assert.match((await quittance('wallet address MARS')).err, /^MARS has not been watched yet\./);
});

test('a paper is listed, shown, sent and corrected', async () => {
  const access = await readAccess(folder);
  assert.ok(access);
  const api = createApiClient(access);
  const { customerId } = await api.post<{ customerId: string }>('/customer', {
    customer: { email: 'ada@example.com' },
  });
  const lineItems = [{ description: 'Cup', netAmount: '60.00' }];
  const charge = { billingCurrency: 'USD', customerId, lineItems };
  const { id } = await api.post<{ id: string }>('/checkout/hosted', { charge, settlementAsset: 'ORIGIN' });
  await told(`pay ${id} --network BITCOIN`);
  await until('the invoice is issued', async () => (await asked('paper list --kind invoices')).length > 0);
  const [paper] = await asked('paper list --search ada@example.com');
  assert.match(
    await told('paper list'),
    new RegExp(`^${paper.id} +${paper.number} +INVOICE .*60\\.00 USD +PAID$`, 'm'),
  );
  assert.match(await told(`paper show ${paper.id}`), /^INVOICE .*, PAID\n[^]*gross 60\.00 USD\n[^]*format=pdf\n$/);
  assert.equal(await told(`paper send ${paper.id}`), `${paper.number} is on its way.\n`);
  const credited = await told(`paper credit-note ${paper.id} --amount 5.00 --reason Broken`);
  assert.match(credited, /^Credit note CRN-\d{4}-00001 of 5\.00 USD: [a-z0-9]{12}\n$/);
  const kind = await quittance('paper list --kind bills');
  assert.deepEqual([kind.code, /must be receipts, invoices or credit-notes/.test(kind.err)], [1, true]);
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

  const link = await asked('link create Tea --amount 2.50 --currency EUR');
  assert.match(link.url, new RegExp(`/pay/${link.id}$`));
  assert.match(await told('link create Orders --signed'), /^Payment link \w{12}\nhttp.*\nSecret: [0-9a-f]{64}\n$/);
  assert.match(await told('link list'), new RegExp(`^${link.id} +ACTIVE +2\\.5 EUR +0 +0 EUR +Tea$`, 'm'));
  assert.match(await told(`link close ${link.id}`), /is closed\.\n$/);

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

test('a receipt is sent once more, at most three times an hour, and only where there is one', async () => {
  const { baseUrl, apiKey, apiSecret } = JSON.parse(await readFile(join(folder, 'access.json'), 'utf8'));
  const api = createApiClient({ baseUrl, apiKey, apiSecret: new Secret(apiSecret) });
  const customer = { email: 'kim@example.com' };
  const { customerId } = await api.post<{ customerId: string }>('/customer', { customer });
  const charge = { billingCurrency: 'USD', lineItems: [{ description: 'Tea', netAmount: '5.00' }], customerId };
  const { id } = await api.post<{ id: string }>('/checkout/hosted', { charge, settlementAsset: 'ORIGIN' });
  const early = await quittance(`checkout receipt ${id}`);
  assert.deepEqual([early.code, early.err.startsWith('There is no receipt to send: ')], [1, true], early.err);
  await told(`pay ${id}`);
  assert.equal(await told(`checkout receipt ${id}`), `The receipt of ${id} is sent again.\n`);
  await told(`checkout receipt ${id}`);
  await told(`checkout receipt ${id}`);
  const often = await quittance(`checkout receipt ${id}`);
  assert.deepEqual([often.code, /several times within an hour/.test(often.err)], [1, true], often.err);
  const { timeline } = await asked(`checkout show ${id}`);
  const again = timeline.filter(({ what }: { what: string }) => what === 'receipt_sent_again');
  assert.equal(again.length, 3);
  const { code, err } = await quittance('checkout receipt abcdefabcdef');
  assert.deepEqual([code, /abcdefabcdef/.test(err)], [1, true], err);
});

test('reports of mail that came back are read from a mailbox; what is not about ours is left alone', async () => {
  const box = join(folder, 'bounces');
  const status = 'Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx\n\nAction: failed\nStatus: 5.1.1\n';
  const head = 'Content-Type: text/rfc822-headers\n\nMessage-ID: <status.abcdefghijkl@pay.test>\n';
  const report = `Content-Type: multipart/report; boundary="b"\n\n--b\n${status}\n--b\n${head}\n--b--\n`;
  await writeFile(box, `From a@b Sun Mar  1\nSubject: Hello\n\nHello\n\nFrom c@d Sun Mar  1\n${report}`);
  assert.deepEqual(await asked(`mail bounce ${box}`), [{ is: 'no report' }, { is: 'not ours' }]);
  const { code, err } = await quittance(`mail bounce ${box}-of-nobody`);
  assert.deepEqual([code, /cannot be read/.test(err)], [1, true], err);
});

test('which mails customers get is set, and one whose address was refused gets them again', async () => {
  const { baseUrl, apiKey, apiSecret } = JSON.parse(await readFile(join(folder, 'access.json'), 'utf8'));
  const api = createApiClient({ baseUrl, apiKey, apiSecret: new Secret(apiSecret) });
  const merchants: { id: string; apiKeys: string[] }[] = await asked('merchant list');
  const merchantId = merchants.find(({ apiKeys }) => apiKeys.includes(apiKey))?.id;
  await told(`merchant settings ${merchantId} --mails paid,refunded`);
  const { settings } = await api.get<{ settings: { statusMails: object } }>('/settings');
  const statusMails = { created: false, paid: true, underpaid: false, expired: false, refunded: true };
  assert.deepEqual(settings.statusMails, statusMails);
  const wrong = await quittance(`merchant settings ${merchantId} --mails paid,refused`);
  assert.match(wrong.err, /--mails must be none, or some of created, paid, underpaid, expired, refunded/);
  const customer = { email: 'bounced@customer.example' };
  const { customerId } = await api.post<{ customerId: string }>('/customer', { customer });
  assert.match(await told(`mail try-again ${merchantId} ${customerId}`), /gets mails again/);
  const nobody = await quittance(`mail try-again ${merchantId} abcdefghijkl`);
  assert.deepEqual([nobody.code, /has no customer abcdefghijkl/.test(nobody.err)], [1, true], nobody.err);
});

test('what a shop refused for good is listed, and sent again when it is back', async () => {
  let answer = 410;
  let heard = 0;
  const shop = createServer((_, response) => {
    heard += 1;
    response.writeHead(answer).end();
  });
  await once(shop.listen(0, '127.0.0.1'), 'listening');
  try {
    const url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/webhook`;
    const [{ id: merchantId }] = await asked('merchant list');
    const given = async (state: string): Promise<{ url: string }[]> =>
      (await asked(`webhook deliveries ${merchantId} --state ${state}`)).filter(
        (delivery: { url: string }) => delivery.url === url,
      );
    const { id } = await asked(`checkout create --webhook ${url}`);
    await told(`pay ${id}`);
    await until('the shop has refused it', async () => (await given('failed')).length === 1);
    assert.match(await told(`webhook deliveries ${merchantId}`), /CHECKOUT_COMPLETED +FAILED +1 +410 /);
    answer = 204;
    assert.deepEqual(await asked(`webhook redeliver-failed ${merchantId} --since 2100-01-01`), { sent: 0 });
    assert.deepEqual(await asked(`webhook redeliver-failed ${merchantId}`), { sent: 1 });
    await until('it has come', () => heard >= 2);
    assert.deepEqual(await given('failed'), []);

    await told(`webhook test ${merchantId} ${url}`);
    await until('the test has come', () => heard >= 3);
    for (const [words, sentence] of [
      [`webhook deliveries ${merchantId} --state lost`, /^--state must be one of all, failed, waiting\./],
      [`webhook redeliver-failed ${merchantId} --since noon`, /^--since must be a time such as .*, but is "noon"\./],
    ] as const) {
      const { code, err } = await quittance(words);
      assert.equal(code, 2);
      assert.match(err, sentence);
    }
    const { code, err } = await quittance(`webhook test ${merchantId} ${url} --key abcdefabcdef`);
    assert.deepEqual([code, err], [1, 'There is no API key with the id "abcdefabcdef".\n']);
  } finally {
    shop.close();
  }
});

test('a webhook secret is exchanged once a day, or at once', async () => {
  const { merchantId } = await asked('merchant create --name Exchanged');
  const first = await asked(`webhook secret ${merchantId}`);
  assert.match(first.webhookSecret, /^whsec_/);
  assert.match(first.formerUntil, /^\d{4}-/);
  const second = await quittance(`webhook secret ${merchantId}`);
  assert.deepEqual([second.code, /less than 24 hours ago/.test(second.err)], [1, true]);
  const third = await asked(`webhook secret ${merchantId} --at-once`);
  assert.equal(third.formerUntil, null);
  assert.notEqual(third.webhookSecret, first.webhookSecret);
});

test('a key has a name, and what was asked with it in vain is listed with the answer', async () => {
  const { merchantId } = await asked('merchant create --name Named');
  const made = await asked(`key create ${merchantId} --label till-two`);
  assert.match(await told(`key list ${merchantId}`), new RegExp(`${made.apiKey} +till-two +charge `));
  const { baseUrl } = JSON.parse(await readFile(join(folder, 'access.json'), 'utf8')) as { baseUrl: string };
  const api = createApiClient({ baseUrl, apiKey: made.apiKey, apiSecret: new Secret(made.apiSecret) });
  await assert.rejects(api.get('/wallets'), /lacks the scope/);
  await until('it is written down', async () => (await asked(`request failed ${merchantId}`)).length === 1);
  assert.match(
    await told(`request failed ${merchantId}`),
    new RegExp(`GET /api/v1/wallets +403 +${made.apiKey} .*This API key lacks the scope`),
  );
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

test('whoever takes a key away is told what was asked for with it and is still to be sent', async () => {
  const { id: checkoutId } = await asked('checkout create --amount 60.00');
  await told(`pay ${checkoutId}`);
  const { baseUrl, ...first } = JSON.parse(await readFile(join(folder, 'access.json'), 'utf8'));
  const clientOf = ({ apiKey, apiSecret }: { apiKey: string; apiSecret: string }) =>
    createApiClient({ baseUrl, apiKey, apiSecret: new Secret(apiSecret) });
  const merchants: { id: string; apiKeys: string[] }[] = await asked('merchant list');
  const merchantId = merchants.find(({ apiKeys }) => apiKeys.includes(first.apiKey))?.id;
  const stolen = await asked(`key create ${merchantId} --scope money`);
  await told(`merchant settings ${merchantId} --approval-above 0`);
  const address = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
  const order = { network: 'BITCOIN', asset: 'BTC', amount: '0.0001', address };
  const transfer = (await clientOf(stolen).post('/transfer', order)) as { id: string };
  const { refund } = (await clientOf(stolen).post('/refund', { checkoutId, amount: '0.0001' })) as {
    refund: { id: string };
  };
  await told(`merchant settings ${merchantId} --approval-above none`);
  const said = await told(`key revoke ${stolen.apiKey}`);
  assert.match(
    said,
    /is revoked\.\nThis was asked for with it\. What waits for approval cannot be approved any more; the rest will/,
  );
  assert.match(said, new RegExp(`^transfer +${transfer.id} +AWAITING_APPROVAL +0.0001 BTC +BITCOIN +${address}$`, 'm'));
  assert.match(
    said,
    new RegExp(`^refund +${refund.id} +AWAITING_APPROVAL +0.0001 BTC +BITCOIN +whoever has the link$`, 'm'),
  );
  await clientOf(first).post('/transfer/cancel', { id: transfer.id });
  await clientOf(first).post('/refund/cancel', { id: refund.id });
  const clean = await asked(`key create ${merchantId}`);
  const unknown = await quittance(`key create ${merchantId} --for nobody@example.com`);
  assert.deepEqual([unknown.code, /person/.test(unknown.err)], [1, true]);
  assert.deepEqual((await asked(`key revoke ${clean.apiKey}`)).unsent, []);
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

test('people are invited, listed, and let in again', async () => {
  const [{ id: merchantId }] = await asked('merchant list');
  const staff = await asked('person invite Ada@Example.com --staff');
  assert.match(staff.url, /^http:\/\/localhost:\d+\/account\/welcome#[\w-]{43}$/);
  const { url } = await asked(`person invite ben@example.com --merchant ${merchantId} --role support`);
  assert.match(await told(`person invite eva@example.com --merchant ${merchantId}`), /It works once/);
  const { origin, hash } = new URL(url);
  const body = new URLSearchParams({ token: hash.slice(1), name: 'Ben' });
  const headers = { origin };
  const joined = await fetch(`${origin}/account/welcome/name`, { method: 'POST', body, headers, redirect: 'manual' });
  const cookie = joined.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const own = async (): Promise<number> =>
    (await fetch(`${origin}/account/my-sign-in`, { headers: { cookie }, redirect: 'manual' })).status;
  assert.equal(await own(), 200);
  assert.match(await told(`person sign-out Ben@example.com --merchant ${merchantId}`), /is signed out there/);
  assert.equal(await own(), 303, 'to the sign-in');
  const people: { email: string; accounts: string[] }[] = await asked('person list');
  assert.deepEqual(people.find(({ email }) => email === 'ben@example.com')?.accounts, [`${merchantId} support`]);
  await asked(`person role Ben@example.com developer --merchant ${merchantId}`);
  const changed: typeof people = await asked('person list');
  assert.deepEqual(changed.find(({ email }) => email === 'ben@example.com')?.accounts, [`${merchantId} developer`]);
  const answers = async (link: string): Promise<number> => {
    const named = new URLSearchParams({ token: new URL(link).hash.slice(1) });
    return (await fetch(`${origin}/account/welcome`, { method: 'POST', body: named, headers })).status;
  };
  const invitation = await asked(`person invite eva@example.com --merchant ${merchantId}`);
  const link = await asked('person link ben@example.com');
  assert.deepEqual([await answers(invitation.url), await answers(link.url)], [200, 200]);
  await asked(`person take-back-invitation Eva@example.com --merchant ${merchantId}`);
  await asked('person take-back-invitation ada@example.com --staff');
  await asked('person take-back-link Ben@example.com');
  assert.deepEqual([await answers(invitation.url), await answers(link.url), await answers(staff.url)], [410, 410, 410]);
  const noted: { actor: string; action: string }[] = await asked(`audit list ${merchantId}`);
  assert.deepEqual(
    noted.slice(0, 2).map(({ actor, action }) => [actor, action]),
    [
      ['operator', 'person.recovery_taken_back'],
      ['operator', 'person.invitation_taken_back'],
    ],
  );
  await asked(`key create ${merchantId} --scope approve --for Ben@example.com`);
  await asked(`person remove ben@example.com --merchant ${merchantId}`);
  const left: typeof people = await asked('person list');
  assert.deepEqual(left.find(({ email }) => email === 'ben@example.com')?.accounts, []);

  const wrong: [string, number, RegExp][] = [
    ['person invite x@example.com', 2, /Give either --merchant or --staff/],
    [`person invite x@example.com --merchant ${merchantId} --role boss`, 2, /--role must be one of owner, admin/],
    ['person invite x@example.com --staff --role owner', 2, /--role must be one of operator, treasury/],
    ['person invite nobody --staff', 1, /This is not an e-mail address/],
    ['person invite x@example.com --merchant ffffffffffff', 1, /merchant/],
    ['person link nobody@example.com', 1, /person/],
    [`person remove nobody@example.com --merchant ${merchantId}`, 1, /person/],
    [`person remove ben@example.com --merchant ${merchantId}`, 1, /member/],
    [`person role ben@example.com boss --merchant ${merchantId}`, 2, /The role must be one of owner, admin/],
    [`person role ben@example.com admin --merchant ${merchantId}`, 1, /member/],
    [`person sign-out ben@example.com --merchant ${merchantId}`, 1, /member/],
    ['person sign-out ben@example.com', 2, /Give either --merchant or --staff/],
    ['person sign-out ben@example.com --staff', 1, /member of the staff/],
    ['person role ben@example.com viewer --staff', 1, /member of the staff/],
    ['person role ben@example.com owner --staff', 2, /The role must be one of operator, treasury/],
    ['person take-back-invitation eva@example.com', 2, /Give either --merchant or --staff/],
    [`person take-back-invitation eva@example.com --merchant ${merchantId}`, 1, /invitation/],
    ['person take-back-link ben@example.com', 1, /link/],
  ];
  for (const [line, code, sentence] of wrong) {
    const answer = await quittance(line);
    assert.equal(answer.code, code, line);
    assert.match(answer.err, sentence, line);
  }
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

test('a list is made into a file, which is fetched once it is ready and overwrites nothing', async () => {
  const { id, list } = await asked('export create checkouts');
  assert.equal(list, 'checkouts');
  await until('the file is ready', async () => (await asked(`export show ${id}`)).state === 'READY');
  const file = join(folder, 'checkouts.csv');
  const { bytes } = await asked(`export fetch ${id} ${file}`);
  const text = await readFile(file, 'utf8');
  assert.equal(Buffer.byteLength(text), bytes);
  assert.match(text, /^\uFEFFTime,Order,Checkout id,/);
  assert.match((await quittance(`export fetch ${id} ${file}`)).err, /checkouts\.csv cannot be written/);
  assert.equal((await asked(`export delete ${id}`)).state, 'DELETED');
});

test('a file of a bank is for the service to read, and what is none is refused in a sentence', async () => {
  const file = join(folder, 'statement.xml');
  await writeFile(file, '<Document/>');
  const answer = await quittance(`bank import ${file} --network SEPA`);
  assert.deepEqual([answer.code, answer.err.split('.')[0]], [1, 'The file is “Document”']);
  assert.equal((await quittance('bank import /no/such/file')).code, 2);
  for (const other of ['MARS', 'PIX'])
    assert.equal((await quittance(`bank import ${file} --network ${other}`)).code, 2, 'no network of files');
  assert.match(await told('bank documents --network SEPA'), /^NETWORK +POSITION/);

  const byHand = ['bank', 'correct', '--network', 'SEPA', '--reason', 'a day is missing', '--balance', '0.01'];
  const forgotten = await quittance([...byHand, '--came', '0.50 RF18X2', '--left', '0.20 a fee']);
  assert.equal(forgotten.code, 1);
  assert.match(
    forgotten.err,
    /^What was accepted ends with .* EUR; with these bookings the account has .*, and not 0\.01: /,
  );
  for (const wrong of [[], ['--came', '0.50'], ['--left', 'RF18X2']])
    assert.equal((await quittance([...byHand, ...wrong])).code, 2);
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
