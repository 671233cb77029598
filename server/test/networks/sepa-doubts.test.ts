/** Payments of ours by SEPA of which a bank says something that decides nothing: nobody is paid twice because of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer, backIn, movedIn, openOrders, sentIn, theBeginning } from './sepa-order-world.ts';
import type { MessageKind } from './statement-bank.ts';

test('a file that was handed in twice, or a payment that looks like another, is refused the second time only', async () => {
  for (const code of ['DU01', 'DU02', 'DU03', 'DU04', 'DU05', 'AM05', 'DUPL']) {
    const { bank, watched, fates, one } = await openOrders();
    await bank.bring(answer('RJCT', { message: 'PAY-FILE00000001', code }));
    await bank.bring(answer('RJCT', { message: 'PAY-FILE00000001', payment: one, code }));
    // The same, and of the file as a whole no reason of its own.
    await bank.bring(answer('RJCT', { message: 'PAY-FILE00000001', payment: one, code, isWhole: true }));
    assert.deepEqual(sentIn(await watched.observe()), []);
    assert.deepEqual(fates(), ['open', 'open'], code);
    bank.book({ cents: -2_500n, endToEndId: one });
    await bank.close();
    assert.deepEqual(movedIn(await watched.observe()), [], 'the first one was on its way');
    assert.deepEqual(fates(), ['booked', 'open']);
  }
});

test('a payment that was booked with another amount is not void, whatever was declared', async () => {
  const { bank, watched, fates, one } = await openOrders();
  watched.outgoing.declareVoid('file00000001', bank.now());
  bank.book({ cents: -2_600n, endToEndId: one }); // With a fee in it.
  await bank.close();
  const [round] = await watched.observe();
  assert.deepEqual(
    round?.otherMovements?.map(({ units, about }) => [units, about]),
    [[-2_600n, ['k3x9ab72mq0z']]],
  );
  await bank.close();
  await bank.close();
  assert.deepEqual(sentIn(await watched.observe()), ['AAAABBBBCCCC-FILE00000001 expired']);
  assert.deepEqual(fates(), ['open', 'void']);
});

test('what may have been paid is not refused by an answer of the bank either, to it or to all of its file', async () => {
  for (const payment of [true, false]) {
    const { bank, watched, fates, one, two } = await openOrders();
    bank.book({ cents: -2_600n, endToEndId: one }); // With a fee in it.
    await bank.close();
    await watched.observe();
    await bank.bring(answer('RJCT', { message: 'PAY-FILE00000001', ...(payment && { payment: one }) }));
    assert.deepEqual(sentIn(await watched.observe()), payment ? [] : [`${two} failed`]);
    assert.deepEqual(fates(), ['open', payment ? 'open' : 'failed']);
  }
});

test('neither is one in the piece of a statement that proves the day, and books it with another amount', async () => {
  const { bank, watched, fates, one } = await openOrders();
  watched.outgoing.declareVoid('file00000001', bank.now());
  await bank.close();
  await bank.close();
  bank.book({ cents: -2_600n, endToEndId: one });
  await bank.close();
  await watched.observe();
  assert.deepEqual(fates(), ['open', 'void']);
});

test('what is booked under a name that nobody here knows any more tells whose payment it is', async () => {
  const { bank, watched } = await openOrders();
  bank.book({ cents: -4_200n, endToEndId: 'XXXXYYYYZZZZ-FILE00000000' }); // From before a database was restored.
  await bank.close();
  const [round] = await watched.observe();
  assert.deepEqual(
    round?.otherMovements?.map(({ units, about }) => [units, about]),
    [[-4_200n, ['xxxxyyyyzzzz']]],
  );
});

test('of a payment that was booked twice the bank corrects one: it is for a person, and has not come back', async () => {
  for (const split of [false, true]) {
    const { bank, watched, fates, one } = await openOrders();
    bank.book({ cents: -2_500n, endToEndId: one }, { cents: -2_500n, endToEndId: one });
    if (split) await bank.close();
    const before = split ? await watched.observe() : [];
    bank.book({ cents: 2_500n, endToEndId: one, isReversal: true });
    await bank.close();
    const rounds = [...before, ...(await watched.observe())];
    assert.deepEqual(sentIn(rounds), [`${one} included`]);
    assert.deepEqual([movedIn(rounds), backIn(rounds)], [['UNKNOWN -2500'], []]);
    assert.deepEqual(
      rounds.flatMap(({ unmatched = [] }) => unmatched.map(({ units }) => units)),
      [2_500n],
    );
    assert.deepEqual(fates(), ['booked', 'open']);
  }
});

test('that nothing was booked is proven by balances: by statements and by reports, and never by notices', async () => {
  const afterDays = async (creditsFrom: MessageKind) => {
    const { bank, watched, fates } = await openOrders({ creditsFrom });
    watched.outgoing.declareVoid('file00000001', bank.now());
    for (const text of ['one', 'two', 'three']) {
      bank.book({ cents: 100n, text });
      await bank.close();
      await watched.observe();
    }
    return fates();
  };
  assert.deepEqual(await afterDays('camt.053'), ['void', 'void']);
  assert.deepEqual(await afterDays('mt940'), ['void', 'void']);
  assert.deepEqual(await afterDays('camt.052'), ['void', 'void']);
  assert.deepEqual(await afterDays('camt.054'), ['open', 'open']);
});

test('a payment that came back before the line that says that it left has failed, also where another statement says so', async () => {
  const { bank, watched, fates, one, two } = await openOrders();
  bank.book({ cents: 2_500n, endToEndId: one, code: '159' }, { cents: -2_500n, endToEndId: one });
  bank.book({ cents: 1_000n, endToEndId: two, code: '159' });
  await bank.close();
  const rounds = await watched.observe();
  assert.deepEqual(sentIn(rounds), [`${one} failed`]);
  assert.deepEqual(backIn(rounds), ['aaaabbbbcccc 1000'], 'it waits for its booking');
  bank.book({ cents: -1_000n, endToEndId: two });
  await bank.close();
  const later = await watched.observe();
  assert.deepEqual(sentIn(later), [`${two} included`]);
  assert.deepEqual(
    [...rounds, ...later].flatMap(({ unmatched = [] }) => unmatched),
    [],
  );
  assert.deepEqual(fates(), ['failed', 'booked']);
});

test('what came back before it was booked is the same when it is read again, and has not come back twice', async () => {
  const { bank, watched, fates, two } = await openOrders();
  bank.book({ cents: 1_000n, endToEndId: two, code: '159' });
  await bank.close();
  bank.book({ cents: -1_000n, endToEndId: two });
  await bank.close();
  await watched.observe();
  watched.resumeAt(theBeginning);
  const again = await watched.observe();
  assert.deepEqual(sentIn(again), [], 'the return waits for the payment to be done, as before');
  assert.deepEqual(backIn(again), ['aaaabbbbcccc 1000']);
  assert.deepEqual(fates(), ['open', 'booked']);
});

test('a correction stays what it was, whether its payment is in doubt by now or is not any more', async () => {
  const correction = { cents: 2_500n, isReversal: true };
  const wasNobodys = await openOrders();
  wasNobodys.bank.book({ cents: -2_500n, endToEndId: wasNobodys.one }, { cents: -2_500n, endToEndId: wasNobodys.one });
  wasNobodys.bank.book({ ...correction, endToEndId: wasNobodys.one });
  await wasNobodys.bank.close();
  await wasNobodys.watched.observe();
  wasNobodys.watched.outgoing.believe('k3x9ab72mq0z'); // A person said that the second one was just this payment.
  wasNobodys.watched.resumeAt(theBeginning);
  const again = await wasNobodys.watched.observe();
  assert.deepEqual([sentIn(again), backIn(again)], [[], []]);

  const { bank, watched, one } = await openOrders({ isInstant: true });
  bank.book({ cents: -2_500n, endToEndId: one });
  await bank.close();
  await watched.observe();
  bank.book({ ...correction, endToEndId: one });
  await bank.close();
  assert.deepEqual(backIn(await watched.observe()), ['k3x9ab72mq0z 2500']);
  bank.book({ cents: -2_500n, endToEndId: one });
  await bank.close();
  await watched.observe();
  watched.resumeAt(theBeginning);
  const later = await watched.observe();
  assert.deepEqual(backIn(later), ['k3x9ab72mq0z 2500']);
  assert.deepEqual(
    later.flatMap(({ unmatched = [] }) => unmatched),
    [],
  );
});
