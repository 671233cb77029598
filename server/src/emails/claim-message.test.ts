import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languageCodes, sayIn } from '../web/texts/page-texts.ts';
import { claimMessage } from './claim-message.ts';
import { plainMailLook } from './find-mail-look.ts';

const claimUrl = 'https://pay.example/checkout/abc/refund?token=t0&x=<1>';
const shop = {
  shopName: 'Nord <b>& Sons</b>',
  helpEmail: 'help@shop.example',
  legalLine: 'Nord\nLtd',
  legalLinks: { legalNotice: null, privacy: 'https://shop.example/privacy', terms: null },
};
const facts = {
  order: { id: 'abcdefabcdef', orderReference: 'A-1007' },
  shop,
  look: plainMailLook,
  context: 'OVERPAID_CHECKOUT',
  amount: '0.0005',
  assetCode: 'BTC',
  worth: { amount: '31.38', currency: 'EUR' },
  goodUntil: new Date('2026-12-15T16:45:00Z'),
  claimUrl,
  isSandbox: false,
} as const;

test('in every language one button says how much comes back, and both forms have the link and whom to ask', () => {
  for (const language of languageCodes) {
    const { html, text } = claimMessage(language, facts);
    const buttons = [...html.matchAll(/<td class="button"[^>]*><a href="([^"]*)"[^>]*>([^<]*)<\/a>/g)];
    assert.deepEqual(
      buttons.map(([, url]) => url),
      [claimUrl.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;')],
      language,
    );
    assert.match(buttons[0]?.[2] ?? '', /0[.,]0005\u00a0BTC/, language);
    assert.ok(text.includes(`\n${claimUrl}\n`), language);
    for (const fact of ['help@shop.example', 'https://shop.example/privacy', 'Nord Ltd', 'A-1007', 'abcdefabcdef'])
      assert.ok(text.includes(fact) && html.includes(fact), `${fact} in ${language}`);
    assert.equal(html.includes(`dir="${sayIn(language)('direction')}"`), true, language);
    assert.doesNotMatch(html, /<b>|<script|<img/, language);
  }
});

test('who thinks in money reads what it is worth, where a quote says that', () => {
  const sentence = '0.0005\u00a0BTC (€31.38)';
  const { html, text } = claimMessage('en', facts);
  assert.ok(text.includes(sentence) && html.includes(sentence), text);
  assert.doesNotMatch(claimMessage('en', { ...facts, worth: null }).text, /[€(]/);
});
