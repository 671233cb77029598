/** As many tokens on Stellar as coins held for them: the networks prove it, and whoever breaks it is noticed. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Claimant, Keypair, Operation } from '@stellar/stellar-sdk';
import { bridgeReport } from '../../scripts/commands/bridge-commands.ts';
import { type BridgeProof, verifyBridge } from '../src/bridge/verify-bridge.ts';
import { isSound } from '../src/watching/reconcile.ts';
import type { Gateway } from './gateway.ts';
import { openShop } from './shop.ts';
import { issuerKey, type StellarMarket, startGatewayWithMarket, token } from './stellar-market.ts';
import { aCoinOfOurs, stealCoin } from './stolen-coin.ts';

let gateway: Gateway;
let market: StellarMarket;
before(async () => {
  ({ gateway, market } = await startGatewayWithMarket());
});
after(() => gateway.stop());

async function proofs(): Promise<BridgeProof[]> {
  await gateway.app.reconcile();
  return verifyBridge(gateway.db, gateway.clock.now());
}

async function proofOf(code: string, among?: readonly BridgeProof[]): Promise<BridgeProof> {
  const found = (among ?? (await proofs())).find(({ asset }) => asset.startsWith(`${code}:`));
  assert.ok(found, `${code} is proven`);
  return found;
}

const figures = ({ tokenUnits, issuedUnits, coinUnits, heldUnits, movingUnits, problems }: BridgeProof) => [
  ...[tokenUnits, issuedUnits, coinUnits, heldUnits, movingUnits],
  ...problems,
];

async function pay(network: 'BITCOIN' | 'LITECOIN', price: string): Promise<void> {
  const shop = await openShop(gateway);
  const chain = network === 'BITCOIN' ? gateway.bitcoin : gateway.litecoin;
  chain.pay(await shop.open(price, network));
  chain.mine(6);
}

const metrics = async () => (await fetch(new URL('/metrics', gateway.url))).text();

test('at every moment of a healthy bridge there is no alarm, and in the end issued is held', async () => {
  await pay('BITCOIN', '60.00 USD');
  const seen = new Set<string>();
  // One step of one part at a time, as processes of their own would take them, with a look in between.
  for (let round = 0; round < 5; round += 1) {
    const { watchers, senders, runners } = gateway.app;
    for (const step of [...watchers.map((each) => each.tick), ...runners.map((each) => each.runDue)]) {
      await step();
      for (const found of (await gateway.app.reconcile()).counted)
        assert.ok(isSound(found), `${found.network} ${found.asset}`);
      const proof = await proofOf('BTC', await verifyBridge(gateway.db, gateway.clock.now()));
      assert.deepEqual(proof.problems, []);
      seen.add([proof.tokenUnits, proof.issuedUnits, proof.heldUnits].join(' '));
    }
    for (const sender of senders) await sender.tick();
    gateway.stellar.close();
  }
  assert.ok(seen.has('0 0 100000'), 'coins without tokens yet');
  assert.deepEqual(figures(await proofOf('BTC')), [100_000n, 100_000n, 100_000n, 100_000n, 0n]);
  assert.match(await metrics(), /quittance_bridge_is_proven\{asset="BTC:\w+"\} 1/);
  assert.match(await metrics(), /quittance_bridge_token_units\{asset="BTC:\w+"\} 100000/);
});

test('while Stellar is ahead of the books nothing is said, and an old count stays', async () => {
  const before = await proofOf('BTC');
  gateway.clock.advance({ minutes: 1 });
  gateway.stellar.send(issuerKey, [Operation.bumpSequence({ bumpTo: '0' })]);
  gateway.stellar.close();
  assert.deepEqual((await proofOf('BTC')).countedAt, before.countedAt);
  await gateway.runUntilIdle();
  assert.notDeepEqual((await proofOf('BTC')).countedAt, before.countedAt);
});

test('a bridge that is kept from issuing is behind after ten minutes, and told so', async () => {
  await pay('LITECOIN', '60.00 USD');
  await gateway.runUntilIdle();
  assert.deepEqual((await proofOf('LTC')).problems, []);
  gateway.clock.advance({ minutes: 11 });
  await gateway.runUntilIdle();
  const [problem] = (await proofOf('LTC')).problems;
  assert.match(String(problem), /^[\d.]+ LTC is held without tokens, since 2026-03-01T/);
  await market.settle();
  assert.deepEqual((await proofOf('LTC')).problems, []);
});

test('tokens issued behind our back are found by asking Stellar, wherever they are', async () => {
  const somebody = Keypair.random();
  gateway.stellar.openAccount(somebody, '10', `BTC:${issuerKey.publicKey()}`);
  gateway.stellar.send(issuerKey, [
    Operation.payment({ destination: somebody.publicKey(), asset: token('BTC'), amount: '0.2' }),
  ]);
  gateway.stellar.close();
  gateway.stellar.send(somebody, [
    Operation.createClaimableBalance({
      asset: token('BTC'),
      amount: '0.15',
      claimants: [new Claimant(somebody.publicKey())],
    }),
  ]);
  gateway.stellar.close();
  await gateway.runUntilIdle();
  const proof = await proofOf('BTC');
  assert.deepEqual(figures(proof), [
    ...[20_100_000n, 100_000n, 100_000n, 100_000n, 0n],
    'Stellar has 0.2 BTC more than the books say was issued.',
  ]);
  const { exitCode, text } = bridgeReport(await proofs());
  assert.equal(exitCode, 1);
  assert.match(text, /^BTC +0\.201 +0\.001 +0\.001 +0\.001 +0 +NO$/m);
  assert.match(await metrics(), /quittance_bridge_is_proven\{asset="BTC:\w+"\} 0/);
  assert.match(await metrics(), /quittance_bridge_difference_units\{asset="BTC:\w+"\} 20000000/);
  assert.match(await metrics(), /quittance_bridge_is_proven\{asset="LTC:\w+"\} 1/);

  // Bought back and burned, all is well.
  const [waiting] = [...gateway.stellar.ledger.entries.claimableBalances.values()];
  gateway.stellar.send(somebody, [Operation.claimClaimableBalance({ balanceId: waiting?.id ?? '' })]);
  gateway.stellar.close();
  gateway.stellar.send(somebody, [
    Operation.payment({ destination: issuerKey.publicKey(), asset: token('BTC'), amount: '0.2' }),
  ]);
  gateway.stellar.close();
  await gateway.runUntilIdle();
  assert.equal(bridgeReport(await proofs()).exitCode, 0);
});

test('coins that are lost are missed although all tokens are where they were', async () => {
  stealCoin(gateway, await aCoinOfOurs(gateway));
  gateway.bitcoin.mine(1);
  await gateway.runUntilIdle();
  assert.deepEqual(figures(await proofOf('BTC')), [
    ...[100_000n, 100_000n, 0n, 100_000n, 0n],
    'BITCOIN holds 0.001 BTC less than the books say.',
  ]);
  const { exitCode, text } = bridgeReport(await proofs());
  assert.equal(exitCode, 1);
  assert.match(text, /^BTC: BITCOIN holds 0\.001 BTC less than the books say\.$/m);
  assert.match(await metrics(), /quittance_bridge_difference_units\{asset="BTC:\w+"\} 100000/);

  gateway.bitcoin.chain.reorganise(1, { keepTransactions: false });
  await gateway.runUntilIdle();
  assert.equal(bridgeReport(await proofs()).exitCode, 0, 'the chain took the theft back');
});
