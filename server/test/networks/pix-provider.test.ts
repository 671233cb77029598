/** How the connector behaves with a bank that is slow, forgetful, wrong or hostile. Nothing wrong is ever credited. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, test } from 'node:test';
import { dynamicCode } from '@quittance/sandbox/pix/payer-code';
import { type PixHarness, startPixHarness } from '@quittance/sandbox/pix/pix-harness';
import type { PixSandboxOptions } from '@quittance/sandbox/pix/pix-sandbox';
import { Secret } from '../../src/lib/secret.ts';
import { createSettingsReader } from '../../src/lib/setting-table.ts';
import { rewindPixCursor } from '../../src/networks/pix/pix-cursor.ts';
import { pixSettings } from '../../src/networks/pix/pix-settings.ts';
import { NetworkError } from '../../src/networks/port/connector.ts';
import type { DepositTarget, Observed, Reversal } from '../../src/networks/port/receiving.ts';
import { createWatched } from './watched-connector.ts';

let harness: PixHarness;
let made = 0;
beforeEach(async () => {
  harness = await startPixHarness();
});
afterEach(() => harness.stop());

const request = (units: bigint, targetId: string) => ({
  targetId,
  index: 0,
  reference: targetId,
  amount: { asset: 'BRL:NATIVE', units },
  assetCode: 'BRL',
  requestedAt: new Date('2026-03-01T12:00:00Z'),
  expiresAt: new Date('2026-03-01T13:00:00Z'),
});

const createTarget = (units = 10_00n, targetId = `target-${made++}`): Promise<DepositTarget> =>
  harness.createConnector().createTarget(request(units, targetId));

/** A watcher for whom the charges that it makes are ours. */
async function watch(connector = harness.createConnector()) {
  const watched = createWatched(connector);
  await watched.observe();
  return {
    watched,
    async charge(units?: bigint): Promise<DepositTarget> {
      const target = await createTarget(units);
      watched.targets.add(target.key);
      return target;
    },
    seen: () => [...watched.payments.values()].map(({ observation }) => [observation.txHash, observation.units]),
  };
}

const reversals = (rounds: readonly Observed[]): Reversal[] => rounds.flatMap((round) => round.reversals ?? []);
const isRetried = (error: unknown): boolean => error instanceof NetworkError && error.isRetryable;
const needsOperator = (error: unknown): boolean => error instanceof NetworkError && !error.isRetryable;

test('a charge that was made, and answered with an error, is found when it is asked for again', async () => {
  harness.node.mischief.failAfterDoing = 1;
  const first = await createTarget(10_00n, 'same');
  assert.deepEqual(await createTarget(10_00n, 'same'), first);
  assert.match(first.key, /^[a-zA-Z0-9]{26,35}$/);
  assert.equal(harness.createConnector().targetUnits?.(first), 10_00n);
  harness.node.pay(first);
  assert.deepEqual(
    await createTarget(10_00n, 'same'),
    first,
    'also when it was paid meanwhile, and cannot be put again',
  );
});

test('a charge other than the one that was asked for is shown to nobody', async () => {
  const charge = (changed: Record<string, unknown>) => (path: string, answer: { status: number; body: unknown }) =>
    path.startsWith('/cob/')
      ? { status: answer.status, text: JSON.stringify({ ...(answer.body as object), ...changed }) }
      : undefined;
  const wrong: Record<string, unknown>[] = [
    { txid: 'b'.repeat(32) },
    { chave: 'somebody@else.example' },
    { valor: { original: '10.01' } },
    { valor: null },
    { valor: { original: '10.00', modalidadeAlteracao: 1 } },
    { pixCopiaECola: dynamicCode('pix.example/1', '10.01') },
    { pixCopiaECola: dynamicCode('pix.example/1', '10.00').replace('BRASILIA', 'BRASILIO') },
    { pixCopiaECola: '' },
    { pixCopiaECola: undefined, location: undefined },
    { pixCopiaECola: undefined, location: 'a place' },
  ];
  for (const changed of wrong) {
    harness.node.mischief.tamper = charge(changed);
    await assert.rejects(createTarget(), isRetried, JSON.stringify(changed));
  }
  harness.node.mischief.tamper = charge({ pixCopiaECola: dynamicCode('pix.example/1', null) });
  const { address } = await createTarget();
  assert.equal(
    address,
    dynamicCode('pix.example/1', '10.00'),
    'an amount that only the place has is put into the code',
  );
  harness.node.mischief.tamper = charge({ pixCopiaECola: undefined, location: 'pix.example/1' });
  const made = await createTarget();
  assert.equal(harness.createConnector().targetUnits?.(made), 10_00n, 'of a place alone a code is made');
});

test('no charge is made for nothing, or for more than the interface has digits', async () => {
  for (const units of [0n, -1n, 1_000_000_000_000n]) await assert.rejects(createTarget(units), needsOperator);
});

test('answers that make no sense stop the reading, and what was missed is read afterwards', async () => {
  const { watched, charge, seen } = await watch();
  const target = await charge();
  const paid = harness.node.pay(target);
  const [, other] = [await charge(), harness.node.payKey({ centavos: 5_00n, txid: 'c'.repeat(32) })];
  const { mischief } = harness.node;
  const entry = { endToEndId: paid, txid: target.key, valor: '10.00', horario: '2026-03-01T12:00:00Z' };
  const paginacao = { paginaAtual: 0, itensPorPagina: 1000, quantidadeDePaginas: 1, quantidadeTotalDeItens: 1 };
  const page = (pix: unknown, changed: object = {}) =>
    JSON.stringify({ parametros: { paginacao: { ...paginacao, ...changed } }, pix });
  const wrong = [
    page([{ ...entry, valor: 10 }]),
    page([{ ...entry, valor: '-10.00' }]),
    page([{ ...entry, valor: '10.0' }]),
    page([{ ...entry, valor: '99999999999999999999.00' }]),
    page([{ ...entry, txid: 7 }]),
    page([{ ...entry, endToEndId: 'E1' }]),
    page([{ ...entry, horario: 'yesterday' }]),
    page([entry, { ...entry, valor: '20.00' }], { quantidadeTotalDeItens: 2 }),
    page([entry, { ...entry, txid: 'c'.repeat(32) }], { quantidadeTotalDeItens: 2 }),
    page('Pix'),
    page([entry], { quantidadeDePaginas: '1' }),
    page([entry], { quantidadeTotalDeItens: -1 }),
    JSON.stringify({ pix: [entry] }),
    '<html>Manutenção</html>',
    'null',
    '"10.00"',
    '',
  ].map((text) => ({ status: 200, text }));
  const others = [
    { status: 302, text: '', headers: { location: `${harness.node.baseUrl}/elsewhere` } },
    { status: 204, text: '' },
    { status: 404, text: '{}' },
    { status: 500, text: 'oops' },
    { status: 503, text: '{"title":"Serviço Indisponível"}' },
  ];
  for (const untruth of [...wrong, ...others]) {
    mischief.tamper = (path) => (path === '/pix' ? untruth : undefined);
    await assert.rejects(watched.ask(), isRetried, untruth.text);
    assert.deepEqual(seen(), []);
  }
  const none = page(null, { quantidadeDePaginas: 0, quantidadeTotalDeItens: 0 });
  mischief.tamper = (path) => (path === '/pix' ? { status: 200, text: none } : undefined);
  await watched.ask();
  mischief.tamper = () => undefined;
  await watched.observe();
  assert.deepEqual(seen(), [[paid, 10_00n]], `${other} is not ours`);
});

test('what is wrong with Pix of others concerns nobody here', async () => {
  const { watched, charge, seen } = await watch();
  const paid = harness.node.pay(await charge());
  harness.node.mischief.tamper = (path, { status, body }) => {
    if (path !== '/pix') return undefined;
    const { pix, parametros } = body as {
      pix: object[];
      parametros: { paginacao: { quantidadeTotalDeItens: number } };
    };
    const foreign = { endToEndId: `E${'x'.repeat(31)}`, txid: 'of another program', valor: -3, horario: '9999-12-31' };
    parametros.paginacao.quantidadeTotalDeItens += 1;
    return { status, text: JSON.stringify({ parametros, pix: [foreign, ...pix] }) };
  };
  await watched.observe();
  assert.deepEqual(seen(), [[paid, 10_00n]]);
});

test('the same charge paid twice, as banks sometimes let it happen, is two payments', async () => {
  const { watched, charge, seen } = await watch();
  const target = await charge();
  const first = harness.node.pay(target);
  assert.throws(() => harness.node.pay(target), /refused/);
  const second = harness.node.payKey({ centavos: 10_00n, txid: target.key });
  await watched.observe();
  assert.deepEqual(new Set(seen().map(([name]) => name)), new Set([first, second]));
});

test('pages may shift while they are read: nothing is lost and nothing counts twice', async () => {
  for (const order of ['newest', 'oldest', 'turning'] as const) {
    const { mischief } = harness.node;
    mischief.order = 'newest';
    const { watched, charge, seen } = await watch();
    const targets = [];
    for (let count = 0; count < 12; count += 1) targets.push(await charge());
    mischief.pageSize = 3;
    mischief.order = order;
    const paid = targets.map((target) => harness.node.pay(target));
    let strangers = 0;
    mischief.onPage = (page) => {
      if (page > 0 && strangers++ < 2) harness.node.payKey({ centavos: 1n });
    };
    await watched.observe();
    mischief.onPage = () => undefined;
    const { readTo } = (await watched.ask()).cursor as { readTo: number };
    mischief.order = 'newest';
    harness.advance({ minutes: 30 });
    await watched.observe();
    assert.deepEqual(new Set(seen().map(([name]) => name)), new Set(paid), `${order}, read to ${readTo}`);
    assert.equal(seen().length, paid.length);
    mischief.pageSize = 1_000;
  }
});

test('a list that never holds still is not taken for read', async () => {
  const { watched, charge } = await watch();
  for (let count = 0; count < 4; count += 1) harness.node.pay(await charge());
  harness.advance({ minutes: 10 });
  const before = (await watched.observe()).at(-1)?.cursor as { readTo: number; newest: number };
  harness.node.payKey({ centavos: 1n, at: Date.parse('2026-03-01T12:05:00Z') });
  for (let count = 0; count < 4; count += 1) harness.node.pay(await charge());
  harness.advance({ minutes: 5 });
  let asked = 0; // One of two is left out by turns, and one more is counted.
  harness.node.mischief.tamper = (path, { status, body }) => {
    if (path !== '/pix') return undefined;
    const { pix, parametros } = body as {
      pix: object[];
      parametros: { paginacao: { quantidadeTotalDeItens: number } };
    };
    parametros.paginacao.quantidadeTotalDeItens += 1;
    asked += 1;
    return { status, text: JSON.stringify({ parametros, pix: pix.filter((_, at) => at !== asked % 2) }) };
  };
  const { cursor, isCaughtUp, observations } = await watched.ask();
  const { readTo, newest } = cursor as typeof before;
  assert.deepEqual({ readTo, newest }, { readTo: before.readTo, newest: before.newest });
  assert.equal(isCaughtUp, true, 'the bank is not asked without a pause');
  assert.equal(observations.length, 4, 'what was seen is good');
});

test('the clocks of the service, of the answers and of the bookings may differ, and jump', async () => {
  const hour = 3_600_000;
  for (const clockAheadMs of [-30 * hour, -3 * hour, 3 * hour, 30 * hour]) {
    const connector = harness.createConnector({ now: () => new Date('2031-01-01T00:00:00Z') });
    const { watched, charge, seen } = await watch(connector);
    const paid: string[] = [];
    const { mischief } = harness.node;
    for (const ahead of [0, clockAheadMs, clockAheadMs, 0, 0]) {
      mischief.clockAheadMs = ahead;
      paid.push(harness.node.pay(await charge()));
      await watched.observe();
      harness.advance({ minutes: 20 });
    }
    assert.deepEqual(
      seen().map(([name]) => name),
      paid,
      `${clockAheadMs / hour} hours`,
    );
  }
});

test('a bank whose bookings have the time of another zone is read all the same', async () => {
  const { watched, charge, seen } = await watch();
  const paid: string[] = [];
  for (let count = 0; count < 5; count += 1) {
    const { key } = await charge();
    const at = Date.parse('2026-03-01T09:00:00Z') + count * 20 * 60_000;
    paid.push(harness.node.payKey({ centavos: 10_00n, txid: key, at }));
    await watched.observe();
    harness.advance({ minutes: 20 });
  }
  assert.deepEqual(
    seen().map(([name]) => name),
    paid,
  );
});

test('what is listed an hour late is found', async () => {
  const { watched, charge, seen } = await watch();
  const { key } = await charge();
  harness.advance({ minutes: 60 });
  harness.node.pay(await charge());
  await watched.observe();
  const late = harness.node.payKey({ centavos: 10_00n, txid: key, at: Date.parse('2026-03-01T12:00:00Z') });
  await lookThrough(watched);
  await lookThrough(watched);
  assert.ok(seen().some(([name]) => name === late));
});

test('after weeks away everything is read, in steps', async () => {
  const { watched, charge, seen } = await watch();
  const paid = [harness.node.pay(await charge())];
  for (let count = 0; count < 6; count += 1) {
    harness.advance({ days: 5 });
    paid.push(harness.node.pay(await charge()));
  }
  watched.restart(harness.createConnector());
  const rounds = await watched.observe();
  assert.deepEqual(new Set(seen().map(([name]) => name)), new Set(paid));
  assert.ok(rounds.length > 3 && rounds.slice(0, -1).every(({ blocksBehind }) => blocksBehind > 0));
});

test('more than one look may hold is read in shorter spans', async () => {
  const { watched, charge, seen } = await watch();
  harness.node.mischief.pageSize = 1;
  const paid = [];
  for (let count = 0; count < 50; count += 1) {
    if (count % 5 === 0) paid.push(harness.node.pay(await charge()));
    else harness.node.payKey({ centavos: 1n });
    harness.advance({ minutes: 30 });
  }
  await watched.observe();
  assert.deepEqual(new Set(seen().map(([name]) => name)), new Set(paid));
});

/** Looks until the whole past was looked at once more. */
async function lookThrough(watched: Awaited<ReturnType<typeof watch>>['watched']): Promise<Observed[]> {
  const rounds: Observed[] = [];
  harness.advance({ minutes: 11 });
  for (let look = 0; look < 30; look += 1) rounds.push(...(await watched.observe()));
  return rounds;
}

test('what the payer’s bank takes back is told, in part and again, up to 80 days later', async () => {
  const { watched, charge } = await watch();
  const paid = harness.node.pay(await charge(100_00n));
  await watched.observe();
  assert.deepEqual(reversals(await lookThrough(watched)), []);
  harness.advance({ days: 20 });
  const first = harness.node.contest(paid, { centavos: 30_00n });
  const found = reversals(await lookThrough(watched));
  assert.deepEqual(new Set(found.map(({ reversalId }) => reversalId)), new Set([first]));
  assert.deepEqual(
    [found[0]?.txHash, found[0]?.units, found[0]?.reason],
    [paid, 30_00n, 'MED_FRAUDE: Contestado pelo pagador'],
  );
  harness.advance({ days: 60 - 1 });
  const second = harness.node.contest(paid, { isFraud: false });
  const later = reversals(await lookThrough(watched));
  assert.deepEqual(
    new Map(later.map(({ reversalId, units }) => [reversalId, units])),
    new Map([
      [first, 30_00n],
      [second, 70_00n],
    ]),
  );
  harness.advance({ days: 2 });
  assert.throws(() => harness.node.contest(paid), /no longer/);
  assert.equal(watched.payments.size, 1);
});

test('what is given back in the bank’s own portal is told when it is done, and not before', async () => {
  const { watched, charge } = await watch();
  const paid = harness.node.pay(await charge());
  harness.node.giveBack(paid, 'portal1', 4_00n, null);
  const rounds = await watched.observe();
  assert.deepEqual(reversals(rounds), []);
  harness.node.endReturn(paid, 'portal1', 'NAO_REALIZADO');
  assert.deepEqual(reversals(await lookThrough(watched)), []);
  harness.node.giveBack(paid, 'portal2', 10_00n, null);
  const done = reversals(await lookThrough(watched));
  assert.deepEqual([done[0]?.units, done[0]?.reason], [10_00n, 'ORIGINAL']);
});

test('what goes back of a payment of these minutes is told at the next look', async () => {
  const { watched, charge } = await watch();
  const paid = harness.node.pay(await charge());
  await watched.observe();
  harness.advance({ minutes: 1 });
  const taken = harness.node.contest(paid, { centavos: 1n });
  assert.equal(reversals([await watched.ask()])[0]?.reversalId, taken);
  harness.advance({ minutes: 30 });
  await lookThrough(watched);
  harness.advance({ minutes: 1 });
  assert.deepEqual(reversals([await watched.ask()]), [], 'and not for ever');
});

test('a payment that was contested before it was first seen comes with its reversal', async () => {
  const { watched, charge } = await watch();
  const paid = harness.node.pay(await charge());
  const taken = harness.node.contest(paid);
  const round = await watched.ask();
  assert.deepEqual([round.observations.length, reversals([round])[0]?.reversalId], [1, taken]);
});

test('a payment is final when nothing can be contested any more', async () => {
  const { watched, charge } = await watch();
  harness.node.pay(await charge());
  await watched.observe();
  const height = [...watched.payments.values()][0]?.observation.block?.height ?? 0;
  harness.advance({ days: 119 });
  const before = (await watched.observe()).at(-1);
  assert.ok((before?.finalHeight ?? 0) < height);
  harness.advance({ days: 1 });
  const after = (await watched.observe()).at(-1);
  assert.ok((after?.finalHeight ?? 0) >= height);
});

test('an operator can have the last minutes read again', async () => {
  const { watched } = await watch();
  const target = await createTarget();
  const paid = harness.node.pay(target);
  harness.advance({ days: 3 });
  await lookThrough(watched);
  const [{ cursor } = assert.fail()] = (await watched.observe()).slice(-1);
  watched.targets.add(target.key);
  const rewound = rewindPixCursor(cursor, 4 * 24 * 60);
  assert.ok(rewound.firstBlock < Date.parse('2026-03-01T12:00:00Z') / 60_000);
  watched.resumeAt(rewound.cursor);
  await watched.observe();
  assert.deepEqual([...watched.payments.keys()], [`${paid}:0`]);
  assert.throws(() => rewindPixCursor({ nodes: {} }, 1), needsOperator);
});

test('tokens that end are renewed; a client that is not let in needs the operator', async () => {
  const { watched } = await watch();
  harness.node.endTokens();
  await watched.observe();
  harness.advance({ minutes: 61 });
  await watched.observe();
  const clientSecret = new Secret('wrong');
  await assert.rejects(createWatched(harness.createConnector({ clientSecret })).ask(), needsOperator);
  harness.node.mischief.tamper = (path) => (path === '/pix' ? { status: 403, text: '{}' } : undefined);
  await assert.rejects(watched.ask(), needsOperator);
});

test('a bank that is slow is not waited for, and one that is asked often enough is left alone', async () => {
  const slow = createWatched(harness.createConnector({ timeoutMs: 50 }));
  harness.node.mischief.slowMs = 200;
  await assert.rejects(slow.ask(), isRetried);
  harness.node.mischief.slowMs = 0;
  const { watched, charge, seen } = await watch(harness.createConnector({ pauseMs: 600_000 }));
  harness.node.pay(await charge());
  const asked = harness.node.asked();
  const { isCaughtUp, observations } = await watched.ask();
  assert.deepEqual([isCaughtUp, observations, harness.node.asked() - asked, seen()], [true, [], 0, []]);
});

const pem = (name: string) => readFile(new URL(`../vectors/lnd-tls/${name}`, import.meta.url), 'utf8');

test('bank and service know each other by their certificates', async () => {
  const [certificate, key] = [await pem('tls.cert'), await pem('tls.key')];
  const tls: Partial<PixSandboxOptions> = { tls: { certificate, key, authority: certificate } };
  const secured = await startPixHarness(tls);
  const own = { certificate, certificateKey: new Secret(key), authority: certificate };
  const target = await secured.createConnector(own).createTarget(request(10_00n, 'secured'));
  assert.ok(target.address);
  await assert.rejects(secured.createConnector({ authority: certificate }).createTarget(request(1n, 'x')), isRetried);
  const unsure = { ...own, authority: null };
  await assert.rejects(secured.createConnector(unsure).createTarget(request(1n, 'x')), isRetried);
  await secured.stop();
});

function read(env: Record<string, string>, isProduction = true) {
  const { reader, problems } = createSettingsReader(env, isProduction);
  return { settings: pixSettings.read({ ...reader, issuedCoins: [] }), problems };
}

test('wrong settings are named, and none at all mean no Pix', async () => {
  assert.deepEqual(read({}), { settings: undefined, problems: [] });
  assert.deepEqual(read({ PIX_CHAVE: 'a@b.example' }).problems, ['PIX_URL must be set, because PIX_CHAVE is.']);
  assert.deepEqual(read({ PIX_URL: 'http://bank', PIX_CERTIFICATE: '/nowhere', PIX_CITY: 'São Paulo' }).problems, [
    'PIX_URL must begin with https:// in production.',
    'PIX_CERTIFICATE names a file that cannot be read.',
    'PIX_CITY must be at most 15 letters without accents, digits and spaces.',
    'PIX_CLIENT_ID must be set, because PIX_URL is.',
    'PIX_CLIENT_SECRET must be set, because PIX_URL is.',
    'PIX_CHAVE must be set, because PIX_URL is.',
    'PIX_CERTIFICATE and PIX_CERTIFICATE_KEY must be set together.',
  ]);
  const whole = {
    PIX_URL: 'https://pix.bank.example/api/v2',
    PIX_CLIENT_ID: 'shop',
    PIX_CLIENT_SECRET: 's3cret',
    PIX_CHAVE: 'a@b.example',
  };
  assert.match(read(whole).problems.join(), /PIX_CERTIFICATE must be set in production/);
  const certificate = await pem('tls.cert');
  const files = {
    PIX_CERTIFICATE: certificate.replaceAll('\n', '\\n'),
    PIX_CERTIFICATE_KEY: new URL('../vectors/lnd-tls/tls.key', import.meta.url).pathname,
  };
  const { settings, problems } = read({ ...whole, ...files });
  assert.deepEqual(problems, []);
  assert.equal(settings?.tokenUrl, 'https://pix.bank.example/oauth/token');
  assert.equal(settings?.certificate, certificate);
  assert.equal(settings?.certificateKey?.reveal(), await pem('tls.key'));
  assert.deepEqual([settings?.pauseMs, settings?.againMs, settings?.receiver.name], [5_000, 600_000, 'RECEBEDOR']);
});
