/**
 * Money of banks is money like any other: euros, dollars and reais are deposited, exchanged, and what a coin paid is credited in
 * them. 1 EUR is 1.08 USD in the sandbox, 1 BTC 60,000.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type PixSandbox, startPixSandbox } from '@quittance/sandbox/pix/pix-sandbox';
import { importBankFile } from '../src/bank-files/import-bank-file.ts';
import { createAssetCatalog } from '../src/catalog/asset-catalog.ts';
import { readConfig } from '../src/config.ts';
import { createEncryption } from '../src/lib/encryption.ts';
import { createConnectors } from '../src/networks/registry.ts';
import { listOpenMovements } from '../src/payments/movement-store.ts';
import { loadCoverage } from '../src/venues/coverage.ts';
import { assignMovement } from '../src/watching/assign-movement.ts';
import { type Gateway, startGateway, testIssuer, withoutLitecoin } from './gateway.ts';
import { type Booking, openStatementBank, ourIban, type StatementBank } from './networks/statement-bank.ts';
import { openShop, type Shop } from './shop.ts';
import { stockTreasury } from './stock-treasury.ts';

const now = '2026-03-02T12:00:00.000Z';
const usdc = `USDC:${testIssuer}`;
const rails = [
  { network: 'SEPA', currency: 'EUR' },
  { network: 'SWIFT', currency: 'USD' },
  { network: 'PIX', currency: 'BRL' },
] as const;
type Rail = (typeof rails)[number];

let gateway: Gateway;
let shop: Shop;
let pix: PixSandbox;
let banks: Record<'SEPA' | 'SWIFT', { readonly bank: StatementBank; balance: bigint }>;
before(async () => {
  const clock = (): Date => gateway?.clock.now() ?? new Date(now);
  pix = await startPixSandbox({ password: 'sandbox', now: clock });
  gateway = await startGateway({
    now,
    env: {
      ...withoutLitecoin,
      TREASURY_LIMITS: 'EUR=0,*=-1000000000',
      SEPA_IBAN: ourIban,
      SEPA_ACCOUNT_NAME: 'Shop AG',
      SWIFT_IBAN: ourIban,
      SWIFT_ACCOUNT_NAME: 'Shop AG',
      SWIFT_BIC: 'HELADEF1822',
      PIX_URL: pix.baseUrl,
      PIX_CLIENT_ID: pix.clientId,
      PIX_CLIENT_SECRET: pix.clientSecret,
      PIX_CHAVE: pix.key,
      PIX_POLL_SECONDS: '0',
      PIX_LOOK_BACK_MINUTES: '0',
    },
  });
  banks = {
    SEPA: { bank: openStatementBank({ now: clock }), balance: 0n },
    SWIFT: { bank: openStatementBank({ now: clock, swiftCurrency: 'USD' }), balance: 0n },
  };
  shop = await openShop(gateway, { feePercent: '0' });
  for (const { currency } of rails) await stockTreasury(gateway, `${currency}:${testIssuer}`, 1_000_0000000n);
  await stockTreasury(gateway, usdc, 1_000_0000000n);
});
after(async () => {
  await gateway.stop();
  await pix.stop();
});

type Instructions = { readonly address: string; readonly memo: string };

/** Somebody does as the instructions say, and the bank tells of it. */
async function pay({ network }: Rail, { address, memo }: Instructions, cents: bigint): Promise<void> {
  if (network === 'PIX') pix.pay({ address });
  else await book(network, { cents, text: memo });
  await gateway.runUntilIdle();
}

async function book(network: keyof typeof banks, booking: Booking): Promise<void> {
  const { db, clock } = gateway;
  const { bank, balance } = banks[network];
  const connectors = createConnectors(readConfig(gateway.env).networks, clock.now);
  const encryption = createEncryption(Buffer.alloc(32, 7));
  const deps = { db, clock, encryption, connectors, bankFileBytesMax: 10_000_000, onChange: () => undefined };
  const bytes = bank.write('camt.053', [bank.entryOf(booking)], balance);
  const file = { network, fileName: 'statement.xml', bytes, way: 'COMMAND', actor: 'operator' } as const;
  await importBankFile(deps, { ...file, begin: db.begin });
  banks[network] = { bank, balance: balance + booking.cents };
  await gateway.runUntilIdle();
}

const available = async (code: string): Promise<bigint> => BigInt((await shop.balances())[`available/${code}`] ?? 0);

/** A signature is good for one request, and the same order twice in a second has the same. */
async function swap(order: Record<string, string>): Promise<any> {
  gateway.clock.advance({ seconds: 1 });
  return (await shop.post('/swap', order)).swap;
}

for (const rail of rails) {
  const { network, currency } = rail;
  test(`${currency}: what comes by ${network} without a charge is credited, and can be exchanged there and back`, async () => {
    const { networks } = await shop.get('/networks');
    assert.equal(networks.find(({ id }: { id: string }) => id === network).deposits, true);
    const { id, depositInstructions } = await shop.post('/deposit-address', {
      network,
      asset: currency,
      amount: '80.00',
      webhook: gateway.webhookUrl,
    });
    assert.equal(depositInstructions.holder, network === 'PIX' ? null : 'Shop AG');
    await pay(rail, depositInstructions, 8_000n);
    assert.equal((await shop.get(`/deposit?id=${id}`)).deposit.state, 'COMPLETED');
    assert.deepEqual(shop.eventsOf(id), ['DEPOSIT_COMPLETED COMPLETED']);
    assert.equal(await available(currency), 80_0000000n);

    const out = await swap({ sourceAsset: currency, targetAsset: 'USDC', sourceAmount: '50' });
    assert.deepEqual([out.state, out.sourceAmount], ['COMPLETED', '50']);
    assert.ok(Number(out.targetAmount) > 0);
    const back = await swap({ sourceAsset: 'USDC', targetAsset: currency, sourceAmount: out.targetAmount });
    assert.equal(back.state, 'COMPLETED');
    const left = await available(currency);
    assert.ok(left > 79_9900000n && left <= 80_0000000n, `${left}: nothing is won by going there and back`);
  });

  test(`${currency}: what a coin paid is credited in it, and what came by ${network} as it came`, async () => {
    const before = await available(currency);
    const settlementAsset = `${currency}:${testIssuer}`;
    const coin = await shop.open(`24.00 ${currency}`, 'BITCOIN', { settlementAsset });
    gateway.bitcoin.pay(coin);
    gateway.bitcoin.mine(6);
    await gateway.runUntilIdle();
    assert.equal(await shop.state(coin.id), 'COMPLETED');
    assert.equal(await available(currency), before + 24_0000000n);

    const own = await shop.open(`12.00 ${currency}`, network, { settlementAsset: 'ORIGIN' });
    await pay(rail, own.reply.depositInstructions, 1_200n);
    assert.equal(await shop.state(own.id), 'COMPLETED');
    assert.equal(await available(currency), before + 36_0000000n);
  });
}

test('what left a bank and nobody has explained is sold to nobody, and makes nothing that is owed less', async () => {
  const { db } = gateway;
  const order = { sourceAsset: 'USD', targetAsset: 'EUR', sourceAmount: '5' };
  const swapped = async (): Promise<number> => {
    gateway.clock.advance({ seconds: 1 });
    return (await shop.request('POST', '/swap', order)).status;
  };
  const owed = async () => {
    const assets = createAssetCatalog(readConfig(gateway.env).operator);
    const coverage = await loadCoverage({ assets, treasuryLimits: new Map() }, db);
    return coverage.find(({ asset }) => asset.assetCode === 'EUR')?.owedUnits;
  };
  assert.equal(await swapped(), 200);
  const before = await owed();
  await book('SEPA', { cents: -1_000_00n });
  assert.equal(await swapped(), 503, 'of the operator’s 1,000.00 EUR nothing is there');
  assert.equal(await owed(), before);
  const [left] = await listOpenMovements(db);
  await assignMovement(gateway, left?.id ?? '', { as: 'FEE', of: null }, { actor: 'operator', begin: db.begin });
  assert.equal(await swapped(), 503);
});
