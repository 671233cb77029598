import assert from 'node:assert/strict';
import { test } from 'node:test';
import { currency as currencySchema } from '@quittance/contract/catalog';
import { Ajv } from 'ajv';
import { newIssuerKeypair } from '../lib/strkey.ts';
import { createAssetCatalog } from './asset-catalog.ts';
import { findCurrency, listCurrencies } from './currency-catalog.ts';
import { knownCurrencies } from './known-currencies.ts';
import { knownNetworks } from './known-networks.ts';

const catalog = createAssetCatalog({
  issuerAccount: newIssuerKeypair().accountId,
  issuerName: 'Example Pay',
  issuerDomain: 'pay.example',
  issuerAddress: '1 Example Street, Example City',
});

const list = (networks: string[], enabledHighRisk: string[] = []) =>
  listCurrencies(catalog, {
    configured: new Map(
      knownNetworks
        .filter(({ id }) => networks.includes(id))
        .map(({ id, assets }) => [
          id,
          { canSend: false, assetCodes: new Set(assets.map(({ assetCode }) => assetCode)) },
        ]),
    ),
    isConvertible: () => true,
    enabledHighRisk: new Set(enabledHighRisk),
    riskTolerance: 'MEDIUM',
  });
const where = (currencies: ReturnType<typeof list>, use: 'billing' | 'settlement' | 'payment') =>
  currencies.filter((currency) => currency[use]).map(({ assetCode }) => assetCode);

test('every currency has exactly the fields that the contract promises', () => {
  const isCurrency = new Ajv().compile({ ...currencySchema, additionalProperties: false });
  for (const currency of list(['BITCOIN']))
    assert.ok(isCurrency(currency), `${currency.assetCode}: ${JSON.stringify(isCurrency.errors)}`);
});

test('every currency that existing shop plugins offer can be billed', () => {
  const offered =
    'ARS AUD BHD BDT BMD BTC BRL GBP CAD CLP CNY CZK DKK AED ETH EUR HKD HUF INR IDR ILS JPY KRW KWD LTC MYR MXN MMK ' +
    'NZD NGN NOK PKR PHP PLN XRP RUB SAR SGD ZAR LKR XLM SEK CHF TWD THB TRY UAH USD VEF VND';
  const billed = new Set(where(list([]), 'billing'));
  assert.deepEqual(
    offered.split(' ').filter((code) => !billed.has(code)),
    [],
  );
});

test('no currency is listed twice, and all are in the order of their codes', () => {
  const codes = knownCurrencies.map(({ code }) => code);
  assert.deepEqual(codes, [...new Set(codes)].sort());
  for (const { code, name } of knownCurrencies) {
    assert.match(code, /^[A-Z]{3,5}$/);
    assert.ok(name.length > 2, code);
  }
});

test('prices have the decimals of ISO 4217', () => {
  const decimals = (codes: string) => codes.split(' ').map((code) => findCurrency(code)?.decimals);
  assert.deepEqual(decimals('EUR USD GBP HUF IDR MMK PKR TWD VEF MGA AFN'), [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]);
  assert.deepEqual(decimals('JPY KRW VND CLP ISK XAF XOF XPF UGX PYG'), [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  assert.deepEqual(decimals('BHD KWD IQD JOD LYD OMR TND'), [3, 3, 3, 3, 3, 3, 3]);
  assert.deepEqual(decimals('BTC LTC XLM XRP SAT'), [8, 8, 7, 6, 0]);
});

test('a currency can be credited when there is an asset of its name that the merchant may hold', () => {
  const held = ['BRL', 'BTC', 'BTCLN', 'ETH', 'EUR', 'LTC', 'USD', 'USDC', 'XLM'];
  assert.deepEqual(where(list(['BITCOIN']), 'settlement'), held);
  assert.ok(where(list(['BITCOIN'], ['USDT']), 'settlement').includes('USDT'));
  assert.deepEqual(where(list([]), 'settlement'), [], 'nothing comes in that could be credited');
});

test('a currency can be paid when a configured network carries it, by the name the payer knows', () => {
  assert.deepEqual(where(list([]), 'payment'), []);
  assert.deepEqual(where(list(['BITCOIN', 'LITECOIN']), 'payment'), ['BTC', 'LTC']);
  assert.deepEqual(where(list(['LIGHTNING']), 'payment'), ['SAT']);
  assert.deepEqual(where(list(['ETHEREUM']), 'payment'), ['ETH', 'USDC']);
  assert.deepEqual(where(list(['ETHEREUM'], ['USDT']), 'payment'), ['ETH', 'USDC', 'USDT']);
});

test('whatever a payer is asked to pay in is a known currency', () => {
  for (const { id, assets } of knownNetworks)
    for (const { paymentCode } of assets) assert.ok(findCurrency(paymentCode), `${paymentCode} on ${id}`);
});

test('a code that is no currency is not found', () => {
  for (const code of ['', 'eur', 'ORIGIN', 'toString', 'XXX']) assert.equal(findCurrency(code), undefined, code);
});
