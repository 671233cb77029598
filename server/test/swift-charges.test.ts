/** Who orders by SWIFT with OUR bears what the banks on the way take: whoever is paid has all of it, and the charge is a fee of the operator's. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readBackPaymentFile } from './payment-file-reader.ts';
import { openPaymentWorld, type PaymentWorld } from './payment-file-world.ts';

let world: PaymentWorld;
before(async () => {
  world = await openPaymentWorld({ network: 'SWIFT', env: { SWIFT_CHARGES: 'OUR' } });
});
after(() => world.stop());

const feesPaid = async (): Promise<readonly string[]> => {
  const fees = await world.gateway.db<{ units: string }>`
    select units from network_movement where kind = 'FEE' and open_units = 0 order by seen_at, id`;
  return fees.map(({ units }) => units);
};

for (const [how, isApart, fees] of [
  ['within the payment, and says so', false, ['-250000000']],
  ['by itself', true, ['-250000000', '-250000000']],
] as const)
  test(`a bank books what the payer bears ${how}: the payment is known, and the rest is a fee`, async () => {
    world.bank.bookChargesApart(isApart);
    const shop = await world.paidShop();
    const id = await world.pay(shop, '100');
    const file = await world.make();
    const bytes = await world.download(file);
    assert.equal(readBackPaymentFile(bytes.toString()).batches[0]?.charges, 'DEBT');
    const before = world.bank.balance(world.bank.dollar.iban);
    assert.ok(world.bank.takeFile(bytes).isTaken);
    assert.equal(before - world.bank.balance(world.bank.dollar.iban), 12_500n);
    await world.bringStatement();
    assert.match(await world.filePage(file), /booked, may still come back.*1 booked/);
    assert.doesNotMatch(await world.page('/operator/suspense'), /Moved, and nobody knows why/);
    assert.deepEqual(await feesPaid(), fees);
    await world.later(15); // After ten banking days.
    await world.bringStatement();
    assert.equal((await shop.transfer(id)).state, 'COMPLETED');
    const left = { 'available/USD': '3975000000' }; // 500.00, less 2.50 for the checkout and 100.00.
    assert.deepEqual(await shop.balances(), left, 'the merchant pays for nothing but the payment');
  });
