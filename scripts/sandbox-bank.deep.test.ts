/** The sandbox's bank beside a service that is killed and started again: nothing is lost, refused or there twice. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findChromium, openChromium } from '../server/test/chromium.ts';
import { until } from '../server/test/until.ts';
import { runCommandLine } from './run-command-line.ts';

const folder = await mkdtemp(join(tmpdir(), 'quittance-bank-'));
const { DATABASE_URL: _database, MASTER_KEY: _key, ...inherited } = process.env;
const env = { ...inherited, DATA_DIR: folder, PORT: '0', WATCH_POLL_MS: '100', LOG_LEVEL: 'warn' };
let service: ChildProcess | undefined;

async function start(): Promise<void> {
  const script = fileURLToPath(new URL('start.mjs', import.meta.url));
  service = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: service.stdout as NodeJS.ReadableStream }))
    if (line.includes('npx quittance pay')) break;
  service.stdout?.resume();
}

async function end(signal: NodeJS.Signals): Promise<void> {
  if (!service || service.exitCode !== null || service.signalCode !== null) return;
  service.kill(signal);
  await once(service, 'exit');
}

before(start);
after(async () => {
  await end('SIGTERM');
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
});

async function asked(line: string): Promise<any> {
  let [out, err] = ['', ''];
  const paper = {
    log: (text: string) => void (out += text),
    error: (complaint: unknown) => void (err += String(complaint)),
  };
  const code = await runCommandLine(`${line} --json`.split(' '), env, paper);
  assert.equal(code, 0, `npx quittance ${line} says: ${err}`);
  return JSON.parse(out);
}

const newCheckout = async (amount: string): Promise<string> =>
  (await asked(`checkout create --amount ${amount} --currency EUR`)).id;

test('what the bank told goes on after a kill and after a stop, from the last balance', async () => {
  const paid = await asked(`pay ${await newCheckout('10.00')} --network SEPA`);
  assert.equal(paid.state, 'COMPLETED');
  const id = await newCheckout('20.00');
  // Nobody waits for it to be booked: the service dies with the transfer on its way.
  await asked(`pay ${id} --network SEPA --unconfirmed`);
  await end('SIGKILL');

  await start();
  await until('the transfer is booked after the death', async () => {
    return (await asked(`checkout show ${id}`)).state === 'COMPLETED';
  });
  await end('SIGTERM');

  await start();
  assert.equal((await asked(`pay ${await newCheckout('30.00')} --network SEPA`)).state, 'COMPLETED');
  const documents: { kind: string; bookings: number; closingBalance: string | null }[] = await asked(
    'bank documents --network SEPA',
  );
  const reports = documents.filter(({ kind }) => kind === 'camt.052').reverse();
  assert.deepEqual(
    reports.map(({ closingBalance }) => closingBalance),
    ['0.00', '10.00', '30.00', '60.00'],
  );
  const places = await readdir(join(folder, 'bank', 'sepa'));
  assert.deepEqual(places, ['done'], 'nothing was refused, and nothing waits');
});

/** From the operator's account to somebody, as any writer of payment files has it. */
function paymentFile(id: string, endToEndId: string, account: string): string {
  const to = '<Cdtr><Nm>Sanne de Vries</Nm></Cdtr><CdtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></CdtrAcct>';
  const payment =
    `<CdtTrfTxInf><PmtId><EndToEndId>${endToEndId}</EndToEndId></PmtId><Amt><InstdAmt Ccy="EUR">5.00</InstdAmt></Amt>` +
    `<CdtrAgt><FinInstnId><BICFI>COBADEFFXXX</BICFI></FinInstnId></CdtrAgt>${to}</CdtTrfTxInf>`;
  return (
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn>' +
    `<GrpHdr><MsgId>${id}</MsgId><CreDtTm>2026-11-18T09:00:00</CreDtTm><NbOfTxs>1</NbOfTxs><CtrlSum>5.00</CtrlSum></GrpHdr>` +
    `<PmtInf><PmtInfId>${id}-1</PmtInfId><PmtMtd>TRF</PmtMtd><NbOfTxs>1</NbOfTxs><CtrlSum>5.00</CtrlSum>` +
    '<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf><ReqdExctnDt><Dt>2026-01-05</Dt></ReqdExctnDt>' +
    `<Dbtr><Nm>Quittance Sandbox GmbH</Nm></Dbtr><DbtrAcct><Id><IBAN>${account}</IBAN></Id></DbtrAcct>` +
    `<DbtrAgt><FinInstnId><BICFI>ZZQTDEFFXXX</BICFI></FinInstnId></DbtrAgt><ChrgBr>SLEV</ChrgBr>${payment}</PmtInf>` +
    '</CstmrCdtTrfInitn></Document>'
  );
}

test('by command the bank spoils a text, is late, takes a fee, and pays, rejects and returns what a file orders', async () => {
  const stateOf = async (id: string): Promise<string> => (await asked(`checkout show ${id}`)).state;
  const pay = (id: string) => asked(`pay ${id} --network SEPA`);
  const balance = async (): Promise<string> =>
    (await asked('bank documents --network SEPA')).find(({ kind }: { kind: string }) => kind === 'camt.052')
      .closingBalance;

  await asked('bank mangle spaces');
  assert.equal((await pay(await newCheckout('1.00'))).state, 'COMPLETED', 'a reference survives being spaced');
  await asked('bank mangle nothing');
  const lost = await newCheckout('2.00');
  const paying = pay(lost).catch(() => null); // It waits for a payment that names nobody.
  await until('a payment without its text waits for a person', async () => {
    return (await asked('suspense list')).some(({ amount }: { amount: string }) => Number(amount) === 2);
  });
  assert.equal(await stateOf(lost), 'PENDING');

  await asked('bank late');
  const late = await newCheckout('3.00');
  const payingLate = pay(late);
  await until('it can be booked', async () => (await asked('bank book')).booked === 1);
  assert.equal((await payingLate).state, 'COMPLETED');

  await until('all is told', async () => (await balance()) === '66.00');
  await asked('bank fee 0.50');
  await until('the fee is told', async () => (await balance()) === '65.50');

  const { address } = await asked('wallet address SEPA');
  const file = join(folder, 'payments.xml');
  await writeFile(file, paymentFile('FILE-1', 'ORDER-1', address));
  const { payments } = await asked(`bank hand-in ${file}`);
  assert.deepEqual(payments, [{ endToEndId: 'ORDER-1', status: 'ACSC', code: null }]);
  await until('it is paid', async () => (await balance()) === '60.50');
  await asked('bank return ORDER-1 --code AC04 --fee 1.00');
  await until('it is back, but for a fee', async () => (await balance()) === '64.50');

  await writeFile(file, paymentFile('FILE-2', 'ORDER-2', address));
  await asked(`bank hand-in ${file} --unsigned`);
  await asked('bank reject ORDER-2');
  await until('the answers of the bank are read', async () => {
    const answers = (await asked('bank documents --network SEPA')).filter(
      ({ kind }: { kind: string }) => kind === 'pain.002',
    );
    return answers.length === 3; // Paid; received and unsigned; rejected.
  });
  assert.ok(!(await readdir(join(folder, 'bank', 'sepa'))).includes('refused'), 'nothing was refused');
  await paying;
});

const chromium = findChromium();
for (const [network, currency] of [
  ['SEPA', 'EUR'],
  ['SWIFT', 'USD'],
  ['PIX', 'BRL'],
] as const)
  test(`who presses a button on the page has paid by ${network}`, { skip: chromium === undefined }, async () => {
    const { id } = await asked(`checkout create --amount 25.00 --currency ${currency} --hosted`);
    const { baseUrl } = await readJson(join(folder, 'access.json'));
    const browser = await openChromium(chromium ?? '');
    try {
      const page = await browser.open();
      await page.goto(`${new URL(baseUrl).origin}/en/checkout/${id}`);
      const way = page.locator(`[name^="way-"][value^="${network}"]`);
      await page.locator('.coin-row', { has: way }).locator('> label').click();
      await page.getByRole('button', { name: /^Pay (with|by) / }).click();
      await page.getByRole('button', { name: 'Pay now with test money' }).click();
      await page
        .getByRole('heading', { name: /paid|received/i })
        .first()
        .waitFor();
    } finally {
      await browser.close();
    }
    await until('it is credited', async () => (await asked(`checkout show ${id}`)).state === 'COMPLETED');
  });

const readJson = async (path: string): Promise<any> => JSON.parse(await readFile(path, 'utf8'));
