/** What lies in the folder and is not accepted is where staff look, with why, and is gone from there with its cause. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createFolderWatcher } from '../src/bank-files/watch-folder.ts';
import { createAssetCatalog } from '../src/catalog/asset-catalog.ts';
import { readConfig } from '../src/config.ts';
import { createEncryption } from '../src/lib/encryption.ts';
import { accountsAt, type Visitor } from './account-world.ts';
import { type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { createFileBank, fileOf, type Statement } from './networks/file-bank.ts';
import { plainText } from './payment-file-world.ts';
import { openShop } from './shop.ts';

let gateway: Gateway;
let folder: string;
let operator: Visitor;
let watcher: ReturnType<typeof createFolderWatcher>;
before(async () => {
  gateway = await startGateway({
    env: withoutLitecoin,
    hasAccount: true,
    now: '2026-03-02T12:00:00.000Z',
    furtherNetworks: () => [createFileBank()],
  });
  operator = await accountsAt(gateway).staff('operator', 'ops@operator.example');
  folder = await mkdtemp(join(tmpdir(), 'quittance-folder-'));
  const { db, clock, log, furtherNetworks } = gateway;
  const connectors = new Map(furtherNetworks.map((connector) => [connector.network.id, connector]));
  const encryption = createEncryption(Buffer.from(gateway.env['MASTER_KEY'] ?? '', 'hex'));
  const assets = createAssetCatalog(readConfig(gateway.env).operator, []);
  const more = { bankFileBytesMax: 1_000_000, bankFolder: folder, pauseMs: 5_000 };
  watcher = createFolderWatcher({ db, clock, log, assets, encryption, connectors, ...more });
  await mkdir(at());
});
after(async () => {
  await gateway.stop();
  await rm(folder, { recursive: true });
});

const at = (...path: string[]): string => join(folder, 'sepa', ...path);
const look = async (): Promise<void> => {
  await watcher.tick();
  await watcher.tick();
};
const page = async (path: string): Promise<string> => {
  const answer = await operator.get(path);
  if (answer.status === 200) return plainText(answer.text);
  await operator.signInWithPasskey();
  return plainText((await operator.get(path)).text);
};
const day = (number: number, opening: number, cents: number): Statement => ({
  name: `2026-03-0${number}`,
  opening,
  bookings: [{ id: `booking-${number}`, text: 'x', cents }],
});

test('a file that is refused is on the page and under Needs you until somebody puts it aside', async () => {
  await writeFile(at('march.xml'), '%PDF');
  await look();
  assert.match(await page('/operator/bank'), /march\.xml refused .* This is no file of a bank\./);
  assert.match(
    await page('/operator/needs-you'),
    /march\.xml was refused in the folder of SEPA.*This is no file of a bank\. · Nothing of it was taken/,
  );
  await operator.prove();
  const answer = await operator.post('/operator/bank/SEPA/put-aside', { name: 'march.xml' });
  assert.equal(answer.status, 303);
  assert.match(await page(answer.location), /It is put aside\./);
  assert.doesNotMatch(await page('/operator/bank'), /march\.xml/);
  assert.doesNotMatch(await page('/operator/needs-you'), /march\.xml/);
  assert.match(await page('/operator/audit'), /Put aside march\.xml/);
});

test('one that is refused, and accepted when it is brought again, needs nobody', async () => {
  await writeFile(at('1.json'), '%PDF');
  await look();
  assert.match(await page('/operator/bank'), /1\.json/);
  await writeFile(at('1.json'), fileOf(day(1, 0, 100)));
  await look();
  assert.doesNotMatch(await page('/operator/bank'), /In the folder/);
  await gateway.runUntilIdle();
});

test('the text beside an accepted file says what it brought, once that is known', async () => {
  const text = (): Promise<string> => readFile(at('done', '1.json.txt'), 'utf8');
  assert.match(await text(), /1 × payment in: 1\.00 EUR/);
  gateway.clock.advance({ seconds: 1 });
  await gateway.runUntilIdle();
  await watcher.tick();
  assert.match(
    await text(),
    /Matched nobody: 1, 1\.00 EUR\. Waits under Suspense.*\nThe books agree with the balance/s,
  );
});

test('one that is too early is on the page at once, needs somebody after ten minutes, and nobody when it had its turn', async () => {
  await writeFile(at('3.json'), fileOf(day(3, 200, 5)));
  await look();
  assert.match(
    await page('/operator/bank'),
    /3\.json.*waits for an earlier one .* The statement before 2026-03-03 is missing/,
  );
  assert.doesNotMatch(await page('/operator/needs-you'), /3\.json/);
  for (let minute = 0; minute < 10; minute += 1) {
    gateway.clock.advance({ minutes: 1 });
    await watcher.tick();
  }
  assert.match(await page('/operator/needs-you'), /3\.json waits in the folder of SEPA.*is missing/);
  await writeFile(at('2.json'), fileOf(day(2, 100, 100)));
  await look();
  await look();
  assert.doesNotMatch(await page('/operator/bank'), /In the folder/);
  assert.doesNotMatch(await page('/operator/needs-you'), /3\.json/);
  await gateway.runUntilIdle();
});

test('one that somebody takes away is not shown any more, nor one that nobody sees any more', async () => {
  await writeFile(at('9.json'), fileOf(day(9, 999, 5)));
  await look();
  assert.match(await page('/operator/bank'), /9\.json/);
  await rm(at('9.json'));
  await watcher.tick();
  assert.doesNotMatch(await page('/operator/bank'), /9\.json/);
  await writeFile(at('9.json'), fileOf(day(9, 999, 5)));
  await look();
  gateway.clock.advance({ minutes: 11 });
  assert.doesNotMatch(await page('/operator/bank'), /9\.json/, 'the process that saw it is away');
  await rm(at('9.json'));
  await rm(at('9.json.waits.txt'));
  await watcher.tick();
});

test('one that cannot be moved is accepted once, said to be stuck, and moved when that is mended', async () => {
  await rm(at('done'), { recursive: true });
  await writeFile(join(folder, 'file'), 'no folder');
  await symlink(join(folder, 'file'), at('done'));
  await writeFile(at('4.json'), fileOf(day(4, 205, 1)));
  await look();
  assert.match(await page('/operator/needs-you'), /4\.json cannot be taken from the folder of SEPA/);
  const stored = async (): Promise<number> =>
    (await gateway.db`select from bank_document where name = '2026-03-04'`).length;
  assert.equal(await stored(), 1);
  await rm(at('done'));
  gateway.clock.advance({ minutes: 1 });
  await look();
  assert.deepEqual((await readdir(at('done'))).toSorted(), ['4.json', '4.json.txt']);
  assert.equal(await stored(), 1);
  assert.doesNotMatch(await page('/operator/needs-you'), /4\.json/);
  await gateway.runUntilIdle();
});

test('customers who were asked to pay, and no statement for three banking days, need somebody', async () => {
  gateway.clock.advance({ hours: 24 * 3 }); // Thursday, after the day of the last statement.
  await gateway.app.pollRates();
  await gateway.runUntilIdle();
  const shop = await openShop(gateway);
  await shop.open('10.00 EUR', 'SEPA');
  gateway.clock.advance({ hours: 24 * 5 });
  await gateway.app.pollRates();
  assert.doesNotMatch(await page('/operator/needs-you'), /No statement of SEPA/);
  gateway.clock.advance({ hours: 24 });
  await gateway.app.pollRates();
  assert.match(await page('/operator/needs-you'), /No statement of SEPA has come for days.*bring the next/);
});

test('one whose name nobody can read, or is too long, is said to be stuck, and accepted once it has another', async () => {
  const [latin, long] = [Buffer.from(at('Ums\u00e4tze.json'), 'latin1'), at(`${'x'.repeat(248)}.json`)];
  await writeFile(latin, fileOf(day(5, 206, 1)));
  await look();
  assert.match(await page('/operator/needs-you'), /Ums\ufffdtze\.json cannot be taken.*cannot be read.*another name/);
  await rename(latin, long);
  await look();
  const needs = await page('/operator/needs-you');
  assert.match(needs, /x\.json cannot be taken.*too long.*a shorter one/);
  assert.doesNotMatch(needs, /Ums/);
  await rename(long, at('5.json'));
  await look();
  assert.ok((await readdir(at('done'))).includes('5.json'));
  assert.doesNotMatch(await page('/operator/needs-you'), /cannot be taken/);
  await gateway.runUntilIdle();
});
