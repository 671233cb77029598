import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HDKey } from '@scure/bip32';
import { createSettingsReader } from '../../../lib/setting-table.ts';
import { ethereumNetwork } from '../../ethereum/ethereum.ts';

function read(env: Record<string, string>, isProduction = false) {
  const { reader, problems } = createSettingsReader(env, isProduction);
  return { settings: ethereumNetwork.settings.read({ ...reader, issuedCoins: [] }), problems };
}

const node = { ETHEREUM_RPC_URL: 'https://node.example/key', ETHEREUM_XPUB: 'xpub…' };

test('without a node Ethereum is not offered, and nothing is wrong', () => {
  assert.deepEqual(read({}), { settings: undefined, problems: [] });
});

test('on the main chain USDC and USDT are known, on others they must be named', () => {
  const main = read(node, true);
  assert.deepEqual(main.problems, []);
  assert.deepEqual(
    main.settings?.tokens.map(({ assetCode, decimals }) => [assetCode, decimals]),
    [
      ['USDC', 6],
      ['USDT', 6],
    ],
  );
  assert.deepEqual(read({ ...node, ETHEREUM_CHAIN_ID: '11155111' }).settings?.tokens, []);
  const some = read({ ...node, ETHEREUM_USDT_CONTRACT: 'none', ETHEREUM_USDC_DECIMALS: '7' });
  assert.deepEqual(
    some.settings?.tokens.map(({ assetCode, decimals }) => [assetCode, decimals]),
    [['USDC', 7]],
  );
});

test('what is wrong is said, all of it', () => {
  const { problems } = read(
    {
      ETHEREUM_RPC_URL: 'node.example',
      ETHEREUM_CHAIN_ID: '31337',
      ETHEREUM_USDC_CONTRACT: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB49',
      ETHEREUM_USDC_DECIMALS: '18',
    },
    true,
  );
  assert.deepEqual(
    problems.map((text) => text.split(' ')[0]),
    ['ETHEREUM_RPC_URL', 'ETHEREUM_XPUB', 'ETHEREUM_CHAIN_ID', 'ETHEREUM_USDC_DECIMALS', 'ETHEREUM_USDC_CONTRACT'],
  );
});

test('the node that payers are shown has no password and is none of ours', () => {
  const shown = (ETHEREUM_WALLET_NODE_URL: string) => read({ ...node, ETHEREUM_WALLET_NODE_URL });
  assert.equal(read(node).settings?.walletNodeUrl, undefined);
  assert.equal(shown('https://public.example').settings?.walletNodeUrl, 'https://public.example');
  for (const wrong of ['http://public.example', 'public.example', 'https://user:secret@public.example'])
    assert.match(
      shown(wrong).problems.join(' '),
      /^ETHEREUM_WALLET_NODE_URL must be an https:\/\/ address without/,
      wrong,
    );
  assert.match(shown(node.ETHEREUM_RPC_URL).problems.join(' '), /must not be ETHEREUM_RPC_URL: its key/);
});

test('the private key must belong to the public one, and is never repeated', () => {
  const [own, other] = [3, 4].map((byte) => HDKey.fromMasterSeed(Buffer.alloc(32, byte)).derive("m/44'/60'/0'"));
  const ETHEREUM_XPUB = own?.publicExtendedKey ?? '';
  const right = read({ ...node, ETHEREUM_XPUB, ETHEREUM_XPRV: own?.privateExtendedKey ?? '' });
  assert.deepEqual(right.problems, []);
  assert.equal(JSON.stringify(right.settings?.xprv), '"[secret]"');
  for (const wrong of [other?.privateExtendedKey ?? '', ETHEREUM_XPUB, 'xprv…']) {
    const { problems } = read({ ...node, ETHEREUM_XPUB, ETHEREUM_XPRV: wrong });
    assert.match(problems.join(' '), /^ETHEREUM_XPRV must be the extended private key/);
    assert.ok(!problems.join(' ').includes(wrong) || wrong === 'xprv…');
  }
});

test('what is collected, and at what price, can be said', () => {
  const limits = { ETHEREUM_COLLECT_MINIMUM_ETH: '0.01', ETHEREUM_COLLECT_MINIMUM_USDT: '25.5' };
  const { settings, problems } = read({ ...node, ...limits, ETHEREUM_FEE_CEILING_GWEI: '30' });
  assert.deepEqual(problems, []);
  assert.deepEqual(settings?.collectMinimums, { ETH: 10n ** 16n, USDT: 25_500_000n });
  assert.equal(settings?.feeCeilingGwei, 30);
  for (const wrong of ['0', '-1', 'much']) {
    const { problems: found } = read({ ...node, ETHEREUM_COLLECT_MINIMUM_ETH: wrong });
    assert.match(found.join(' '), /ETHEREUM_COLLECT_MINIMUM_ETH must be a positive amount/);
  }
});
