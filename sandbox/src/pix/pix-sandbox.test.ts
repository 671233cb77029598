/** The sandbox's bank by itself: what the interface promises, and refuses, and what a death leaves. */
import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { checksum } from './payer-code.ts';
import { type PixSandbox, startPixSandbox } from './pix-sandbox.ts';

let folder: string;
let bank: PixSandbox;
let now = new Date('2026-03-01T12:00:00Z');
const advanceDays = (days: number): void => {
  now = new Date(now.getTime() + days * 86_400_000);
};
const start = () => startPixSandbox({ folder, password: 'secret', now: () => now, returnDelayMs: 60_000 });
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-pix-'));
  bank = await start();
});
after(async () => {
  await bank.stop();
  await rm(folder, { recursive: true });
});

async function token(scope?: string): Promise<string> {
  const credentials = [bank.clientId, bank.clientSecret].map(encodeURIComponent).join(':');
  const reply = await fetch(bank.tokenUrl, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...(scope && { scope }) }),
  });
  return ((await reply.json()) as { access_token: string }).access_token;
}

async function ask(
  method: string,
  path: string,
  body?: unknown,
  scope?: string,
): Promise<{ status: number; body: any }> {
  const headers = { authorization: `Bearer ${await token(scope)}`, 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const reply = await fetch(`${bank.baseUrl}${path}`, { method, headers, ...sent });
  const text = await reply.text();
  return { status: reply.status, body: text === '' ? null : JSON.parse(text) };
}

const refused = async (type: string, status: number, ...asked: Parameters<typeof ask>): Promise<void> => {
  const { body, ...reply } = await ask(...asked);
  assert.deepEqual(
    [reply.status, body.status, body.type],
    [status, status, `https://pix.bcb.gov.br/api/v2/error/${type}`],
  );
};

let made = 0;
const newTxid = (): string => `charge${String(made++).padStart(24, '0')}`;
const charge = (original = '10.00', more: object = {}) => ({
  calendario: { expiracao: 3600 },
  valor: { original, ...more },
  chave: bank.key,
});
async function open(original?: string, more?: object): Promise<{ txid: string; address: string }> {
  const txid = newTxid();
  const { status, body } = await ask('PUT', `/cob/${txid}`, charge(original, more));
  assert.equal(status, 201);
  return { txid, address: body.pixCopiaECola };
}

test('a charge is put, read, changed, listed, paid once and as a whole', async () => {
  const { txid, address } = await open();
  assert.equal(checksum(address.slice(0, -4)), address.slice(-4));
  assert.deepEqual((await ask('GET', `/cob/${txid}`)).body.status, 'ATIVA');
  assert.throws(() => bank.pay({ address, units: 9_99n }), /refused/);
  const changed = await ask('PATCH', `/cob/${txid}`, { valor: { original: '12.00' } });
  assert.deepEqual([changed.body.valor.original, changed.body.revisao], ['12.00', 1]);
  const name = bank.pay({ address });
  assert.match(name, /^E\w{31}$/);
  assert.throws(() => bank.pay({ address }), /not open/);
  const { body } = await ask('GET', `/cob/${txid}`);
  assert.deepEqual([body.status, body.pix[0].endToEndId, body.pix[0].valor], ['CONCLUIDA', name, '12.00']);
  const { body: list } = await ask('GET', '/cob?inicio=2026-03-01T00:00:00Z&fim=2026-03-02T00:00:00Z&status=CONCLUIDA');
  assert.deepEqual(
    list.cobs.map((each: any) => each.txid),
    [txid],
  );
  await refused('CobOperacaoInvalida', 400, 'PUT', `/cob/${txid}`, charge());
});

test('an amount that is left open is the payer’s, and what is removed or has expired is not paid', async () => {
  const free = await open('10.00', { modalidadeAlteracao: 1 });
  assert.equal((await ask('GET', `/pix/${bank.pay({ address: free.address, units: 7n })}`)).body.valor, '0.07');
  const removed = await open();
  await ask('PATCH', `/cob/${removed.txid}`, { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' });
  assert.throws(() => bank.pay(removed), /not open/);
  const late = await open();
  advanceDays(1);
  assert.throws(() => bank.pay(late), /expired/);
});

test('what the interface does not allow is refused in its own words', async () => {
  const txid = newTxid();
  const wrong = [
    charge('10'),
    charge('0.00'),
    charge('-1.00'),
    { ...charge(), chave: 7 },
    { ...charge(), chave: 'other' },
  ];
  for (const body of wrong) await refused('CobOperacaoInvalida', 400, 'PUT', `/cob/${txid}`, body);
  await refused('CobOperacaoInvalida', 400, 'PUT', '/cob/short', charge());
  await refused('CobNaoEncontrado', 404, 'GET', `/cob/${txid}`);
  await refused('PixNaoEncontrado', 404, 'GET', `/pix/E${'0'.repeat(31)}`);
  await refused('PixConsultaInvalida', 400, 'GET', '/pix?inicio=2026-03-02T00:00:00Z&fim=2026-03-01T00:00:00Z');
  await refused('PixConsultaInvalida', 400, 'GET', '/pix?inicio=yesterday&fim=2026-03-01T00:00:00Z');
  await refused('AcessoNegado', 403, 'PUT', `/cob/${txid}`, charge(), 'pix.read');
  await refused('NaoEncontrado', 404, 'GET', '/nothing');
  assert.equal((await fetch(`${bank.baseUrl}/cob/${txid}`)).status, 401);
});

test('what is given back waits, then is gone or was not done, and is never more than was paid', async () => {
  const name = bank.pay(await open());
  const path = (id: string) => `/pix/${name}/devolucao/${id}`;
  assert.deepEqual((await ask('PUT', path('a'), { valor: '4.00' })).body.status, 'EM_PROCESSAMENTO');
  await refused('PixDevolucaoInvalida', 400, 'PUT', path('b'), { valor: '6.01' });
  await refused('PixDevolucaoInvalida', 400, 'PUT', path('a'), { valor: '1.00' });
  await refused('PixDevolucaoNaoEncontrada', 404, 'GET', path('c'));
  bank.endReturn(name, 'a', 'NAO_REALIZADO');
  assert.equal((await ask('GET', path('a'))).body.status, 'NAO_REALIZADO');
  await ask('PUT', path('b'), { valor: '10.00' });
  advanceDays(0.01);
  const done = (await ask('GET', path('b'))).body;
  assert.deepEqual([done.status, done.horario.liquidacao], ['DEVOLVIDO', now.toISOString()]);
  assert.throws(() => bank.contest(name), /not so much left/);
  const old = bank.pay(await open());
  advanceDays(91);
  await refused('PixDevolucaoInvalida', 400, 'PUT', `/pix/${old}/devolucao/a`, { valor: '1.00' });
});

test('everything is as it was after a death, and half a line was never written', async () => {
  const paid = await open();
  const [name, unpaid] = [bank.pay(paid), await open()];
  bank.contest(name, { centavos: 3_00n });
  const path = join(folder, 'pix.jsonl');
  const disk = readFileSync(path);
  await bank.stop();
  writeFileSync(path, disk); // As it was when nobody had stopped anything.
  appendFileSync(path, '{"charge":{"txid":"half');
  bank = await start();
  assert.equal(bank.findPix(name).returns[0]?.centavos, '300');
  assert.throws(() => bank.pay(paid), /not open/);
  assert.ok(bank.pay(unpaid));
});

test('whoever wants to be called is called, unless the call is lost; twice; or by somebody else', async () => {
  const calls: string[] = [];
  const shop = createServer((request, response) => {
    let text = '';
    request.on('data', (part) => (text += part));
    request.on('end', () => {
      calls.push(`${request.url} ${JSON.parse(text).pix[0].valor}`);
      response.end();
    });
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  const webhookUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/hook/`;
  const hook = `/webhook/${bank.key}`;
  await ask('PUT', hook, { webhookUrl });
  assert.equal((await ask('GET', hook)).body.webhookUrl, webhookUrl);
  const [first, second, third] = [await open('1.00'), await open('2.00'), await open('3.00')];
  bank.pay(first);
  bank.mischief.webhooks = 'lost';
  bank.pay(second);
  bank.mischief.webhooks = 'twice';
  bank.pay(third);
  await bank.forgeWebhook({ valor: '999.00' });
  await bank.stop();
  assert.deepEqual(calls.sort(), ['/hook/pix 1.00', '/hook/pix 3.00', '/hook/pix 3.00', '/hook/pix 999.00']);
  bank = await start();
  assert.equal((await ask('DELETE', hook)).status, 204);
  await refused('WebhookNaoEncontrado', 404, 'GET', hook);
  shop.close();
  shop.closeAllConnections();
});
