import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLook } from '../web/page-layout.ts';
import { checkoutPage } from './checkout-page.ts';
import type { PublicCheckout } from './public-checkout.ts';
import { sampleCheckout, sampleStates } from './sample-checkouts.ts';

const now = new Date('2026-03-01T12:00:00Z');

test('French has a space before the colon, says of what to send some, and begins no word within a list with a capital', () => {
  const french = createLook('fr', { isSandbox: true, files: { stylesheet: '', script: '' } });
  const pageOf = (checkout: PublicCheckout): string => checkoutPage(french, checkout, { now }).toString();
  const pending = sampleCheckout('pending', now, 'fr');
  const soldAs = (assetName: string): string =>
    pageOf({ ...pending, pay: pending.pay && { ...pending.pay, assetName } });
  assert.match(soldAs('Bitcoin'), /N’envoyez que du Bitcoin sur le réseau Bitcoin\./);
  assert.match(soldAs('Ether'), /N’envoyez que de l’Ether sur/);
  assert.match(soldAs('USD Coin'), /N’envoyez que de l’USD Coin sur/);
  assert.match(soldAs('Stellar Lumens'), /N’envoyez que des Stellar Lumens sur/);
  const choice = pageOf(sampleCheckout('created', now, 'fr'));
  assert.match(choice, />Lightning, réseau Bitcoin</);
  assert.match(choice, /Payer avec Bitcoin \(réseau Bitcoin\)/);
  assert.match(choice, /<span>Réseau Bitcoin /, 'where it stands alone');
  assert.match(pageOf(sampleCheckout('partial', now, 'fr')), /Reçu\u00a0: 0,0002/);
  for (const state of sampleStates)
    assert.doesNotMatch(
      pageOf(sampleCheckout(state, now, 'fr')).replace(/<head>[^]*<\/head>/, ''),
      />[^<>]*\p{L}: [^<>]*</u,
    );
});
