/** The operator sends back what named no checkout. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findPayout } from '../src/sending/payout-store.ts';
import { assignUnmatched } from '../src/watching/assign-unmatched.ts';
import { advanceReturn, returnUnmatched, whyNotFree } from '../src/watching/return-unmatched.ts';
import { listUnmatched } from '../src/watching/unmatched-store.ts';
import { accountsAt, signed } from './account-world.ts';
import { type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { balancesOf, openShop } from './shop.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway({ hasStellar: true, hasAccount: true, env: withoutLitecoin });
});
after(() => gateway.stop());

/** As the sender would say it, had the network refused. */
async function failTransfer(id: string | null, failure: string): Promise<void> {
  await gateway.db`update outgoing_transfer set state = 'FAILED', failure = ${failure} where id = ${id}`;
  await advanceTwice(id);
}

/** A job may run twice. */
async function advanceTwice(id: string | null): Promise<void> {
  const job = { merchantId: 'operator', transferId: id ?? '' };
  await advanceReturn(gateway, job);
  await advanceReturn(gateway, job);
}

/** Channels are opened and transactions sent in ledgers that close when they are told to. */
async function closeLedgers(): Promise<void> {
  for (let ledger = 0; ledger < 8; ledger += 1) {
    await gateway.runUntilIdle();
    gateway.stellar.close();
  }
  await gateway.runUntilIdle();
}

test('money without a memo goes back to where it came from, less the fee, once', async () => {
  const shop = await openShop(gateway);
  const { address, id: checkoutId } = await shop.open('25.00 USD', 'STELLAR');
  gateway.stellar.pay(null, { address, units: 100_000_000n });
  gateway.stellar.close();
  await gateway.runUntilIdle();
  const [unmatched] = await listUnmatched(gateway.db);
  assert.ok(unmatched?.sender);
  assert.equal((await balancesOf(gateway, 'operator/'))['suspense/XLM'], '100000000');

  for (const feeUnits of [-1n, unmatched.units])
    await assert.rejects(returnUnmatched(gateway, unmatched.id, { destination: null, feeUnits }), /fee must be less/);
  assert.match(whyNotFree({ ...unmatched, assignedCheckoutId: checkoutId }) ?? '', /was assigned to checkout/);
  const order = { destination: null, feeUnits: 100n };
  const first = await returnUnmatched(gateway, unmatched.id, order);
  assert.equal(first.returnAddress, unmatched.sender);
  await assert.rejects(returnUnmatched(gateway, unmatched.id, order), /already on its way back/);
  await assert.rejects(assignUnmatched(gateway, unmatched.id, checkoutId), /already on its way back/);

  await failTransfer(first.returnId, 'The account does not exist.');
  const [failed] = await listUnmatched(gateway.db);
  assert.deepEqual([failed?.returnId, failed?.returnFailure], [null, 'The account does not exist.']);
  assert.equal((await balancesOf(gateway, 'operator/'))['suspense/XLM'], '100000000');

  const second = await returnUnmatched(gateway, unmatched.id, order);
  await advanceTwice(second.returnId);
  assert.equal((await balancesOf(gateway, 'operator/'))['suspense/XLM'], '100000000', 'it has not left yet');
  await closeLedgers();
  await advanceTwice(second.returnId);
  assert.equal((await findPayout(gateway.db, second.returnId ?? ''))?.state, 'DONE');
  assert.deepEqual(await listUnmatched(gateway.db), []);
  assert.equal((await balancesOf(gateway, 'operator/'))['suspense/XLM'], undefined);
  await assert.rejects(returnUnmatched(gateway, unmatched.id, order), /was sent back before/);

  const returned = await gateway.db<{ actor: string }>`
    select actor from audit_log where action = 'unmatched.returned' and detail ->> 'id' = ${unmatched.id}`;
  assert.deepEqual(
    returned.map(({ actor }) => actor),
    ['operator', 'operator'],
    'each time somebody decided it',
  );
});

test('staff assign it on a page, or send it back with a passkey that signs where it goes', async () => {
  const tom = await accountsAt(gateway).staff('treasury', 'tom@operator.example');
  const shop = await openShop(gateway);
  const { address, id: checkoutId } = await shop.open('25.00 USD', 'STELLAR');
  for (const units of [100_000_000n, 200_000_000n]) {
    gateway.stellar.pay(null, { address, units });
    gateway.stellar.close();
    await gateway.runUntilIdle();
  }
  const waiting = await listUnmatched(gateway.db);
  const [first, second] = [100_000_000n, 200_000_000n].map((units) => waiting.find((each) => each.units === units));
  assert.ok(first && second?.sender);
  const pathOf = ({ id }: { readonly id: string }): string => `/operator/suspense/${id}`;
  assert.match((await tom.get('/operator/suspense')).text, new RegExp(`${pathOf(first)}.*?>10[^<]*XLM<`, 's'));

  const assign = `${pathOf(first)}/assign`;
  assert.equal((await tom.post(assign, { checkout: checkoutId })).status, 403, 'a passkey signs what goes to whom');
  const nowhere = await signed(tom, assign, { checkout: 'nowhere' });
  const changed = await signed(tom, assign, { checkout: 'nowhere' }, { checkout: checkoutId });
  assert.equal(changed.status, 409, 'a signature of another order');
  assert.match(nowhere.text, /Checkout nowhere was never committed on STELLAR/);
  assert.equal((await signed(tom, assign, { checkout: checkoutId })).status, 303);
  assert.ok((await shop.timeline(checkoutId)).includes('payment_assigned'));

  const back = { address: '', fee: '0.5' };
  assert.equal((await tom.post(`${pathOf(second)}/return`, back)).status, 403, 'a fresh sign-in signs nothing');
  const other = await signed(tom, `${pathOf(second)}/return`, back, { ...back, fee: '0.6' });
  assert.equal(other.status, 409, 'a signature of another sum');
  const wrong = await signed(tom, `${pathOf(second)}/return`, { ...back, address: 'GNOWHERE' });
  assert.deepEqual([wrong.status, wrong.text.includes('GNOWHERE')], [400, true]);
  gateway.clock.advance({ seconds: 1 }); // After what earlier stories have sent back.
  const sent = await signed(tom, `${pathOf(second)}/return`, back);
  assert.equal(sent.location, '/operator/suspense?did=returned', sent.text);
  assert.match((await tom.get(pathOf(second))).text, /already on its way back/);
  const [payout] = await gateway.db<{ address: string; units: string }>`
    select address, units from outgoing_transfer where purpose = 'return' order by requested_at desc, id limit 1`;
  assert.deepEqual({ ...payout }, { address: second.sender, units: '195000000' });
  const [row] = await gateway.db<{ actor: string; proof: string }>`
    select actor, proof from audit_log where action = 'unmatched.returned' order by id desc limit 1`;
  assert.match(row?.actor ?? '', /^person:/);
  assert.ok(row?.proof.includes(`signed: send back payment ${second.id}: 19.5 `), row?.proof);
  await closeLedgers();
});
