import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCommitment, at, BTC, LTC } from '../../test/sample-checkout.ts';
import { tellStory } from '../../test/settlement-story.ts';
import { payableLate } from './payable-late.ts';

const byAddress = aCommitment({ id: 'c1', asset: BTC, due: 1000n, minute: 0 });
const byInvoice = { ...aCommitment({ id: 'c2', asset: BTC, due: 1000n, minute: 1 }), network: 'LIGHTNING' };

const span = (minute: number) => ({ committedAt: at(minute), expiresAt: at(minute + 60) });

test('an invoice that is over is not shown for a rest: the address that was given before takes it', () => {
  const story = tellStory([byAddress, byInvoice]);
  assert.equal(payableLate(story.dossier, byInvoice, at(70)), byInvoice, 'nothing has come: another is made');
  story.pay({ id: 'p1', units: 400n, minute: 2 });
  assert.equal(payableLate(story.dossier, byInvoice, at(59)), byInvoice, 'in time it is made anew for the rest');
  assert.equal(payableLate(story.dossier, byInvoice, at(61)), byAddress, 'in the very moment in which it ends');
  assert.equal(payableLate(story.dossier, byAddress, at(70)), byAddress);
  story.change('p1', { state: 'DROPPED' });
  assert.equal(payableLate(story.dossier, byInvoice, at(70)), byInvoice, 'nothing has come after all');
});

test('cancelling ends an invoice too: what comes in part after it is no reason to ask for the whole again', () => {
  const story = tellStory([byAddress, byInvoice]);
  story.decide({ canceledAt: at(10) });
  story.pay({ id: 'p1', units: 400n, minute: 12 });
  assert.equal(payableLate(story.dossier, byInvoice, at(13)), byAddress);
  assert.equal(payableLate(story.dossier, byInvoice, at(9)), byAddress, 'another machine’s clock is ahead of ours');
  const revived = { ...byInvoice, ...span(11), id: 'c3' };
  const again = { ...story.dossier, commitments: [byAddress, byInvoice, revived] };
  assert.equal(payableLate(again, revived, at(13)), revived, 'one that was made after it is not over');
  assert.equal(payableLate(again, byInvoice, at(13)), byAddress, 'the one before it still is');
});

test('nobody is shown the invoice that was paid late: where there is no address, nothing takes the rest', () => {
  const paidLate = { id: 'p1', units: 1000n, minute: 70, commitmentId: 'c2', network: 'LIGHTNING' };
  const alone = tellStory([byInvoice]);
  alone.pay(paidLate);
  assert.equal(payableLate(alone.dossier, byInvoice, at(71)), undefined);
  const joint = tellStory([byAddress, byInvoice]);
  joint.pay(paidLate);
  assert.equal(payableLate(joint.dossier, byInvoice, at(71)), byAddress);
});

test('the rest goes where the part went, and what this order cannot be paid with is no part', () => {
  const litecoin = aCommitment({ id: 'c0', asset: LTC, due: 2000n, minute: 0 });
  const story = tellStory([litecoin, byAddress, byInvoice]);
  story.pay({ id: 'p0', units: 5n, minute: 1, commitmentId: null });
  assert.equal(payableLate(story.dossier, byInvoice, at(70)), byInvoice, 'a new price is one of the same way');
  story.pay({ id: 'p1', units: 800n, minute: 2, commitmentId: 'c0', asset: LTC });
  assert.equal(payableLate(story.dossier, byInvoice, at(70)), litecoin);
  assert.equal(payableLate(story.dossier, byAddress, at(70)), byAddress, 'an address that was chosen stays');
  const away = { ...byAddress, network: 'NOWHERE' };
  assert.equal(payableLate(story.dossier, away, at(70)), away, 'also of a network that we know no more');
  assert.equal(payableLate(story.dossier, undefined, at(70)), undefined);
});
