import type { SettingsOf } from '../settings-reader.ts';
import type { UtxoSettings } from './utxo-connector.ts';

export const utxoSettings = (id: string): SettingsOf<UtxoSettings> => ({
  described: [
    { name: `${id}_RPC_URL`, fallback: 'the sandbox', meaning: `http://user:password@host:port of the ${id} node.` },
    { name: `${id}_XPUB`, fallback: 'generated', meaning: `Account public key of the ${id} deposit addresses.` },
    { name: `${id}_CHAIN`, fallback: 'main', meaning: 'main, test or regtest.' },
  ],
  read({ given, choice, problem, isProduction }) {
    const rpcUrl = given(`${id}_RPC_URL`);
    const xpub = given(`${id}_XPUB`);
    const chain = choice(`${id}_CHAIN`, ['main', 'test', 'regtest'], 'main');
    if (rpcUrl === undefined && xpub === undefined) return undefined;
    if (rpcUrl === undefined) problem(`${id}_RPC_URL must be set, because ${id}_XPUB is.`);
    else if (!/^https?:\/\//.test(rpcUrl)) problem(`${id}_RPC_URL must begin with http:// or https://.`);
    if (xpub === undefined) problem(`${id}_XPUB must be set, because ${id}_RPC_URL is.`);
    if (isProduction && chain === 'regtest') problem(`${id}_CHAIN must not be regtest in production.`);
    return rpcUrl === undefined || xpub === undefined ? undefined : { rpcUrl, xpub, chain };
  },
});
