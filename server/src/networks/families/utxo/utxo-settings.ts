import { Secret } from '../../../lib/secret.ts';
import type { SettingsOf } from '../../settings-reader.ts';
import { createKeyDeriver } from './utxo-account-key.ts';
import type { UtxoChain } from './utxo-address.ts';
import type { UtxoSettings } from './utxo-connector.ts';

/** `testChains`: those besides `test`, with the same keys and addresses, as the node calls them. */
export const utxoSettings = (id: string, testChains: readonly string[] = []): SettingsOf<UtxoSettings> => ({
  described: [
    { name: `${id}_RPC_URL`, fallback: 'the sandbox', meaning: `http://user:password@host:port of the ${id} node.` },
    { name: `${id}_XPUB`, fallback: 'generated', meaning: `Account public key of the ${id} deposit addresses.` },
    {
      name: `${id}_XPRV`,
      fallback: 'none: receive only',
      meaning: `Private key of the same account, a secret: with it ${id} is sent too.`,
    },
    { name: `${id}_CHAIN`, fallback: 'main', meaning: `${['main', 'test', ...testChains].join(', ')} or regtest.` },
  ],
  read({ given, choice, problem, isProduction }) {
    const rpcUrl = given(`${id}_RPC_URL`);
    const xpub = given(`${id}_XPUB`);
    const xprv = given(`${id}_XPRV`);
    const chainName = choice<string>(`${id}_CHAIN`, ['main', 'test', ...testChains, 'regtest'], 'main');
    const chain = chainName === 'main' || chainName === 'regtest' ? chainName : 'test';
    if (rpcUrl === undefined && xpub === undefined && xprv === undefined) return undefined;
    if (rpcUrl === undefined) problem(`${id}_RPC_URL must be set, because ${id}_${xpub ? 'XPUB' : 'XPRV'} is.`);
    else if (!/^https?:\/\//.test(rpcUrl)) problem(`${id}_RPC_URL must begin with http:// or https://.`);
    if (xpub === undefined) problem(`${id}_XPUB must be set, because ${id}_${rpcUrl ? 'RPC_URL' : 'XPRV'} is.`);
    if (isProduction && chain === 'regtest') problem(`${id}_CHAIN must not be regtest in production.`);
    if (rpcUrl === undefined || xpub === undefined) return undefined;
    if (xprv === undefined) return { rpcUrl, xpub, chain, chainName };
    const secret = new Secret(xprv);
    const reason = keyProblem(secret, xpub, chain);
    if (reason !== null) problem(`${id}_XPRV cannot be used with ${id}_XPUB. ${reason}`);
    return { rpcUrl, xpub, xprv: secret, chain, chainName };
  },
});

function keyProblem(xprv: Secret, xpub: string, chain: UtxoChain): string | null {
  try {
    createKeyDeriver(xprv, xpub, chain);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
