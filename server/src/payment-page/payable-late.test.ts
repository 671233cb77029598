import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCommitment, at, BTC } from '../../test/sample-checkout.ts';
import { tellStory } from '../../test/settlement-story.ts';
import { payableLate } from './payable-late.ts';

const byAddress = aCommitment({ id: 'c1', asset: BTC, due: 1000n, minute: 0 });
const byInvoice = { ...aCommitment({ id: 'c2', asset: BTC, due: 1000n, minute: 1 }), network: 'LIGHTNING' };

test('an invoice that is over is not shown for a rest: the address that was given before takes it', () => {
  const story = tellStory([byAddress, byInvoice]);
  assert.equal(payableLate(story.dossier, byInvoice, at(70)), byInvoice, 'nothing has come: another is made');
  story.pay({ id: 'p1', units: 400n, minute: 2 });
  assert.equal(payableLate(story.dossier, byInvoice, at(59)), byInvoice, 'in time it is made anew for the rest');
  assert.equal(payableLate(story.dossier, byInvoice, at(70)), byAddress);
  assert.equal(payableLate(story.dossier, byAddress, at(70)), byAddress);
  story.change('p1', { state: 'DROPPED' });
  assert.equal(payableLate(story.dossier, byInvoice, at(70)), byInvoice, 'nothing has come after all');
});
