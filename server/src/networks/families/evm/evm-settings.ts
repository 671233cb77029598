/** The settings of a chain of this family. The tokens of a main chain are known, and need no setting. */
import { createRequire } from 'node:module';
import { accountKey, integer, nodeUrl, secret } from '../../../lib/setting-kinds.ts';
import { describeSettings, type Kind, type Setting, type SettingTable } from '../../../lib/setting-table.ts';
import { type Decimal, toUnits } from '../../../money/decimal.ts';
import { positiveDecimal } from '../../../money/decimal-kinds.ts';
import type { SettingsOf, SettingsReader } from '../../settings-reader.ts';
import type * as Checks from './evm-checks.ts';
import type { EvmOptions, EvmToken } from './evm-connector.ts';

/** What the operator sets. The rest belongs to the chain, and is the same in every installation. */
export type EvmSettings = Omit<EvmOptions, 'timeoutMs' | 'usualGasGwei' | 'rollup'> & {
  /** A public node, which wallets that do not know the chain are told. */
  readonly walletNodeUrl?: string;
};

/** What the definition of a network needs of them. */
export type EvmChainSettings = Pick<EvmSettings, 'chainId' | 'tokens' | 'walletNodeUrl'>;

/** `id`: of the network; the names of its settings begin with it. `collectMinimum`: used if the operator sets none. */
export type EvmChain = {
  readonly id: string;
  readonly mainChainId: number;
  readonly chainIdMeaning: string;
  /** Of the account of its addresses. Each chain has its own, because an address must belong to one customer only. */
  readonly accountPath: string;
  readonly feeCeilingGwei: number;
  readonly coin: { readonly assetCode: string; readonly collectMinimum: string };
  readonly tokens: readonly {
    readonly assetCode: string;
    readonly mainContract: string;
    readonly collectMinimum: string;
  }[];
};

/** Chains that people start on their own machine, and those of the sandbox. */
const isDevelopmentChain = (chainId: number): boolean => chainId === 1337 || (chainId >= 31_337 && chainId < 31_347);
/** In the books a dollar has seven decimals. */
const decimalsMax = 7;

/** Not with `await import`, because settings are read synchronously; and only if there is something to check. */
const load = createRequire(import.meta.url);
const checks = (): typeof Checks => load('./evm-checks.ts') as typeof Checks;

const contractAddress: Kind<string> = {
  read(given, { name, problem }) {
    if (given !== 'none' && !checks().isContractAddress(given))
      problem(`${name} must be an address, with its checksum right.`);
    return given;
  },
};

/** A page shows it, so it must not have a password. Wallets take https only. */
const publicNodeUrl: Kind<string> = {
  read(given, { name, problem }) {
    const url = URL.parse(given);
    if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '')
      problem(`${name} must be an https:// address without a password: every payer is shown it.`);
    return given;
  },
};

const chainTable = ({ id, mainChainId, chainIdMeaning, accountPath, feeCeilingGwei }: EvmChain) =>
  ({
    RPC_URL: { kind: nodeUrl, otherwise: 'the sandbox', meaning: `http(s)://… of the ${id} node, with its key.` },
    XPUB: {
      kind: accountKey,
      otherwise: 'generated',
      meaning: `Account public key (${accountPath}) of the addresses.`,
    },
    CHAIN_ID: {
      kind: integer(1, Number.MAX_SAFE_INTEGER),
      fallback: String(mainChainId),
      meaning: chainIdMeaning,
      wrongInProduction: (chainId: number = 0) =>
        isDevelopmentChain(chainId) ? `must not be ${chainId}, a development chain, in production.` : null,
    },
    XPRV: {
      kind: secret,
      otherwise: 'none: only receives',
      meaning: `Private half of ${id}_XPUB: collects what arrives, and sends.`,
    },
    FEE_CEILING_GWEI: {
      kind: integer(1, 100_000),
      fallback: String(feeCeilingGwei),
      meaning: 'The most paid per gas; above it sending waits.',
    },
    WALLET_NODE_URL: {
      kind: publicNodeUrl,
      otherwise: 'none: payers add it',
      meaning: "https://… of a public node, for payers' wallets that lack the chain; no key of yours in it.",
    },
  }) satisfies SettingTable;

const tokenTable = (assetCode: string, mainChainId: number) =>
  ({
    CONTRACT: {
      kind: contractAddress,
      otherwise: `that of chain ${mainChainId}`,
      meaning: `Contract of ${assetCode}; none: not offered.`,
    },
    DECIMALS: {
      kind: integer(0, decimalsMax),
      fallback: '6',
      meaning: `Decimals of ${assetCode}, as its contract says.`,
    },
  }) satisfies SettingTable;

const collectTable = ({ coin, tokens }: EvmChain): Readonly<Record<string, Setting<Decimal>>> =>
  Object.fromEntries(
    [coin, ...tokens].map(({ assetCode, collectMinimum }) => [
      assetCode,
      {
        kind: positiveDecimal,
        otherwise: collectMinimum,
        meaning: `The least ${assetCode} at one address that is collected from it.`,
      },
    ]),
  );

export function evmSettings(chain: EvmChain): SettingsOf<EvmSettings> {
  const { id, mainChainId } = chain;
  const { RPC_URL, XPUB, CHAIN_ID, XPRV, FEE_CEILING_GWEI, WALLET_NODE_URL } = chainTable(chain);
  return {
    described: [
      ...describeSettings({ RPC_URL, XPUB, CHAIN_ID }, `${id}_`),
      ...chain.tokens.flatMap(({ assetCode }) =>
        describeSettings(tokenTable(assetCode, mainChainId), `${id}_${assetCode}_`),
      ),
      ...describeSettings({ XPRV, FEE_CEILING_GWEI }, `${id}_`),
      ...describeSettings(collectTable(chain), `${id}_COLLECT_MINIMUM_`),
      ...describeSettings({ WALLET_NODE_URL }, `${id}_`),
    ],
    read: (reader) => read(chain, reader),
    // All chains of this family write addresses in the same way.
    addressSource: ({ xpub }) => ({ setting: `${id}_XPUB`, key: checks().accountName(xpub) }),
  };
}

/** Undefined when the network is not configured, or not correctly. */
function read(chain: EvmChain, { of, problem }: SettingsReader): EvmSettings | undefined {
  const { id, mainChainId } = chain;
  const value = of(chainTable(chain), `${id}_`);
  const [rpcUrl, xpub] = [value('RPC_URL'), value('XPUB')];
  if (rpcUrl === undefined && xpub === undefined) return undefined;
  if (rpcUrl === undefined) problem(`${id}_RPC_URL must be set, because ${id}_XPUB is.`);
  if (xpub === undefined) problem(`${id}_XPUB must be set, because ${id}_RPC_URL is.`);

  const chainId = value('CHAIN_ID');
  const tokens = chain.tokens.flatMap(({ assetCode, mainContract }): EvmToken[] => {
    const ofToken = of(tokenTable(assetCode, mainChainId), `${id}_${assetCode}_`);
    const decimals = ofToken('DECIMALS');
    const contract = ofToken('CONTRACT') ?? (chainId === mainChainId ? mainContract : 'none');
    return contract === 'none' ? [] : [{ assetCode, contract, decimals }];
  });
  const contracts = tokens.map(({ contract }) => contract.toLowerCase());
  if (new Set(contracts).size < contracts.length)
    problem(`${tokens.map(({ assetCode }) => `${id}_${assetCode}_CONTRACT`).join(' and ')} are equal.`);
  const xprv = xpub === undefined ? undefined : value('XPRV');
  if (xprv && xpub !== undefined && !checks().isPrivateHalf(xprv, xpub))
    problem(`${id}_XPRV must be the extended private key (xprv…) of the account that ${id}_XPUB is of.`);
  const feeCeilingGwei = value('FEE_CEILING_GWEI');
  const walletNodeUrl = value('WALLET_NODE_URL');
  if (walletNodeUrl !== undefined && walletNodeUrl === rpcUrl?.reveal())
    problem(`${id}_WALLET_NODE_URL must not be ${id}_RPC_URL: its key would be everybody's.`);
  const collectMinimum = of(collectTable(chain), `${id}_COLLECT_MINIMUM_`);
  const collectMinimums = Object.fromEntries(
    [{ assetCode: chain.coin.assetCode, decimals: 18 }, ...tokens].flatMap(({ assetCode, decimals }) => {
      const amount = collectMinimum(assetCode);
      return amount ? [[assetCode, toUnits(amount, decimals, 'up')]] : [];
    }),
  );
  if (rpcUrl === undefined || xpub === undefined) return undefined;
  return {
    rpcUrl,
    xpub,
    chainId,
    tokens,
    feeCeilingGwei,
    collectMinimums,
    ...(xprv && { xprv }),
    ...(walletNodeUrl !== undefined && { walletNodeUrl }),
  };
}
