/** A merchant with money that may leave, for stories of transfers on the sandbox chain. */
import assert from 'node:assert/strict';
import { HDKey } from '@scure/bip32';
import { p2wpkh } from '@scure/btc-signer';
import { present } from '../src/lib/assert.ts';
import { allowAddress, type SettingsChange } from '../src/merchants/change-settings.ts';
import { unitsOf } from '../src/networks/families/utxo/utxo-block.ts';
import type { Gateway, Reply, RequestOptions } from './gateway.ts';
import { bitcoinCoin } from './networks/utxo-coins.ts';
import { openShop, type Shop } from './shop.ts';

export const somewhere = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';

export type Sender = Shop & {
  /** POST /transfer of bitcoins, answered with 200. Every order is told apart by a number, as the clock stands still. */
  send(order: Record<string, unknown>): Promise<any>;
  order(order: Record<string, unknown>, options?: RequestOptions): Promise<Reply>;
  transfer(id: string): Promise<any>;
};

let orders = 0;

/** With bitcoins that have really arrived at a deposit of ours, less the settlement fee of half a percent. */
export async function openSender(gateway: Gateway, bitcoins: string, settings: SettingsChange = {}): Promise<Sender> {
  const shop = await openShop(gateway, settings);
  await allowAddress(gateway, shop.merchant.merchantId, { range: '127.0.0.1' }, 'operator');
  if (bitcoins !== '0') {
    const { depositInstructions } = await shop.post('/deposit-address', { network: 'BITCOIN' });
    gateway.bitcoin.pay({ address: depositInstructions.address, amount: bitcoins });
    await mine(gateway, 6);
  }
  const order: Sender['order'] = (more, options) =>
    shop.request(
      'POST',
      '/transfer',
      { network: 'BITCOIN', asset: 'BTC', webhook: gateway.webhookUrl, meta: { order: ++orders }, ...more },
      options,
    );
  return {
    ...shop,
    order,
    async send(more) {
      const { status, body } = await order(more);
      assert.equal(status, 200, JSON.stringify(body));
      return body.transfer;
    },
    transfer: async (id) => (await shop.get(`/transfer?id=${id}`)).transfer,
  };
}

export async function mine(gateway: Gateway, blocks: number): Promise<void> {
  gateway.bitcoin.mine(blocks);
  await gateway.runUntilIdle();
}

/** What the chain has given to an address, in satoshis, in blocks: from the node's own set of unspent outputs. */
export async function receivedAt(gateway: Gateway, address: string): Promise<bigint> {
  const { total_amount: total } = await rpc(gateway, 'scantxoutset', 'start', [`addr(${address})`]);
  return unitsOf(total);
}

export async function rpc(gateway: Gateway, method: string, ...params: unknown[]): Promise<any> {
  const url = new URL(gateway.bitcoin.chain.url);
  const authorization = `Basic ${Buffer.from(`${url.username}:${url.password}`).toString('base64')}`;
  url.username = '';
  url.password = '';
  const reply = await fetch(url, {
    method: 'POST',
    headers: { authorization },
    body: JSON.stringify({ id: 1, method, params }),
  });
  const { result, error } = (await reply.json()) as { result: unknown; error: unknown };
  assert.equal(error, null, JSON.stringify(error));
  return result;
}

const strangers = HDKey.fromMasterSeed(Buffer.alloc(32, 99));
let addresses = 0;

/** An address of somebody else's that nothing has been sent to. */
export function freshAddress(coin = bitcoinCoin): string {
  addresses += 1;
  const { publicKey } = strangers.deriveChild(addresses);
  return present(p2wpkh(present(publicKey, 'a public key'), coin.network).address, 'an address');
}
