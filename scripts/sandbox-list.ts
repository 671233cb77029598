/**
 * What networks of the sandbox consist of, a line each: how one is started, what its settings look like before it is started, and
 * how much money the operator gets there. Light: the code of a network is loaded when it starts.
 */
import type { DataFolder } from '@quittance/server/lib/data-folder';
import { issuerKeypair } from '@quittance/server/lib/strkey';

export type SandboxFolder = Pick<DataFolder, 'path' | 'secrets'>;

type Settings = Readonly<Record<string, string>>;

/** The settings that a real node would need, and where its owner (`npx quittance pay`) reaches it. */
export type Started = { readonly settings: Settings; readonly url: string; stop(): unknown };

export type SandboxPart = {
  /** The networks that it is: a bank is several. */
  readonly names: readonly string[];
  /** The settings that name a real node: if the environment has one of them, this one is not started. */
  readonly namedBy: readonly string[];
  start(folder: SandboxFolder): Promise<Started>;
  /** Values of the same form as the settings that a start will give. */
  readonly rehearsed: Settings;
  /** `blocks`: after so many, it is final. Null: there is money from the beginning. */
  readonly stock: { readonly amounts: Readonly<Record<string, string>>; readonly blocks: number } | null;
};

const chains = () => import('./sandbox-chains.ts');
const node = 'http://127.0.0.1';
const account = issuerKeypair(Buffer.alloc(32, 1));

export const sandboxList: readonly SandboxPart[] = [
  utxo('bitcoin', 0, { amounts: { BTC: '5' }, blocks: 6 }),
  utxo('litecoin', 1, { amounts: { LTC: '500' }, blocks: 12 }),
  evm('ethereum', 'ethereum', 0, { amounts: { ETH: '50', USDC: '100000', USDT: '100000' }, blocks: 64 }),
  evm('base', 'op-stack', 1, { amounts: { ETH: '9', USDC: '25000' }, blocks: 64 }),
  {
    names: ['stellar'],
    namedBy: ['STELLAR_HORIZON_URL'],
    start: async (folder) => (await chains()).startStellar(folder),
    rehearsed: {
      STELLAR_HORIZON_URL: node,
      STELLAR_ACCOUNT: account.accountId,
      STELLAR_NETWORK_PASSPHRASE: 'sandbox',
      STELLAR_SECRET: account.secretSeed.reveal(),
      STELLAR_URI_SIGNING_SEED: '',
    },
    stock: { amounts: { XLM: '100000', USDC: '100000' }, blocks: 1 },
  },
  {
    names: ['lightning'],
    namedBy: ['LIGHTNING_REST_URL'],
    start: async (folder) => (await chains()).startLightning(folder),
    rehearsed: {
      LIGHTNING_REST_URL: node,
      LIGHTNING_MACAROON: '00',
      LIGHTNING_CHAIN: 'regtest',
      LIGHTNING_SEND: 'on',
    },
    stock: null,
  },
  {
    names: ['pix'],
    namedBy: ['PIX_URL'],
    start: async (folder) => (await chains()).startPix(folder),
    rehearsed: {
      PIX_URL: node,
      PIX_CLIENT_ID: 'sandbox',
      PIX_CLIENT_SECRET: 'secret',
      PIX_CHAVE: 'key',
      PIX_RETURNS: 'on',
      PIX_POLL_SECONDS: '1',
      PIX_LOOK_BACK_MINUTES: '0',
    },
    stock: null, // Nothing can be exchanged for what only goes back to who paid it.
  },
  {
    names: ['sepa', 'swift'],
    namedBy: ['SEPA_IBAN', 'SWIFT_IBAN', 'BANK_FOLDER'],
    start: async (folder) => (await chains()).startBank(folder),
    rehearsed: {
      BANK_FOLDER: 'bank',
      BANK_FOLDER_SECONDS: '1',
      SEPA_IBAN: 'DE89370400440532013000',
      SEPA_BIC: 'COBADEFFXXX',
      SEPA_ACCOUNT_NAME: 'Sandbox',
      SEPA_ACCOUNT_TOWN: 'Frankfurt am Main',
      SEPA_ACCOUNT_COUNTRY: 'DE',
      SEPA_CREDITS_FROM: 'camt.052',
      SWIFT_IBAN: 'DE89370400440532013000',
      SWIFT_BIC: 'COBADEFFXXX',
      SWIFT_ACCOUNT_NAME: 'Sandbox',
      SWIFT_ACCOUNT_TOWN: 'Frankfurt am Main',
      SWIFT_ACCOUNT_COUNTRY: 'DE',
      SWIFT_CURRENCY: 'USD',
      SWIFT_CREDITS_FROM: 'camt.052',
    },
    stock: null, // What lies at a bank is exchanged for nothing yet.
  },
];

/** Whether the environment names a real one. */
export const isNamed = ({ namedBy }: SandboxPart, isGiven: (name: string) => boolean): boolean => namedBy.some(isGiven);

/** `index`: of the account in the sandbox's wallet, one for each chain. */
function utxo(name: string, index: number, stock: SandboxPart['stock']): SandboxPart {
  const id = name.toUpperCase();
  return {
    names: [name],
    namedBy: [`${id}_RPC_URL`],
    start: async (folder) => (await chains()).startUtxo(folder, id, index),
    rehearsed: { [`${id}_RPC_URL`]: node, [`${id}_XPUB`]: 'xpub', [`${id}_XPRV`]: '', [`${id}_CHAIN`]: 'regtest' },
    stock,
  };
}

/** `index`: of the account in the sandbox's wallet, one for each chain. */
export type EvmLine = {
  readonly name: string;
  readonly kind: 'ethereum' | 'op-stack';
  readonly index: number;
  readonly chainId: number;
  readonly tokens: readonly string[];
};

/** Every asset of the stock but the first is a token; the chain has its contract. */
function evm(
  name: string,
  kind: EvmLine['kind'],
  index: number,
  stock: NonNullable<SandboxPart['stock']>,
): SandboxPart {
  const id = name.toUpperCase();
  const [, ...tokens] = Object.keys(stock.amounts);
  const chainId = 31_337 + index; // A number of its own, so that no transaction of one chain happens on another.
  return {
    names: [name],
    namedBy: [`${id}_RPC_URL`],
    start: async (folder) => (await chains()).startEvm(folder, { name, kind, index, chainId, tokens }),
    rehearsed: {
      [`${id}_RPC_URL`]: node,
      [`${id}_XPUB`]: `xpub of ${name}`, // As in a real start, each chain has an account of its own.
      [`${id}_XPRV`]: '',
      [`${id}_CHAIN_ID`]: String(chainId),
      ...Object.fromEntries(tokens.map((code) => [`${id}_${code}_CONTRACT`, 'none'])),
    },
    stock,
  };
}
