/** Who may ask for much: what each flood of `measure-floods.ts` sends, at the largest size that the contract allows. */
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { newFormName } from '../server/src/account/frame/send-once.ts';
import { addressHash, createMailToken, stopMailsPath } from '../server/src/counterparties/mail-token.ts';
import { systemClock } from '../server/src/lib/clock.ts';
import { createEncryption } from '../server/src/lib/encryption.ts';
import { createKey } from '../server/src/merchants/create-key.ts';
import { languageCodes } from '../server/src/web/texts/page-texts.ts';
import { signIn, type Visitor } from './account-pages.ts';
import { commitRequest, createRequest } from './api-requests.ts';
import { storeBlock } from './pipeline.ts';
import { seedCheckouts } from './seed.ts';
import { type Credentials, callApi, digestHeaders } from './signed-request.ts';
import type { Service, World } from './world.ts';

export type Asked = {
  readonly method: string;
  readonly path: string;
  readonly body?: string | Buffer;
  readonly headers?: Record<string, string>;
};

/** `number`: of the request, for what is not the same twice. */
export type Flood = {
  readonly name: string;
  readonly asked: (number: number) => Asked | Promise<Asked>;
};

type Call = (path: string, body: string) => Promise<{ id: string }>;

const baseUrl = '/api/v1';
const largeCheckouts = 100;
const paidCheckouts = 12;
const paidMsMax = 120_000;
const keysOfMerchant = 20;
export const exportedCheckouts = 20_000;

/** As large as a request may be. */
function largestCharge(): object {
  const row = {
    description: 'Wide WWW mmm Łódź ÄÖÜ Coffee beans, dark roast, '.repeat(5).slice(0, 195),
    netAmount: '0.01',
  };
  const rows = Array.from({ length: 480 }, () => row);
  const charge = { billingCurrency: 'USD', lineItems: rows, shippingCostItems: rows };
  return { charge, settlementAsset: 'ORIGIN' };
}

export const signed = (credentials: Credentials, method: string, path: string, body = ''): Asked => ({
  method,
  path: `${baseUrl}${path}`,
  ...(body !== '' && { body }),
  headers: { 'content-type': 'application/json', ...digestHeaders(credentials, { method, path, body }) },
});

const form = (path: string, origin: string, body: string): Asked => ({
  method: 'POST',
  path,
  body,
  headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
});

export async function prepareFloods(world: World, service: Service): Promise<Flood[]> {
  const { shop, env, db } = world;
  const origin = `http://127.0.0.1:${service.port}`;
  const body = JSON.stringify(largestCharge());
  const call: Call = async (path, posted) =>
    JSON.parse(await callApi(origin, shop, { method: 'POST', path, body: posted }));
  const made = await call('/checkout/hosted', body);
  for (let more = 0; more < largeCheckouts; more += 1) await call('/checkout', body);
  const paid = await payCheckouts(world, origin, call, body);
  const encryption = createEncryption(Buffer.from(env['MASTER_KEY'] ?? '', 'hex'));
  const keys: Credentials[] = [];
  for (let more = 0; more < keysOfMerchant; more += 1) {
    const { apiKey, apiSecret } = await createKey({ db, clock: systemClock, encryption }, shop.merchantId, 'operator');
    keys.push({ apiKey, apiSecret: apiSecret.reveal() });
  }
  const token = createMailToken(encryption, { merchantId: shop.merchantId, addressHash: addressHash('a@b.example') });
  const visitor = await signIn(world, service);
  const page = `/en/checkout/${made.id}`;
  const numbers = `{"charge":{"billingCurrency":"USD","lineItems":[]},"meta":[${'1,'.repeat(115_000)}1234567890.1234567891]}`;
  const receipt = (number: number): string =>
    `/${languageCodes[number % languageCodes.length]}/checkout/${paid[Math.floor(number / languageCodes.length) % paid.length]}/receipt`;
  const image = await largeImage();
  return [
    {
      name: 'a key: GET /checkouts?limit=100 of 240 KB each',
      asked: () => signed(shop, 'GET', '/checkouts?limit=100'),
    },
    {
      name: 'the same by 20 keys of the merchant',
      asked: (number) => signed(keys[number % keys.length] ?? shop, 'GET', '/checkouts?limit=100'),
    },
    { name: 'a key: GET /checkout of 240 KB', asked: () => signed(shop, 'GET', `/checkout?id=${made.id}`) },
    { name: 'a key: POST /checkout of 240 KB', asked: () => signed(shop, 'POST', '/checkout', body) },
    {
      name: 'a key: POST /checkout, as small as usual',
      asked: (number) => signed(shop, 'POST', '/checkout', createRequest('/checkout', number).body),
    },
    {
      name: 'a key: POST of 115,000 numbers, one of them long',
      asked: () => signed(shop, 'POST', '/checkout', numbers),
    },
    { name: 'an address: GET /networks', asked: () => ({ method: 'GET', path: `${baseUrl}/networks` }) },
    { name: 'an address: the page of the largest charge', asked: () => ({ method: 'GET', path: page }) },
    { name: 'its form for another coin', asked: () => form(`${page}/commit`, origin, 'network=NOWHERE') },
    {
      name: 'its form for an e-mail address, 255 KB',
      asked: () => form(`${page}/contact`, origin, `email=${'a.'.repeat(127_000)}`),
    },
    {
      name: 'the form that stops mails, 255 KB',
      asked: () => form(stopMailsPath('en', token), origin, 'name=\r\n'.repeat(32_000)),
    },
    { name: 'its receipt as a page', asked: (number) => ({ method: 'GET', path: receipt(number) }) },
    { name: 'its receipt as PDF', asked: (number) => ({ method: 'GET', path: `${receipt(number)}?format=pdf` }) },
    { name: 'pages that do not exist', asked: () => ({ method: 'GET', path: `/en/${'x'.repeat(4_000)}` }) },
    { name: 'the manual', asked: () => ({ method: 'GET', path: '/docs/api/post-checkout' }) },
    {
      name: 'a search of the manual',
      asked: (number) => ({ method: 'GET', path: `/docs/search?q=${'a+e+i+o+s+t+n+'.repeat(7)}${number}` }),
    },
    {
      name: 'a person: preview of the page with a new background',
      asked: () => preview(visitor, shop.merchantId, image),
    },
    {
      name: `a person: exports of ${exportedCheckouts} checkouts`,
      asked: () => orderExport(visitor, shop.merchantId),
    },
    {
      name: 'a person: all checkouts',
      asked: () => ({ method: 'GET', path: '/account/checkouts', headers: visitor.headers }),
    },
  ];
}

/** For receipts; each with as many rows as a charge may have. */
async function payCheckouts(world: World, origin: string, call: Call, body: string): Promise<string[]> {
  const ids: string[] = [];
  const payments = [];
  for (let more = 0; more < paidCheckouts; more += 1) {
    const { id } = await call('/checkout/hosted', body);
    await callApi(origin, world.shop, commitRequest(id));
    const [target] = await world.db<{ targetKey: string; units: string }>`
      select target_key as "targetKey", due_units::text as units from commitment where checkout_id = ${id}`;
    if (target) payments.push(target);
    ids.push(id);
  }
  await storeBlock(world.db, world.env, payments);
  const isPaid = async (): Promise<boolean> => {
    const [open] = await world.db`select from checkout where id = any(${ids}) and state <> 'COMPLETED' limit 1`;
    return open === undefined;
  };
  for (const endsAt = performance.now() + paidMsMax; !(await isPaid()); await sleep(100))
    if (performance.now() > endsAt) throw new Error('the checkouts for receipts were not paid within two minutes');
  return ids;
}

/** So many that a list of them is a large file: copies of a small one. */
export async function storeManyCheckouts(world: World, service: Service): Promise<void> {
  const origin = `http://127.0.0.1:${service.port}`;
  const { id } = JSON.parse(await callApi(origin, world.shop, createRequest('/checkout', 1))) as { id: string };
  await seedCheckouts(world.db, { of: id, first: 0, count: exportedCheckouts, id: 'scattered' });
}

/** A photograph of 24 megapixels: noise, which no encoder makes small quickly. */
async function largeImage(): Promise<Buffer> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 20 };
  const size = { width: 6_000, height: 4_000, channels: 3 as const, background: '#888' };
  return sharp({ create: { ...size, noise } })
    .jpeg({ quality: 60 })
    .toBuffer();
}

async function preview(visitor: Visitor, merchantId: string, image: Buffer): Promise<Asked> {
  const data = new FormData();
  data.set('account', merchantId);
  data.set('background', new Blob([new Uint8Array(image)]), 'background.jpg');
  const { headers, body } = new Request('http://localhost/', { method: 'POST', body: data }) as unknown as {
    headers: Headers;
    body: ReadableStream<Uint8Array>;
  };
  const sent = Buffer.from(await new Response(body as never).arrayBuffer());
  return {
    method: 'POST',
    path: '/account/settings/payment-page/preview',
    body: sent,
    headers: { ...visitor.headers, 'content-type': headers.get('content-type') ?? '', 'sec-fetch-site': 'same-origin' },
  };
}

function orderExport(visitor: Visitor, merchantId: string): Asked {
  const fields = { account: merchantId, form: newFormName(new Date()), list: 'checkouts', format: 'csv', asked: '' };
  return {
    method: 'POST',
    path: '/account/reports/exports',
    body: String(new URLSearchParams(fields)),
    headers: {
      ...visitor.headers,
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
    },
  };
}
