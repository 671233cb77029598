/** The settings of the whole installation, as it would be started: what is read, and every sentence about what is wrong. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { HDKey } from '@scure/bip32';
import { type Environment, examineConfig } from './config.ts';
import { newIssuerKeypair } from './lib/strkey.ts';
import { formatDecimal, zero } from './money/decimal.ts';
import { settings } from './settings.ts';

const sound: Environment = {
  DATABASE_URL: 'postgres://user:abracadabra@db/quittance',
  MASTER_KEY: '5a'.repeat(32),
  ISSUER_ACCOUNT: newIssuerKeypair().accountId,
  BITCOIN_RPC_URL: 'http://user:abracadabra@127.0.0.1:8332',
  BITCOIN_XPUB: HDKey.fromMasterSeed(Buffer.alloc(32, 7)).derive("m/84'/0'/0'").publicExtendedKey,
};
const problemsOf = (env: Environment) => examineConfig({ ...sound, ...env }).problems;

test('what nobody sets has the value that the manual names', () => {
  const { config, problems } = examineConfig(sound);
  assert.deepEqual(problems, []);
  const { mode, roles, host, port, rateSources, allowLoopbackWebhooks, logLevel } = config;
  assert.deepEqual([mode, roles, host, port], ['sandbox', ['api', 'worker', 'watcher'], '127.0.0.1', 8080]);
  assert.deepEqual([rateSources, allowLoopbackWebhooks, logLevel], [['fixed'], true, 'info']);
  const parts = [config.fees.percent, config.buffer.flat ?? zero, config.treasuryShare, config.coverageWarning];
  assert.deepEqual(parts.map(formatDecimal), ['0.005', '0.01', '0.5', '1']);
  assert.equal(formatDecimal(config.venueSlippagePercent), '2');
  assert.deepEqual([...config.treasuryLimits.keys(), ...config.unfinalCeilings.keys()], ['*']);
  assert.ok(Object.isFrozen(config));
});

test('every setting that is wrong is named, with what would be right', () => {
  const wrong: Environment = {
    MODE: 'test',
    ROLES: 'api,cook',
    PORT: '65536',
    PUBLIC_URL: 'https://pay.example.com/shop',
    DATABASE_URL: 'mysql://db/x',
    MASTER_KEY: 'abracadabra',
    ISSUER_ACCOUNT: 'SABRACADABRA',
    BITCOIN_RPC_URL: 'abracadabra',
    BITCOIN_CHAIN: 'moon',
    RATE_SOURCES: 'kraken,oracle',
    FEE_PERCENT: '50.1',
    TREASURY_LIMITS: 'BTC=0.5,GOLD=1',
    UNFINAL_CEILINGS: 'BITCOIN=-1',
    ANCHORED_ASSETS: 'BTC@anchor.example',
    TRUSTED_PROXIES: '10.0.0.0/8,proxy',
    RATE_LIMITS: 'maybe',
    VENUES: '*:bank',
    SANDBOX_CHAINS: 'abracadabra',
  };
  const problems = problemsOf(wrong);
  assert.deepEqual([...problems].sort(), [
    'ANCHORED_ASSETS must be a list such as BTC:G…@anchor.example, but contains "BTC@anchor.example".',
    'BITCOIN_CHAIN must be main or test or testnet4 or signet or regtest, but is "moon".',
    'BITCOIN_RPC_URL must begin with http:// or https://.',
    'DATABASE_URL must begin with postgres://, but begins with mysql://.',
    'FEE_PERCENT must be a number from 0 to 50, but is "50.1".',
    'ISSUER_ACCOUNT must be a Stellar account id (G and 55 further characters).',
    'MASTER_KEY must be 64 hexadecimal digits.',
    'MODE must be sandbox or production, but is "test".',
    'PORT must be a whole number from 0 to 65535, but is "65536".',
    'PUBLIC_URL must be an origin such as https://pay.example.com, but is "https://pay.example.com/shop".',
    'RATE_LIMITS must be on or off, but is "maybe".',
    'RATE_SOURCES may contain kraken, coinbase, bitstamp, bitfinex, coingecko, ecb, open-er-api or fixed, but contains "oracle".',
    'ROLES must be a list of api, worker, watcher or all, but contains "cook".',
    'SANDBOX_CHAINS must be JSON with a URL for each network.',
    'TREASURY_LIMITS must be a list such as BTC=0.5,*=0, but contains "GOLD=1".',
    'TRUSTED_PROXIES must be addresses or ranges such as 10.0.0.0/8, but contains "proxy".',
    'UNFINAL_CEILINGS must be a list such as BITCOIN=10,LITECOIN=500, but contains "BITCOIN=-1".',
    'VENUES may name treasury and stellar-dex, but "*:bank" names "bank".',
  ]);
  assert.doesNotMatch(problems.join(), /abracadabra/i, 'no secret is repeated');
});

test('what is required is asked for, and at least one network', () => {
  assert.deepEqual(examineConfig({}).problems, [
    'ISSUER_ACCOUNT must be set.',
    'At least one network must be configured, for example with BITCOIN_RPC_URL and BITCOIN_XPUB.',
    'DATABASE_URL must be set.',
    'MASTER_KEY must be set.',
  ]);
  assert.deepEqual(problemsOf({ SIGN_UP: 'open' }), [
    'SIGN_UP=open needs SMTP_URL and MAIL_FROM, because people prove their address by a link in an e-mail.',
  ]);
  assert.deepEqual(problemsOf({ ROLES: ',' }), ['ROLES must name at least one role.']);
  assert.deepEqual(problemsOf({ VENUES: '*:stellar-dex' }), [
    'STELLAR_SECRET must be set, because VENUES names stellar-dex.',
  ]);
});

test('production forbids what only a sandbox may do', () => {
  const production = { MODE: 'production', PUBLIC_URL: 'https://pay.example.com/' };
  const { config } = examineConfig({ ...sound, ...production });
  assert.deepEqual(problemsOf(production), []);
  assert.deepEqual([config.allowLoopbackWebhooks, config.publicUrl], [false, 'https://pay.example.com']);
  assert.ok(!config.rateSources.includes('fixed') && config.rateSources.length > 1);
  const careless = {
    MODE: 'production',
    PUBLIC_URL: 'http://pay.example.com',
    WEBHOOK_ALLOW_LOOPBACK: 'on',
    RATE_SOURCES: 'fixed',
    SANDBOX_CHAINS: '{}',
    BITCOIN_CHAIN: 'regtest',
  };
  assert.deepEqual([...problemsOf(careless)].sort(), [
    'BITCOIN_CHAIN must not be regtest in production.',
    'PUBLIC_URL must be set to an https origin in production.',
    'RATE_SOURCES must not contain fixed in production.',
    'SANDBOX_CHAINS must not be set in production.',
    'WEBHOOK_ALLOW_LOOPBACK must be off in production.',
  ]);
});

test('what opens something is marked as secret', () => {
  const opens =
    /_(KEY|TOKEN|SECRET|PASSWORD|SEED|MACAROON|XPRV|XPUB)$|^(DATABASE|SMTP)_URL$|_(RPC|HORIZON|REST)_URL$|^SANDBOX_CHAINS$/;
  for (const { name, isSecret } of settings) assert.equal(isSecret, opens.test(name), name);
});

test('what opens something is in no text that is made of the settings', () => {
  const { config, problems } = examineConfig({
    ...sound,
    ETHEREUM_RPC_URL: 'https://node.example/v3/abracadabra',
    ETHEREUM_XPUB: HDKey.fromMasterSeed(Buffer.alloc(32, 7)).derive("m/44'/60'/0'").publicExtendedKey,
    STELLAR_HORIZON_URL: 'https://horizon.example/abracadabra',
    STELLAR_ACCOUNT: newIssuerKeypair().accountId,
    METRICS_TOKEN: 'abracadabra-abracadabra-abracadabra',
    SMTP_URL: 'smtp://user:abracadabra@mail.example',
    MAIL_FROM: 'shop@mail.example',
  });
  assert.deepEqual(problems, []);
  const texts = inspect(config, { depth: null, maxArrayLength: null });
  assert.match(texts, /\[secret\]/);
  assert.doesNotMatch(texts, /abracadabra/);
});

test('the address of a node that nobody could ask is refused, and not repeated', () => {
  const problems = problemsOf({
    BITCOIN_RPC_URL: 'http://user:abracadabra@:8332',
    STELLAR_HORIZON_URL: 'https://user:abracadabra@horizon.example',
    STELLAR_ACCOUNT: newIssuerKeypair().accountId,
  });
  assert.deepEqual([...problems].sort(), [
    'BITCOIN_RPC_URL must be an address such as http://host:port.',
    'STELLAR_HORIZON_URL must not contain a user name or a password.',
  ]);
});
