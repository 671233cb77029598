import type { Secret } from '../../../lib/secret.ts';
import { accountKey, choice, nodeUrl, secret } from '../../../lib/setting-kinds.ts';
import { describeSettings, type SettingTable } from '../../../lib/setting-table.ts';
import type { SettingsOf } from '../../settings-reader.ts';
import { type AccountForm, createKeyDeriver } from './utxo-account-key.ts';
import type { UtxoSettings } from './utxo-connector.ts';
import type { UtxoChain } from './utxo-parameters.ts';

const settingTable = (id: string, testChains: readonly string[]) =>
  ({
    RPC_URL: {
      kind: nodeUrl,
      otherwise: 'the sandbox',
      meaning: `http://user:password@host:port of the ${id} node.`,
    },
    XPUB: { kind: accountKey, otherwise: 'generated', meaning: `Account public key of the ${id} deposit addresses.` },
    XPRV: {
      kind: secret,
      otherwise: 'none: receive only',
      meaning: `Private key of the same account, a secret: with it ${id} is sent too.`,
    },
    CHAIN: {
      kind: choice<string>('main', 'test', ...testChains, 'regtest'),
      fallback: 'main',
      meaning: `${['main', 'test', ...testChains].join(', ')} or regtest.`,
      wrongInProduction: (chain?: string) => (chain === 'regtest' ? 'must not be regtest in production.' : null),
    },
  }) satisfies SettingTable;

/** `testChains`: further test chains with the keys and addresses of `test`, by the names that the node gives them. */
export function utxoSettings(
  id: string,
  form: AccountForm,
  testChains: readonly string[] = [],
): SettingsOf<UtxoSettings> {
  const table = settingTable(id, testChains);
  return {
    described: describeSettings(table, `${id}_`),
    read({ of, problem }) {
      const value = of(table, `${id}_`);
      const chainName = value('CHAIN');
      const chain = chainName === 'main' || chainName === 'regtest' ? chainName : 'test';
      const [rpcUrl, xpub, xprv] = [value('RPC_URL'), value('XPUB'), value('XPRV')];
      if (rpcUrl === undefined && xpub === undefined && xprv === undefined) return undefined;
      if (rpcUrl === undefined) problem(`${id}_RPC_URL must be set, because ${id}_${xpub ? 'XPUB' : 'XPRV'} is.`);
      if (xpub === undefined) problem(`${id}_XPUB must be set, because ${id}_${rpcUrl ? 'RPC_URL' : 'XPRV'} is.`);
      if (rpcUrl === undefined || xpub === undefined) return undefined;
      if (xprv === undefined) return { rpcUrl, xpub, chain, chainName };
      const reason = keyProblem(xprv, xpub, chain, form);
      if (reason !== null) problem(`${id}_XPRV cannot be used with ${id}_XPUB. ${reason}`);
      return { rpcUrl, xpub, xprv, chain, chainName };
    },
  };
}

function keyProblem(xprv: Secret, xpub: string, chain: UtxoChain, form: AccountForm): string | null {
  try {
    createKeyDeriver(xprv, xpub, chain, form);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
