/** Which booking is about which order, where a bank books a file as one sum or names it in an odd place. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KnownOrder } from '../../port/orders.ts';
import type { ToldBefore } from '../../port/receiving.ts';
import type { OrderIds } from './bank-told.ts';
import { ownBookings, type ToldOfOrders } from './own-bookings.ts';

const fileId = 'file00000001';
const order = (payoutId: string, units: string, fate: KnownOrder['fate'] = 'open'): KnownOrder => ({
  txHash: `${payoutId}-${fileId}`.toUpperCase(),
  payoutId,
  fileId,
  raw: JSON.stringify({ units, iban: '', holder: '' }),
  trace: { file: fileId, payout: payoutId },
  fate,
  wasDoubted: false,
});

const noIds: OrderIds = {
  endToEndId: null,
  instructionId: null,
  messageId: null,
  paymentInfoId: null,
  entryRef: null,
  batches: [],
};
const debit = (units: bigint, ids: Partial<OrderIds>): ToldOfOrders => ({
  what: 'booking',
  identity: `booking of ${units}`,
  booking: { tx: '', kind: 'own-batch', ids: { ...noIds, ...ids }, note: null },
  units: -units,
  block: { hash: 'doc', height: 3, time: new Date('2026-03-02T22:00:00Z') },
});

/** The payouts that the last ones named in vain. */
let doubts: readonly string[] = [];
const nothingBefore = async (): Promise<Map<string, ToldBefore>> => new Map();

async function told(orders: readonly KnownOrder[], ...all: readonly ToldOfOrders[]) {
  const { sent, explained, doubted } = await ownBookings(all, 'EUR', {
    orders: async () => orders,
    toldBefore: nothingBefore,
  });
  doubts = [...doubted.values()].flat();
  return { included: sent.filter(({ outcome }) => outcome === 'included').length, explained: explained.size };
}

const three = [order('aaaaaaaaaaaa', '100'), order('bbbbbbbbbbbb', '200'), order('cccccccccccc', '300', 'failed')];

test('a file that is booked as one sum is all of its payments that the bank did not refuse', async () => {
  const places: Partial<OrderIds>[] = [
    { messageId: 'PAY-FILE00000001' },
    { paymentInfoId: 'pay-file00000001' },
    { entryRef: 'PAY-FILE 00000001' },
    { instructionId: 'PAY-FILE00000001' },
    { batches: ['PAY-FILE00000001'] },
  ];
  for (const ids of places) assert.deepEqual(await told(three, debit(300n, ids)), { included: 2, explained: 1 });
});

test('a sum that is not theirs is none of them, and neither is a second sum', async () => {
  const ids = { messageId: 'PAY-FILE00000001' };
  assert.deepEqual(await told(three, debit(600n, ids)), { included: 0, explained: 0 });
  assert.deepEqual(doubts, ['aaaaaaaaaaaa', 'bbbbbbbbbbbb'], 'of these it may be all the same');
  assert.deepEqual(await told(three, debit(300n, ids), { ...debit(300n, ids), identity: 'again' } as ToldOfOrders), {
    included: 2,
    explained: 1,
  });
});

test('a sum that was a movement stays one, though it would be all that is left of its file by now', async () => {
  const sum = debit(300n, { messageId: 'PAY-FILE00000001' });
  const { sent, explained, doubted } = await ownBookings([sum], 'EUR', {
    orders: async () => three,
    toldBefore: async () => new Map([['booking of 300', 'movement']]),
  });
  assert.deepEqual([sent, explained.size], [[], 0]);
  assert.deepEqual([...doubted.values()], [['aaaaaaaaaaaa', 'bbbbbbbbbbbb']]);
});

test('the payment that a booking names counts, not the file that is named beside it', async () => {
  const ids = { messageId: 'PAY-FILE00000001', endToEndId: 'BBBBBBBBBBBB-FILE00000001' };
  assert.deepEqual(await told(three, debit(200n, ids)), { included: 1, explained: 1 });
  assert.deepEqual(await told(three, debit(300n, ids)), { included: 0, explained: 0 });
  assert.deepEqual(doubts, ['bbbbbbbbbbbb']);
});

const inFile = { messageId: 'PAY-FILE00000001' };
const ofSecond = { endToEndId: 'BBBBBBBBBBBB-FILE00000001', ...inFile };
const feeOf = (units: bigint, ids: Partial<OrderIds> = ofSecond): ToldOfOrders => {
  const each = debit(units, ids);
  assert.ok(each.what === 'booking');
  return { ...each, identity: `fee of ${units}`, booking: { ...each.booking, kind: 'fee' } };
};

test('a fee that names a payment is none, and keeps its refusal from counting only where it may be the payment', async () => {
  assert.deepEqual(await told(three, feeOf(150n)), { included: 0, explained: 0 });
  assert.deepEqual(doubts, []);
  assert.deepEqual(await told(three, feeOf(200n)), { included: 0, explained: 0 });
  assert.deepEqual(doubts, ['bbbbbbbbbbbb'], 'of the very amount');
  assert.deepEqual(await told(three, feeOf(225n)), { included: 0, explained: 0 });
  assert.deepEqual(doubts, ['bbbbbbbbbbbb'], 'the payment with its fee');
});

test('a fee that names a file may be its payments where it is as much as all of them', async () => {
  await told(three, feeOf(250n, inFile));
  assert.deepEqual(doubts, []);
  await told(three, feeOf(325n, inFile));
  assert.deepEqual(doubts, ['aaaaaaaaaaaa', 'bbbbbbbbbbbb']);
});

test('a file that was given up and booked all the same, by its id alone, is doubt about each of its payments', async () => {
  const given = three.map((each) => (each.fate === 'open' ? { ...each, fate: 'void' as const } : each));
  for (const booked of [debit(300n, inFile), debit(310n, inFile), feeOf(325n, inFile)]) {
    assert.deepEqual(await told(given, booked), { included: 0, explained: 0 });
    assert.deepEqual(doubts, ['aaaaaaaaaaaa', 'bbbbbbbbbbbb'], 'else they are made once more');
  }
  await told(given, feeOf(225n));
  assert.deepEqual(doubts, ['bbbbbbbbbbbb']);
});

test('a large fee for a small payment is no doubt about it, whichever of the two is printed first', async () => {
  const [payment, fee] = [debit(200n, ofSecond), feeOf(225n)];
  for (const printed of [
    [payment, fee],
    [fee, payment],
  ]) {
    assert.deepEqual(await told(three, ...printed), { included: 1, explained: 1 });
    assert.deepEqual(doubts, []);
  }
});

test('what is refused as a duplicate decides nothing, whether the bank says so by its code or in words', async () => {
  const refusedWith = async (code: string, text: string): Promise<boolean> => {
    const answer = {
      about: 'file',
      messageId: 'PAY-FILE00000001',
      paymentInfoId: null,
      instructionId: null,
      endToEndId: null,
      status: 'RJCT',
      meaning: 'rejected',
      reasons: [{ code, texts: [text] }],
    } as const;
    const { sent } = await ownBookings([{ what: 'answer', answer }], 'EUR', {
      orders: async () => three,
      toldBefore: nothingBefore,
    });
    return sent.length > 0;
  };
  assert.equal(await refusedWith('AM05', ''), false);
  for (const text of [
    'Duplicate file',
    'Doppeleinreichung',
    'Datei wurde bereits eingereicht',
    'File already received',
    'Fichier en doublon',
    'Fichero duplicado',
    'Message has already been processed',
  ])
    assert.equal(await refusedWith('NARR', text), false, text);
  for (const text of ['Incorrect account number', 'Konto erloschen', 'Account already closed', 'Signature missing', ''])
    assert.equal(await refusedWith('NARR', text), true, text);
});
