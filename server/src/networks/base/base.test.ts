import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HDKey } from '@scure/bip32';
import { createSettingsReader } from '../../lib/setting-table.ts';
import { confirmationTier } from '../port/definition.ts';
import { readNetworkSettings } from '../registry.ts';
import { base } from './base.ts';

const accountKey = (account: number): string =>
  HDKey.fromMasterSeed(Buffer.alloc(32, 3)).derive(`m/44'/60'/${account}'`).publicExtendedKey;

function read(env: Record<string, string>, isProduction = true) {
  const { reader, problems } = createSettingsReader(env, isProduction);
  return { settings: readNetworkSettings(reader), problems };
}

const node = { BASE_RPC_URL: 'https://node.example/key', BASE_XPUB: accountKey(1) };
const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';

test('on the main chain USDC is known, and a wallet is told the chain', () => {
  const { settings, problems } = read(node);
  assert.deepEqual(problems, []);
  assert.ok(settings.BASE);
  const definition = base(settings.BASE);
  assert.deepEqual(settings.BASE.tokens, [{ assetCode: 'USDC', contract: usdc, decimals: 6 }]);
  const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
  const request = { address, memo: null, joint: null };
  const inEther = definition.payerInstructions?.({ ...request, assetCode: 'ETH', amount: '0.02' });
  const inDollars = definition.payerInstructions?.({ ...request, assetCode: 'USDC', amount: '60.5' });
  assert.equal(inEther?.link.href, `ethereum:${address}@8453?value=20000000000000000`);
  assert.equal(inDollars?.link.href, `ethereum:${usdc}@8453/transfer?address=${address}&uint256=60500000`);
  assert.equal(inEther?.wallet?.kind === 'eip1193' && inEther.wallet.chainId, '0x2105');
  assert.equal(definition.explorer, 'https://basescan.org/tx/');
  assert.equal(base({ chainId: 84_532, tokens: [] }).explorer, 'https://sepolia.basescan.org/tx/');
  assert.equal(base({ chainId: 31_338, tokens: [] }).explorer, undefined);
});

test('small amounts have the word of the sequencer, large ones that of Ethereum', () => {
  const definition = base({ chainId: 8453, tokens: [{ assetCode: 'USDC', contract: usdc, decimals: 6 }] });
  const dollar = 10n ** 6n;
  const waits = [299n, 2_999n, 29_999n, 30_000n].map((dollars) => {
    const { confirmations, until = 'sequencer' } = confirmationTier(definition, 'USDC', dollars * dollar);
    return [confirmations * definition.averageBlockSeconds, until];
  });
  assert.deepEqual(waits, [
    [10, 'sequencer'],
    [60, 'sequencer'],
    [120, 'safe'],
    [900, 'final'],
  ]);
});

test('an account that is another network’s is refused: its addresses would have two owners', () => {
  const ethereum = { ETHEREUM_RPC_URL: 'https://node.example/key', ETHEREUM_XPUB: accountKey(0) };
  assert.deepEqual(read({ ...ethereum, ...node }).problems, []);
  const { problems } = read({ ...ethereum, ...node, BASE_XPUB: accountKey(0) });
  assert.match(problems.join(' '), /^BASE_XPUB must be another account than ETHEREUM_XPUB: /);
  // The same account, as written by wallets that leave out where in the tree of keys it is.
  const { publicKey, chainCode } = HDKey.fromExtendedKey(accountKey(0));
  assert.ok(publicKey && chainCode);
  const BASE_XPUB = new HDKey({ publicKey, chainCode }).publicExtendedKey;
  assert.notEqual(BASE_XPUB, accountKey(0));
  assert.match(read({ ...ethereum, ...node, BASE_XPUB }).problems.join(' '), /another account than ETHEREUM_XPUB/);
});

test('a chain of the sandbox is none to take money on', () => {
  for (const BASE_CHAIN_ID of ['31337', '31338'])
    assert.match(read({ ...node, BASE_CHAIN_ID }).problems.join(' '), /^BASE_CHAIN_ID must not be 3133\d/);
  assert.deepEqual(read({ ...node, BASE_CHAIN_ID: '31338' }, false).problems, []);
});
