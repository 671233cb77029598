/**
 * From a transfer to an IBAN to the money's arrival: the operator makes a file of what waits, downloads it and hands it to the bank, and
 * what the bank tells ends it. The bank is the sandbox's, which reads payment files and writes statements by itself.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findMakeOrder } from '../src/bank-files/make-order-store.ts';
import { makeOrdered, orderPaymentFile } from '../src/bank-files/make-ordered.ts';
import { makePaymentFile } from '../src/bank-files/make-payment-file.ts';
import { madeLines } from '../src/bank-files/payment-file-words.ts';
import { ada, fileDeed, openPaymentWorld, type PaymentWorld, plainText } from './payment-file-world.ts';
import type { Sender } from './transfer-story.ts';

let world: PaymentWorld;
before(async () => {
  world = await openPaymentWorld();
});
after(() => world.stop());

const statesOf = async (shop: Pick<Sender, 'transfer'>, ...ids: string[]): Promise<string[]> =>
  Promise.all(ids.map(async (id) => (await shop.transfer(id)).state));

test('a transfer to an IBAN is in the next file, and done four banking days after it was booked', async () => {
  const shop = await world.paidShop();
  const ids = [await world.pay(shop, '120.50'), await world.pay(shop, '10')];
  assert.match(await world.page('/operator/bank'), /2 payments, 130\.50 EUR in all.*Lea Wirt/);
  const file = await world.make();
  assert.match(await world.filePage(file), /made, not downloaded.*2 payments, €130\.50.*2 in a file that nobody has/);
  assert.match(await world.page('/operator/bank'), /No payment waits for a file/);

  assert.ok(world.bank.takeFile(await world.download(file)).isTaken);
  assert.match(await world.filePage(file), /downloaded, not booked yet/);
  await world.bringStatement();
  assert.match(await world.filePage(file), /booked, may still come back.*2 booked/);
  const givenUp = await world.press(fileDeed(file, 'void'), { declare: 'yes' });
  assert.equal(givenUp.status, 409);
  assert.match(plainText(givenUp.text), /The bank has decided about every payment in this file/);
  for (const days of [0, 4]) {
    await world.later(days);
    await world.bringStatement();
    assert.deepEqual(await statesOf(shop, ...ids), ['SENT', 'SENT'], 'until Friday it may come back');
  }
  await world.later(3);
  await world.bringStatement();
  assert.deepEqual(await statesOf(shop, ...ids), ['COMPLETED', 'COMPLETED']);
  assert.deepEqual(shop.eventsOf(ids[0] ?? ''), ['TRANSFER_COMPLETED COMPLETED']);
  assert.match(await world.filePage(file), /closed.*2 paid/);
  assert.match(await world.page('/operator/audit'), /Made payment file \w{12} for SEPA: 2 payments, 130\.50 EUR/);
});

test('a merchant finds what came and what went by what banks print, and nobody reads a mark of ours', async () => {
  const shop = await world.paidShop(3_000n);
  const { checkoutId } = shop;
  const { merchantId } = shop.merchant;
  const owner = await world.world.member('owner', 'owner@found.example', merchantId);
  const viewer = await world.world.member('viewer', 'viewer@found.example', merchantId);
  const path = `/account/checkouts/${checkoutId}`;
  const read = async (who = owner, at = path): Promise<string> => {
    const { status, text } = await who.get(at);
    assert.equal(status, 200, text);
    assert.doesNotMatch(text, /[0-9a-f]{64}/, at);
    return plainText(text);
  };
  const [{ memo } = { memo: '' }] = await world.gateway.db<{ memo: string }>`
    select memo from commitment where checkout_id = ${checkoutId}`;
  const paid = await read();
  assert.match(paid, /Booked on Mar \d+, 2026 Paid by Änne Grünwald , DE\d\d 9904 0044/);
  assert.match(paid, new RegExp(`Reference ${memo} Bank’s reference \\w+`));
  assert.doesNotMatch(await read(viewer), /Grünwald|9904 0044/, 'who paid is who the customer is');
  assert.match(await read(viewer), new RegExp(`Booked on .*Reference ${memo}`));

  const { refund } = await shop.post('/refund', { checkoutId, amount: '20' });
  const transfer = await world.pay(shop, '3');
  assert.match(await read(), /Refund of 20\.00 EUR asked for.*waits for the next payment file/);
  const file = await world.make();
  const named = (id: string): string => `${id}-${file}`.toUpperCase();
  assert.match(await read(), new RegExp(`in a payment file for the bank.*End-to-end reference ${named(refund.id)}`));
  for (const name of [memo, named(refund.id)])
    assert.match(await read(owner, `/account/search?q=${name}`), new RegExp(checkoutId), name);
  const transferPage = `/account/transfers/${transfer}`;
  assert.match(await read(owner, transferPage), new RegExp(`End-to-end reference ${named(transfer)}`));
  assert.ok(world.bank.takeFile(await world.download(file)).isTaken);
  await world.bringStatement();
  await world.later(7);
  await world.bringStatement();
  await owner.signInWithPasskey();
  assert.match(await read(), new RegExp(`20\\.00 EUR sent back.*End-to-end reference ${named(refund.id)}`));
  assert.match(await read(owner, transferPage), new RegExp(`End-to-end reference ${named(transfer)}`));
  const csv = await read(owner, '/account/reports/checkouts/export?period=2026-03&format=csv');
  assert.match(csv, new RegExp(`${memo} \\w+`));
  assert.match(csv, new RegExp(named(refund.id)));
  assert.match(await read(owner, '/account/transfers/export'), new RegExp(named(transfer)));
});

test('the account says what becomes of a payment by bank, and that money goes back to where it came from', async () => {
  const shop = await world.paidShop();
  const owner = await world.world.member('owner', 'owner@shop.example', shop.merchant.merchantId);
  const page = async (path: string): Promise<string> => plainText((await owner.get(`/account/${path}`)).text);
  const { targetAccounts } = await shop.get('/target-accounts');
  const asked = { to: targetAccounts[0].id, network: 'SEPA', asset: 'EUR', amount: '7' };
  const review = await page(`transfers/review?${new URLSearchParams(asked).toString()}`);
  assert.match(review, /orders it at the bank by hand: it takes some banking days/);
  assert.doesNotMatch(review, /It leaves at once/);

  const id = await world.pay(shop, '7');
  assert.match(await page(`transfers/${id}`), /It waits until whoever runs this service orders it at the bank/);
  const file = await world.make();
  assert.match(await page(`transfers/${id}`), /some banking days after the bank has booked it.*Put into an order/);
  await world.press(fileDeed(file, 'void'));
  await shop.post('/transfer/cancel', { id });

  const { id: paid } = await shop.open('20.00 EUR', 'SEPA');
  world.bank.pay({ units: 3_010n, from: ada, text: paid });
  await world.bringStatement();
  const surplus = await owner.get(`/account/checkouts/${paid}`);
  assert.match(plainText(surplus.text), /Send it back To the account that it came from\. /);
  assert.match(surplus.text, / name="amount"[^>]* value="10\.10"/);
  assert.doesNotMatch(plainText(surplus.text), /network’s fee|By a link/);
});

test('a file that nobody downloaded is void at once, and its payments are in the next one', async () => {
  const shop = await world.paidShop();
  const id = await world.pay(shop, '5');
  const first = await world.make();
  assert.equal((await world.press(fileDeed(first, 'void'))).status, 303);
  assert.equal(await world.payoutState(id), 'QUEUED');
  assert.match(await world.filePage(first), /State void.*1 void/);
  for (const deed of ['download', 'void']) {
    const answer = await world.press(fileDeed(first, deed), { again: 'yes', declare: 'yes' });
    assert.deepEqual([answer.status, /This file is void/.test(answer.text)], [409, true]);
  }
  assert.notEqual(await world.make(), first);
});

test('a file that was downloaded is void when it was declared so, and statements show nothing of it', async () => {
  const shop = await world.paidShop();
  const id = await world.pay(shop, '6');
  const file = await world.make();
  await world.download(file);
  const undeclared = await world.press(fileDeed(file, 'void'));
  assert.match(plainText(undeclared.text), /Declare that it was not signed, or was deleted at the bank/);
  assert.equal((await world.press(fileDeed(file, 'void'), { declare: 'yes' })).status, 303);
  assert.match(await world.filePage(file), /declared void, waits for statements/);
  assert.match(plainText((await world.press(fileDeed(file, 'download'), { again: 'yes' })).text), /This file is void/);
  await world.bringStatement();
  assert.equal(await world.payoutState(id), 'SIGNED', 'the statement of today does not say all about tomorrow');
  await world.later(2);
  await world.bringStatement();
  assert.equal(await world.payoutState(id), 'QUEUED');
  assert.match(await world.filePage(file), /State void.*1 void/);
});

test('a file is given once without asking, and again only to who confirms it; its bytes never change', async () => {
  const shop = await world.paidShop();
  await world.pay(shop, '8');
  const file = await world.make();
  const bytes = await world.download(file);
  const answer = await world.press(fileDeed(file, 'download'));
  assert.equal(answer.status, 409);
  assert.match(plainText(answer.text), /downloaded once already: if it is signed twice, everybody in it is paid twice/);
  assert.deepEqual(await world.download(file, { again: 'yes' }), bytes);
  assert.match(await world.filePage(file), /and 1 time since/);
  assert.match(
    await world.page('/operator/audit'),
    new RegExp(`Downloaded payment file ${file} once more, for the 2\\. time`),
  );
  const { db } = world.gateway;
  await assert.rejects(db`update payment_file set units = units + 1 where id = ${file}`, /never changed/);
  await assert.rejects(db`update payment_file_piece set sealed = sealed`, /never changed/);
  await assert.rejects(db`delete from payment_file`, /never changed/);
  assert.ok(world.bank.takeFile(bytes).isTaken);
  assert.equal(world.bank.takeFile(bytes).isTaken, false, 'and a bank knows a file that it has');
  await world.bringStatement();
});

test('two who make a file at once never have a payment in two of them', async () => {
  const shop = await world.paidShop();
  const ids = [await world.pay(shop, '1.01'), await world.pay(shop, '1.02'), await world.pay(shop, '1.03')];
  const second = await world.world.staff('treasury', 'money@operator.example');
  const answers = await Promise.all([
    world.press('/operator/bank/SEPA/files'),
    world.press('/operator/bank/SEPA/files', {}, second),
  ]);
  const { db } = world.gateway;
  const rows = await db<{ payout: string }>`
    select trace ->> 'payout' as payout from outgoing_transaction where trace ->> 'payout' = any(${ids})`;
  assert.deepEqual(rows.map(({ payout }) => payout).toSorted(), ids.toSorted());
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [303, 409],
  );
  const [late] = answers.filter(({ status }) => status === 409);
  assert.match(plainText(late?.text ?? ''), /No payment waits for a file of SEPA\./);
  const form = { form: `${world.gateway.clock.now().getTime().toString(36)}-abcdefghijkl` };
  await world.pay(shop, '1.04');
  const [one, other] = [
    await world.press('/operator/bank/SEPA/files', form),
    await world.press('/operator/bank/SEPA/files', form),
  ];
  assert.equal(one.location, other.location, 'a form that is sent twice makes one file');
});

test('who was overtaken between looking and making makes a file of what is left, or none', async () => {
  const { db } = world.gateway;
  const shop = await world.paidShop();
  const asked = { network: 'SEPA', actor: 'operator', begin: db.begin } as const;
  /** Somebody else makes a file of all that waits, just before this one is stored. */
  const overtaken = (meanwhile: () => Promise<unknown>) =>
    makePaymentFile(world.deps, {
      ...asked,
      async begin(work) {
        await makePaymentFile(world.deps, asked);
        await meanwhile();
        return db.begin(work);
      },
    });
  const count = async (): Promise<number> => (await db`select from payment_file`).length;
  const before = await count();
  await world.pay(shop, '2.01');
  await assert.rejects(
    overtaken(async () => undefined),
    /No payment waits for a file of SEPA\./,
  );
  assert.equal(await count(), before + 1);
  await world.pay(shop, '2.02');
  await assert.rejects(
    overtaken(() => world.pay(shop, '2.03')),
    /Somebody else made a file of the same payments.* Nothing was made: try again/,
  );
  assert.equal(await count(), before + 4, 'three by others, and what is left waits');
  assert.equal((await makePaymentFile(world.deps, asked)).orderCount, 1);
});

test('only who may makes, downloads or gives up files, and with a fresh proof', async () => {
  const shop = await world.paidShop();
  await world.pay(shop, '9');
  const viewer = await world.world.staff('viewer', 'eyes@operator.example');
  assert.equal((await world.press('/operator/bank/SEPA/files', {}, viewer)).status, 403);
  const seen = plainText((await viewer.get('/operator/bank')).text);
  assert.match(seen, /To be paid 1 payment, 9\.00 EUR/);
  assert.doesNotMatch(seen, /Lea Wirt|Make a payment file|Refuse a payment/);
  const file = await world.make();
  for (const deed of ['download', 'void'])
    assert.equal((await world.press(fileDeed(file, deed), {}, viewer)).status, 403);
  assert.doesNotMatch(plainText((await viewer.get(`/operator/bank/SEPA/files/${file}`)).text), /Lea Wirt|Download /);
  world.gateway.clock.advance({ minutes: 6 });
  assert.equal((await world.operator.post(fileDeed(file, 'download'))).status, 403, 'an old proof is not enough');
  assert.match(await world.filePage(file), /made, not downloaded/);
  assert.equal((await world.press(fileDeed('aaaaaaaaaaaa', 'download'))).status, 404);
});

test('a payment that the portal does not take is refused with a reason, unless it is in a file', async () => {
  const shop = await world.paidShop();
  const inFile = await world.pay(shop, '4');
  const file = await world.make();
  const refuse = (payout: string, why: string) => world.press('/operator/bank/SEPA/refuse', { payout, why });
  assert.match(plainText((await refuse(inFile, 'no')).text), new RegExp(`is in the file ${file}`));
  const id = await world.pay(shop, '4.20');
  assert.match(plainText((await refuse(id, ' ')).text), /Say why, in 1 to 300 characters/);
  assert.equal((await refuse(id, 'The bank knows no such account.')).status, 303);
  await world.gateway.runUntilIdle();
  assert.deepEqual(shop.eventsOf(id), ['TRANSFER_FAILED FAILED']);
  assert.match(JSON.stringify(shop.webhooksOf(id)[0]?.data), /The bank knows no such account\./);
  assert.match(plainText((await refuse(id, 'once more')).text), /waits no longer/);
  assert.equal((await refuse('aaaaaaaaaaaa', 'why')).status, 404);
});

test('by command the service makes a file, once however often the job runs, and says what became of it', async () => {
  const { db, clock } = world.gateway;
  const shop = await world.paidShop();
  await world.pay(shop, '400');
  await world.pay(shop, '11.11');
  const orderId = await orderPaymentFile(db, null, clock.now());
  await world.gateway.runUntilIdle();
  await makeOrdered(world.deps, { orderId });
  const outcome = (await findMakeOrder(db, orderId))?.outcome;
  assert.ok(outcome && 'made' in outcome);
  assert.deepEqual([outcome.made.payments, outcome.made.amount], [2, '411.11']);
  assert.match(
    madeLines(outcome.made)[0] ?? '',
    /^Made: \w{12}, 2 payments, 411\.11 EUR\. Download it with: bank file download/,
  );
  const refusedOf = async (network: string | null): Promise<unknown> => {
    const id = await orderPaymentFile(db, network, clock.now());
    await world.gateway.runUntilIdle();
    return (await findMakeOrder(db, id))?.outcome;
  };
  assert.deepEqual(await refusedOf(null), { refused: 'No payment waits for a file of SEPA.' });
  assert.deepEqual(await refusedOf('PIX'), { refused: 'Payment files are made for SEPA, and not for "PIX".' });
  clock.advance({ hours: 25 });
  await world.gateway.app.cleanUp();
  assert.equal(await findMakeOrder(db, orderId), undefined, 'and is forgotten a day later');
});
