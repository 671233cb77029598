import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bitcoin } from './bitcoin/bitcoin.ts';
import { bankInstructions, type ReceivingAccount } from './families/bank/bank-payer.ts';
import { evmInstructions } from './families/evm/evm-payer.ts';
import { lightning } from './lightning/lightning.ts';
import { litecoin } from './litecoin/litecoin.ts';
import type { NetworkDefinition } from './port/definition.ts';
import { type PayerRequest, type PaymentLink, plainInstructions } from './port/payer-instructions.ts';
import { muxedAddressOf } from './stellar/muxed-address.ts';
import { stellarInstructions } from './stellar/stellar-payer.ts';

const bech32Address = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const base58Address = '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy';

const request = (given: Partial<PayerRequest>): PayerRequest => ({
  assetCode: '',
  amount: '',
  address: '',
  memo: null,
  joint: null,
  ...given,
});
const linkOf = (network: NetworkDefinition, given: Partial<PayerRequest>): PaymentLink =>
  (network.payerInstructions ?? plainInstructions)(request(given)).link;

test('a bech32 address is in lower case in the link and in upper case in the code', () => {
  assert.deepEqual(linkOf(bitcoin, { address: bech32Address, amount: '0.00012' }), {
    href: `bitcoin:${bech32Address}?amount=0.00012`,
    qrText: `BITCOIN:${bech32Address.toUpperCase()}?amount=0.00012`,
  });
  const ofLitecoin = linkOf(litecoin, { address: 'rltc1qar0srrr7xfkvy5l643lydnw9re59gtzz', amount: '1' });
  assert.equal(ofLitecoin.qrText, 'LITECOIN:RLTC1QAR0SRRR7XFKVY5L643LYDNW9RE59GTZZ?amount=1');
});

test('a base58 address keeps its letters: there, case has a meaning', () => {
  const { href, qrText } = linkOf(bitcoin, { address: base58Address, amount: '1' });
  assert.equal(qrText, href);
  assert.equal(href, `bitcoin:${base58Address}?amount=1`);
});

test('an invoice is its own link, and all in upper case in the code', () => {
  assert.deepEqual(linkOf(lightning, { address: 'lnbcrt100u1pn', amount: '10000' }), {
    href: 'lightning:lnbcrt100u1pn',
    qrText: 'LIGHTNING:LNBCRT100U1PN',
  });
});

const chainOf = (chainId: number) => ({ chainId, name: 'A chain', explorer: undefined, walletNodeUrl: undefined });

test('a link for Ethereum names the chain and the amount in its smallest unit (EIP-681)', () => {
  const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
  const contract = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
  const carried = [
    { assetCode: 'ETH', contract: null, scale: 18 },
    { assetCode: 'USDC', contract, scale: 6 },
  ];
  const href = `ethereum:${address}@1?value=20000000000000001`;
  const ether = request({ assetCode: 'ETH', address, amount: '0.020000000000000001' });
  assert.deepEqual(evmInstructions(chainOf(1), carried)(ether).link, { href, qrText: href });

  assert.equal(
    evmInstructions(chainOf(11_155_111), carried)({ ...ether, assetCode: 'USDC', amount: '60.5' }).link.href,
    `ethereum:${contract}@11155111/transfer?address=${address}&uint256=60500000`,
  );
});

test('a wallet in the browser is asked to send the coin, or to call the contract of the token', () => {
  const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
  const contract = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
  const carried = [
    { assetCode: 'ETH', contract: null, scale: 18 },
    { assetCode: 'USDC', contract, scale: 6 },
  ];
  const walletOf = (assetCode: string, amount: string) =>
    evmInstructions(chainOf(8453), carried)(request({ assetCode, address, amount })).wallet;
  const call = { kind: 'eip1193', chainId: '0x2105', unknownChain: null };
  assert.deepEqual(walletOf('ETH', '1'), { ...call, to: address, value: '0xde0b6b3a7640000', data: null });
  const word = address.slice(2).toLowerCase().padStart(64, '0');
  const data = `0xa9059cbb${word}${(2_500_000).toString(16).padStart(64, '0')}`;
  assert.deepEqual(walletOf('USDC', '2.5'), { ...call, to: contract, value: '0x0', data });
  assert.equal(walletOf('DAI', '1'), null, 'an asset that is not paid there');
});

test('a wallet that lacks the chain is told how to add it, but of a node only if the operator named one (EIP-3085)', () => {
  const carried = [{ assetCode: 'ETH', contract: null, scale: 18 }];
  const explorer = 'https://explorer.example/tx/';
  const told = (walletNodeUrl: string | undefined) => {
    const chain = { chainId: 8453, name: 'Base', explorer, walletNodeUrl };
    const { wallet } = evmInstructions(chain, carried)(request({ assetCode: 'ETH', address: '0x00', amount: '1' }));
    return wallet?.kind === 'eip1193' ? wallet.unknownChain : undefined;
  };
  assert.equal(told(undefined), null);
  assert.deepEqual(told('https://node.example'), {
    chainId: '0x2105',
    chainName: 'Base',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: ['https://node.example'],
    blockExplorerUrls: ['https://explorer.example'],
  });
});

const issuers = new Map([
  ['XLM', null],
  ['USDC', 'GISSUER'],
]);
const stellarLink = (given: Partial<PayerRequest>, passphrase: string | null, sign?: (link: string) => string) =>
  stellarInstructions({ issuers, passphrase, sign })(request({ address: 'GABC', assetCode: 'XLM', ...given })).link;

test('a link for Stellar carries the memo, and names the issuer and a network that is not the public one (SEP-7)', () => {
  // The memo is no id of ours, so it has no muxed address.
  const pay = { amount: '600', memo: 'abc123' };
  const lumens = 'web+stellar:pay?destination=GABC&amount=600&memo=abc123&memo_type=MEMO_TEXT';
  assert.deepEqual(stellarLink(pay, null), { href: lumens, qrText: lumens });
  assert.equal(
    stellarLink({ ...pay, assetCode: 'USDC' }, 'Test ; 2015').href,
    'web+stellar:pay?destination=GABC&amount=600&asset_code=USDC&asset_issuer=GISSUER&memo=abc123' +
      '&memo_type=MEMO_TEXT&network_passphrase=Test%20%3B%202015',
  );
});

test('a link that its network signs is signed as a whole', () => {
  const { href, qrText } = stellarLink({ amount: '1', memo: 'm' }, null, (link) => `${link}&signature=x`);
  assert.deepEqual([href?.endsWith('&memo_type=MEMO_TEXT&signature=x'), qrText], [true, href]);
});

test('where many share an address, a wallet without memos is given one that holds the memo', () => {
  const address = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
  const shown = (memo: string | null) =>
    stellarInstructions({ issuers, passphrase: null, sign: undefined })(
      request({ assetCode: 'XLM', amount: '1', address, memo }),
    );
  const [field, ...others] = shown('abc123def456').fields;
  assert.equal(field?.value, muxedAddressOf(address, 'abc123def456'));
  assert.equal(field?.name.de, 'Weg 2: eine lange Adresse, die das Memo enthält');
  assert.deepEqual([others, shown(null).fields], [[], []]);
});

test('an invoice is called one, needs no fee of an exchange added, and nothing less than it can be shown', () => {
  const { target, addressOnly, isPaidFromExchanges } = (lightning.payerInstructions ?? plainInstructions)(
    request({ address: 'lnbcrt100u1pn', amount: '10000' }),
  );
  assert.deepEqual([target, addressOnly, isPaidFromExchanges], ['invoice', null, false]);
});

test('without the link, Stellar is paid to the address that holds the memo, or the memo must be typed too', () => {
  const address = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
  const addressOnly = (memo: string | null) =>
    stellarInstructions({ issuers, passphrase: null, sign: undefined })(
      request({ assetCode: 'XLM', amount: '1', address, memo }),
    ).addressOnly;
  const muxed = addressOnly('abc123def456');
  assert.equal(muxed?.qrText, muxedAddressOf(address, 'abc123def456'));
  assert.match(muxed?.hint?.en ?? '', /holds the memo\. Enter the amount/);
  const plain = addressOnly('of another form');
  assert.equal(plain?.qrText, address);
  assert.match(plain?.hint?.en ?? '', /amount and the memo/);
  assert.deepEqual(addressOnly(null), { qrText: address, hint: null });
});

test('an address alone is enough where nothing but the amount has to be typed', () => {
  const { addressOnly, target } = (bitcoin.payerInstructions ?? plainInstructions)(
    request({ address: bech32Address, amount: '1' }),
  );
  assert.deepEqual([addressOnly, target], [{ qrText: bech32Address, hint: null }, 'address']);
});

test('a network without a common link shows its address as a code', () => {
  const { payerInstructions: _left, ...without } = litecoin;
  assert.deepEqual(linkOf(without, { address: 'GABC', amount: '1' }), { href: null, qrText: 'GABC' });
});

test('a bitcoin link with an invoice serves both kinds of wallets, in upper case where a camera reads it', () => {
  const link = linkOf(bitcoin, {
    address: bech32Address,
    amount: '0.00012',
    joint: 'lnbc120u1pexample',
  });
  assert.equal(link.href, `bitcoin:${bech32Address}?amount=0.00012&lightning=lnbc120u1pexample`);
  assert.equal(link.qrText, `BITCOIN:${bech32Address.toUpperCase()}?amount=0.00012&lightning=LNBC120U1PEXAMPLE`);
});

const account: ReceivingAccount = {
  scheme: 'sepa',
  name: 'Quittance GmbH',
  iban: 'DE89 3704 0044 0532 0130 00',
  bic: 'COBADEFFXXX',
};
const byBank = { assetCode: 'EUR', amount: '12.5', address: 'DE89370400440532013000', memo: 'RF19ABC123DEF456' };

test('by bank, each field is copied by itself, and in SEPA one code fills in all of them', () => {
  const { fields, link, target, takes, isPaidFromExchanges } = bankInstructions(account)(request(byBank));
  assert.deepEqual(
    fields.map(({ name, value, form, hint }) => [name.de, value, form, hint !== null]),
    [
      ['Empfänger', 'Quittance GmbH', 'words', false],
      ['IBAN', 'DE89370400440532013000', 'code', false],
      ['BIC', 'COBADEFFXXX', 'code', false],
      ['Verwendungszweck', 'RF19ABC123DEF456', 'code', true],
    ],
  );
  assert.deepEqual(link, {
    href: null,
    qrText: 'BCD\n002\n1\nSCT\nCOBADEFFXXX\nQuittance GmbH\nDE89370400440532013000\nEUR12.50\n\n\nRF19ABC123DEF456',
  });
  assert.deepEqual([target, isPaidFromExchanges], ['account', false]);
  assert.match(takes?.en ?? '', /next banking day/);
});

test('no code is shown where none can be read: over SWIFT, or where the BIC is needed and not known', () => {
  const codeBy = (given: Partial<ReceivingAccount>, asked: Partial<PayerRequest> = {}) =>
    bankInstructions({ ...account, ...given })(request({ ...byBank, ...asked })).link.qrText;
  assert.equal(codeBy({ scheme: 'swift' }), null);
  assert.equal(codeBy({}, { address: 'CH9300762011623852957' }), null);
  assert.match(codeBy({}, { amount: '0' }) ?? '', /013000\n\n\n\nRF19/, 'a deposit of any amount');
});

test('who was given an account before the operator changed banks is not shown the BIC of another one', () => {
  const { fields } = bankInstructions({ ...account, iban: 'AT611904300234573201', bic: 'BKAUATWW' })(request(byBank));
  assert.deepEqual(
    fields.map(({ value }) => value),
    ['Quittance GmbH', 'DE89370400440532013000', 'RF19ABC123DEF456'],
  );
});
