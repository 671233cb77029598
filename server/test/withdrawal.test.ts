/** The operator takes out and sells what is its own, and nothing that belongs to merchants. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import { findFundingTarget } from '../src/deposits/deposit-target-store.ts';
import { enqueue } from '../src/jobs/enqueue.ts';
import { orderJob } from '../src/jobs/job-store.ts';
import { present } from '../src/lib/assert.ts';
import { newId } from '../src/lib/ids.ts';
import { formatUnits } from '../src/money/amount.ts';
import { findPayout } from '../src/sending/payout-store.ts';
import { whyDeclined } from '../src/wallets/withdraw-own-money.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { balancesOf, openShop, type Shop } from './shop.ts';
import { freshAddress, mine, openSender, receivedAt, somewhere } from './transfer-story.ts';

const ofAnchor = `BTC:${Keypair.fromRawEd25519Seed(new Uint8Array(32).fill(11)).publicKey()}`;

let gateway: Gateway;
before(async () => {
  gateway = await startGateway({ env: { TREASURY_LIMITS: '*=0', ANCHORED_ASSETS: `${ofAnchor}@anchor.example` } });
});
after(() => gateway.stop());

const operator = () => balancesOf(gateway, 'operator/');

async function order(amounts: readonly string[], address = somewhere): Promise<string[]> {
  const ids = amounts.map(() => newId());
  const jobs = amounts.map((amount, position) => ({
    name: 'withdrawal.request' as const,
    payload: {
      transferId: ids[position] as string,
      network: 'BITCOIN',
      asset: 'BTC',
      amount,
      address,
      memo: null,
      memoType: null,
    },
    runAt: gateway.clock.now(),
  }));
  await gateway.db.begin((tx) => enqueue(tx, jobs));
  await gateway.runUntilIdle();
  return ids;
}

async function fund(amount: string): Promise<void> {
  const targetId = newId();
  const payload = { network: 'BITCOIN', targetId, amount: null };
  const runAt = gateway.clock.now();
  await gateway.db.begin((tx) => enqueue(tx, [{ name: 'funding.address', payload, runAt }]));
  await gateway.runUntilIdle();
  const target = present(await findFundingTarget(gateway.db, 'BITCOIN', targetId), 'the target');
  gateway.bitcoin.pay({ address: target.address, amount });
  await mine(gateway, 6);
}

async function refusal(id: string): Promise<string | undefined> {
  assert.equal(await orderJob(gateway.db, 'withdrawal.request', id), null, 'what is refused is over');
  return whyDeclined(gateway.db, id);
}

test('fees and funding can be taken out, and not a unit more', async () => {
  await openSender(gateway, '0.01'); // The merchant has 995,000, and the operator earned 5,000.
  const [tooMuch = ''] = await order(['0.00005001']);
  assert.equal(
    await refusal(tooMuch),
    "Only 0.00005 BTC are the operator's own: the rest belongs to merchants or is promised to them.",
  );
  assert.equal((await operator())['fees/BTC'], '5000');

  await fund('0.005');
  assert.equal((await operator())['equity/BTC'], '500000');

  const address = freshAddress();
  const [id = ''] = await order(['0.005'], address);
  const { 'reserved/BTC': held = '0', 'equity/BTC': equity = '0' } = await operator();
  assert.equal(BigInt(held) + BigInt(equity), 500_000n);
  assert.ok(BigInt(held) > 500_000n, 'with what the network takes for it');
  await mine(gateway, 1);
  assert.equal((await findPayout(gateway.db, id))?.state, 'DONE');
  assert.equal(await receivedAt(gateway, address), 500_000n);
  const { 'reserved/BTC': reserved, 'costs/BTC': costs = '0', 'wallet-BITCOIN/BTC': wallet = '0' } = await operator();
  assert.equal(reserved, undefined);
  assert.equal(-BigInt(wallet), 1_000_000n + BigInt(costs), 'what is left is the first deposit, less the network fee');
});

test('of three withdrawals of nearly all there is one is carried out, and of all none: the network takes its fee', async () => {
  const { 'fees/BTC': fees = '0', 'costs/BTC': costs = '0' } = await operator();
  const own = BigInt(fees) + BigInt(costs);
  await openSender(gateway, '0.9'); // Earns 450,000.
  const inCoins = (units: bigint): string => `0.00${String(units).padStart(6, '0')}`;
  const [all = ''] = await order([inCoins(own + 450_000n)]);
  assert.match(
    (await refusal(all)) ?? '',
    new RegExp(
      `^The network takes up to 0\\.0000\\d+ BTC for this, and only ${formatUnits(own + 450_000n, 8)} BTC are`,
    ),
  );
  const amount = inCoins(own + 400_000n);
  const ids = await order([amount, amount, amount]);
  const refusals = await Promise.all(ids.map(refusal));
  assert.equal(refusals.filter((reason) => reason === undefined).length, 1, refusals.join());
  await mine(gateway, 6);
});

test("a withdrawal that the network refuses is the operator's again", async () => {
  await openSender(gateway, '0.9');
  const amounts = await operator();
  const ids = [newId()];
  const payload = {
    transferId: ids[0] as string,
    network: 'BITCOIN',
    asset: 'BTC',
    amount: '0.001',
    address: somewhere,
    memo: null,
    memoType: null,
  };
  await gateway.db.begin((tx) => enqueue(tx, [{ name: 'withdrawal.request', payload, runAt: gateway.clock.now() }]));
  for (const runner of gateway.app.runners) await runner.runDue();
  await gateway.db`update outgoing_transfer set address = 'bcrt1qnothing' where id = ${ids[0]}`;
  await gateway.runUntilIdle();
  assert.equal((await findPayout(gateway.db, ids[0] as string))?.state, 'FAILED');
  assert.deepEqual(await operator(), amounts);
});

async function paidInLitecoin(shop: Shop, litecoins: string): Promise<void> {
  const { depositInstructions } = await shop.post('/deposit-address', { network: 'LITECOIN' });
  gateway.litecoin.pay({ address: depositInstructions.address, amount: litecoins });
  gateway.litecoin.mine(12);
  await gateway.runUntilIdle();
}

test('what a merchant owes is not there to be taken out, nor to be sold to others', async () => {
  await fund('0.00395'); // The smallest coin that is enough for what the merchant sends.
  const debtor = await openSender(gateway, '0');
  const { depositInstructions } = await debtor.post('/deposit-address', { network: 'BITCOIN' });
  gateway.bitcoin.pay({ address: depositInstructions.address, amount: '0.004' });
  await mine(gateway, 1);
  const { id } = await debtor.send({ amount: '0.0039', address: freshAddress() });
  await gateway.runUntilIdle();
  await mine(gateway, 1);
  gateway.bitcoin.chain.reorganise(2, { keepTransactions: false }); // What was deposited is gone; what was sent comes back.
  await gateway.runUntilIdle();
  gateway.clock.advance({ minutes: 2 });
  await gateway.runUntilIdle();
  await mine(gateway, 1);
  assert.equal((await debtor.transfer(id)).state, 'COMPLETED');
  const { 'receivable/BTC': receivable = '0' } = await debtor.balances();
  assert.ok(BigInt(receivable) < 0n);

  const { 'equity/BTC': equity = '0', 'fees/BTC': fees = '0', 'costs/BTC': costs = '0' } = await operator();
  const own = BigInt(equity) + BigInt(fees) + BigInt(costs) + BigInt(receivable);
  const inCoins = (units: bigint): string => formatUnits(units, 8);
  const [tooMuch = ''] = await order([inCoins(own + 1n)]);
  assert.equal(
    await refusal(tooMuch),
    `Only ${inCoins(own)} BTC are the operator's own: the rest belongs to merchants or is promised to them.`,
  );

  const other = await openShop(gateway);
  const wish = { sourceAsset: 'LTC', targetAsset: 'BTC' };
  await paidInLitecoin(other, '10');
  assert.deepEqual(await other.refused(503, 'POST', '/swap', { ...wish, targetAmount: inCoins(own) }), [
    `The service can give at most ${inCoins(own)} BTC from its stock at the moment.`,
  ]);
  await paidInLitecoin(debtor, '10');
  const debt = inCoins(-BigInt(receivable));
  const { swap } = await debtor.post('/swap', { ...wish, targetAmount: debt });
  assert.deepEqual([swap.state, swap.venue], ['COMPLETED', 'treasury'], 'what is repaid stays where it is');
  assert.equal((await debtor.balances())['receivable/BTC'], undefined);
  const { swap: another } = await other.post('/swap', { ...wish, targetAmount: '0.0001' });
  assert.equal(another.state, 'COMPLETED');
});

test('what is promised to an open checkout is not taken out either', async () => {
  await fund('0.02');
  const most = async (): Promise<number> => {
    const [all = ''] = await order(['1000']);
    return Number(/^Only (\S+) BTC/.exec((await refusal(all)) ?? '')?.[1]) * 1e8;
  };
  const before = await most();
  const shop = await openShop(gateway);
  await shop.open('300.00 USD', 'LITECOIN', { settlementAsset: 'BTC' });
  assert.equal(Math.round(before - (await most())), 500_000);
});

test("what is owed in an anchor's asset is owed of the coin behind it", async () => {
  const most = async (): Promise<bigint> => {
    const [all = ''] = await order(['1000']);
    const [, text = ''] = /^Only (\S+) BTC/.exec((await refusal(all)) ?? '') ?? [];
    return BigInt(Math.round(Number(text) * 1e8));
  };
  await fund('0.02');
  const before = await most();
  const shop = await openShop(gateway);
  const checkout = await shop.open('300.00 USD', 'LITECOIN', { settlementAsset: ofAnchor });
  assert.equal(before - (await most()), 500_000n, 'promised');
  gateway.litecoin.pay(checkout);
  gateway.litecoin.mine(12);
  await gateway.runUntilIdle();
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
  assert.equal(before - (await most()), 497_500n, 'owed, less what was earned of it');
});

test('what the network takes for all that is under way is set aside, so the last one does not live on the fee of others', async () => {
  await fund('0.02');
  const refused = async (amount: string): Promise<string> => (await refusal((await order([amount]))[0] ?? '')) ?? '';
  const free = async (): Promise<bigint> =>
    BigInt(Math.round(Number(/^Only (\S+) BTC/.exec(await refused('1000'))?.[1]) * 1e8));
  const before = await free();
  const [, feeText = ''] = /^The network takes up to (\S+) BTC/.exec(await refused(formatUnits(before, 8))) ?? [];
  const fee = BigInt(Math.round(Number(feeText) * 1e8));
  const ids = await order(Array.from({ length: 5 }, () => '0.0001'));
  assert.deepEqual(
    (await Promise.all(ids.map((id) => findPayout(gateway.db, id)))).map((payout) => payout?.state === 'DONE'),
    [false, false, false, false, false],
  );
  const left = before - 50_000n - fee;
  assert.match(await refused(formatUnits(left, 8)), /^(Only|The network takes up to)/, 'five fees are not one');
  assert.ok((await free()) <= before - 50_000n - 5n * (fee / 2n));
  await mine(gateway, 6);
  const { 'reserved/BTC': reserved } = await operator();
  assert.equal(reserved, undefined, 'what was not taken is the operator’s again');
  assert.ok((await free()) > before - 50_000n - 5n * fee);
});

test('a wrong address is refused with a reason', async () => {
  const [id = ''] = await order(['0.001'], 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq');
  assert.match((await refusal(id)) ?? '', /bc1/);
});

test('a payout that needs the change of another one is signed when that is in a block, and both arrive once', async () => {
  const coins = await gateway.db<{ count: number }>`
    select count(*)::integer as count from payment
     where network = 'BITCOIN' and state in ('CONFIRMED', 'FINAL')
       and not exists (select from outgoing_claim where claim = tx_hash || ':' || tx_index)`;
  const { 'fees/BTC': fees = '0', 'costs/BTC': costs = '0', 'equity/BTC': equity = '0' } = await operator();
  assert.ok((coins[0]?.count ?? 0) > 0 && BigInt(fees) + BigInt(costs) + BigInt(equity) > 0n);
  // All coins but one are elsewhere: as if there had only ever been one.
  const [largest] = await gateway.db<{ id: string }>`
    select payment.id from payment where network = 'BITCOIN' and state in ('CONFIRMED', 'FINAL')
       and not exists (select from outgoing_claim where claim = tx_hash || ':' || tx_index)
     order by units desc limit 1`;
  await gateway.db`
    insert into outgoing_claim (network, claim, transaction_id)
    select 'BITCOIN', tx_hash || ':' || tx_index, 'elsewhere' from payment
     where network = 'BITCOIN' and state in ('CONFIRMED', 'FINAL') and id <> ${largest?.id ?? ''}
        on conflict do nothing`;
  const [first, second] = [freshAddress(), freshAddress()];
  const [one = ''] = await order(['0.0002'], first);
  const [two = ''] = await order(['0.0002'], second);
  const states = async () => Promise.all([one, two].map(async (id) => (await findPayout(gateway.db, id))?.state));
  assert.deepEqual(await states(), ['SIGNED', 'QUEUED'], 'a change in no block is not spent');
  await mine(gateway, 6);
  assert.deepEqual(await states(), ['DONE', 'SIGNED'], 'signed after these blocks, so it is in none of them');
  await mine(gateway, 6);
  assert.deepEqual(await states(), ['DONE', 'DONE']);
  assert.deepEqual([await receivedAt(gateway, first), await receivedAt(gateway, second)], [20_000n, 20_000n]);
  await gateway.db`delete from outgoing_claim where transaction_id = 'elsewhere'`;
});
