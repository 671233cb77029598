/** Payments of ours by SEPA, through the port: a file, and what statements and answers of the bank say about it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer, backIn, first, movedIn, openOrders, second, sentIn, theBeginning } from './sepa-order-world.ts';

test('a file has one order for each payment, and the same request gives the same bytes', async () => {
  const { files, file, bank, one } = await openOrders();
  assert.equal(one, 'K3X9AB72MQ0Z-FILE00000001');
  assert.equal(file.orders.length, 2);
  const text = Buffer.from(file.bytes).toString();
  assert.match(text, /<MsgId>PAY-FILE00000001<\/MsgId>/);
  assert.match(text, /<EndToEndId>K3X9AB72MQ0Z-FILE00000001<\/EndToEndId>/);
  assert.match(text, /<CtrlSum>35\.00<\/CtrlSum>/);
  bank.pass(-1);
  const again = files.write({ id: 'file00000001', createdAt: bank.now(), payouts: [first, second] });
  assert.deepEqual(again.bytes, file.bytes);
});

test('what can never be written is said in a sentence', async () => {
  const { files } = await openOrders();
  assert.equal(files.problem(first), null);
  assert.match(files.problem({ ...first, holder: null })?.sentence ?? '', /name of who holds the account is missing/);
  assert.match(files.problem({ ...first, address: 'GB29NWBK60161331926819' })?.sentence ?? '', /BIC of its bank/);
});

test('what is booked has left, and is done when it can no longer come back', async () => {
  const { bank, watched, fates, one } = await openOrders();
  bank.book({ cents: -2_500n, endToEndId: one.toLowerCase() });
  await bank.close(); // Tuesday
  const rounds = await watched.observe();
  assert.deepEqual(sentIn(rounds), [`${one} included`]);
  assert.deepEqual(movedIn(rounds), []);
  assert.deepEqual(fates(), ['booked', 'open']);
  bank.pass(5); // The following Monday is the fourth banking day, and is not over.
  await watched.observe();
  assert.deepEqual(fates(), ['booked', 'open']);
  bank.pass(1);
  await watched.observe();
  assert.deepEqual(fates(), ['done', 'open']);
});

test('an instant payment is done when it is booked', async () => {
  const { bank, watched, fates, one } = await openOrders({ isInstant: true });
  bank.book({ cents: -2_500n, endToEndId: one });
  await bank.close();
  await watched.observe();
  assert.deepEqual(fates(), ['done', 'open']);
});

test('a payment is booked once: another amount, and a second booking, are for a person', async () => {
  const { bank, watched, fates, one, two } = await openOrders();
  bank.book(
    { cents: -2_600n, endToEndId: one },
    { cents: -1_000n, endToEndId: two },
    { cents: -1_000n, endToEndId: two },
  );
  await bank.close();
  const rounds = await watched.observe();
  assert.deepEqual(sentIn(rounds), [`${two} included`]);
  assert.deepEqual(movedIn(rounds), ['UNKNOWN -2600', 'UNKNOWN -1000']);
  assert.deepEqual(fates(), ['open', 'booked']);
});

test('a payment that is booked with its charge under a code of fees is for a person, and a charge alone is a fee', async () => {
  const { bank, watched, fates, one, two } = await openOrders();
  bank.book({ cents: -2_600n, endToEndId: one, code: '808' }, { cents: -390n, endToEndId: two, code: '808' });
  await bank.close();
  assert.deepEqual(movedIn(await watched.observe()), ['UNKNOWN -2600', 'FEE -390']);
  assert.deepEqual(fates(), ['open', 'open']);
});

test('what the bank refuses has not left; a file that is refused takes all that were not booked', async () => {
  const { bank, watched, fates, one, two } = await openOrders();
  await bank.bring(answer('ACSC', { message: 'PAY-FILE00000001' }));
  await bank.bring(answer('RJCT', { message: 'PAY-FILE00000001', payment: two }));
  const rounds = await watched.observe();
  assert.deepEqual(sentIn(rounds), [`${two} failed`]);
  assert.match(String(rounds[0]?.sent?.[0]?.reason), /AC01/);
  assert.deepEqual(fates(), ['open', 'failed']);

  bank.book({ cents: -2_500n, endToEndId: one });
  await bank.close();
  await bank.bring(answer('RJCT', { message: 'PAY-FILE00000001' }));
  await watched.observe();
  assert.deepEqual(fates(), ['booked', 'failed'], 'only a booking says that money left');

  bank.book({ cents: -1_000n, endToEndId: two });
  await bank.close();
  assert.deepEqual(movedIn(await watched.observe()), ['UNKNOWN -1000'], 'it was refused, and left all the same');
});

test('where a bank refuses all of a file and says of its payments why, each is refused for its own reason', async () => {
  const { bank, watched, fates, one, two } = await openOrders();
  await bank.bring(answer('RJCT', { message: 'PAY-FILE00000001', payment: two, code: 'AC04', isWhole: true }));
  const [round] = await watched.observe();
  const reasonOf = (hash: string) => round?.sent?.find(({ txHash }) => txHash === hash)?.reason;
  assert.equal(reasonOf(two), 'The bank refused it: AC04');
  assert.deepEqual(fates(), ['failed', 'failed']);
  assert.equal(reasonOf(one), 'The bank refused it: AC04', 'of the other only the file was spoken of');
});

test('what comes back before it is done has failed, also within one statement', async () => {
  const { bank, watched, fates, one, two } = await openOrders();
  bank.book({ cents: -2_500n, endToEndId: one }, { cents: -1_000n, endToEndId: two });
  bank.book({ cents: 2_500n, endToEndId: one, code: '159', text: 'AC04 account closed' });
  await bank.close();
  const rounds = await watched.observe();
  assert.deepEqual(sentIn(rounds), [`${one} failed`, `${two} included`]);
  assert.deepEqual(fates(), ['failed', 'booked']);
  bank.book({ cents: 1_000n, endToEndId: two, code: '159' });
  await bank.close();
  await watched.observe();
  assert.deepEqual(fates(), ['failed', 'failed']);
});

test('what comes back after it was done, or in part, is told as such', async () => {
  const { bank, watched, fates, one, two } = await openOrders();
  bank.book({ cents: -2_500n, endToEndId: one }, { cents: -1_000n, endToEndId: two });
  await bank.close();
  await watched.observe();
  bank.book({ cents: 900n, endToEndId: two, code: '159' });
  await bank.close();
  assert.deepEqual(backIn(await watched.observe()), ['aaaabbbbcccc 900']);
  bank.pass(20);
  await watched.observe();
  assert.deepEqual(fates(), ['done', 'done']);
  bank.book({ cents: 2_500n, endToEndId: one, code: '159' });
  await bank.close();
  assert.deepEqual(backIn(await watched.observe()), ['k3x9ab72mq0z 2500']);
});

test('a payer who writes the id of a payment of ours has paid, and nothing came back', async () => {
  const { bank, watched, one, fates } = await openOrders();
  bank.book({ cents: -2_500n, endToEndId: one });
  await bank.close();
  bank.book({ cents: 2_500n, endToEndId: one });
  await bank.close();
  const rounds = await watched.observe();
  assert.deepEqual(
    rounds.flatMap(({ unmatched = [] }) => unmatched.map(({ units }) => units)),
    [2_500n],
  );
  assert.deepEqual(fates(), ['booked', 'open']);
});

test('what is read again is told alike, and explains the same bookings', async () => {
  const { bank, watched, one, two } = await openOrders();
  bank.book({ cents: -2_500n, endToEndId: one }, { cents: -1_000n, endToEndId: two });
  bank.book({ cents: 2_500n, endToEndId: one, code: '159' });
  await bank.close();
  await watched.observe();
  watched.resumeAt(theBeginning);
  const rounds = await watched.observe();
  assert.deepEqual(sentIn(rounds), []);
  assert.deepEqual(movedIn(rounds), ['OWN_MONEY 1000000']);
  assert.deepEqual(backIn(rounds), []);
});

test('a file that was declared void frees its payments when statements have passed every day it could be booked on', async () => {
  const { bank, watched, fates, one } = await openOrders();
  watched.outgoing.declareVoid('file00000001', bank.now()); // Tuesday
  bank.book({ cents: -2_500n, endToEndId: one }); // It was signed after all.
  await bank.close();
  await watched.observe();
  assert.deepEqual(fates(), ['booked', 'open'], 'the statement of the day itself is not enough');
  await bank.close();
  await watched.observe();
  assert.deepEqual(fates(), ['booked', 'open'], 'nor is one of Wednesday noon: it may be booked in the afternoon');
  await bank.close();
  assert.deepEqual(sentIn(await watched.observe()), ['AAAABBBBCCCC-FILE00000001 expired']);
  assert.deepEqual(fates(), ['booked', 'void']);
});
