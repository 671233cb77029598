/**
 * A shop and the real server: with the source, and with the package as it is published. The service lives in March, this
 * machine does not, so nothing here could be signed with our own clock.
 */
import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { endpoints } from '@quittance/contract/endpoints';
import { events } from '@quittance/contract/events';
import { allowAddress } from '@quittance/server/merchants/change-settings';
import { decimal, toUnits } from '@quittance/server/money/decimal';
import { type Gateway, startGateway, type TestMerchant, withoutLitecoin } from '@quittance/server/test/gateway';
import { freshAddress, mine, receivedAt } from '@quittance/server/test/transfer-story';
import { furtherNames } from '../scripts/contract-names.ts';
import { describeContract } from '../scripts/describe-contract.ts';
import {
  AuthenticationError,
  CannotBeDoneError,
  Client,
  type ClientOptions,
  ConnectionError,
  chargeTotal,
  InvalidRequestError,
  type NewCheckout,
  NotFoundError,
  readWebhook,
} from '../src/quittance.ts';

const sdk = dirname(import.meta.dirname);
const bin = (name: string): string => fileURLToPath(new URL(`../../../node_modules/.bin/${name}`, import.meta.url));
const run = promisify(execFile);

let gateway: Gateway;
let merchant: TestMerchant;
let folder: string;
const clientWith = (options: ClientOptions = {}): Client =>
  new Client(merchant.apiKey, merchant.apiSecret, gateway.url, { retryDelayMs: 1, ...options });

/** As somebody has it who has installed the package. */
async function installPackage(): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'quittance-sdk-'));
  const installed = join(folder, 'node_modules/@quittance/sdk');
  await run(bin('tsc'), ['--project', sdk, '--outDir', join(installed, 'dist')]);
  cpSync(join(sdk, 'package.json'), join(installed, 'package.json'));
}

before(async () => {
  [gateway] = await Promise.all([startGateway({ env: withoutLitecoin }), installPackage()]);
  merchant = gateway.merchant;
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await gateway.stop();
});

const anOrder = (order: string): NewCheckout => ({
  charge: {
    billingCurrency: 'USD',
    lineItems: [{ description: 'Tea “Grüner Berg” 😀', netAmount: '30.00', quantity: 2 }],
  },
  webhook: gateway.webhookUrl,
  meta: { order },
});

test('a shop sells something: the customer pays, and the webhook is believed by either signature', async () => {
  const client = clientWith();
  await client.authTest();
  const { id, paymentMethods } = await client.checkouts.create(anOrder('A-1'));
  const { network = '', paymentAmount } = paymentMethods.find((method) => method.network === 'BITCOIN') ?? {};
  const { depositInstructions } = await client.checkouts.commit({ checkoutId: id, network });
  assert.deepEqual([depositInstructions.amount, paymentAmount], ['0.001', '0.001'], 'strings, exactly');
  gateway.bitcoin.pay(depositInstructions);
  gateway.bitcoin.mine(6);
  await gateway.runUntilIdle();

  const checkout = await client.checkouts.get(id);
  assert.equal(checkout.state, 'COMPLETED');
  const webhook = gateway.webhooks.find(({ data }) => data.checkout?.id === id);
  assert.ok(webhook);
  const options = { nowSeconds: gateway.clock.now().getTime() / 1000 };
  const { apiSecret, webhookSecret } = merchant;
  for (const secrets of [{ webhookSecret }, { apiSecret }, { apiSecret, webhookSecret }]) {
    const { event } = readWebhook(webhook.raw, webhook.headers, secrets, options);
    assert.ok(event?.eventType === 'CHECKOUT_COMPLETED');
    assert.deepEqual(event.data.checkout, checkout);
    const forged: string = webhook.raw.replace(id, 'aaaaaaaaaaaa');
    assert.equal(readWebhook(forged, webhook.headers, secrets, options).problem, 'wrong-signature');
  }
  assert.equal(readWebhook(webhook.raw, webhook.headers, { webhookSecret }).problem, 'wrong-time', 'by our own clock');
  assert.deepEqual((await client.checkouts.timeline(id)).at(0)?.what, 'created');
  const { wallet } = await client.wallets.get('BTC');
  assert.equal(wallet.available, '0.000995');
});

test('a shop gives money back, exchanges and sends what it has earned, and is told of all of it', async () => {
  const shop = await gateway.createMerchant('A shop that moves money');
  await allowAddress(gateway, shop.merchantId, { range: '127.0.0.1' }, 'operator');
  const client = new Client(shop.apiKey, shop.apiSecret, gateway.url);
  const webhook = gateway.webhookUrl;
  const isThere = async (to: { address: string; amount: string }): Promise<void> => {
    gateway.bitcoin.pay(to);
    await mine(gateway, 6);
  };
  const isSent = async (): Promise<void> => {
    await gateway.runUntilIdle();
    await mine(gateway, 6);
  };
  const deposit = await client.deposits.create({ network: 'BITCOIN' });
  await isThere({ address: deposit.depositInstructions.address, amount: '0.02' });
  const { id } = await client.checkouts.create({ ...anOrder('BACK-1'), settlementAsset: 'BTC' });
  await isThere((await client.checkouts.commit({ checkoutId: id, network: 'BITCOIN' })).depositInstructions);

  const [payer, owner] = [freshAddress(), freshAddress()];
  const { refund } = await client.refunds.create({ checkoutId: id, amount: '0.0004', address: payer });
  await isSent();
  const { state, amount } = await client.refunds.get(refund.id);
  assert.deepEqual([state, amount, await receivedAt(gateway, payer)], ['COMPLETED', '0.0004', 40_000n]);
  assert.deepEqual(
    (await client.refunds.list({ checkoutId: id }).take(5)).map((each) => each.id),
    [refund.id],
  );

  const { quote } = await client.swaps.quote({ sourceAsset: 'BTC', targetAsset: 'USDC', sourceAmount: '0.005' });
  const swap = await client.swaps.create({ quoteId: quote.id, webhook });
  await gateway.runUntilIdle();
  assert.deepEqual(
    [(await client.swaps.get(swap.id)).state, swap.targetAmount, (await client.wallets.get('USDC')).wallet.available],
    ['COMPLETED', quote.targetAmount, quote.targetAmount],
  );

  const order = { network: 'BITCOIN', asset: 'BTC', amount: '0.003', address: owner };
  const before = (await client.wallets.get('BTC')).wallet.available;
  const estimate = await client.transfers.estimate(order);
  const { transfer } = await client.transfers.create({ ...order, webhook }, { idempotencyKey: 'payout-1' });
  assert.equal((await client.transfers.create({ ...order, webhook }, { idempotencyKey: 'payout-1' })).id, transfer.id);
  await isSent();
  assert.deepEqual(
    [(await client.transfers.get(transfer.id)).state, await receivedAt(gateway, owner)],
    ['COMPLETED', 300_000n],
  );
  const after = (await client.wallets.get('BTC')).wallet.available;
  const satoshis = (text: string): bigint => toUnits(decimal(text), 8, 'down');
  assert.equal(satoshis(before) - satoshis(after), satoshis(estimate.total));

  const heard = gateway.webhooks.flatMap(({ raw, headers }) => {
    const { event } = readWebhook(raw, headers, { apiSecret: shop.apiSecret });
    return event ? [event] : [];
  });
  const toldOf = heard.map((event) => {
    if (event.eventType === 'SWAP_COMPLETED') return `${event.eventType} ${event.data.swap.id}`;
    if (event.eventType === 'TRANSFER_COMPLETED') return `${event.eventType} ${event.data.transfer.id}`;
    return event.eventType;
  });
  const expected = [`SWAP_COMPLETED ${swap.id}`, `TRANSFER_COMPLETED ${transfer.id}`];
  assert.deepEqual(toldOf, ['CHECKOUT_COMPLETED', 'REFUND_PARTIAL', ...expected]);
});

test('an answer that was lost is asked for again, and nothing happens twice', async () => {
  let losses = 2;
  const replayed: (string | null)[] = [];
  const client = clientWith({
    async fetch(url, init) {
      const response = await fetch(url, init);
      replayed.push(response.headers.get('idempotency-replayed'));
      if (init?.method === 'POST' && losses-- > 0) throw new TypeError('fetch failed', { cause: new Error('lost') });
      return response;
    },
  });
  const { id } = await client.checkouts.createHosted(anOrder('LOST-1'));
  assert.deepEqual(replayed, [null, null, 'true', 'true'], 'the time, then the same request three times');
  await gateway.runUntilIdle();
  const all = await client.checkouts.list().take(100);
  assert.deepEqual(
    all.filter(({ meta }) => (meta as { order?: string })?.order === 'LOST-1').map((each) => each.id),
    [id],
  );
});

test('when the clock of the service has moved on, the next request is signed with its time', async () => {
  const client = clientWith({ retries: 0 });
  const before = await client.time();
  gateway.clock.advance({ hours: 5 });
  await gateway.runUntilIdle();
  await client.authTest();
  assert.equal(await client.time(), before + 5 * 3600);
});

test('a list of any length is gone through, and what is not there is said with all sentences', async () => {
  const client = clientWith();
  const ids: string[] = [];
  for (const name of ['Ägidius', 'Łucja', 'Zoë', 'José', 'Søren']) {
    gateway.clock.advance({ seconds: 1 });
    ids.unshift(await client.customers.create({ email: `${ids.length}@shop.example`, firstname: name }));
  }
  const listed: string[] = [];
  for await (const { id } of client.customers.list({ limit: 2 })) listed.push(id);
  assert.deepEqual(listed, ids);
  await client.customers.change({ id: ids[0] ?? '', city: 'Łódź' });
  assert.equal((await client.customers.get(ids[0] ?? '')).city, 'Łódź');
  await client.customers.delete(ids[0] ?? '');
  await assert.rejects(client.customers.get(ids[0] ?? ''), NotFoundError);

  const charge = { billingCurrency: 'XXX', lineItems: [{ description: '', netAmount: 'much' }] };
  await assert.rejects(
    client.checkouts.create({ charge }),
    (error) =>
      error instanceof InvalidRequestError &&
      error.requestId !== null &&
      error.sentences.length > 1 &&
      error.message.includes('netAmount'),
  );
  const stranger = new Client(merchant.apiKey, 'aaaa-aaaa-aaaa-aaaa-aaaa-aaaa', gateway.url);
  await assert.rejects(stranger.wallets.list(), AuthenticationError);
  await client.customers.create({ email: 'one@shop.example' }, { idempotencyKey: 'same' });
  await assert.rejects(
    client.customers.create({ email: 'two@shop.example' }, { idempotencyKey: 'same' }),
    CannotBeDoneError,
  );
});

test('the server adds a charge up to the same total', async () => {
  const client = clientWith();
  const { totals } = JSON.parse(readFileSync(join(sdk, '../vectors/totals.json'), 'utf8'));
  const isTaken = (charge: unknown): boolean => !/\d{19}/.test(JSON.stringify(charge)); // 18 digits before the point, and 18 after it.
  const taken = totals.filter(
    (each: { charge: unknown; total: string }) => isTaken(each.charge) && !/^-|^0$/.test(each.total),
  );
  assert.ok(taken.length > 10);
  for (const { name, charge, total } of taken) {
    const lineItems = charge.lineItems.map((item: object) => ({ description: 'Item', ...item }));
    const taxItems = (charge.taxItems ?? []).map((item: object) => ({ name: 'Tax', ...item }));
    const found = await client.checkouts.total({ ...charge, billingCurrency: 'BTC', lineItems, taxItems });
    assert.deepEqual([found.total, chargeTotal(charge)], [total, total], name);
  }
});

test('a file is fetched as it comes', async () => {
  const client = clientWith();
  const { id } = await client.reports.createExport({ list: 'checkouts' });
  await gateway.runUntilIdle();
  const { state, fileName } = await client.reports.export(id);
  assert.equal(state, 'READY');
  const file = await client.reports.exportFile(id);
  assert.equal(file.fileName, fileName);
  assert.match(file.contentType ?? '', /text\/csv/);
  assert.match(await new Response(file.body).text(), /A-1/);
  await client.reports.deleteExport(id);
  await assert.rejects(client.reports.exportFile(id), NotFoundError);
});

test('a certificate that nobody vouches for is refused, and so is a process that would not check', async () => {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const made = [
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-subj',
    '/CN=localhost',
  ];
  execFileSync('openssl', ['req', ...made, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  let requests = 0;
  const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (_, response) => {
    requests += 1;
    response.end('{"time":1}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = new Client('k', 's', `https://127.0.0.1:${(server.address() as AddressInfo).port}`, { retries: 0 });
  try {
    await assert.rejects(
      client.wallets.list(),
      (error) => error instanceof ConnectionError && /certificate/.test(error.message),
    );
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    await assert.rejects(client.wallets.list(), /^TypeError: NODE_TLS_REJECT_UNAUTHORIZED=0 switches off/);
    assert.equal(requests, 0);
  } finally {
    delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    server.close();
  }
});

test('the types are what the contract says', () => {
  const formatted = execFileSync(bin('biome'), ['check', '--write', '--stdin-file-path=src/contract.ts'], {
    cwd: sdk,
    input: describeContract(endpoints),
    encoding: 'utf8',
  });
  assert.equal(readFileSync(join(sdk, 'src/contract.ts'), 'utf8'), formatted, 'run `npm run sdk:types`');
});

test('types have the names that the description of the API has for them', () => {
  const { components } = JSON.parse(readFileSync(join(sdk, '../../contract/openapi.json'), 'utf8'));
  const ours = ['Decimal', 'DecimalInput', 'Timestamp', 'Operations', ...furtherNames.map(({ name }) => name)];
  const types = [...readFileSync(join(sdk, 'src/contract.ts'), 'utf8').matchAll(/^export type (\w+) =/gm)];
  const written = types.map(([, name = '']) => name);
  assert.deepEqual(new Set(written).size, written.length, 'each once');
  const events = Object.keys(components.schemas).filter((name) => /Event(Data)?$/.test(name));
  const described = new Set(Object.keys(components.schemas)).difference(new Set([...events, ...ours, 'Errors']));
  assert.deepEqual(written.filter((name) => !ours.includes(name)).toSorted(), [...described].toSorted());
});

/** As written: `CheckoutEvent`, with the types of its data. */
test('webhooks tell what the contract says, each event with its data', () => {
  const source = readFileSync(join(sdk, 'src/webhook-events.ts'), 'utf8');
  const shapes = source.matchAll(/eventType: ([^;]+);\s+readonly data: \{([^}]+)\}/g);
  const written = [...shapes].flatMap(([, types = '', data = '']) => {
    const fields = [...data.matchAll(/readonly (\w+): (\w+)/g)].map(([, field, type]) => `${field}: ${type}`);
    return [...types.matchAll(/'(\w+)'/g)].map(([, type]) => `${type} ${fields.join(', ')}`);
  });
  const said = events.map(({ type, body }) => {
    const { data } = (body as unknown as Record<'properties', Record<'data', Titled>>).properties;
    const fields = Object.entries(data.properties).map(([field, { title }]) => `${field}: ${title ?? 'string'}`);
    return `${type} ${fields.join(', ')}`;
  });
  assert.deepEqual(written.toSorted(), said.toSorted());
});
type Titled = { readonly properties: Record<string, { readonly title?: string }> };

/** What a program says, when it is run where the package is installed. */
async function told(name: string, source: string, more: NodeJS.ProcessEnv = {}): Promise<string> {
  writeFileSync(join(folder, name), source);
  const { stdout, stderr } = await run(process.execPath, [name], { cwd: folder, env: { ...environment(), ...more } });
  return `${stdout}${stderr}`;
}

const environment = () => ({
  PATH: process.env['PATH'],
  QUITTANCE_KEY: merchant.apiKey,
  QUITTANCE_SECRET: merchant.apiSecret,
  QUITTANCE_URL: gateway.url,
});

const examples = [...readFileSync(join(sdk, 'README.md'), 'utf8').matchAll(/```js\n([^]*?)```/g)].map(
  ([, code = '']) => code,
);
const exampleWith = (text: string): string => examples.find((code) => code.includes(text)) ?? assert.fail(text);

test('what the README shows runs, with the package as it is published', async () => {
  assert.match(
    await told('take.mjs', exampleWith('createHosted')),
    /^Keep [a-z0-9]{12} .* https:\/\/pay\.test\/en\/checkout\//,
  );
  assert.match(
    await told('list.mjs', exampleWith('for await (const checkout')),
    /^[a-z0-9]{12} 0\.001\n5 customers\n$/,
  );
  assert.match(
    await told('errors.mjs', exampleWith('error.sentences')),
    /^There is no checkout with the id "abcdefghijkl"\.\n$/,
  );
  assert.match(await told('named.mjs', exampleWith('import-4711')), /^[a-z0-9]{12}\n$/);
  assert.equal(examples.length, 5);
});

test('the receiver of the README believes what is genuine and answers 401 to the rest', async () => {
  writeFileSync(
    join(folder, 'webhook.mjs'),
    exampleWith('createServer').replace(
      '});\nserver.listen(process.env.PORT ?? 3000);',
      '});\nserver.listen(0, () => console.log(server.address().port));',
    ),
  );
  const env = { QUITTANCE_WEBHOOK_SECRET: merchant.webhookSecret };
  const receiver = spawn(process.execPath, ['webhook.mjs'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  receiver.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  try {
    while (!said.includes('\n')) await once(receiver.stdout, 'data');
    const url = `http://127.0.0.1:${said.trim()}/`;
    const body = JSON.stringify({ eventType: 'CHECKOUT_COMPLETED', data: { checkout: { meta: { order: 'Ä-7' } } } });
    const timestamp = Math.floor(Date.now() / 1000);
    const key = Buffer.from(merchant.webhookSecret.replace('whsec_', ''), 'base64');
    const signature = `v1,${createHmac('sha256', key).update(`evt.${timestamp}.${body}`).digest('base64')}`;
    const headers = { 'webhook-id': 'evt', 'webhook-timestamp': `${timestamp}`, 'webhook-signature': signature };
    const send = async (sent: RequestInit) => {
      const response = await fetch(url, { method: 'POST', ...sent });
      return `${response.status} ${await response.text()}`;
    };
    assert.equal(await send({ body, headers }), '200 ok');
    while (!said.includes('Ship order Ä-7')) await once(receiver.stdout, 'data');
    assert.equal(await send({ body: `${body} `, headers }), '401 wrong-signature');
    assert.equal(await send({}), '401 unsigned');
    assert.equal(await send({ body: Buffer.from([255, 0, 10]) }), '401 unsigned');
  } finally {
    receiver.kill();
  }
});

test('a program that was written for the existing SDK runs with another name and a base URL', async () => {
  const program = `
    const ShopClient = require('@quittance/sdk');
    const client = new ShopClient(process.env.QUITTANCE_KEY, process.env.QUITTANCE_SECRET, process.env.QUITTANCE_URL);
    async function main() {
      let response = await client.get('/auth-test');
      console.log(response.status, response.statusText, response.data.method);
      response = await client.get('/wallet', { assetCode: 'BTC' });
      console.log(response.status, response.data.wallet.assetCode);
      response = await client.post('/customer', { customer: { email: 'john@doe.example', firstname: 'John', adr2: null } });
      const customerId = response.data['customerId'];
      response = await client.post('/checkout/hosted', {
        charge: {
          customerId: customerId,
          currency: 'USD',
          lineItems: [{ description: 'T-Shirt', netAmount: 10, quantity: 1 }],
          discountItems: [{ description: 'Loyalty', netAmount: 0.5 }],
          shippingCostItems: [{ description: 'Shipping', netAmount: 3.99, taxable: false }],
          taxItems: [{ name: 'Sales Tax', percent: 0.0825 }],
        },
        settlementCurrency: 'ORIGIN',
      });
      console.log(response.status, response.data['checkoutId'].length, response.data['url'].slice(0, 17));
      response = await client.get('/checkout', { id: response.data.checkoutId });
      console.log(response.data.checkout.state);
      response = await client.put('/customer', { customer: { id: customerId, email: 'john@doe-2.example' } });
      console.log(response.status);
      response = await client.delete('/customer', { id: customerId });
      console.log(response.status);
      response = await client.get('/customer', { id: customerId });
      console.log(response.status, response.data.errors[0]);
      client.get('/customers', { limit: 250 }, function (response) {
        console.log(response.status, response.data.customers.length > 0);
      });
    }
    main();`;
  const lines = (await told('old.cjs', program)).trim().split('\n');
  assert.deepEqual(lines.toSpliced(6, 1), [
    '200 OK digest',
    '200 BTC',
    '200 12 https://pay.test/',
    'CREATED',
    '200',
    '200',
    '200 true',
  ]);
  assert.match(lines[6] ?? '', /^404 There is no customer with the id/);
});

test('`require` gives all that `import` gives', async () => {
  const program = `
    const required = require('@quittance/sdk');
    import('@quittance/sdk').then((imported) => {
      const names = Object.keys(imported).filter((name) => !['default', 'module.exports'].includes(name));
      console.log(names.length, names.filter((name) => required[name] !== imported[name]));
      console.log(new required('k', 's', 'https://pay.example') instanceof imported.Client);
    });`;
  assert.equal(await told('both.cjs', program), '18 []\ntrue\n');
});

test('the types of the package are good without ours', async () => {
  const program = `
    import ShopClient, { Client, readWebhook, type Checkout, type WebhookEvent } from '@quittance/sdk';
    const client: Client = new ShopClient('k', 's', 'https://pay.example');
    export async function sell(): Promise<Checkout> {
      const { id } = await client.checkouts.createHosted({
        charge: { billingCurrency: 'EUR', lineItems: [{ description: 'Tea', netAmount: '4.20' }] },
      });
      return client.checkouts.get(id);
    }
    export function paid(body: Uint8Array, headers: Headers): string | null {
      const { event }: { event: WebhookEvent | null } = readWebhook(body, headers, { webhookSecret: 'whsec_x' });
      return event?.eventType === 'CHECKOUT_COMPLETED' ? event.data.checkout.id : null;
    }
    // @ts-expect-error: a charge has a currency
    client.checkouts.create({ charge: { lineItems: [] } }).catch(() => undefined);
    // @ts-expect-error: amounts in answers are no numbers
    export const sum = async (): Promise<number> => (await client.wallets.get('BTC')).wallet.available * 2;`;
  writeFileSync(join(folder, 'shop.mts'), program);
  const required = `
    import Shop = require('@quittance/sdk');
    import { ApiError, type Checkout } from '@quittance/sdk';
    export const get = (id: string): Promise<Checkout> => new Shop.Client('k', 's', 'https://pay.example').checkouts.get(id);
    export const isMissing = (error: unknown): boolean => error instanceof Shop.NotFoundError && error instanceof ApiError;`;
  writeFileSync(join(folder, 'shop.cts'), required);
  const types = fileURLToPath(new URL('../../../node_modules/@types', import.meta.url));
  const strict = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--exactOptionalPropertyTypes'];
  const { stdout } = await run(
    bin('tsc'),
    [...strict, '--types', 'node', '--typeRoots', types, 'shop.mts', 'shop.cts'],
    {
      cwd: folder,
    },
  );
  assert.equal(stdout, '');
});
