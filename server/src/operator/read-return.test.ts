import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Query } from '../db/database.ts';
import type { Connector } from '../networks/port/connector.ts';
import type { OrderProblem } from '../networks/port/orders.ts';
import { readGoal } from './read-return.ts';

const bank = {
  network: { id: 'BANK', name: 'The bank', givesBackOnly: true },
  sender: {},
  addressProblem: ({ address }: { address: string }) => (address.startsWith('payment') ? null : 'No payment.'),
  payerOf: ({ payment }: { payment?: string }) =>
    payment === undefined
      ? null
      : { account: { address: payment, memo: null, memoType: null, holder: null }, problem: null },
} as unknown as Connector;

const deps = {
  db: (async () => [{ is_own: false }]) as unknown as Query,
  connectors: new Map([['BANK', bank]]),
} as unknown as Parameters<typeof readGoal>[0];

const unmatched = (trace: Record<string, string>) =>
  ({ id: 'unmatched', network: 'BANK', units: 10n, sender: null, trace }) as unknown as Parameters<typeof readGoal>[1];

const back = { address: null, memo: null, memoType: null, feeUnits: 0n };

test('where a network only gives back, money that named nobody goes back to its payment', async () => {
  const { destination } = await readGoal(deps, unmatched({ payment: 'payment-1' }), back);
  assert.equal(destination.address, 'payment-1');
  const approved = await readGoal(deps, unmatched({ payment: 'payment-1' }), { ...back, address: 'payment-1' });
  assert.deepEqual(approved.destination, destination, 'as an order says that waits for its second signature');
});

test('what keeps it from going back is said, and what to do instead', async () => {
  const lacking = (about: OrderProblem['about']) => {
    const account = { address: 'payment-1', memo: null, memoType: null, holder: null };
    const payerOf = () => ({ account, problem: { about, sentence: `The ${about} is missing.` } });
    return { ...deps, connectors: new Map([['BANK', { ...bank, payerOf }]]) };
  };
  const refused = (about: OrderProblem['about']) => readGoal(lacking(about), unmatched({}), back);
  await assert.rejects(refused('bic'), /^GatewayError: The bic is missing\. Send it back in the portal of the bank/);
  await assert.rejects(refused('ownAddress'), /^GatewayError: The ownAddress is missing\.$/);
});

test('and nowhere else', async () => {
  const elsewhere = readGoal(deps, unmatched({ payment: 'payment-1' }), { ...back, address: 'payment-2' });
  await assert.rejects(elsewhere, /On The bank money goes back only to the account that it came from: give no address/);
  await assert.rejects(readGoal(deps, unmatched({}), back), /sender of payment unmatched is not known/);
});
