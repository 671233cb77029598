import { verifyBridge } from '@quittance/server/settlements/verify-bridge';
import { type Command, command } from '../command-line.ts';
import { withDatabase } from '../installation.ts';
import { amountText, assetCode, textTable } from '../text-table.ts';

export const bridgeCommands: readonly Command[] = [
  command({
    name: 'bridge verify',
    summary: 'Compare tokens issued on Stellar with the coins held for them; exit code 1 if they differ.',
    details:
      'By the books, which the service holds against the networks. Stellar counts seven decimals: a finer rest is no difference.',
    examples: ['bridge verify'],
    async run() {
      const found = await withDatabase(verifyBridge);
      const data = found.map(({ asset, heldUnits, issuedUnits, isLevel }) => ({
        ...{ asset, held: amountText(heldUnits, asset), issued: amountText(issuedUnits, asset), isLevel },
      }));
      const rows = data.map(({ asset, held, issued, isLevel }) => [
        assetCode(asset),
        held,
        issued,
        isLevel ? 'yes' : 'NO',
      ]);
      const isSound = data.every(({ isLevel }) => isLevel);
      const text =
        rows.length === 0 ? 'Nothing has been issued.' : textTable(['ASSET', 'HELD', 'ISSUED', 'EQUAL'], rows);
      return { data: { isSound, assets: data }, text, exitCode: isSound ? 0 : 1 };
    },
  }),
];
