/**
 * A gateway that can send on both UTXO chains and has coins to pay fees with, and the words in which stories of refunds
 * are told. 60.00 USD are 0.001 BTC.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { p2wpkh } from '@scure/btc-signer';
import { pubECDSA } from '@scure/btc-signer/utils.js';
import { allowAddress, type SettingsChange } from '../src/merchants/change-settings.ts';
import { unitsOf } from '../src/networks/families/utxo/utxo-block.ts';
import { createUtxoRpc } from '../src/networks/families/utxo/utxo-rpc.ts';
import { type Gateway, type GatewayOptions, startGateway } from './gateway.ts';
import { bitcoinCoin } from './networks/utxo-coins.ts';
import { type Committed, openShop, type Shop } from './shop.ts';

export type RefundWorld = {
  readonly gateway: Gateway;
  /** A shop whose address is on its list, so that it may move money. */
  shop(settings?: SettingsChange): Promise<Shop>;
  mine(blocks: number): Promise<void>;
  pass(time: { minutes?: number; hours?: number }): Promise<void>;
  pay(to: { address: string }, amount: string): Promise<string>;
  /** A checkout that was paid and confirmed; after the window, if it was paid too little. */
  paid(shop: Shop, amount: string, more?: Record<string, unknown>): Promise<Committed>;
  underpaid(shop: Shop, amount: string): Promise<Committed>;
  /** Sends what is queued and mines until it is final enough. */
  send(): Promise<void>;
};

const networkVersions = { private: 0x04358394, public: 0x043587cf };

const secretKey = (path: string): string =>
  HDKey.fromMasterSeed(Buffer.alloc(32, 7), networkVersions).derive(path).privateExtendedKey;

export const sendingKeys = { BITCOIN_XPRV: secretKey("m/84'/1'/0'"), LITECOIN_XPRV: secretKey("m/84'/1'/1'") };

export const aBitcoinAddress = (): string => p2wpkh(pubECDSA(randomBytes(32)), bitcoinCoin.network).address;

export async function startRefundWorld(options: GatewayOptions = {}): Promise<RefundWorld> {
  const gateway = await startGateway({ ...options, env: { ...sendingKeys, ...options.env } });
  return refundWorldAt(gateway);
}

/** The same on a gateway that runs already, and was started with these keys. */
export async function refundWorldAt(gateway: Gateway): Promise<RefundWorld> {
  async function mine(blocks: number): Promise<void> {
    gateway.bitcoin.mine(blocks);
    gateway.litecoin.mine(blocks);
    await gateway.runUntilIdle();
  }
  async function pass(time: { minutes?: number; hours?: number }): Promise<void> {
    gateway.clock.advance(time);
    await gateway.runUntilIdle();
  }
  async function pay(to: { address: string }, amount: string): Promise<string> {
    const tx = gateway.bitcoin.pay({ address: to.address, amount });
    await gateway.runUntilIdle();
    return tx;
  }
  async function shop(settings: SettingsChange = {}): Promise<Shop> {
    const opened = await openShop(gateway, settings);
    await allowAddress(gateway, opened.merchant.merchantId, { range: '127.0.0.1' }, 'operator');
    return opened;
  }
  async function paid(of: Shop, amount: string, more: Record<string, unknown> = {}): Promise<Committed> {
    const checkout = await of.open('60.00 USD', 'BITCOIN', more);
    await pay(checkout, amount);
    await mine(1);
    return checkout;
  }

  const world: RefundWorld = {
    gateway,
    shop,
    mine,
    pass,
    pay,
    paid,
    async underpaid(of, amount) {
      const checkout = await paid(of, amount);
      await pass({ minutes: 61 });
      assert.equal(await of.state(checkout.id), 'UNDERPAID PARTIAL');
      return checkout;
    },
    async send() {
      await gateway.runUntilIdle();
      await mine(1);
    },
  };
  // Coins of another shop: a refund leaves its payment whole, so the fee needs one more.
  const neighbour = await shop();
  for (const _ of [1, 2, 3]) await paid(neighbour, '0.001');
  return world;
}

/** What has reached an address of somebody else's. */
export async function received(gateway: Gateway, address: string): Promise<bigint> {
  const rpc = createUtxoRpc(gateway.bitcoin.chain.url, 60_000);
  const scan = await rpc.call<{ total_amount: number }>('scantxoutset', 'start', [`addr(${address})`]);
  return unitsOf(scan.total_amount);
}
