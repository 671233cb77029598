/** What the sandbox's bank tells by itself, so that a service which looks into its folder misses nothing. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { callSandboxChain, SandboxRefused } from '@quittance/server/payment-page/sandbox-payer';
import { createBankDeeds, type Issued } from './bank-deeds.ts';
import { openBankLedger } from './bank-ledger.ts';
import { dollarAccount, euroAccount } from './bank-parties.ts';
import { startSandboxBank } from './sandbox-bank.ts';
import { readWritten } from './written-statement.ts';

/** A Sunday: no bank works. */
const sunday = '2026-11-22T10:00:00Z';

function openBank() {
  const ledger = openBankLedger([euroAccount, dollarAccount]);
  return createBankDeeds(ledger, () => new Date(sunday), { drop: () => undefined, isImpatient: true });
}

function balancesIn(issued: Issued | null) {
  const [statement] = readWritten(issued?.files ?? []);
  return statement && [statement.opening, statement.closing, statement.entries.length];
}

test('a report is written when something is new, each goes on from the last, and the first says the balance', () => {
  const bank = openBank();
  assert.deepEqual(balancesIn(bank.tellNews(euroAccount.iban)), [0n, 0n, 0]);
  assert.equal(bank.tellNews(euroAccount.iban), null);
  assert.equal(bank.tellNews(euroAccount.iban, 'camt.054'), null, 'nothing has come');
  bank.pay({ units: 500n, booked: 'today' });
  assert.equal(readWritten(bank.tellNews(euroAccount.iban, 'camt.054')?.files ?? [])[0]?.entries.length, 1);
  assert.deepEqual(balancesIn(bank.tellNews(euroAccount.iban)), [0n, 500n, 1]);
  bank.pay({ units: 300n, booked: 'next day' });
  assert.deepEqual(balancesIn(bank.tellNews(euroAccount.iban)), [500n, 500n, 1], 'what is announced is news');
  assert.equal(bank.tellNews(euroAccount.iban), null, 'but only once');
});

test('no report ends as it began, which would look like the beginning of the next one', () => {
  const bank = openBank();
  bank.pay({ units: 500n, booked: 'today' });
  bank.charge(500n);
  assert.deepEqual(balancesIn(bank.tellNews(euroAccount.iban)), [0n, 500n, 1]);
  assert.deepEqual(balancesIn(bank.tellNews(euroAccount.iban)), [500n, 0n, 1]);
});

test('what was delayed is told by nobody, and booked when its owner says so', () => {
  const bank = openBank();
  bank.tellNews(euroAccount.iban);
  bank.delayNext();
  bank.pay({ units: 500n, booked: 'today' });
  bank.pay({ units: 20n, booked: 'today' });
  assert.deepEqual(balancesIn(bank.tellNews(euroAccount.iban)), [0n, 20n, 1], 'only the next one was late');
  assert.deepEqual([bank.bookExpected(), bank.bookExpected()], [1, 0]);
  assert.deepEqual(balancesIn(bank.tellNews(euroAccount.iban)), [20n, 520n, 1]);
});

test('who pays on a Sunday is told of at once, and after a death no statement is missing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-bank-'));
  const [sepa, swift] = [join(folder, 'sepa'), join(folder, 'swift')];
  const settings = { user: 'sandbox', password: 'secret', folder, dropFolders: { EUR: sepa, USD: swift } };
  const options = { ...settings, tellEveryMs: 3_600_000, isImpatient: true, now: () => new Date(sunday) };
  let bank = await startSandboxBank(options);
  try {
    assert.deepEqual([readdirSync(sepa).length, readdirSync(swift).length], [1, 1], 'the balances');
    const paid = await callSandboxChain(bank.url, 'sandbox_pay', [{ amount: '5', asset: 'EUR', memo: 'RF18' }]);
    await callSandboxChain(bank.url, 'sandbox_pay', [{ address: dollarAccount.iban, amount: '7', asset: 'USD' }]);
    assert.deepEqual([readdirSync(sepa).length, readdirSync(swift).length], [2, 2], 'a notice each');
    await callSandboxChain(bank.url, 'sandbox_mine', [1]);
    const names = readdirSync(sepa);
    const newest = names.at(-1) ?? '';
    assert.equal(names.length, 3, 'and a report');
    const written = readFileSync(join(sepa, newest));
    await bank.stop();

    // The service has taken all but the newest, and that was never laid down.
    mkdirSync(join(sepa, 'done'));
    for (const name of names) renameSync(join(sepa, name), join(sepa, 'done', name));
    rmSync(join(sepa, 'done', newest));
    bank = await startSandboxBank(options);
    assert.deepEqual(readdirSync(sepa), [newest, 'done']);
    assert.deepEqual(readFileSync(join(sepa, newest)), written);

    await assert.rejects(
      callSandboxChain(bank.url, 'sandbox_contest', [{ tx: paid, amount: '1' }]),
      new SandboxRefused('A booking is corrected whole: leave the amount out'),
    );
    await callSandboxChain(bank.url, 'sandbox_contest', [{ tx: 'RF18' }]);
    assert.equal(bank.balance(), 0n);
  } finally {
    await bank.stop();
    rmSync(folder, { recursive: true });
  }
});
