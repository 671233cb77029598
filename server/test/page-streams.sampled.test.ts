/** Many open payment pages: they are told of changes, and the database does not notice how many they are. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { isSample } from './depth.ts';
import { aCharge, type Gateway, startGateway } from './gateway.ts';
import { startServiceProcess, until } from './service-process.ts';

const viewers = isSample() ? 300 : 10_000;
const ofOneCheckout = 100;

/** An open page, as little of one as possible: ten thousand of them live in this process. */
type Viewer = { readonly checkoutId: string; readonly socket: Socket; received: string };

async function openViewer(url: URL, checkoutId: string): Promise<Viewer> {
  const socket = connect(Number(url.port), url.hostname);
  const viewer = { checkoutId, socket, received: '' };
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    viewer.received += chunk;
  });
  socket.on('error', () => undefined); // The end of the test cuts them off.
  socket.write(`GET /ajax/checkout/${checkoutId}/events HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`);
  await once(socket, 'data');
  assert.match(viewer.received, /^HTTP\/1\.1 200 .*\r\n[^]*content-type: text\/event-stream\r\n/);
  return viewer;
}

const messages = ({ received }: Viewer): string[] =>
  Array.from(received.matchAll(/^data: (.*)$/gm), ([, data]) => data ?? '');

/** What PostgreSQL has answered in this database: outside of transactions, every statement counts as one. */
async function answered(gateway: Gateway): Promise<number> {
  await gateway.db`select pg_stat_force_next_flush()`;
  const [row] = await gateway.db<{ count: string }>`
    select xact_commit::text as count from pg_stat_database where datname = current_database()`;
  return Number(row?.count);
}

/** The same checkout many times over: to make thousands through the API would take longer than the test. */
async function copyCheckout(gateway: Gateway, id: string, count: number): Promise<string[]> {
  const rows = await gateway.db<{ id: string }>`
    insert into checkout
    select (jsonb_populate_record(checkout, jsonb_build_object('id', 'copy' || lpad(number::text, 8, '0')))).*
      from checkout, generate_series(1, ${count}::integer) as number
     where checkout.id = ${id}
    returning id`;
  await gateway.db`
    insert into timeline (merchant_id, checkout_id, at, what)
    select merchant_id, id, created_at, 'created' from checkout where id like 'copy%'`;
  return rows.map((row) => row.id);
}

async function gauge(url: URL, name: string): Promise<number> {
  const metrics = await (await fetch(`${url.origin}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]);
}

const residentMegabytes = async (url: URL): Promise<number> =>
  Math.round((await gauge(url, 'process_resident_memory_bytes')) / 1_048_576);

test(`${viewers} open pages share their questions to the database, and each hears of what concerns it`, async () => {
  // Without this, a process that may not open so many files would wait in silence. Node takes what the system allows.
  const filesMax = execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim();
  assert.ok(
    filesMax === 'unlimited' || Number(filesMax) > viewers + 500,
    `ulimit -Hn is ${filesMax}: too low for this`,
  );
  const gateway = await startGateway();
  after(() => gateway.stop());
  const { id: paid } = await gateway.post('/checkout/hosted', aCharge('25.00 USD', { checkoutLanguage: 'en' }));
  const others = await copyCheckout(gateway, paid, viewers - ofOneCheckout);
  const { depositInstructions } = await gateway.post('/checkout/commit', { checkoutId: paid, network: 'BITCOIN' });

  const service = await startServiceProcess({ ...gateway.env, PAGE_VIEWERS_PER_ADDRESS: String(viewers) }, 'api');
  after(() => service.kill());
  const url = new URL(service.url ?? '');
  const megabytesBefore = await residentMegabytes(url);
  const open: Viewer[] = [];
  const wanted = [...others, ...Array.from({ length: ofOneCheckout }, () => paid)];
  for (let from = 0; from < wanted.length; from += 200)
    open.push(...(await Promise.all(wanted.slice(from, from + 200).map((id) => openViewer(url, id)))));
  await until('each has heard the first word', () => open.every((viewer) => messages(viewer).length === 1));
  const megabytes = (await residentMegabytes(url)) - megabytesBefore;
  console.log(`${viewers} open pages take ${megabytes} MB.`);
  assert.ok(megabytes < 500, `${megabytes} MB`);

  const concerned = open.filter(({ checkoutId }) => checkoutId === paid);
  const toldOf = async (count: number, change: () => void): Promise<void> => {
    change();
    await gateway.runUntilIdle();
    await until('they have heard of it', () => concerned.every((viewer) => messages(viewer).length >= count));
  };
  await toldOf(2, () => gateway.bitcoin.pay(depositInstructions));
  const before = await answered(gateway);
  await toldOf(3, () => gateway.bitcoin.mine(1));
  // Since then all pages have looked at least once. One statement between them, see checkout-feed, and what the payment
  // itself needs; one for each would be as many as there are pages. PostgreSQL counts a moment late.
  const statements = (await answered(gateway)) - before;
  console.log(`${statements} statements while ${viewers} open pages hear of a block.`);
  assert.ok(statements < viewers, `${statements} statements`);
  await until('all know the same', () => new Set(concerned.map((viewer) => messages(viewer).at(-1))).size === 1);
  assert.ok(open.every((viewer) => viewer.checkoutId === paid || messages(viewer).length === 1));

  assert.equal(await gauge(url, 'quittance_page_viewers'), viewers);
  for (const { socket } of open) socket.destroy();
});

async function openStream(gateway: Gateway, id: string): Promise<IncomingMessage> {
  const request = get(`${new URL(gateway.url).origin}/ajax/checkout/${id}/events`, { agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response.on('error', () => undefined).resume(); // The end of the test cuts it off.
}

test('an address that has too many pages open is turned away, and may ask instead', async () => {
  const gateway = await startGateway({ env: { PAGE_VIEWERS_PER_ADDRESS: '1' } });
  try {
    const { id } = await gateway.post('/checkout/hosted', aCharge('25.00 USD', { checkoutLanguage: 'en' }));
    const first = await openStream(gateway, id);
    assert.equal(first.statusCode, 200);
    const second = await openStream(gateway, id);
    assert.deepEqual([second.statusCode, second.headers['retry-after']], [503, '30']);
    const origin = new URL(gateway.url).origin;
    const asked = await fetch(`${origin}/ajax/checkout/${id}/version`);
    const page = await (await fetch(`${origin}/en/checkout/${id}`)).text();
    assert.ok(page.includes(`data-version="${await asked.text()}"`), 'page and answer agree');
    first.destroy();
    await until('there is room again', async () => (await openStream(gateway, id)).statusCode === 200);
    for (const unknown of ['aaaaaaaaaaaa', 'nonsense'])
      assert.equal((await fetch(`${origin}/ajax/checkout/${unknown}/version`)).status, 404);
  } finally {
    await gateway.stop();
  }
});
