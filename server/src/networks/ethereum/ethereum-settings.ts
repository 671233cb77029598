/** What the environment says about Ethereum. The tokens of the main chain need not be said. */
import { createRequire } from 'node:module';
import { Secret } from '../../lib/secret.ts';
import { parseDecimal, toUnits } from '../../money/decimal.ts';
import type { EvmToken } from '../families/evm/evm-connector.ts';
import type { SettingDescription, SettingsOf, SettingsReader } from '../settings-reader.ts';
import type { EthereumSettings } from './ethereum.ts';
import type * as Checks from './ethereum-checks.ts';

const described: readonly SettingDescription[] = [
  { name: 'ETHEREUM_RPC_URL', fallback: 'the sandbox', meaning: 'http(s)://… of the ETHEREUM node, with its key.' },
  { name: 'ETHEREUM_XPUB', fallback: 'generated', meaning: "Account public key (m/44'/60'/0') of the addresses." },
  { name: 'ETHEREUM_CHAIN_ID', fallback: '1', meaning: '1 is the main chain, 11155111 the test chain Sepolia.' },
  ...['USDC', 'USDT'].flatMap((code) => [
    {
      name: `ETHEREUM_${code}_CONTRACT`,
      fallback: 'that of chain 1',
      meaning: `Contract of ${code}; none: not offered.`,
    },
    { name: `ETHEREUM_${code}_DECIMALS`, fallback: '6', meaning: `Decimals of ${code}, as its contract says.` },
  ]),
  {
    name: 'ETHEREUM_XPRV',
    fallback: 'none: only receives',
    meaning: 'Private half of ETHEREUM_XPUB: collects what arrives, and sends.',
  },
  { name: 'ETHEREUM_FEE_CEILING_GWEI', fallback: '100', meaning: 'The most paid per gas; above it sending waits.' },
  ...[
    ['ETH', '0.0025'],
    ['USDC', '10'],
    ['USDT', '10'],
  ].map(([code, fallback = '']) => ({
    name: `ETHEREUM_COLLECT_MINIMUM_${code}`,
    fallback,
    meaning: `The least ${code} at one address that is collected from it.`,
  })),
];

/** As their issuers publish them, for chain 1. */
const mainContracts: Readonly<Record<string, string>> = {
  USDC: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  USDT: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
};
/** Chains that people start on their own machine. */
const developmentChainIds = [1337, 31_337];
/** The books keep seven places of a dollar. */
const decimalsMax = 7;

/** At once, because settings are read at once, and only where there is something to check: see the registry. */
const load = createRequire(import.meta.url);
const checks = (): typeof Checks => load('./ethereum-checks.ts') as typeof Checks;

/** Undefined when Ethereum is not configured, or not rightly. */
function read({ given, problem, isProduction }: SettingsReader): EthereumSettings | undefined {
  const rpcUrl = given('ETHEREUM_RPC_URL');
  const xpub = given('ETHEREUM_XPUB');
  if (rpcUrl === undefined && xpub === undefined) return undefined;
  if (rpcUrl === undefined) problem('ETHEREUM_RPC_URL must be set, because ETHEREUM_XPUB is.');
  else if (!/^https?:\/\//.test(rpcUrl)) problem('ETHEREUM_RPC_URL must begin with http:// or https://.');
  if (xpub === undefined) problem('ETHEREUM_XPUB must be set, because ETHEREUM_RPC_URL is.');

  const chainId = wholeNumber('ETHEREUM_CHAIN_ID', 1, 1, Number.MAX_SAFE_INTEGER);
  if (isProduction && developmentChainIds.includes(chainId))
    problem(`ETHEREUM_CHAIN_ID must not be ${chainId}, a development chain, in production.`);

  function wholeNumber(name: string, fallback: number, min: number, max: number): number {
    const text = given(name) ?? String(fallback);
    const value = /^\d+$/.test(text) ? Number(text) : -1;
    if (value >= min && value <= max) return value;
    problem(`${name} must be a whole number from ${min} to ${max}, but is ${JSON.stringify(text)}.`);
    return fallback;
  }

  const tokens = ['USDC', 'USDT'].flatMap((assetCode): EvmToken[] => {
    const name = `ETHEREUM_${assetCode}_CONTRACT`;
    const contract = given(name) ?? (chainId === 1 ? mainContracts[assetCode] : undefined);
    const decimals = wholeNumber(`ETHEREUM_${assetCode}_DECIMALS`, 6, 0, decimalsMax);
    if (contract === undefined || contract === 'none') return [];
    if (!checks().isContractAddress(contract)) problem(`${name} must be an address, with its checksum right.`);
    return [{ assetCode, contract, decimals }];
  });
  const contracts = tokens.map(({ contract }) => contract.toLowerCase());
  if (new Set(contracts).size < contracts.length)
    problem('ETHEREUM_USDC_CONTRACT and ETHEREUM_USDT_CONTRACT are equal.');
  const xprv = privateKey();
  const feeCeilingGwei = wholeNumber('ETHEREUM_FEE_CEILING_GWEI', 100, 1, 100_000);
  const collectMinimums = Object.fromEntries(
    [{ assetCode: 'ETH', decimals: 18 }, ...tokens].flatMap(({ assetCode, decimals }) => {
      const name = `ETHEREUM_COLLECT_MINIMUM_${assetCode}`;
      const text = given(name);
      const amount = text === undefined ? undefined : parseDecimal(text);
      if (text === undefined) return [];
      if (!amount || amount.digits <= 0n) problem(`${name} must be a positive amount such as 10.5.`);
      return amount ? [[assetCode, toUnits(amount, decimals, 'up')]] : [];
    }),
  );

  function privateKey(): Secret | undefined {
    const text = given('ETHEREUM_XPRV');
    if (text === undefined || xpub === undefined) return undefined;
    const secret = new Secret(text);
    if (!checks().isPrivateHalf(secret, xpub))
      problem('ETHEREUM_XPRV must be the extended private key (xprv…) of the account that ETHEREUM_XPUB is of.');
    return secret;
  }

  if (rpcUrl === undefined || xpub === undefined) return undefined;
  return { rpcUrl, xpub, chainId, tokens, feeCeilingGwei, collectMinimums, ...(xprv && { xprv }) };
}

export const ethereumSettings: SettingsOf<EthereumSettings> = { described, read };
