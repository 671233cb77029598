/**
 * Receipts, invoices and credit notes are issued once, numbered without gaps, never changed, and corrected by credit notes that
 * take back no more than there is. 60.00 USD are 0.001 BTC.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { createAssetCatalog } from '../src/catalog/asset-catalog.ts';
import { findDossier } from '../src/checkouts/checkout-store.ts';
import { saveContact } from '../src/checkouts/contact-store.ts';
import { readConfig } from '../src/config.ts';
import type { Tx } from '../src/db/database.ts';
import { createNetworkHealth } from '../src/deposits/network-health.ts';
import { present } from '../src/lib/assert.ts';
import { newId } from '../src/lib/ids.ts';
import { changeSettings } from '../src/merchants/change-settings.ts';
import { compare, decimal, sum } from '../src/money/decimal.ts';
import { nextNote } from '../src/papers/credit-note.ts';
import { waitedForByErasing } from '../src/papers/erase-customer.ts';
import { creditByHand, type HandNote, type IssueDeps, issuePaper } from '../src/papers/issue-paper.ts';
import { seriesOf } from '../src/papers/paper-series.ts';
import { insertPaper, papersOfCheckout, type StoredPaper, takePaperTurn } from '../src/papers/paper-store.ts';
import { atLeastOne } from './at-least-one.ts';
import { deepTest } from './depth.ts';
import { meetAt } from './meet-at.ts';
import { readPdf } from './pdf-text.ts';
import { aBitcoinAddress, type RefundWorld, startRefundWorld } from './refund-world.ts';
import type { Shop } from './shop.ts';

let world: RefundWorld;
let deps: IssueDeps;
before(async () => {
  world = await startRefundWorld();
  const { gateway } = world;
  const { operator, anchoredAssets } = readConfig(gateway.env);
  const assets = createAssetCatalog(operator, anchoredAssets);
  const { db, clock } = gateway;
  deps = { db, clock, assets, connectors: new Map(), health: createNetworkHealth(clock), isSandbox: true };
});
after(() => world.gateway.stop());

const origin = (): string => new URL(world.gateway.url).origin;
const read = (path: string): Promise<Response> => fetch(`${origin()}${path}`);
const textOf = async (path: string): Promise<string> => (await read(path)).text();

/** 50.00 net and 20 % make 60.00. */
const taxed = {
  lineItems: [
    { description: 'Beans', netAmount: '12.50', quantity: '2' },
    { description: 'Grinder', netAmount: '20.00' },
  ],
  shippingCostItems: [{ description: 'Parcel', netAmount: '5.00', taxable: true }],
  taxItems: [{ name: 'VAT', percent: '0.2' }],
};

async function opened(
  shop: Shop,
  {
    customerId,
    sold = taxed,
    more = {},
  }: { customerId?: string; sold?: Record<string, unknown>; more?: Record<string, unknown> } = {},
) {
  const charge = { billingCurrency: 'USD', ...sold, ...(customerId && { customerId }) };
  const { id } = await shop.post('/checkout/hosted', { charge, checkoutLanguage: 'en', ...more });
  return shop.commit(id, 'BITCOIN');
}

async function paid(shop: Shop, wish: Parameters<typeof opened>[1] = {}): Promise<string> {
  const checkout = await opened(shop, wish);
  await world.pay(checkout, '0.001');
  await world.mine(1);
  return checkout.id;
}

const aCustomer = async (shop: Shop, email = 'ada@customer.example'): Promise<string> =>
  (await shop.post('/customer', { customer: { email, firstname: 'Ada', lastname: 'Lovelace', city: 'London' } }))
    .customerId;

const issued = (shop: Shop, id: string): Promise<StoredPaper[]> =>
  papersOfCheckout(world.gateway.db, { merchantId: shop.merchant.merchantId, id });
const numbers = async (shop: Shop, id: string): Promise<string[]> =>
  (await issued(shop, id)).map(({ number }) => number);

async function refund(shop: Shop, checkoutId: string, amount?: string): Promise<void> {
  await shop.post('/refund', { checkoutId, address: aBitcoinAddress(), ...(amount && { amount }) });
  await world.send();
  world.gateway.clock.advance({ seconds: 1 });
}

const credit = (shop: Shop, note: HandNote, requestId = newId()): Promise<StoredPaper> =>
  creditByHand(
    deps,
    { merchantId: shop.merchant.merchantId, actor: 'operator', begin: world.gateway.db.begin, requestId },
    note,
  );

test('a receipt is issued when somebody first asks, an invoice when the order is paid, each once and with its number', async () => {
  const shop = await world.shop();
  const plain = await paid(shop);
  assert.deepEqual(await issued(shop, plain), [], 'nobody has asked, and nobody is known');
  for (const _ of [1, 2])
    assert.match(await textOf(`/en/checkout/${plain}/receipt`), /<dt>Number<\/dt><dd>RCT-2026-00001</);
  const pdf = readPdf(Buffer.from(await (await read(`/de/checkout/${plain}/receipt?format=pdf`)).arrayBuffer()));
  assert.match(pdf.text, /Nummer[^]*RCT-2026-00001[^]*Ausstellungsdatum[^]*1\. März 2026/);
  assert.deepEqual(await numbers(shop, plain), ['RCT-2026-00001']);

  const named = await paid(shop, { customerId: await aCustomer(shop) });
  assert.deepEqual(await numbers(shop, named), ['INV-2026-00001']);
  await textOf(`/en/checkout/${named}/receipt`);
  assert.deepEqual(await numbers(shop, named), ['INV-2026-00001', 'RCT-2026-00002']);
  const [invoice, receipt] = await issued(shop, named);
  assert.deepEqual([invoice?.facts.buyer?.fields.lastname, receipt?.facts.buyer], ['Lovelace', null]);
  const { lines, net, taxes, total } = invoice?.facts ?? assert.fail();
  assert.deepEqual([lines.length, net, taxes[0]?.amount, total], [3, '50.00', '10.00', '60.00']);
});

test('what was issued stays as it was, whatever becomes of the shop and its customer', async () => {
  const shop = await world.shop({ pageSettings: { shopName: 'Old name', displayBuyerInfo: true } });
  const customerId = await aCustomer(shop);
  const id = await paid(shop, { customerId });
  await changeSettings(world.gateway, shop.merchant.merchantId, { pageSettings: { shopName: 'New name' } }, 'operator');
  await shop.request('PUT', '/customer', { customer: { id: customerId, lastname: 'King' } });
  const page = await textOf(`/en/invoice/${id}`);
  assert.match(page, /Old name[^]*Ada Lovelace/);
  assert.doesNotMatch(page, /King/);
});

test('a paper names the business first, and as such only what its people have set, whatever a charge calls the shop', async () => {
  const postalAddress = 'Nord GmbH\nHafenstr. 1\n20457 Hamburg';
  const shop = await world.shop({ name: 'Nord GmbH', pageSettings: { displayBuyerInfo: true, postalAddress } });
  const customerId = await aCustomer(shop);
  const id = await paid(shop, { customerId, more: { pageSettings: { shopName: 'Rival AG' } } });
  const seller = async (path: string): Promise<string> =>
    /<dt>Sold by<\/dt><dd>([^]*?)<\/dd>/.exec(await textOf(path))?.[1] ?? '';
  assert.match(await seller(`/en/invoice/${id}`), /^Nord GmbH<br>Rival AG<br>Hafenstr\. 1<br>20457 Hamburg/);
  assert.match(await seller(`/en/checkout/${id}/receipt`), /^Nord GmbH<br>Rival AG/);
  for (const { id: paperId } of atLeastOne(await issued(shop, id)))
    assert.equal((await shop.get(`/paper?id=${paperId}`)).paper.sellerName, 'Nord GmbH');
  const same = await paid(shop, { customerId, more: { pageSettings: { shopName: 'NORD  GmbH' } } });
  assert.match(await seller(`/en/invoice/${same}`), /^Nord GmbH<br>Hafenstr\. 1/);
});

test('the page and the job ask at the same moment, and there is one invoice', async () => {
  const shop = await world.shop();
  const customerId = await aCustomer(shop);
  const checkout = await opened(shop, { customerId });
  await world.pay(checkout, '0.001');
  world.gateway.bitcoin.mine(1);
  const nobodyCounts = (tx: Tx) => tx`lock table paper_series in share row exclusive mode`;
  const look = async (): Promise<number> => (await read(`/en/invoice/${checkout.id}`)).status;
  const [, ...answers] = await meetAt<unknown>(world.gateway.db, nobodyCounts, [
    () => world.gateway.runUntilIdle(),
    look,
    look,
  ]);
  assert.deepEqual(answers, [200, 200]);
  assert.deepEqual(await numbers(shop, checkout.id), ['INV-2026-00001']);
});

test('many at once are numbered without a gap, whoever of them fails or dies', async () => {
  const { db } = world.gateway;
  const shop = await world.shop();
  const { merchantId } = shop.merchant;
  const id = await paid(shop);
  await textOf(`/en/checkout/${id}/receipt`);
  const [receipt] = await issued(shop, id);
  assert.ok(receipt);
  const attempt = (at: number, fails: boolean) =>
    db.begin(async (tx) => {
      const note = { ...receipt, kind: 'creditNote', correctsId: receipt.id, series: 'N-' } as const;
      await insertPaper(tx, { ...note, id: newId(), cause: `hand:${at}` });
      if (fails) throw new Error('changed my mind');
    });
  const outcomes = await Promise.allSettled(Array.from({ length: 60 }, (_, at) => attempt(at, at % 3 === 0)));
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 40);

  const dying = db.begin(async (tx) => {
    await insertPaper(tx, { ...receipt, id: newId(), cause: 'dead', series: 'N-' });
    await tx`select pg_terminate_backend(pg_backend_pid())`;
  });
  await assert.rejects(dying);
  await attempt(99, false);
  const taken = (await issued(shop, id)).filter(({ series }) => series === 'N-').map(({ number }) => number);
  const wanted = Array.from({ length: 41 }, (_, at) => `N-${String(at + 1).padStart(5, '0')}`);
  assert.deepEqual(taken.toSorted(), wanted);

  const counted = db`update paper_series set last_number = last_number + 1 where merchant_id = ${merchantId} and series = 'N-'`;
  await assert.rejects(counted, /number 42 of the series N- has no paper/, 'a number without a paper');
  const skipped = db`update paper_series set last_number = 50 where merchant_id = ${merchantId} and series = 'N-'`;
  await assert.rejects(skipped, /one by one/);
  await assert.rejects(db`delete from paper_series where merchant_id = ${merchantId}`, /one by one/);
  await assert.rejects(db`update paper set total = 1 where merchant_id = ${merchantId}`, /never changed/);
  await assert.rejects(db`delete from paper where merchant_id = ${merchantId}`, /never changed/);
  await assert.rejects(db`truncate paper cascade`, /never changed/);
  const typed = (number: number) => db`
    insert into paper (merchant_id, id, kind, checkout_id, generation, cause, series, number, issued_at, currency, total, facts)
    select merchant_id, ${newId()}, kind, checkout_id, generation, 'typed', 'N-', ${number}, issued_at, currency, total, facts
      from paper where merchant_id = ${merchantId} and id = ${receipt.id}`;
  for (const number of [42, 43]) await assert.rejects(typed(number), /was not taken for this paper/, String(number));
});

test('days follow each other as numbers do: the time is that of whose turn it is, on whichever machine', async () => {
  const { db, clock } = world.gateway;
  const shop = await world.shop();
  const { merchantId } = shop.merchant;
  const [first, second] = [await paid(shop), await paid(shop)];
  const [waited] = await meetAt<{ paper: StoredPaper } | null>(db, (tx) => takePaperTurn(tx, merchantId), [
    () => issuePaper(deps, { merchantId, checkoutId: first, kind: 'receipt' }),
    async () => {
      clock.advance({ seconds: 5 });
      return null;
    },
  ]);
  assert.deepEqual(waited?.paper.issuedAt, clock.now(), 'who waits reads the clock afterwards');
  const slow = { now: () => new Date(clock.now().getTime() - 60_000) };
  const after = await issuePaper({ ...deps, clock: slow }, { merchantId, checkoutId: second, kind: 'receipt' });
  assert.deepEqual(after?.paper.issuedAt, waited?.paper.issuedAt, 'not before the last one of its series');
});

deepTest('refunds in three parts have three credit notes, which together are the mirror of the invoice', async () => {
  const shop = await world.shop({ pageSettings: { displayBuyerInfo: true } });
  await paid(shop); // The shop needs fees' worth more than it gives back.
  const id = await paid(shop, { customerId: await aCustomer(shop) });
  for (const amount of ['0.00033333', '0.00033333']) await refund(shop, id, amount);
  assert.match(await textOf(`/en/invoice/${id}`), /class="stamp">Paid</);
  await refund(shop, id);
  assert.equal(await shop.state(id), 'REFUNDED');

  const [invoice, ...notes] = await issued(shop, id);
  assert.deepEqual(
    [invoice, ...notes].map((paper) => [paper?.number, paper?.facts.total]),
    [
      ['INV-2026-00001', '60.00'],
      ['CRN-2026-00001', '20.00'],
      ['CRN-2026-00002', '20.00'],
      ['CRN-2026-00003', '20.00'],
    ],
  );
  const added = (of: (paper: StoredPaper) => string | undefined) => sum(notes, (note) => decimal(of(note) ?? '0'));
  assert.equal(
    compare(
      added(({ facts }) => facts.net),
      decimal('50'),
    ),
    0,
  );
  assert.equal(
    compare(
      added(({ facts }) => facts.taxes[0]?.amount),
      decimal('10'),
    ),
    0,
  );
  const page = await textOf(`/en/invoice/${id}`);
  assert.match(page, /class="stamp back">Refunded<[^]*CRN-2026-00001 \(\$20\.00\)/);
  const link = /href="(\/en\/invoice\/[^"]*note=[^"]*)"/.exec(page)?.[1] ?? assert.fail('a link to a note');
  const note = await textOf(link.replaceAll('&amp;', '&'));
  assert.match(
    note,
    /<h1>Credit note<\/h1>[^]*Invoice INV-2026-00001 of March 1, 2026[^]*Ada Lovelace[^]*Part of the amount/,
  );
  assert.equal(
    (await read(`${link}&format=pdf`)).headers.get('content-disposition'),
    'inline; filename="CRN-2026-00001.pdf"',
  );
  assert.equal(
    (await read(`/en/checkout/${id}/receipt?note=${notes[0]?.id}`)).status,
    404,
    'not where everybody looks',
  );
});

test('a receipt that is asked for after the refund is issued with its credit note; without one there is none', async () => {
  const shop = await world.shop();
  await paid(shop);
  const id = await paid(shop);
  await refund(shop, id);
  assert.deepEqual(await issued(shop, id), []);
  assert.match(await textOf(`/en/checkout/${id}/receipt`), /class="stamp back">Refunded</);
  assert.deepEqual(await numbers(shop, id), ['RCT-2026-00001', 'CRN-2026-00001']);
});

test('what the chain takes back has a credit note, and what it brings again another invoice', async () => {
  const shop = await world.shop({ pageSettings: { displayBuyerInfo: true } });
  const id = await paid(shop, { customerId: await aCustomer(shop) });
  world.gateway.clock.advance({ minutes: 1 });
  world.gateway.bitcoin.chain.reorganise(1);
  await world.gateway.runUntilIdle();
  world.gateway.clock.advance({ minutes: 1 });
  await world.mine(1);
  assert.match(await shop.state(id), /^COMPLETED/);
  const papers = await issued(shop, id);
  assert.deepEqual(
    papers.map(({ number, cause, facts }) => [number, cause, facts.total]),
    [
      ['INV-2026-00001', 'settlement:1', '60.00'],
      ['CRN-2026-00001', 'reversal:1', '60.00'],
      ['INV-2026-00002', 'settlement:2', '60.00'],
    ],
  );
  assert.deepEqual(papers[1]?.facts.lines, papers[0]?.facts.lines, 'the mirror of the first');
  assert.match(await textOf(`/en/invoice/${id}`), /class="stamp">Paid<[^]*INV-2026-00002/);
  const older = await textOf(`/en/invoice/${id}?paper=${papers[0]?.id}`);
  assert.match(older, /class="stamp back">Cancelled<[^]*INV-2026-00001[^]*CRN-2026-00001/);
  const other = await paid(shop);
  assert.equal((await read(`/en/invoice/${other}?paper=${papers[0]?.id}`)).status, 404, 'of another checkout');
});

test('a person takes back a part or the rest, never more, and later refunds find nothing left', async () => {
  const shop = await world.shop({ pageSettings: { displayBuyerInfo: true } });
  await paid(shop);
  const id = await paid(shop, { customerId: await aCustomer(shop) });
  const [invoice] = await issued(shop, id);
  assert.ok(invoice);
  const about = { paperId: invoice.id, reason: 'Two beans were missing' };
  const first = await credit(shop, { ...about, amount: '6.00' }, 'request-1');
  assert.deepEqual([first.number, first.facts.net, first.facts.taxes[0]?.amount], ['CRN-2026-00001', '5.00', '1.00']);
  assert.equal((await credit(shop, { ...about, amount: '6.00' }, 'request-1')).id, first.id, 'asked again');
  const refused = (note: Partial<HandNote>, sentence: RegExp) =>
    assert.rejects(credit(shop, { ...about, amount: null, ...note }), sentence);
  await refused({ amount: '54.01' }, /^GatewayError: At most 54\.00 USD can be taken back/);
  for (const amount of ['0', '-1', '1.001', 'x']) await refused({ amount }, /must be a positive number with at most 2/);
  await refused({ paperId: first.id }, /but not another credit note/);
  await refused({ paperId: 'aaaaaaaaaaaa' }, /There is no paper/);
  await refused({ reason: 'x'.repeat(201) }, /at most 200 characters/);

  await refund(shop, id, '0.0005');
  assert.deepEqual(
    (await issued(shop, id)).map(({ facts }) => facts.total),
    ['60.00', '6.00', '30.00'],
  );
  const [last, lost] = await meetAt(
    world.gateway.db,
    (tx) => tx`select from checkout where id = ${id} for update`,
    [1, 2].map(() => () => credit(shop, { ...about, amount: null }).catch((error: Error) => error)),
  );
  assert.ok(!(last instanceof Error) && last?.facts.total === '24.00');
  assert.ok(lost instanceof Error);
  assert.match(lost.message, /have taken back all of INV-2026-00001/);
  const stamped = async (): Promise<[page: string | undefined, api: string]> => [
    /class="stamp back">(\w+)</.exec(await textOf(`/en/invoice/${id}`))?.[1],
    (await shop.get(`/paper?id=${invoice.id}`)).paper.mark,
  ];
  assert.deepEqual(await stamped(), ['Cancelled', 'CANCELLED'], 'not all of it was sent back');
  await refund(shop, id);
  assert.equal((await issued(shop, id)).length, 4, 'the refund took nothing that was left');
  assert.deepEqual(await stamped(), ['Refunded', 'REFUNDED'], 'the money is back, whoever credited it');
  const audit = await world.gateway
    .db`select detail from audit_log where action = 'paper.credited' and detail ->> 'id' = ${first.number}
                                        and merchant_id = ${shop.merchant.merchantId}`;
  assert.equal(audit.length, 1);
});

test('a refund of less than a cent is taken back with the next one', async () => {
  const shop = await world.shop();
  await paid(shop);
  const id = await paid(shop, { customerId: await aCustomer(shop) });
  const [invoice] = await issued(shop, id);
  assert.ok(invoice);
  const { merchantId } = shop.merchant;
  await refund(shop, id, '0.0004');
  // As if a part of it had been given back before: the smallest that a network sends is more than a cent.
  const dossier = present(await findDossier(world.gateway.db, merchantId, id), 'the checkout');
  const [whole] = dossier.refunds;
  assert.ok(whole);
  const tiny = { ...whole, id: 'tiny00000000', covers: whole.covers.map((cover) => ({ ...cover, units: '5' })) };
  const first = { ...dossier, refunds: [{ ...tiny, endedAt: new Date(0) }] };
  assert.equal(nextNote(deps, first, [invoice]), null);
  assert.equal(nextNote(deps, { ...first, refunds: [...first.refunds, whole] }, [invoice])?.amount, '24.00');
});

test('where the shop accepted less, the invoice is over what was paid', async () => {
  const shop = await world.shop({ underpaidAcceptPercent: '50' });
  const checkout = await opened(shop, { customerId: await aCustomer(shop) });
  await world.pay(checkout, '0.0006');
  await world.mine(1);
  await world.pass({ minutes: 61 });
  assert.match(await shop.state(checkout.id), /^RESOLVED/);
  const [invoice] = await issued(shop, checkout.id);
  const { total, asked, net, taxes, lines } = invoice?.facts ?? assert.fail();
  assert.deepEqual([total, asked, net, taxes[0]?.amount], ['36.00', '60.00', '30.00', '6.00']);
  assert.deepEqual([lines.at(-1)?.kind, lines.at(-1)?.amount], ['accepted', '-20.00']);
});

test('a series is of its year where the shop is, kinds may share one, and a bad prefix is refused', async () => {
  const atNewYear = new Date('2026-12-31T16:00:00Z');
  const inTokyo = { pageSettings: { timeZone: 'Asia/Tokyo', invoicePrefix: 'R{year}/' } };
  assert.equal(seriesOf(inTokyo, 'invoice', atNewYear), 'R2027/');
  assert.equal(seriesOf({ pageSettings: {} }, 'invoice', atNewYear), 'INV-2026-');

  const shop = await world.shop({ pageSettings: { receiptPrefix: 'P-', invoicePrefix: 'P-', timeZone: 'Asia/Tokyo' } });
  const id = await paid(shop, { customerId: await aCustomer(shop) });
  await textOf(`/en/checkout/${id}/receipt`);
  assert.deepEqual(await numbers(shop, id), ['P-00001', 'P-00002']);
  const { merchantId } = shop.merchant;
  const set = (invoicePrefix: string) =>
    changeSettings(world.gateway, merchantId, { pageSettings: { invoicePrefix } }, 'operator');
  for (const bad of ['', 'INV 1-', 'INV-{month}-', 'x'.repeat(21), 'INV-2026', 'INV-{year}', '<b>-', 'Ü-'])
    await assert.rejects(set(bad), /A prefix of numbers has at most 20 characters/, bad);
  for (const good of ['INV-', '{year}/A.', 'a_b-', 'x'.repeat(20)]) await set(good);
});

/** The tables in which a row has this text. */
async function tablesWith(text: string): Promise<string[]> {
  const { db } = world.gateway;
  const tables = await db<{
    name: string;
  }>`select tablename as name from pg_tables where schemaname = 'public' order by 1`;
  const [row] = await db<{ found: string[] }>`
    select array_agg(name order by name) as found
      from unnest(${tables.map(({ name }) => name)}::text[]) as name
     where (xpath('/row/c/text()', query_to_xml(
              format('select count(*) as c from %I as t where strpos(lower(t::text), lower(%L)) > 0', name, ${text}::text),
              false, true, '')))[1]::text <> '0'`;
  return row?.found ?? [];
}

test('a deleted customer is forgotten once the last order is over, but for the papers that were issued', async () => {
  const { db, clock, runUntilIdle } = world.gateway;
  const shop = await world.shop({ pageSettings: { displayBuyerInfo: true } });
  const email = 'grace@forgotten.example';
  const { customerId } = await shop.post('/customer', {
    customer: { email, lastname: 'Hopperin', meta: { is: 'Hopperin' } },
  });
  const first = await paid(shop, { customerId });
  const open = await opened(shop, { customerId });
  const late = await opened(shop, { customerId });
  const key = { merchantId: shop.merchant.merchantId, id: open.id };
  const left = { email: email.toUpperCase(), refundNetwork: null, refundAddress: null, language: 'en' };
  await saveContact(db, key, left, clock.now());
  await world.pay(open, '0.001');
  assert.equal((await shop.request('DELETE', '/customer', { id: customerId })).status, 200);
  await runUntilIdle();
  assert.ok((await tablesWith(email)).includes('checkout_contact'));
  assert.ok((await tablesWith('hopperin')).includes('customer'), 'an order is still open, and has no invoice yet');

  await world.mine(1);
  await world.pass({ hours: 2 });
  assert.match(await shop.state(late.id), /^EXPIRED/);
  await world.pass({ hours: 2 });
  assert.deepEqual(await tablesWith('hopperin'), ['paper']);
  assert.deepEqual(await tablesWith(email), ['paper']);
  const [row] = await db`select email, fields, meta from customer where id = ${customerId}`;
  assert.deepEqual(row, { email: '', fields: {}, meta: null });
  for (const id of [first, open.id]) {
    assert.match(await textOf(`/en/invoice/${id}`), /Hopperin/);
    const page = await textOf(`/en/checkout/${id}`);
    assert.match(page, new RegExp(`href="/en/invoice/${id}"`));
    assert.doesNotMatch(page, /Hopperin/, 'the page of the payment knows nothing any more');
  }
  clock.advance({ minutes: 1 });
  await world.pay(late, '0.001');
  await world.mine(1);
  assert.match(await shop.state(late.id), /^DELAYED_COMPLETED/);
  assert.equal((await read(`/en/invoice/${late.id}`)).status, 404, 'nobody knows any more to whom');
  assert.doesNotMatch(await textOf(`/en/checkout/${late.id}`), /\/en\/invoice/);
  assert.equal((await read(`/en/checkout/${late.id}/receipt`)).status, 200);
});

deepTest(
  'nobody is waited for longer than 90 days, but for money that is being sent back; and everybody sees what is waited for',
  async () => {
    const { db, clock, runUntilIdle } = world.gateway;
    const shop = await world.shop();
    const { merchantId } = shop.merchant;
    const [short, sending] = ['short@waits.example', 'sending@waits.example'];
    const ids = [await aCustomer(shop, short), await aCustomer(shop, sending)];
    const orders = [];
    for (const customerId of ids) {
      const order = await opened(shop, { customerId });
      await world.pay(order, '0.0004');
      await world.mine(1);
      orders.push(order.id);
    }
    await world.pass({ minutes: 61 });
    for (const id of orders) assert.equal(await shop.state(id), 'UNDERPAID PARTIAL');
    for (const id of ids) await shop.request('DELETE', '/customer', { id });
    await runUntilIdle();
    const waits = async (id = '') =>
      (await waitedForByErasing(deps, { merchantId, customerId: id })).map(({ id: checkoutId, why }) => [
        checkoutId,
        why,
      ]);
    assert.deepEqual(await waits(ids[0]), [[orders[0], 'undecided']]);
    await shop.post('/refund', { checkoutId: orders[1], address: aBitcoinAddress() });
    assert.deepEqual(await waits(ids[1]), [[orders[1], 'refund']]);

    await db`update customer set deleted_at = ${new Date(clock.now().getTime() - 90 * 86_400_000)} where id = any(${ids})`;
    await world.pass({ hours: 2 });
    assert.deepEqual(await tablesWith(short), []);
    assert.ok((await tablesWith(sending)).includes('customer'), 'money is on its way to them');
    assert.deepEqual(await waits(ids[1]), [[orders[1], 'refund']]);
    await world.send();
    await world.pass({ hours: 2 });
    assert.deepEqual(await tablesWith(sending), []);
  },
);

test('whom a process of the previous release deleted is found by the hourly clean-up, once', async () => {
  const { db, app, clock, runUntilIdle } = world.gateway;
  const shop = await world.shop();
  const customerId = await aCustomer(shop, 'unheard@customer.example');
  await db`update customer set deleted_at = ${new Date(clock.now().getTime() - 3_600_000)} where id = ${customerId}`;
  await Promise.all([app.cleanUp(), app.cleanUp()]);
  const jobs = await db`select from job where name = 'customer.erase' and payload ->> 'customerId' = ${customerId}`;
  assert.equal(jobs.length, 1);
  await runUntilIdle();
  assert.deepEqual(await tablesWith('unheard@customer.example'), []);
});

deepTest('who was deleted when that only hid them is forgotten after the upgrade', async () => {
  const { db, runUntilIdle } = world.gateway;
  const shop = await world.shop();
  const customerId = await aCustomer(shop, 'hidden@customer.example');
  await db`update customer set deleted_at = now() where id = ${customerId}`;
  const migration = await readFile(new URL('../src/db/migrations/0116_erased_customers.sql', import.meta.url), 'utf8');
  const [statement] = /insert into job[^;]*;/.exec(migration) ?? assert.fail('the statement');
  await db.script(statement.replace('now()', "timestamptz '2026-01-01'"));
  await runUntilIdle();
  assert.deepEqual(await tablesWith('hidden@customer.example'), []);
});
