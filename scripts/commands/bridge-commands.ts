import { type BridgeProof, verifyBridge } from '@quittance/server/bridge/verify-bridge';
import { systemClock as clock } from '@quittance/server/lib/clock';
import { askForCount } from '../ask-for-count.ts';
import { type Command, command, type Output } from '../command-line.ts';
import { amountText, assetCode, textTable } from '../text-table.ts';

export const bridgeCommands: readonly Command[] = [
  command({
    name: 'bridge verify',
    summary: 'Prove that there are as many tokens on Stellar as coins held for them; exit code 1 if not.',
    details:
      'The running service asks Stellar how many tokens there are and its nodes how many coins they hold, and both are held against the books. What is on its way is allowed for; what is finer than the seven decimals of Stellar is held and not issued.',
    examples: ['bridge verify'],
    run: ({ withDatabase }) =>
      withDatabase((db) => askForCount(db, async () => bridgeReport(await verifyBridge(db, clock.now())))),
  }),
];

export function bridgeReport(proofs: readonly BridgeProof[]): Output {
  const assets = proofs.map(({ asset, problems, ...units }) => ({
    asset,
    tokens: units.tokenUnits === null ? null : amountText(units.tokenUnits, asset),
    issued: amountText(units.issuedUnits, asset),
    coins: units.coinUnits === null ? null : amountText(units.coinUnits, asset),
    held: amountText(units.heldUnits, asset),
    moving: amountText(units.movingUnits, asset),
    isProven: problems.length === 0,
    problems,
  }));
  const isSound = assets.every(({ isProven }) => isProven);
  const heading = ['ASSET', 'TOKENS', 'ISSUED', 'COINS', 'HELD', 'ON ITS WAY', 'PROVEN'];
  const rows = assets.map(({ asset, tokens, issued, coins, held, moving, isProven }) => [
    ...[assetCode(asset), tokens, issued, coins, held, moving],
    isProven ? 'yes' : 'NO',
  ]);
  const problems = assets.flatMap((each) => each.problems.map((problem) => `${assetCode(each.asset)}: ${problem}`));
  return {
    data: { isSound, assets },
    text: rows.length === 0 ? 'Nothing has been issued.' : [textTable(heading, rows), ...problems].join('\n'),
    exitCode: isSound ? 0 : 1,
  };
}
