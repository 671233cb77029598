/** What a bank books of a payment when nobody expects it, or as another amount: a person says what it was, and nobody is paid twice. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { present } from '../src/lib/assert.ts';
import { suspendMerchant } from '../src/merchants/suspend-merchant.ts';
import { listOpenMovements } from '../src/payments/movement-store.ts';
import { assignMovement } from '../src/watching/assign-movement.ts';
import { type PageAnswer, signed } from './account-world.ts';
import { fileDeed, openPaymentWorld, type PaymentWorld, plainText } from './payment-file-world.ts';
import type { Sender } from './transfer-story.ts';

let world: PaymentWorld;
before(async () => {
  world = await openPaymentWorld();
});
after(() => world.stop());

/** The movement that is of so many units, as people say what it was at its page. */
async function explain(units: bigint, as: string, of = ''): Promise<PageAnswer> {
  const open = (await listOpenMovements(world.gateway.db)).filter(({ openUnits }) => openUnits === -units * 100_000n);
  assert.equal(open.length, 1);
  if ((await world.operator.prove()).status !== 200) await world.operator.signInWithPasskey();
  const answer = await signed(world.operator, `/operator/suspense/movements/${open[0]?.id}/assign`, { as, of });
  await world.gateway.runUntilIdle();
  return answer;
}

const statesOf = (shop: Sender, ...ids: readonly string[]): Promise<string[]> =>
  Promise.all(ids.map(async (id) => (await shop.transfer(id)).state));

/** Statements of so many days, at whose end a cent of the operator's own is booked. */
async function quietDays(count: number): Promise<void> {
  await world.later(count);
  world.bank.moveOwn(1n);
  await world.bringStatement();
}

test('what is booked after its file was given up is not paid again, and a person says what it was', async () => {
  const shop = await world.paidShop();
  const [seven, three] = [await world.pay(shop, '7'), await world.pay(shop, '3')] as const;
  const first = await world.make();
  const bytes = await world.download(first);
  await world.press(fileDeed(first, 'void'), { declare: 'yes' });
  await quietDays(3);
  assert.deepEqual([await world.payoutState(seven), await world.payoutState(three)], ['QUEUED', 'QUEUED']);
  const second = await world.make();
  assert.ok(world.bank.takeFile(bytes).isTaken, 'it was signed all the same');
  await world.bringStatement();

  const answer = await world.press(fileDeed(second, 'download'));
  assert.equal(answer.status, 409);
  assert.match(plainText(answer.text), /names payments of this file.*so they may have been paid/);
  await world.press(fileDeed(second, 'void'));
  assert.match(plainText((await world.press('/operator/bank/SEPA/files')).text), /No payment waits for a file of SEPA/);
  const refusal = await world.press('/operator/bank/SEPA/refuse', {
    payout: seven,
    why: 'The portal knows no such account.',
  });
  assert.match(plainText(refusal.text), /so it may have been paid/);
  assert.equal((await shop.request('POST', '/transfer/cancel', { id: seven })).status, 409);
  assert.match(await world.page('/operator/sending'), /May have been paid/);

  assert.match(plainText((await explain(300n, 'PAYOUT', seven)).text), /There is no payout/);
  const asTakenBack = await explain(700n, 'REVERSAL', shop.checkoutId);
  assert.match(plainText(asTakenBack.text), new RegExp(`names the payout ${seven}`), 'else it would be paid again');
  assert.equal((await explain(300n, 'PAYOUT', three)).status, 303);
  assert.deepEqual([await world.payoutState(seven), await world.payoutState(three)], ['QUEUED', 'SIGNED']);
  // It has left, whoever may send nothing now.
  const by = { actor: 'operator', begin: world.gateway.db.begin } as const;
  await suspendMerchant(world.gateway, shop.merchant.merchantId, 'looked into', by);
  const answer700 = await explain(700n, 'PAYOUT', seven);
  assert.equal(answer700.status, 303, plainText(answer700.text));
  await world.later(1);
  assert.deepEqual(await statesOf(shop, seven, three), ['COMPLETED', 'COMPLETED']);
  assert.equal(shop.webhooksOf(seven).length, 1);
  assert.equal((await shop.balances())['reserved/EUR'], undefined);
});

test('a file with a payment that was paid or refused is not given out: whoever signs it would pay that again', async () => {
  const shop = await world.paidShop();
  const [four, six] = [await world.pay(shop, '4'), await world.pay(shop, '6')] as const;
  const first = await world.make();
  const bytes = await world.download(first);
  await world.press(fileDeed(first, 'void'), { declare: 'yes' });
  await quietDays(4);
  const second = await world.make();
  const [, order] = /<EndToEndId>(\w+-\w+)<(?:(?!<EndToEndId>).)*>4\.00</s.exec(bytes.toString()) ?? [];
  const answer = world.bank.takeFile(bytes, { isSigned: false });
  world.bank.reject(`${six.toUpperCase()}-${first.toUpperCase()}`, 'AC04');
  world.bank.sign(answer.messageId ?? '');
  assert.equal(order, `${four.toUpperCase()}-${first.toUpperCase()}`);
  await world.bringStatement();
  assert.equal((await explain(400n, 'PAYOUT', four)).status, 303, 'it is in the second file too, as the same payment');

  const refusal = await world.press(fileDeed(second, 'download'));
  assert.equal(refusal.status, 409);
  assert.match(plainText(refusal.text), new RegExp(`is known \\(${four}\\): whoever signs it pays them again`));
  assert.doesNotMatch(await world.filePage(second), /Hand it to the bank/);
  assert.equal((await world.press(fileDeed(second, 'void'))).status, 303);
  const third = (await world.download(await world.make())).toString();
  assert.match(third, /<NbOfTxs>1<.*<InstdAmt Ccy="EUR">6\.00</s);

  const taken = world.bank.takeFile(Buffer.from(third), { isSigned: false });
  world.bank.reject(/<EndToEndId>([^<]*)/.exec(third)?.[1] ?? '', 'AC01');
  await world.bring(world.bank.report(taken.messageId ?? ''));
  assert.equal((await shop.transfer(six)).state, 'FAILED');
  const again = await world.press(fileDeed(taken.messageId?.slice(4).toLowerCase() ?? '', 'download'), {
    again: 'yes',
  });
  assert.match(plainText(again.text), /of every payment in this file is known/);
});

test('what a movement may have been is no fee either once some of it was said to be another payout', async () => {
  await world.untilBanksWork();
  const shop = await world.paidShop();
  const five = await world.pay(shop, '5');
  const file = await world.make();
  const text = (await world.download(file)).toString();
  await world.press(fileDeed(file, 'void'), { declare: 'yes' });
  assert.ok(world.bank.takeFile(Buffer.from(text.replaceAll('>5.00<', '>5.50<'))).isTaken);
  await quietDays(1);
  const one = await world.pay(shop, '1');
  await world.download(await world.make());
  assert.equal(await world.payoutState(one), 'SIGNED');
  assert.equal((await explain(550n, 'PAYOUT', one)).status, 303);
  const answer = await explain(450n, 'FEE');
  assert.match(plainText(answer.text), new RegExp(`names the payout ${five}, which would be made once more`));
});

test('what is booked as another amount is not given up, and is said to be payouts and a fee', async () => {
  const shop = await world.paidShop();
  const other = await world.paidShop(300n);
  const [five, two] = [await world.pay(shop, '5'), await world.pay(shop, '2')] as const;
  const file = await world.make();
  const text = (await world.download(file)).toString();
  await world.press(fileDeed(file, 'void'), { declare: 'yes' });
  // The bank books both as one, with its fee, and names the first.
  const both = text
    .replace(/<CdtTrfTxInf>(?:(?!<CdtTrfTxInf>).)*<InstdAmt Ccy="EUR">2\.00<.*?<\/CdtTrfTxInf>/s, '')
    .replace('<InstdAmt Ccy="EUR">5.00<', '<InstdAmt Ccy="EUR">7.90<')
    .replaceAll('<CtrlSum>7.00<', '<CtrlSum>7.90<')
    .replaceAll('<NbOfTxs>2<', '<NbOfTxs>1<');
  assert.ok(world.bank.takeFile(Buffer.from(both)).isTaken);
  await quietDays(5);
  assert.deepEqual([await world.payoutState(five), await world.payoutState(two)], ['SIGNED', 'QUEUED']);

  for (const as of ['FEE', 'OWN_MONEY']) {
    const answer = await explain(790n, as);
    assert.match(plainText(answer.text), new RegExp(`names the payout ${five}, which would be made once more`), as);
  }
  assert.equal((await explain(790n, 'PAYOUT', `${five}, ${two}`)).status, 400, 'nothing named the second');
  const part = await explain(790n, 'REVERSAL', other.checkoutId);
  assert.match(plainText(part.text), new RegExp(`names the payout ${five}.*beyond`), 'the rest could be called a fee');
  assert.deepEqual(await other.balances(), { 'available/EUR': '29850000' }, 'nothing was taken back');
  assert.equal((await explain(790n, 'PAYOUT', five)).status, 303);
  assert.equal((await explain(290n, 'FEE')).status, 303);
  await world.later(7);
  await world.bringStatement();
  assert.deepEqual(await statesOf(shop, five, two), ['COMPLETED', 'QUEUED']);
});

test('a refund that may have been paid fails when its payment was taken back and nobody doubts any more', async () => {
  const { gateway, bank } = world;
  await world.untilBanksWork();
  const shop = await world.paidShop(2_000n);
  const { refund } = await shop.post('/refund', { checkoutId: shop.checkoutId, amount: '15' });
  const stateNow = async () => (await shop.get(`/refund?id=${refund.id}`)).refund.state;
  await gateway.runUntilIdle();
  const file = await world.make();
  const bytes = await world.download(file);
  await world.press(fileDeed(file, 'void'), { declare: 'yes' });
  await quietDays(5);
  assert.equal(await world.payoutState(refund.id), 'QUEUED');
  await world.untilBanksWork();
  assert.ok(bank.takeFile(bytes).isTaken);
  await world.bringStatement();
  bank.correct(shop.bookingId);
  await world.bringStatement();
  assert.equal(await stateNow(), 'SENDING', 'it may have been paid');

  const open = await listOpenMovements(gateway.db);
  const { id } = present(
    open.find(({ about }) => about.includes(refund.id)),
    'what may be the refund',
  );
  const itIsOwnMoney = (isDeclared: boolean) => {
    const by = { actor: 'operator', begin: gateway.db.begin, isDeclared } as const;
    return assignMovement(gateway, id, { as: 'OWN_MONEY', of: null }, by);
  };
  await assert.rejects(itIsOwnMoney(false), new RegExp(`It names the payout ${refund.id}`));
  await itIsOwnMoney(true);
  await gateway.runUntilIdle();
  assert.equal(await stateNow(), 'FAILED');
});

test('whether a payment may have been made is looked up, and not read through all that waits for a person', async () => {
  const undone = new Error('nothing of this stays');
  const measured = world.gateway.db.begin(async (tx) => {
    await tx`
      insert into network_movement (id, network, kind, key, asset, units, block_hash, block_height, block_time, seen_at, open_units, about)
      select 'm' || n, 'SEPA', 'UNKNOWN', 'key' || n, 'EUR', -1, 'b', 1, now(), now(), -1,
             case when n % 50 = 0 then array['p' || n] else '{}' end
        from generate_series(1, 5000) n`;
    await tx`analyze network_movement`;
    const [row] = await tx<{ 'QUERY PLAN': { Plan: Record<string, number> }[] | string }>`
      explain (analyze, buffers, format json)
      select count(*) from generate_series(1, 200) n
       where is_in_doubt(jsonb_populate_record(null::outgoing_transfer, jsonb_build_object('id', 'p' || n, 'network', 'SEPA')))`;
    const told = row?.['QUERY PLAN'] ?? [];
    const plan = (typeof told === 'string' ? JSON.parse(told) : told)[0].Plan;
    assert.ok(plan['Shared Hit Blocks'] < 200 * 20, `${plan['Shared Hit Blocks']} pages for 200 payments`);
    throw undone;
  });
  await assert.rejects(measured, undone);
});
