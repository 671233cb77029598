/** The table of the networks: what a block costs with few, more and many deposit targets. */
import { present } from '../server/src/lib/assert.ts';
import { paidPerBlock } from './network-nodes.ts';
import type { NetworkTimes } from './network-scan.ts';
import { medianBy, print, printTable } from './report.ts';

const growthMax = 1.3;

const limits: Readonly<Record<string, string>> = {
  BITCOIN: 'JSON.parse of the block, and one look-up in the index for each of its addresses.',
  LITECOIN: 'the same as Bitcoin.',
  ETHEREUM: 'the node, which is asked for the block, its logs and its receipts one after the other.',
  STELLAR: "Horizon's pages, and one transaction of PostgreSQL.",
  LIGHTNING: 'three questions to the node, and one transaction of PostgreSQL.',
};

export function printNetworkReport(targetCounts: readonly number[], networks: readonly NetworkTimes[]): void {
  const lines = networks.map(({ network, block, blocks }) => {
    const medians = targetCounts.map((_, place) =>
      present(medianBy(blocks, (took) => took[place] ?? 0)[place], 'time'),
    );
    // Compared block by block: while one block is read, the machine is equally busy for all.
    const growthOf = (took: readonly number[]): number => (took.at(-1) ?? 0) / (took[0] ?? 1);
    const growth = growthOf(medianBy(blocks, growthOf));
    const times = medians.map((milliseconds) => `${milliseconds.toFixed(0)} ms`);
    const verdict = [growth.toFixed(2), `≤ ${growthMax.toFixed(2)}`, growth <= growthMax ? 'yes' : 'NO'];
    return [network, block, ...times, ...verdict];
  });
  const names = targetCounts.map((count) => `${count} targets`);
  print(`\nFrom the node to the stored payments, ${paidPerBlock} of them in a block:\n`);
  printTable([
    ['network', 'a block holds', ...names, 'growth', 'goal', 'met'],
    ['---', '---', ...names.map(() => '--:'), '--:', '--:', '---'],
    ...lines,
  ]);
  print('\nWhat limits them:');
  for (const { network } of networks) print(`- ${network}: ${limits[network] ?? ''}`);
}
