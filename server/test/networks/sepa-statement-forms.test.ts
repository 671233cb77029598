/**
 * What banks write otherwise than others: a reader takes every form of which the sums prove what it means, and the books come to
 * the balance of the bank.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStatementBank, type StatementBankOptions } from './statement-bank.ts';
import { createWatched } from './watched-connector.ts';

const [first, second] = ['k3x9ab72mq0z', 'aaaabbbbcccc'];

function open(options: StatementBankOptions = {}) {
  const bank = openStatementBank(options);
  const watched = createWatched(bank.createConnector(), bank.documents.context);
  for (const id of [first, second]) watched.targets.add(id);
  return {
    bank,
    watched,
    bring: (text: string | Uint8Array) => bank.bring(Buffer.from(text)),
    /** What the service is told, each by its kind: `paid 100`, `OWN_MONEY 5`. */
    async told(): Promise<string[]> {
      const rounds = await watched.observe();
      return rounds.flatMap(({ observations, unmatched = [], reversals = [], otherMovements = [] }) => [
        ...observations.filter(({ block }) => block).map(({ units }) => `paid ${units}`),
        ...unmatched.map(({ units }) => `unmatched ${units}`),
        ...reversals.map(({ units }) => `reversed ${units}`),
        ...otherMovements.map(({ kind, units }) => `${kind} ${units}`),
      ]);
    },
  };
}

const replaced = (text: Uint8Array | string, ...changes: readonly (readonly [RegExp, string])[]): string =>
  changes.reduce((sofar, [what, into]) => {
    assert.match(sofar, what);
    return sofar.replace(what, into);
  }, Buffer.from(text).toString());

test('payments that were booked as one sum, less the charge that the booking tells, are paid each, and the charge is a fee', async () => {
  const { bank, bring, told } = open();
  const [one, two] = [bank.entryOf({ cents: 1_000n, text: first }), bank.entryOf({ cents: 2_000n, text: second })];
  const batch = { ...one, details: [...one.details, ...two.details] };
  const charge =
    '<Chrgs><Rcrd><Amt Ccy="EUR">0.35</Amt><CdtDbtInd>DBIT</CdtDbtInd><ChrgInclInd>true</ChrgInclInd></Rcrd></Chrgs>';
  const written = bank.write('camt.053', [batch], 500n);
  const less = replaced(
    written,
    [/(CLBD.*?)35\.00/, '$134.65'],
    [/<Ntry><Amt Ccy="EUR">30\.00/, '<Ntry><Amt Ccy="EUR">29.65'],
    [/<NtryDtls>/, `${charge}<NtryDtls>`],
  );
  await bring(less);
  assert.deepEqual(await told(), ['paid 1000', 'paid 2000', 'OWN_MONEY 500', 'FEE -35']);
});
