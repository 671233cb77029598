/** Checkouts paid over Pix, at the bank of the sandbox, whose clock is the story's. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type PixSandbox, startPixSandbox } from '@quittance/sandbox/pix/pix-sandbox';
import { aCharge, type Gateway, startGateway, testIssuer } from './gateway.ts';
import { openShop, type Shop } from './shop.ts';

let gateway: Gateway | undefined;
let bank: PixSandbox;
before(async () => {
  const start = '2026-03-01T12:00:00.000Z';
  bank = await startPixSandbox({ password: 'sandbox', now: () => gateway?.clock.now() ?? new Date(start) });
  gateway = await startGateway({
    now: start,
    env: {
      PIX_URL: bank.baseUrl,
      PIX_CLIENT_ID: bank.clientId,
      PIX_CLIENT_SECRET: bank.clientSecret,
      PIX_CHAVE: bank.key,
      PIX_POLL_SECONDS: '0',
      PIX_LOOK_BACK_MINUTES: '0',
    },
  });
});
after(async () => {
  await gateway?.stop();
  await bank.stop();
});

const story = (): Gateway => gateway ?? assert.fail('it has not begun');

test('a charge in reais is paid by a code, credited and announced at once', async () => {
  const shop = await openShop(story());
  const { id, paymentMethods } = await shop.post('/checkout', aCharge('60.00 BRL', { webhook: story().webhookUrl }));
  const method = paymentMethods.find(({ network }: any) => network === 'PIX');
  assert.deepEqual([method.assetCode, method.paymentAmount], ['BRL', '60']);
  const checkout = await shop.commit(id, 'PIX');
  assert.match(checkout.address, /^00020101021226.*5303986540560\.005802BR.*6304[0-9A-F]{4}$/);
  assert.equal((await shop.commit(id, 'PIX')).address, checkout.address, 'the same commit gives the same code');
  assert.throws(() => bank.pay({ address: checkout.address, units: 59_99n }), /refused/);
  const name = bank.pay(checkout);
  await story().runUntilIdle();
  assert.equal(await shop.state(id), 'COMPLETED');
  assert.deepEqual(await shop.balances(), { 'available/BRL': '597000000' });
  assert.deepEqual(shop.eventsOf(id), ['CHECKOUT_COMPLETED COMPLETED']);
  assert.equal((await shop.checkout(id)).blockchainTransactions[0].tx, name);
});

test('Pix takes charges in reais, credited as they are paid, and no others', async () => {
  const btc = `BTC:${testIssuer}`;
  const offers = async (shop: Shop, total: string, settlementAsset = 'ORIGIN'): Promise<boolean> => {
    const { paymentMethods } = await shop.post('/checkout', aCharge(total, { settlementAsset }));
    return paymentMethods.some(({ network }: any) => network === 'PIX');
  };
  const shop = await openShop(story());
  assert.equal(await offers(shop, '60.00 BRL', `BRL:${testIssuer}`), true);
  assert.equal(await offers(shop, '60.00 USD'), false, 'its money can be taken back for months, at a rate of today');
  assert.equal(await offers(shop, '60.00 EUR'), false);
  assert.equal(await offers(shop, '60.00 BRL', btc), false, 'the shop has not agreed to the rate of the booking');
  const taker = await openShop(story(), { takesRateOfBooking: true });
  assert.equal(await offers(taker, '60.00 BRL', btc), true);
  assert.equal(await offers(taker, '60.00 USD', btc), false, 'that is no yes to a price in another currency');
});

test('Pix takes deposits and sends nothing', async () => {
  const { networks } = await story().get('/networks');
  const { type, deposits, transfers } = networks.find(({ id }: any) => id === 'PIX');
  assert.deepEqual([type, deposits, transfers], ['BANK', true, false]);
});

test('the page shows the code to a camera, and to copy', async () => {
  const { origin } = new URL(story().url);
  const { id } = await story().post('/checkout/hosted', aCharge('60.00 BRL', { checkoutLanguage: 'pt' }));
  const chosen = await fetch(`${origin}/pt/checkout/${id}/commit`, {
    method: 'POST',
    body: new URLSearchParams({ network: 'PIX' }),
  });
  const page = await chosen.text();
  assert.match(page, /00020101021226/);
  assert.match(page, /<svg[^>]*class="[^"]*qr|id="qr|data-qr|class="code/);
  assert.doesNotMatch(page, /id="open-wallet"/, 'no link opens the app of a bank');
});

test('a bank that is away keeps nobody from paying otherwise, and what was paid meanwhile is credited afterwards', async () => {
  const shop = await openShop(story());
  const checkout = await shop.open('60.00 BRL', 'PIX');
  bank.pay(checkout);
  bank.goAway();
  await story().runUntilIdle();
  assert.equal(await shop.state(checkout.id), 'PENDING');
  bank.comeBack();
  await story().runUntilIdle();
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
});

/** The months in which a payment can be contested are looked through in several looks. */
async function lookBack(): Promise<void> {
  for (let look = 0; look < 25; look += 1) await story().runUntilIdle();
}

test('what payers contest is taken back from the merchant, in part and weeks later', async () => {
  const shop = await openShop(story());
  const { id, address } = await shop.open('60.00 BRL', 'PIX');
  const name = bank.pay({ address });
  await story().runUntilIdle();
  assert.equal(await shop.state(id), 'COMPLETED');
  story().clock.advance({ hours: 24 * 20 });
  bank.contest(name, { centavos: 20_00n });
  await lookBack();
  assert.equal(await shop.state(id), 'UNDERPAID PARTIAL REORGED');
  assert.deepEqual(await shop.balances(), { 'suspense/BRL': '400000000' });
  assert.deepEqual(shop.eventsOf(id).slice(0, 2), ['CHECKOUT_COMPLETED COMPLETED', 'CHECKOUT_REVERSED PROCESSING']);
  bank.contest(name, { isFraud: false });
  await lookBack();
  assert.deepEqual(await shop.balances(), {});
});

test('what is given back in the bank’s own portal is taken back too', async () => {
  const shop = await openShop(story());
  const { id, address } = await shop.open('60.00 BRL', 'PIX');
  const name = bank.pay({ address });
  await story().runUntilIdle();
  bank.giveBack(name, 'portal', 60_00n, null);
  story().clock.advance({ minutes: 1 });
  await lookBack();
  assert.equal(await shop.state(id), 'PENDING REORGED');
  assert.deepEqual(await shop.balances(), {});

  // A charge that was paid takes nothing more, although the price is missing again: there is another code.
  assert.throws(() => bank.pay({ address }), /not open/);
  const again = await shop.commit(id, 'PIX');
  assert.notEqual(again.address, address);
  bank.pay(again);
  await story().runUntilIdle();
  assert.equal(await shop.state(id), 'COMPLETED REORGED');
});
