/** Death at any point of the bridge, while it issues and while it burns. See die-everywhere. */
import { after, before, test } from 'node:test';
import { type BridgeWorld, startBridgeWorld } from './bridge-stories.ts';
import { dieEverywhere } from './die-everywhere.ts';
import { withoutLitecoin } from './gateway.ts';

/** The one that dies keeps the bridge and sends on Stellar, and need know no other network. */
const deaths = { atLeast: 24, env: withoutLitecoin };

let world: BridgeWorld;
before(async () => {
  world = await startBridgeWorld();
});
after(() => world.gateway.stop());

test('tokens for coins that came are issued once', () => dieEverywhere(world.gateway, world.issue, deaths));

test('tokens of coins that left are burned once', () => dieEverywhere(world.gateway, world.burn, deaths));
