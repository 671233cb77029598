/** A long statement of a bank, read twice as it is imported, next to the bare XML parser, which makes nothing of it. */
import { SaxesParser } from 'saxes';
import { decodeBankText } from '../server/src/networks/families/bank/bank-encoding.ts';
import { readBankFile } from '../server/src/networks/families/bank/read-bank-file.ts';
import { slices } from '../server/src/networks/families/bank/zip-members.ts';
import { longStatement } from '../server/test/long-statement.ts';

const pieceBytes = 65_536;
const ratioMax = 8;

export async function measureBankFile(entries: number, rounds: number, say: (text: string) => void): Promise<void> {
  say(`Writing a statement of ${entries} bookings …`);
  const bytes = longStatement(entries);
  const measured: { baseline: number; ours: number }[] = [];
  for (let round = 0; round < rounds; round += 1)
    measured.push({ baseline: await secondsOf(async () => parse(bytes)), ours: await secondsOf(() => read(bytes)) });
  measured.sort((a, b) => a.ours / a.baseline - b.ours / b.baseline);
  const { ours, baseline } = measured[Math.floor(rounds / 2)] ?? { ours: 0, baseline: 1 };
  const ratio = ours / baseline;
  console.log('| figure | ours | baseline | ratio | goal | met |');
  console.log('| --- | --: | --: | --: | --: | --- |');
  console.log(
    `| statement of ${entries} bookings (${(bytes.length / 1e6).toFixed(0)} MB), read twice | ${ours.toFixed(1)} s | ` +
      `${baseline.toFixed(1)} s (bare parser, once) | ${ratio.toFixed(1)} | ≤ ${ratioMax} | ${ratio <= ratioMax ? 'yes' : 'no'} |`,
  );
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}

function parse(bytes: Uint8Array): void {
  const parser = new SaxesParser();
  for (const text of decodeBankText(slices(bytes, pieceBytes), 'utf-8')) parser.write(text);
  parser.close();
}

async function read(bytes: Uint8Array): Promise<void> {
  const file = await readBankFile(bytes);
  let count = 0;
  for await (const { entry } of file.entries()) count += entry.details.length;
  if (count !== file.statements[0]?.bookedCount) throw new Error('bookings are missing');
}
