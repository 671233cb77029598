/**
 * Reports as the online banking of German savings and cooperative banks gives them out: a file for each day, of which each is
 * page 1 of 1, several in a ZIP, and all under one id with no number or with one of zeros. Only when one was made is its own.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zipSync } from 'fflate';
import { DocumentRefused } from '../../src/networks/port/documents.ts';
import { openStatementBank } from './statement-bank.ts';
import { createWatched } from './watched-connector.ts';

const id = 'k3x9ab72mq0z';
const pageOfOne = '<PgNb>1</PgNb><LastPgInd>true</LastPgInd>';

/** `.02` writes the page of the message, and zeros for a number; `.08` the page of the report, and no number. */
const forms: readonly ((report: string, madeAt: string) => string)[] = [
  (report, madeAt) =>
    report
      .replace(/<\/GrpHdr>/, `<MsgPgntn>${pageOfOne}</MsgPgntn></GrpHdr>`)
      .replace(
        /<Id>camt\S*?<\/Id><ElctrncSeqNb>\d+<\/ElctrncSeqNb>/,
        '<Id>camt052_ONLINE</Id><ElctrncSeqNb>00000</ElctrncSeqNb>',
      )
      .replace(/<Acct>/, `<CreDtTm>${madeAt}</CreDtTm><Acct>`),
  (report, madeAt) =>
    report
      .replace(
        /<Id>camt\S*?<\/Id><ElctrncSeqNb>\d+<\/ElctrncSeqNb>/,
        `<Id>camt0528_ONLINE</Id><RptPgntn>${pageOfOne}</RptPgntn>`,
      )
      .replace(/<Acct>/, `<CreDtTm>${madeAt}</CreDtTm><Acct>`),
];

for (const [place, form] of forms.entries())
  for (const creditsFrom of ['camt.052', 'camt.053'] as const)
    test(`${creditsFrom} credits, form ${place}: each day once, however often it is downloaded`, async () => {
      const bank = openStatementBank({ creditsFrom });
      const watched = createWatched(bank.createConnector(), bank.documents.context);
      watched.targets.add(id);
      const paid = async (): Promise<bigint[]> => {
        await watched.observe();
        return [...watched.payments.values()].map(({ observation }) => observation.units);
      };
      const comes = (cents: bigint) => bank.entryOf({ cents, text: id, servicerRef: null });
      const leaves = (cents: bigint) =>
        bank.entryOf({ cents: -cents, text: 'to the other account', servicerRef: null });
      let downloads = 0;
      const download = (...days: readonly Uint8Array[]): Uint8Array => {
        downloads += 1;
        const madeAt = `2026-03-09T10:00:0${downloads}+01:00`;
        const names = days.map((each, number): [string, Uint8Array] => [
          `2026030${number}.xml`,
          Buffer.from(form(Buffer.from(each).toString(), madeAt)),
        ]);
        return zipSync(Object.fromEntries(names));
      };

      const monday = bank.write('camt.052', [comes(100n), leaves(100n)], 0n);
      bank.pass(1);
      const [first, second] = [comes(7n), comes(5n)];
      const noon = bank.write('camt.052', [first], 0n);
      assert.equal((await bank.bring(download(monday, noon))).length, 2);
      const night = bank.write('camt.052', [first, second], 0n);
      bank.pass(1);
      const wednesday = bank.write('camt.052', [comes(9n), leaves(21n)], 12n);
      assert.equal((await bank.bring(download(monday, night, wednesday))).length, 2);
      assert.deepEqual(await bank.bring(download(monday, night)), []);
      bank.pass(1);
      const thursday = bank.write('camt.052', [comes(3n)], 0n);
      assert.equal((await bank.bring(download(monday, night, wednesday, thursday))).length, 1);
      const expected = [100n, 7n, 5n, 9n, 3n];
      assert.deepEqual(await paid(), expected);
    });

test('the same file twice in a ZIP is refused', async () => {
  const bank = openStatementBank({ creditsFrom: 'camt.052' });
  const [form] = forms;
  const day = Buffer.from(bank.write('camt.052', [bank.entryOf({ cents: 5n })], 0n)).toString();
  const report = Buffer.from(form?.(day, '2026-03-09T10:00:00Z') ?? '');
  await assert.rejects(
    bank.bring(zipSync({ 'a.xml': report, 'b.xml': report })),
    (error) => error instanceof DocumentRefused && error.problem.code === 'bank_statement_twice',
  );
});
