/**
 * Gives the operator of a sandbox its own money, so that swaps and conversions have a stock: once, and in the way in
 * which every operator brings money in, so that the books show it as equity.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db } from '@quittance/server/db/database';
import { writeFileAtomically } from '@quittance/server/lib/write-file-atomically';
import { callSandboxChain } from '@quittance/server/payment-page/sandbox-payer';
import { askForFundingTarget } from './ask-for-funding-target.ts';
import { sandboxList } from './sandbox-list.ts';

/**
 * `chains`: where those of this sandbox can be controlled, by name. After a death in between it may pay a second time.
 */
export async function stockSandbox(db: Db, folder: string, chains: Readonly<Record<string, string>>): Promise<void> {
  const note = join(folder, 'stock.json');
  const stocked = new Set(JSON.parse(await readFile(note, 'utf8').catch(() => '[]')) as string[]);
  const missing = sandboxList.flatMap(({ names, stock }) =>
    names.flatMap((name) => {
      const [network, url] = [name.toUpperCase(), chains[name]];
      return url === undefined || stock === null || stocked.has(network) ? [] : [{ network, url, ...stock }];
    }),
  );
  if (missing.length === 0) return;
  await Promise.all(
    missing.map(async ({ network, url, amounts, blocks }) => {
      const { address, memo } = await askForFundingTarget(db, network, null);
      for (const [asset, amount] of Object.entries(amounts))
        await callSandboxChain(url, 'sandbox_pay', [{ address, amount, asset, memo }]);
      await callSandboxChain(url, 'sandbox_mine', [blocks]);
    }),
  );
  await writeFileAtomically(note, `${JSON.stringify([...stocked, ...missing.map(({ network }) => network)])}\n`);
}
