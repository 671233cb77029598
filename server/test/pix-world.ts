/** A gateway with a bank for Pix that lets money go back, whose clock is the story's. */
import assert from 'node:assert/strict';
import { type PixSandbox, startPixSandbox } from '@quittance/sandbox/pix/pix-sandbox';
import type { Environment } from '../src/config.ts';
import { allowAddress, type SettingsChange } from '../src/merchants/change-settings.ts';
import { type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { openShop, type Shop } from './shop.ts';

export type PixWorld = {
  readonly gateway: Gateway;
  readonly bank: PixSandbox;
  /** A shop that may move money, and has enough of it to pay its fees. */
  shop(settings?: SettingsChange): Promise<Shop>;
  /** A checkout of 60.00 BRL that was paid; `name` is its Pix. */
  paid(shop: Shop): Promise<{ readonly id: string; readonly name: string; readonly key: string }>;
  /** So long the bank takes to give back. */
  settle(): Promise<void>;
  /** The months in which a payment can be contested are looked through in several looks. */
  lookBack(): Promise<void>;
  /** What went back of a Pix, as the bank knows it: `6000 DEVOLVIDO`. */
  returnsOf(name: string): string[];
  stop(): Promise<void>;
};

export async function startPixWorld(env: Environment = {}): Promise<PixWorld> {
  const now = '2026-03-01T12:00:00.000Z';
  let gateway: Gateway | undefined;
  const bank = await startPixSandbox({ password: 'sandbox', now: () => gateway?.clock.now() ?? new Date(now) });
  const started = await startGateway({
    now,
    env: {
      ...withoutLitecoin,
      PIX_URL: bank.baseUrl,
      PIX_CLIENT_ID: bank.clientId,
      PIX_CLIENT_SECRET: bank.clientSecret,
      PIX_CHAVE: bank.key,
      PIX_RETURNS: 'on',
      PIX_POLL_SECONDS: '0',
      PIX_LOOK_BACK_MINUTES: '0',
      ...env,
    },
  });
  gateway = started;

  async function paid(shop: Shop): ReturnType<PixWorld['paid']> {
    const { id, address } = await shop.open('60.00 BRL', 'PIX');
    const name = bank.pay({ address });
    await started.runUntilIdle();
    assert.equal(await shop.state(id), 'COMPLETED');
    return { id, name, key: bank.findPix(name).txid ?? '' };
  }

  return {
    gateway: started,
    bank,
    async shop(settings = {}) {
      const shop = await openShop(started, settings);
      await allowAddress(started, shop.merchant.merchantId, { range: '127.0.0.1' }, 'operator');
      await paid(shop);
      return shop;
    },
    paid,
    async settle() {
      await started.runUntilIdle();
      started.clock.advance({ minutes: 1 });
      await started.runUntilIdle();
    },
    async lookBack() {
      for (let look = 0; look < 25; look += 1) await started.runUntilIdle();
    },
    returnsOf: (name) => bank.findPix(name).returns.map(({ centavos, status }) => `${centavos} ${status}`),
    async stop() {
      await started.stop();
      await bank.stop();
    },
  };
}
