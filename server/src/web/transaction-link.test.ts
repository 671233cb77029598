import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HDKey } from '@scure/bip32';
import { createSettingsReader } from '../lib/setting-table.ts';
import { newIssuerKeypair } from '../lib/strkey.ts';
import { createConnectors, readNetworkSettings } from '../networks/registry.ts';
import { transactionLink } from './transaction-link.ts';

const testKeys = { private: 0x04358394, public: 0x043587cf };
const xpubOf = (versions?: typeof testKeys): string =>
  HDKey.fromMasterSeed(Buffer.alloc(32, 3), versions).derive("m/84'/0'/0'").publicExtendedKey;

/** The link on a network that this environment configures. */
function linkOn(network: string, env: Record<string, string>): string | null {
  const { reader, problems } = createSettingsReader(env, false);
  const settings = readNetworkSettings(reader);
  assert.deepEqual(problems, []);
  return transactionLink(createConnectors(settings), network, 'abc');
}

const utxo = (id: string, chain: string) =>
  linkOn(id, {
    [`${id}_RPC_URL`]: 'http://node',
    [`${id}_XPUB`]: xpubOf(chain === 'main' ? undefined : testKeys),
    [`${id}_CHAIN`]: chain,
  });
const ethereum = (chainId: string) =>
  linkOn('ETHEREUM', {
    ETHEREUM_RPC_URL: 'http://node',
    ETHEREUM_XPUB: xpubOf(),
    ETHEREUM_CHAIN_ID: chainId,
  });
const stellar = (passphrase: string) =>
  linkOn('STELLAR', {
    STELLAR_HORIZON_URL: 'http://node',
    STELLAR_ACCOUNT: newIssuerKeypair().accountId,
    STELLAR_NETWORK_PASSPHRASE: passphrase,
  });

test('a transaction is looked up on the chain that it is on, or nowhere', () => {
  const cases: [string | null, string | null][] = [
    [utxo('BITCOIN', 'main'), 'https://mempool.space/tx/abc'],
    [utxo('BITCOIN', 'test'), 'https://mempool.space/testnet/tx/abc'],
    [utxo('BITCOIN', 'testnet4'), 'https://mempool.space/testnet4/tx/abc'],
    [utxo('BITCOIN', 'signet'), 'https://mempool.space/signet/tx/abc'],
    [utxo('BITCOIN', 'regtest'), null],
    [utxo('LITECOIN', 'main'), 'https://litecoinspace.org/tx/abc'],
    [utxo('LITECOIN', 'test'), 'https://litecoinspace.org/testnet/tx/abc'],
    [utxo('LITECOIN', 'regtest'), null],
    [ethereum('1'), 'https://etherscan.io/tx/abc'],
    [ethereum('11155111'), 'https://sepolia.etherscan.io/tx/abc'],
    [ethereum('17000'), 'https://holesky.etherscan.io/tx/abc'],
    [ethereum('31337'), null],
    [stellar('Public Global Stellar Network ; September 2015'), 'https://stellar.expert/explorer/public/tx/abc'],
    [stellar('Test SDF Network ; September 2015'), 'https://stellar.expert/explorer/testnet/tx/abc'],
    [stellar('a network of our own'), null],
  ];
  for (const [link, expected] of cases) assert.equal(link, expected);
});

test('a network that nobody can look into, or that is gone, has no link; a hash cannot lead elsewhere', () => {
  assert.equal(transactionLink(new Map(), 'BITCOIN', 'abc'), null);
  const connectors = new Map([['BITCOIN', { network: { explorer: 'https://explorer.example/tx/' } }]]);
  assert.equal(transactionLink(connectors, 'BITCOIN', '../a?b#c'), 'https://explorer.example/tx/..%2Fa%3Fb%23c');
});
