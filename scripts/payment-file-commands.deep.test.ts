/** Payment files at the command line, on a service that pays by SEPA. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openPaymentWorld, type PaymentWorld } from '../server/test/payment-file-world.ts';
import { runCommandLine } from './run-command-line.ts';

let world: PaymentWorld;
let folder: string;
before(async () => {
  // Commands have the clock of the machine: what they ask for is due in the time of the story.
  world = await openPaymentWorld({ now: '2040-03-05T12:00:00.000Z' });
  folder = await mkdtemp(join(tmpdir(), 'quittance-files-'));
});
after(async () => {
  await world.stop();
  await rm(folder, { recursive: true });
});

async function quittance(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  const [out, err]: [string[], string[]] = [[], []];
  const paper = { log: (text: string) => out.push(text), error: (complaint: unknown) => err.push(String(complaint)) };
  const code = await runCommandLine(words, { ...world.gateway.env }, paper);
  return { code, out: out.join('\n'), err: err.join('\n') };
}

test('a file is downloaded into a folder, once without asking, and never in the place of another', async () => {
  const shop = await world.paidShop();
  await world.pay(shop, '12.30');
  const file = await world.make();
  const path = join(folder, `pain-001-001-09-PAY-${file.toUpperCase()}.xml`);
  const first = await quittance('bank', 'file', 'download', file, '--to', folder);
  assert.deepEqual([first.code, first.err], [0, '']);
  const bytes = await readFile(path);
  assert.match(bytes.toString(), /<InstdAmt Ccy="EUR">12\.30</);
  assert.equal((await stat(path)).mode & 0o777, 0o600, 'for its owner alone: it names who is paid');
  const taken = await quittance('bank', 'file', 'download', file, '--to', folder, '--again');
  assert.match(taken.err, /cannot be written/);
  await rm(path);
  const unasked = await quittance('bank', 'file', 'download', file, '--to', folder);
  assert.match(unasked.err, /downloaded once already: .* Say so with --again\.$/);
  await assert.rejects(stat(path), 'nothing is left of what was refused');
  assert.equal((await quittance('bank', 'file', 'download', file, '--to', folder, '--again')).code, 0);
  assert.deepEqual(await readFile(path), bytes);
  const lost = /^There is no payment file with the id "nothing": bank file list shows those there are\.$/;
  assert.match((await quittance('bank', 'file', 'download', 'nothing')).err, lost);
  assert.match((await quittance('bank', 'file', 'void', 'nothing')).err, lost);
  assert.match((await quittance('bank', 'file', 'list', '--before', 'nothing')).err, lost);
  await rm(path);
  // As the portal of the bank has it.
  assert.equal(
    (await quittance('bank', 'file', 'download', `PAY-${file.toUpperCase()}`, '--to', folder, '--again')).code,
    0,
  );

  const [listed] = JSON.parse((await quittance('bank', 'file', 'list', '--json')).out);
  assert.deepEqual(
    [listed.id, listed.state, listed.payments, listed.amount, listed.asset, listed.downloads, listed.orders],
    [file, 'DOWNLOADED', 1, '12.30', 'EUR', 3, { DOWNLOADED: 1 }],
  );
  assert.match((await quittance('bank', 'file', 'list')).out, /downloaded, not booked yet/);
});

test('what may have been signed, and what is booked, is said to be so, with what can be done', async () => {
  const shop = await world.paidShop();
  const id = await world.pay(shop, '7');
  const file = await world.make();
  const bytes = await world.download(file);
  assert.match(
    (await quittance('bank', 'file', 'void', file)).err,
    /^This file was downloaded\. Declare .*--declare\.$/,
  );
  assert.ok(world.bank.takeFile(bytes).isTaken);
  await world.later(1);
  await world.bringStatement();
  const endToEnd = `${id}-${file}`.toUpperCase();
  for (const named of [id, endToEnd])
    assert.match(
      (await quittance('bank', 'file', 'refuse', named, '--why', 'no')).err,
      /^The bank has booked this payment, of the file \w{12}, so it cannot be refused any more\./,
    );
});

test('a file of which nobody said whose it is, and one in which nothing is, are refused with what would be right', async () => {
  const [empty, hollow] = [join(folder, 'empty.xml'), join(folder, 'hollow.xml')];
  const space = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08';
  await writeFile(empty, '');
  await writeFile(hollow, `<?xml version="1.0"?><Document xmlns="${space}"></Document>`);
  const imported = async (...words: string[]): Promise<string> => {
    const asked = quittance('bank', 'import', ...words);
    const working = setInterval(() => void world.gateway.runUntilIdle(), 200);
    return (await asked.finally(() => clearInterval(working))).err;
  };
  assert.match(await imported(empty, '--network', 'SEPA'), /^The file is empty: get it from the bank again\.$/);
  assert.match(await imported(hollow, '--network', 'SEPA'), /^The file is a message without anything in it: get it/);
  const statement =
    '<BkToCstmrStmt><GrpHdr><MsgId>1</MsgId><CreDtTm>2026-03-02T12:00:00</CreDtTm></GrpHdr></BkToCstmrStmt>';
  await writeFile(hollow, `<?xml version="1.0"?><Document xmlns="${space}">${statement}</Document>`);
  assert.match(await imported(hollow), /^There is no statement, report or answer in the file: get it/);
});

test('a file is given up, and a payment is refused, by command too', async () => {
  const shop = await world.paidShop();
  const id = await world.pay(shop, '4');
  const file = await world.make();
  assert.match((await quittance('bank', 'file', 'refuse', id, '--why', 'no')).err, /is in the file/);
  assert.match((await quittance('bank', 'file', 'void', file)).out, /is void: 1 payment wait/);
  assert.match((await quittance('bank', 'file', 'void', file)).err, /This file is void/);
  assert.equal((await quittance('bank', 'file', 'refuse', id)).code, 2);
  assert.equal((await quittance('bank', 'file', 'refuse', id, '--why', 'No such account.')).code, 0);
  assert.equal(await world.payoutState(id), 'FAILED');
  assert.equal((await quittance('bank', 'file', 'make', '--network', 'MARS')).code, 2);
});
