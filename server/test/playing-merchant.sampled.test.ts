/** A merchant who pays own checkouts only when the market has moved earns nothing. See docs/decisions/0146. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSample } from './depth.ts';
import { playSeason } from './playing-merchant.ts';

test('whoever knows the future and pays only what has fallen earns nothing in a year, and honest prices stay small', (t) => {
  const { earned, ifQuotesHeld, plays, bestPlay, honestCost, shopLost } = playSeason(
    20_261_119,
    isSample() ? 24 * 5 : 24 * 365,
  );
  const percent = (part: number): string => `${(part * 100).toFixed(4)} %`;
  t.diagnostic(`${plays} quotes of 1000 dollars: earned ${earned.toFixed(6)}, the best play ${bestPlay.toFixed(6)}`);
  t.diagnostic(`an honest payer pays ${percent(honestCost)} on top, a shop loses ${percent(shopLost)} of its price`);
  // Rates have nine decimals here: a unit of each asset is rounding.
  assert.ok(earned <= plays * 1e-6, `${earned}`);
  t.diagnostic(`if quotes held whatever the market does: ${ifQuotesHeld.toFixed(0)} dollars`);
  assert.ok(ifQuotesHeld > plays, 'more than a thousandth of every quote: there is something to be had');
  assert.ok(honestCost < 0.015, 'over all coins');
  assert.ok(shopLost < 0.001 && shopLost >= 0);
});
