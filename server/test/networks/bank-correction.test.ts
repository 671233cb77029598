/** Where a message was accepted that was no bank's, or one is missing for good, a person tells what is missing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeCorrection } from '../../src/networks/families/bank/correction.ts';
import { DocumentRefused } from '../../src/networks/port/documents.ts';
import { type MessageKind, openStatementBank, type StatementBankOptions } from './statement-bank.ts';
import { createWatched } from './watched-connector.ts';

const id = 'k3x9ab72mq0z';

function open(options: StatementBankOptions = {}) {
  const bank = openStatementBank(options);
  const watched = createWatched(bank.createConnector(), bank.documents.context);
  watched.targets.add(id);
  return {
    bank,
    comes: (cents: bigint) => bank.entryOf({ cents, text: id }),
    async paid(): Promise<bigint[]> {
      await watched.observe();
      return [...watched.payments.values()].map(({ observation }) => observation.units);
    },
  };
}

const refusal = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof DocumentRefused, `it was not refused: ${String(error)}`);
  return error.message;
};

const kinds: readonly MessageKind[] = ['camt.053', 'camt.052', 'mt940'];
for (const creditsFrom of kinds)
  test(`where ${creditsFrom} credits, the next one follows on what a person told`, async () => {
    const { bank, comes, paid } = open({ creditsFrom });
    await bank.bring(bank.write(creditsFrom, [comes(100n)], 0n));
    bank.pass(1);
    const next = bank.write(creditsFrom, [comes(5n)], 130n);
    assert.match(await refusal(bank.bring(next)), /1\.30 EUR|neither goes on/);
    await bank.correct({
      balance: '1.30',
      came: [{ amount: '0.50', text: id }],
      left: [{ amount: '0.20', text: 'gone' }],
    });
    await bank.bring(next);
    assert.deepEqual(await paid(), [100n, 50n, 5n]);
    bank.pass(1);
    await bank.bring(bank.write(creditsFrom, [comes(7n)], 135n));
    assert.deepEqual(await paid(), [100n, 50n, 5n, 7n]);
  });

test('messages that only show go on from whatever they are after it', async () => {
  const { bank, comes } = open({ creditsFrom: 'camt.052' });
  for (const kind of ['camt.052', 'camt.053'] as const) await bank.bring(bank.write(kind, [comes(100n)], 0n));
  bank.pass(1);
  const shown = bank.write('camt.053', [comes(5n)], 150n);
  assert.match(await refusal(bank.bring(shown)), /opens with 1\.50 EUR, but the one before closed with 1\.00 EUR/);
  await bank.correct({ balance: '1.50', came: [{ amount: '0.50', text: 'x' }] });
  await bank.bring(shown);
  bank.pass(1);
  assert.match(await refusal(bank.bring(bank.write('camt.053', [comes(5n)], 100n))), /closed with 1\.55 EUR/);
});

test('the balance that the account really has proves that no booking is missing', async () => {
  const { bank, comes } = open();
  const came = [{ amount: '0.50', text: id }];
  assert.match(await refusal(bank.correct({ balance: '0.50', came })), /No balance was accepted yet: begin with/);
  await bank.bring(bank.write('camt.053', [comes(100n)], 0n));
  assert.equal(
    await refusal(bank.correct({ balance: '1.40', came })),
    'What was accepted ends with 1.00 EUR; with these bookings the account has 1.50 EUR, and not 1.40: tell each booking that ' +
      'is missing, and of each that was not the bank’s the contrary.',
  );
  for (const day of ['2026-03-01', '2026-02-31', 'today'])
    assert.match(await refusal(bank.correct({ balance: '1.50', came, day })), /of no day before|as 2026-03-12/);
  assert.match(await refusal(bank.correct({ balance: '1.50', came, day: '2026-03-03' })), /still to come/);
  for (const amount of ['-0.50', '0,50', '0.505', '1e3'])
    assert.match(await refusal(bank.correct({ balance: '1.50', came: [{ amount, text: id }] })), /amount/i);
  await bank.correct({ balance: '-0.25', left: [{ amount: '1.25', text: 'gone' }] });
  assert.match(
    await refusal(bank.correct({ balance: '-0.25', left: [{ amount: '1.25', text: 'gone' }] })),
    /-0\.25 EUR/,
  );
});

test('it comes from a person who has the machine, and from no folder or page', async () => {
  const { bank, comes } = open();
  await bank.bring(bank.write('camt.053', [comes(100n)], 0n));
  const told = writeCorrection({ id: 'x', balance: '1.50', day: null, came: [{ amount: '0.50', text: id }], left: [] });
  assert.match(await refusal(bank.bring(told)), /no message of a bank/);

  const wrong = ['{}', '{"came":[{}]}', `{"id":1,"balance":"1","day":null,"came":[],"left":[]}`].map(
    (each) => `${each}}`,
  );
  for (const each of [...wrong, ''])
    assert.match(
      await refusal(bank.documents.import(bank.createConnector(), Buffer.from(`{"correction":${each}`), true)),
      /no correction: npx quittance bank correct makes one/,
    );
});

test('notices follow on no balance, so there is nothing to correct', async () => {
  const { bank, comes } = open({ creditsFrom: 'camt.054' });
  await bank.bring(bank.write('camt.054', [comes(100n)], 0n));
  assert.match(await refusal(bank.correct({ balance: '1.50', came: [{ amount: '0.50', text: id }] })), /camt\.054/);
});
