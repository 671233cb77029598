/** What the environment says about a chain of this family. The tokens of its main chain need not be said. */
import { createRequire } from 'node:module';
import { Secret } from '../../../lib/secret.ts';
import { parseDecimal, toUnits } from '../../../money/decimal.ts';
import type { SettingDescription, SettingsOf, SettingsReader } from '../../settings-reader.ts';
import type * as Checks from './evm-checks.ts';
import type { EvmOptions, EvmToken } from './evm-connector.ts';

export type EvmSettings = Omit<EvmOptions, 'timeoutMs'>;

/** `id`: of the network, with which its settings begin. `collectMinimum`: as it is without a word from the operator. */
export type EvmChain = {
  readonly id: string;
  readonly mainChainId: number;
  readonly chainIdMeaning: string;
  readonly coin: { readonly assetCode: string; readonly collectMinimum: string };
  readonly tokens: readonly {
    readonly assetCode: string;
    readonly mainContract: string;
    readonly collectMinimum: string;
  }[];
};

export const evmSettings = (chain: EvmChain): SettingsOf<EvmSettings> => ({
  described: describe(chain),
  read: (reader) => read(chain, reader),
});

const describe = ({ id, mainChainId, chainIdMeaning, coin, tokens }: EvmChain): SettingDescription[] => [
  { name: `${id}_RPC_URL`, fallback: 'the sandbox', meaning: `http(s)://… of the ${id} node, with its key.` },
  { name: `${id}_XPUB`, fallback: 'generated', meaning: "Account public key (m/44'/60'/0') of the addresses." },
  { name: `${id}_CHAIN_ID`, fallback: String(mainChainId), meaning: chainIdMeaning },
  ...tokens.flatMap(({ assetCode }) => [
    {
      name: `${id}_${assetCode}_CONTRACT`,
      fallback: `that of chain ${mainChainId}`,
      meaning: `Contract of ${assetCode}; none: not offered.`,
    },
    { name: `${id}_${assetCode}_DECIMALS`, fallback: '6', meaning: `Decimals of ${assetCode}, as its contract says.` },
  ]),
  {
    name: `${id}_XPRV`,
    fallback: 'none: only receives',
    meaning: `Private half of ${id}_XPUB: collects what arrives, and sends.`,
  },
  { name: `${id}_FEE_CEILING_GWEI`, fallback: '100', meaning: 'The most paid per gas; above it sending waits.' },
  ...[coin, ...tokens].map(({ assetCode, collectMinimum }) => ({
    name: `${id}_COLLECT_MINIMUM_${assetCode}`,
    fallback: collectMinimum,
    meaning: `The least ${assetCode} at one address that is collected from it.`,
  })),
];

/** Chains that people start on their own machine. */
const developmentChainIds = [1337, 31_337];
/** The books keep seven places of a dollar. */
const decimalsMax = 7;

/** At once, because settings are read at once, and only where there is something to check: see connect-evm.ts. */
const load = createRequire(import.meta.url);
const checks = (): typeof Checks => load('./evm-checks.ts') as typeof Checks;

/** Undefined when the network is not configured, or not rightly. */
function read(chain: EvmChain, { given, problem, isProduction }: SettingsReader): EvmSettings | undefined {
  const { id, mainChainId } = chain;
  const rpcUrl = given(`${id}_RPC_URL`);
  const xpub = given(`${id}_XPUB`);
  if (rpcUrl === undefined && xpub === undefined) return undefined;
  if (rpcUrl === undefined) problem(`${id}_RPC_URL must be set, because ${id}_XPUB is.`);
  else if (!/^https?:\/\//.test(rpcUrl)) problem(`${id}_RPC_URL must begin with http:// or https://.`);
  if (xpub === undefined) problem(`${id}_XPUB must be set, because ${id}_RPC_URL is.`);

  const chainId = wholeNumber(`${id}_CHAIN_ID`, mainChainId, 1, Number.MAX_SAFE_INTEGER);
  if (isProduction && developmentChainIds.includes(chainId))
    problem(`${id}_CHAIN_ID must not be ${chainId}, a development chain, in production.`);

  function wholeNumber(name: string, fallback: number, min: number, max: number): number {
    const text = given(name) ?? String(fallback);
    const value = /^\d+$/.test(text) ? Number(text) : -1;
    if (value >= min && value <= max) return value;
    problem(`${name} must be a whole number from ${min} to ${max}, but is ${JSON.stringify(text)}.`);
    return fallback;
  }

  const tokens = chain.tokens.flatMap(({ assetCode, mainContract }): EvmToken[] => {
    const name = `${id}_${assetCode}_CONTRACT`;
    const contract = given(name) ?? (chainId === mainChainId ? mainContract : undefined);
    const decimals = wholeNumber(`${id}_${assetCode}_DECIMALS`, 6, 0, decimalsMax);
    if (contract === undefined || contract === 'none') return [];
    if (!checks().isContractAddress(contract)) problem(`${name} must be an address, with its checksum right.`);
    return [{ assetCode, contract, decimals }];
  });
  const contracts = tokens.map(({ contract }) => contract.toLowerCase());
  if (new Set(contracts).size < contracts.length)
    problem(`${tokens.map(({ assetCode }) => `${id}_${assetCode}_CONTRACT`).join(' and ')} are equal.`);
  const xprv = privateKey();
  const feeCeilingGwei = wholeNumber(`${id}_FEE_CEILING_GWEI`, 100, 1, 100_000);
  const collectMinimums = Object.fromEntries(
    [{ assetCode: chain.coin.assetCode, decimals: 18 }, ...tokens].flatMap(({ assetCode, decimals }) => {
      const name = `${id}_COLLECT_MINIMUM_${assetCode}`;
      const text = given(name);
      const amount = text === undefined ? undefined : parseDecimal(text);
      if (text === undefined) return [];
      if (!amount || amount.digits <= 0n) problem(`${name} must be a positive amount such as 10.5.`);
      return amount ? [[assetCode, toUnits(amount, decimals, 'up')]] : [];
    }),
  );

  function privateKey(): Secret | undefined {
    const text = given(`${id}_XPRV`);
    if (text === undefined || xpub === undefined) return undefined;
    const secret = new Secret(text);
    if (!checks().isPrivateHalf(secret, xpub))
      problem(`${id}_XPRV must be the extended private key (xprv…) of the account that ${id}_XPUB is of.`);
    return secret;
  }

  if (rpcUrl === undefined || xpub === undefined) return undefined;
  return { rpcUrl, xpub, chainId, tokens, feeCeilingGwei, collectMinimums, ...(xprv && { xprv }) };
}
