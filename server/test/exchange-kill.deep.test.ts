/**
 * Death at any point of an exchange on Stellar: while it is planned, signed, stored, submitted, seen in
 * the ledger and booked. See die-everywhere.
 */
import { after, before, test } from 'node:test';
import { dieEverywhere } from './die-everywhere.ts';
import { type ExchangeWorld, startExchangeWorld } from './exchange-stories.ts';

let world: ExchangeWorld;
before(async () => {
  world = await startExchangeWorld();
});
after(() => world.gateway.stop());

test('a swap on the market is exchanged once and credited once', () =>
  dieEverywhere(world.gateway, world.swap, { atLeast: 30 }));

test('a checkout that is settled on the market is exchanged once and credited once', () =>
  dieEverywhere(world.gateway, world.settlement, { atLeast: 37 }));

test('a transfer on Stellar is sent once', () => dieEverywhere(world.gateway, world.transfer, { atLeast: 27 }));
