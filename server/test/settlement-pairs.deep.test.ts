/**
 * Any settlement asset for any payment method, by the treasury: no bridge, no market, and whatever is credited comes out
 * of the operator's own stock. All are paid, then all are confirmed, then each is looked at on its own.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deliverAll } from './deliver-all.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { type Code, type Method, methods, paidUnits, payBy, unitsOf } from './payment-methods.ts';
import { type Committed, openShop, type Shop } from './shop.ts';

const settled: readonly Code[] = ['BTC', 'BTCLN', 'LTC', 'ETH', 'USDT', 'USDC', 'XLM', 'EUR'];

const pairs = methods.flatMap((method, row) =>
  settled.map((code, column) => ({ method, code, diagonal: row + column })),
);
/** A sample has each method and each asset twice. */
const toldPairs = pairs;

type Told = Committed & { readonly shop: Shop; readonly tx: string };

let gateway: Gateway;
const told = new Map<string, Told>();
before(async () => {
  gateway = await startGateway({ hasStellar: true, withEthereum: true, lightningSat: 10_000_000n });
  for (const { method, code } of toldPairs) {
    // A shop of its own for each, so that what it has in the end is what its payments brought.
    const shop = await openShop(gateway, { highRiskAssets: ['USDT'] });
    const id = await shop.create('50.00 USD', { settlementAsset: code });
    const checkout = await shop.commit(id, method.network, method.code);
    told.set(nameOf(method, code), { ...checkout, shop, tx: await payBy(gateway, method, checkout) });
  }
  gateway.bitcoin.mine(6);
  gateway.litecoin.mine(6);
  await gateway.ethereum?.mine(12);
  await gateway.runUntilIdle();
  await deliverAll(gateway);
});
after(() => gateway?.stop());

const nameOf = ({ network, code }: Method, credited: Code): string => `${code} on ${network} becomes ${credited}`;

for (const { method, code: credited } of toldPairs)
  test(`${nameOf(method, credited)} as quoted`, async () => {
    const found = told.get(nameOf(method, credited));
    assert.ok(found, 'it was paid');
    const { shop, id, tx } = found;
    const { settlement } = found.reply;
    const record = await shop.checkout(id);
    assert.deepEqual([record.state, record.exceptions], ['COMPLETED', []]);
    assert.deepEqual(
      [record.settlementAssetId, record.settlementAmountReceived, record.settlementAmountFeePaid],
      [settlement.assetId, settlement.amount, settlement.fee],
    );
    const { wallet } = await shop.get(`/wallet?assetCode=${credited}`);
    assert.equal(wallet.available, settlement.netAmount);
    assert.deepEqual(Object.keys(await shop.balances()), [`available/${credited}`]);
    assert.deepEqual(
      record.blockchainTransactions.map(({ type, tx }: any) => [type, tx]),
      [
        ['CHECKOUT_ORIGIN', tx],
        ['CHECKOUT_SETTLEMENT', `settlement:${id}:1`],
      ],
    );
    const [event] = shop.webhooksOf(id);
    assert.deepEqual(event?.data.checkout.blockchainTransactions, record.blockchainTransactions);
    const position = method.code === credited ? [] : [paidUnits(method, found), -unitsOf(settlement.amount, credited)];
    assert.deepEqual(await fxOf(id, [method.code, credited]), position);
  });

/** What a checkout posted to the operator's position. */
async function fxOf(checkoutId: string, codes: readonly Code[]): Promise<bigint[]> {
  const rows = await gateway.db<{ account_id: string; units: string }>`
    select account_id, units from ledger_line join ledger_entry using (reference)
     where subject_id = ${checkoutId} and account_id like 'operator/fx/%'`;
  const of = (code: Code) => rows.find(({ account_id }) => account_id.startsWith(`operator/fx/${code}:`));
  return codes.flatMap((code) => of(code) ?? []).map(({ units }) => BigInt(units));
}
