import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BookingFacts, type BookingFate, bookingFate } from './booking-fate.ts';

const nothing: BookingFacts = {
  kind: 'payment-in',
  documentKind: 'camt.053',
  isRead: true,
  ownerId: null,
  isWaiting: null,
  isCrumb: null,
  isOwn: null,
  movementKind: null,
  isOpen: null,
  assignedAs: null,
  payoutId: null,
};

const told: readonly [BookingFate, Partial<BookingFacts>][] = [
  ['answer', { documentKind: 'pain.002', kind: 'under-way', isRead: false }],
  ['refused', { documentKind: 'pain.002', kind: 'rejected', isRead: false }],
  ['refused', { documentKind: 'pain.002', kind: 'partly-rejected' }],
  ['doubted', { documentKind: 'pain.002', kind: 'payee-doubted' }],
  ['otherPayments', { documentKind: 'pain.002', kind: 'other-payments' }],
  ['announced', { kind: 'seen', ownerId: 'a' }],
  ['unread', { isRead: false }],
  ['matched', { ownerId: 'a', isRead: false }],
  ['matched', { ownerId: 'a', isWaiting: false }],
  ['unmatched', { isWaiting: true, isCrumb: false }],
  ['small', { isWaiting: true, isCrumb: true }],
  ['ended', { isWaiting: false, isCrumb: true }],
  ['ended', { isWaiting: false, isOwn: false }],
  ['ownMoney', { isWaiting: false, isOwn: true }],
  ['cameBack', { kind: 'return', payoutId: 'a' }],
  ['cameBack', { kind: 'return' }],
  ['cameBack', { kind: 'correction' }],
  ['unread', { kind: 'return', isRead: false }],
  ['fee', { kind: 'fee', movementKind: 'FEE', isOpen: false }],
  ['toExplain', { movementKind: 'UNKNOWN', isOpen: true }],
  ['interest', { movementKind: 'UNKNOWN', isOpen: false, assignedAs: 'INTEREST' }],
  ['takenBack', { kind: 'correction', movementKind: 'REVERSAL', isOpen: false }],
  ['toExplain', { kind: 'correction', movementKind: 'REVERSAL', isOpen: true }],
  ['sent', { kind: 'own-payment' }],
  ['sent', { movementKind: 'UNKNOWN', isOpen: false, assignedAs: 'PAYOUT' }],
];

for (const [fate, facts] of told)
  test(`${fate}: ${JSON.stringify(facts)}`, () => assert.equal(bookingFate({ ...nothing, ...facts }), fate));
