import assert from 'node:assert/strict';
import { test } from 'node:test';
import decodeQR from 'qr/decode.js';
import { paymentLink } from './payment-link.ts';
import { qrCode } from './qr-code.ts';

const bech32Address = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const base58Address = '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy';

test('a bech32 address is in lower case in the link and in upper case in the code', () => {
  assert.deepEqual(paymentLink({ network: 'BITCOIN', address: bech32Address, amount: '0.00012' }), {
    href: `bitcoin:${bech32Address}?amount=0.00012`,
    qrText: `BITCOIN:${bech32Address.toUpperCase()}?amount=0.00012`,
  });
  const litecoin = paymentLink({ network: 'LITECOIN', address: 'rltc1qar0srrr7xfkvy5l643lydnw9re59gtzz', amount: '1' });
  assert.equal(litecoin.qrText, 'LITECOIN:RLTC1QAR0SRRR7XFKVY5L643LYDNW9RE59GTZZ?amount=1');
});

test('a base58 address keeps its letters: there, case has a meaning', () => {
  const { href, qrText } = paymentLink({ network: 'BITCOIN', address: base58Address, amount: '1' });
  assert.equal(qrText, href);
  assert.equal(href, `bitcoin:${base58Address}?amount=1`);
});

test('a link for Stellar carries the memo, and names the issuer and a network that is not the public one (SEP-7)', () => {
  const pay = { network: 'STELLAR', address: 'GABC', amount: '600', assetCode: 'XLM', memo: 'abc123def456' };
  const lumens = 'web+stellar:pay?destination=GABC&amount=600&memo=abc123def456&memo_type=MEMO_TEXT';
  assert.deepEqual(paymentLink({ ...pay, sep7: { issuer: null, passphrase: null } }), { href: lumens, qrText: lumens });
  const dollars = paymentLink({ ...pay, assetCode: 'USDC', sep7: { issuer: 'GISSUER', passphrase: 'Test ; 2015' } });
  assert.equal(
    dollars.href,
    'web+stellar:pay?destination=GABC&amount=600&asset_code=USDC&asset_issuer=GISSUER&memo=abc123def456' +
      '&memo_type=MEMO_TEXT&network_passphrase=Test%20%3B%202015',
  );
});

test('a network without a common link shows its address as a code', () => {
  assert.deepEqual(paymentLink({ network: 'STELLAR', address: 'GABC', amount: '1' }), { href: null, qrText: 'GABC' });
});

test('a reader finds in the drawn code what was put into it', () => {
  const text = `BITCOIN:${bech32Address.toUpperCase()}?amount=0.00012`;
  const svg = qrCode(text, 'Pay').toString();
  const size = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1]);
  const scale = 4;
  const side = size * scale;
  const data = new Uint8Array(side * side * 4).fill(255);
  for (const [, x, y, width] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h/g)) {
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row += 1) {
      for (let column = Number(x) * scale; column < (Number(x) + Number(width)) * scale; column += 1)
        data.set([0, 0, 0], (row * side + column) * 4);
    }
  }
  assert.equal(decodeQR({ width: side, height: side, data }), text);
});
