/** SWIFT through the port: what every bank must do, and what is its own, such as banks on the way that take their part. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { swiftNetwork } from '../../src/networks/swift/swift.ts';
import { describeConformance } from './conformance.ts';
import type { Imported } from './memory-documents.ts';
import { quietContext } from './quiet-context.ts';
import { describeReversals } from './reversal-conformance.ts';
import { openStatementBank, ourIban } from './statement-bank.ts';
import { createWatched } from './watched-connector.ts';

const txOf = (imported: readonly Imported[]): string => String(imported[0]?.records.at(-1)?.told['tx']);
const id = 'k3x9ab72mq0z';

describeConformance('SWIFT', async () => {
  const bank = openStatementBank({ swiftCurrency: 'USD' });
  return {
    asset: 'USD',
    assetCode: 'USD',
    ordinaryUnits: 2_500n,
    smallestUnits: 1n,
    createConnector: bank.createConnector,
    documents: bank.documents.context,
    async pay(...payments) {
      for (const { target, units } of payments) bank.book({ cents: units, text: `Order ${target.memo}` });
      return txOf(await bank.announce());
    },
    async mine(count) {
      for (let mined = 0; mined < count; mined += 1) await bank.close();
    },
    async drop() {
      bank.forget();
      await bank.close();
    },
    async stop() {},
  };
}, ['pay several targets at once', 'fill a block', 'reorganise', 'replace', 'lose its node']);

describeReversals('SWIFT', () => {
  const bank = openStatementBank({ swiftCurrency: 'USD' });
  const watched = createWatched(bank.createConnector(), bank.documents.context);
  const text = bank.referenceFor(id);
  return {
    createConnector: bank.createConnector,
    context: {
      ...quietContext,
      knownTargets: async (keys) => new Set(keys.filter((key) => key === id)),
      arrivalsAt: async () => [...watched.payments.values()].map(({ observation }) => observation),
      documents: bank.documents.context,
    },
    async pay(units) {
      bank.book({ cents: units, text });
      return { txHash: txOf(await bank.close()), index: '0' };
    },
    async takeBack(_txHash, units) {
      bank.book({ cents: -units, text, isReversal: true, code: '899' });
      await bank.close();
    },
    async takeFee(units) {
      bank.book({ cents: -units, text: 'Account fee', code: '808' });
      await bank.close();
    },
    pass: bank.pass,
  };
});

async function open(swiftCurrency: 'USD' | 'EUR' = 'USD') {
  const bank = openStatementBank({ swiftCurrency });
  const watched = createWatched(bank.createConnector(), bank.documents.context);
  watched.targets.add(id);
  return { bank, watched };
}

test('what a payer ordered is told beside what came of it, and only where they differ', async () => {
  const { bank, watched } = await open();
  const text = bank.referenceFor(id);
  bank.book({ cents: 8_500n, text, instructedCents: 10_000n }, { cents: 2_000n, text, instructedCents: 2_000n });
  bank.book({ cents: 700n, text: 'nobody', instructedCents: 900n });
  await bank.close();
  const [round] = await watched.observe();
  assert.deepEqual(
    round?.observations.map(({ units, instructed }) => [units, instructed]),
    [
      [8_500n, '100.00 USD'],
      [2_000n, undefined],
    ],
  );
  assert.match(round?.unmatched?.[0]?.memo ?? '', /9\.00 USD were instructed/);
});

test('an account in dollars or in euros, with the BIC, and without a code that only SEPA has', async () => {
  for (const currency of ['USD', 'EUR'] as const) {
    const { watched } = await open(currency);
    const { network } = watched.connector;
    assert.deepEqual(
      network.assets.map(({ assetCode }) => assetCode),
      [currency],
    );
    const target = { address: ourIban, memo: 'RF16K3X9AB72MQ0Z', memoType: 'text' as const };
    const shown = network.payerInstructions?.({ ...target, assetCode: currency, amount: '25.00', joint: null });
    assert.deepEqual(
      shown?.fields.map(({ value }) => value),
      ['Shop AG', ourIban, 'HELADEF1822', 'RF16K3X9AB72MQ0Z'],
    );
    assert.equal(shown?.link.qrText, null);
  }
});

test('what is booked is final after thirty days, and any account can be paid', async () => {
  const { bank, watched } = await open();
  bank.book({ cents: 100n, text: id });
  await bank.close();
  const finals: (number | undefined)[] = [];
  for (const days of [0, 28, 1]) {
    bank.pass(days);
    finals.push((await watched.observe()).at(-1)?.finalHeight);
  }
  assert.deepEqual(finals, [0, 0, 1]);
  const brazil = { address: 'BR1800360305000010009795493C1', memo: null, memoType: null };
  assert.equal(watched.connector.addressProblem?.(brazil), null);
  assert.equal(watched.connector.addressProblem?.({ ...brazil, address: '000 123-456' }), null);
  assert.match(
    watched.connector.addressProblem?.({ ...brazil, address: 'BR1800360305000010009795493C2' }) ?? '',
    /check/,
  );
  assert.deepEqual(swiftNetwork.identity.holderNeeds, ['name', 'bic']);
});
