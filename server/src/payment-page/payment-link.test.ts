import assert from 'node:assert/strict';
import { test } from 'node:test';
import decodeQR from 'qr/decode.js';
import { qrCode } from '../web/qr-code.ts';
import { paymentLink } from './payment-link.ts';

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

test('an invoice is its own link, and all in upper case in the code', () => {
  assert.deepEqual(paymentLink({ network: 'LIGHTNING', address: 'lnbcrt100u1pn', amount: '10000' }), {
    href: 'lightning:lnbcrt100u1pn',
    qrText: 'LIGHTNING:LNBCRT100U1PN',
  });
});

test('a link for Ethereum names the chain and the amount in its smallest unit (EIP-681)', () => {
  const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
  const ether = { chainId: 1, contract: null, scale: 18 };
  const href = `ethereum:${address}@1?value=20000000000000001`;
  const pay = { network: 'ETHEREUM', address, amount: '0.020000000000000001' };
  assert.deepEqual(paymentLink({ ...pay, eip681: ether }), { href, qrText: href });

  const contract = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
  const token = { chainId: 11_155_111, contract, scale: 6 };
  assert.equal(
    paymentLink({ ...pay, amount: '60.5', eip681: token }).href,
    `ethereum:${contract}@11155111/transfer?address=${address}&uint256=60500000`,
  );
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

test('a link that its network signs is signed as a whole', () => {
  const sep7 = { issuer: null, passphrase: null, sign: (link: string) => `${link}&signature=x` };
  const { href, qrText } = paymentLink({ network: 'STELLAR', address: 'GABC', amount: '1', memo: 'm', sep7 });
  assert.deepEqual([href?.endsWith('&memo_type=MEMO_TEXT&signature=x'), qrText], [true, href]);
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
  let [x, y] = [0, 0];
  for (const [, startX, startY, skipped, width] of svg.matchAll(/(?:M(\d+) (\d+)\.5|m(\d+) 0)h(\d+)/g)) {
    x = startX === undefined ? x + Number(skipped) : Number(startX);
    y = startY === undefined ? y : Number(startY);
    for (let row = y * scale; row < (y + 1) * scale; row += 1) {
      for (let column = x * scale; column < (x + Number(width)) * scale; column += 1)
        data.set([0, 0, 0], (row * side + column) * 4);
    }
    x += Number(width);
  }
  assert.equal(decodeQR({ width: side, height: side, data }), text);
});

test('a bitcoin link with an invoice serves both kinds of wallets, in upper case where a camera reads it', () => {
  const link = paymentLink({
    network: 'BITCOIN',
    address: bech32Address,
    amount: '0.00012',
    lightning: 'lnbc120u1pexample',
  });
  assert.equal(link.href, `bitcoin:${bech32Address}?amount=0.00012&lightning=lnbc120u1pexample`);
  assert.equal(link.qrText, `BITCOIN:${bech32Address.toUpperCase()}?amount=0.00012&lightning=LNBC120U1PEXAMPLE`);
});
