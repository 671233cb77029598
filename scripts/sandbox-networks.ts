/**
 * A network of our own for every one that the environment does not name. Each is told to the service as a real one
 * would be, by settings, and to the command line by its URL.
 */
import { createHash } from 'node:crypto';
import type { DataFolder } from '@quittance/server/lib/data-folder';
import { Secret } from '@quittance/server/lib/secret';
import { openEvmKeys } from '@quittance/server/networks/families/evm/evm-keys';
import { HDKey } from '@scure/bip32';

export type SandboxFolder = Pick<DataFolder, 'path' | 'secrets'>;
/** The settings that a real node would need, and where its owner (`npx quittance pay`) reaches it. */
type Started = { readonly settings: Readonly<Record<string, string>>; readonly url: string; stop(): unknown };
type Network = { readonly name: string; readonly namedBy: string; start(folder: SandboxFolder): Promise<Started> };

const networks: readonly Network[] = [
  { name: 'bitcoin', namedBy: 'BITCOIN_RPC_URL', start: (folder) => startUtxo(folder, 'bitcoin', 0) },
  { name: 'litecoin', namedBy: 'LITECOIN_RPC_URL', start: (folder) => startUtxo(folder, 'litecoin', 1) },
  { name: 'ethereum', namedBy: 'ETHEREUM_RPC_URL', start: startEthereum },
  { name: 'stellar', namedBy: 'STELLAR_HORIZON_URL', start: startStellar },
  { name: 'lightning', namedBy: 'LIGHTNING_REST_URL', start: startLightning },
];

export type SandboxNetworks = {
  /** What the service is told about them. */
  readonly settings: Readonly<Record<string, string>>;
  /** Where the command line reaches them, by name. */
  readonly urls: Readonly<Record<string, string>>;
  stop(): Promise<void>;
};

/** `given`: names of settings that the environment has, so that their networks are not started. */
export async function startSandboxNetworks(
  folder: SandboxFolder,
  given: ReadonlySet<string>,
): Promise<SandboxNetworks> {
  const running = await Promise.all(
    networks
      .filter(({ namedBy }) => !given.has(namedBy))
      .map(async ({ name, start }) => ({ name, ...(await start(folder)) })),
  );
  return {
    settings: Object.assign({}, ...running.map(({ settings }) => settings)),
    urls: Object.fromEntries(running.map(({ name, url }) => [name, url])),
    async stop() {
      await Promise.all(running.map((network) => network.stop()));
    },
  };
}

async function startUtxo(folder: SandboxFolder, coin: 'bitcoin' | 'litecoin', account: number): Promise<Started> {
  const { startUtxoChain } = await import('@quittance/sandbox/utxo-chain');
  const password = folder.secrets[`${coin}RpcPassword`].reveal();
  const { url, stop } = await startUtxoChain({ coin, user: 'sandbox', password, folder: folder.path });
  const regtestKeys = { private: 0x04358394, public: 0x043587cf };
  const wallet = HDKey.fromMasterSeed(walletSeed(folder), regtestKeys).derive(`m/84'/1'/${account}'`);
  const name = coin.toUpperCase();
  const settings = {
    [`${name}_RPC_URL`]: url,
    [`${name}_XPUB`]: wallet.publicExtendedKey,
    [`${name}_XPRV`]: wallet.privateExtendedKey,
    [`${name}_CHAIN`]: 'regtest',
  };
  return { settings, url, stop };
}

async function startEthereum(folder: SandboxFolder): Promise<Started> {
  const { startEvmChain } = await import('@quittance/sandbox/evm-chain');
  const password = folder.secrets.ethereumRpcPassword.reveal();
  const chain = await startEvmChain({ user: 'sandbox', password, folder: folder.path });
  const { privateExtendedKey, publicExtendedKey } = HDKey.fromMasterSeed(walletSeed(folder)).derive("m/44'/60'/0'");
  const { wallet } = openEvmKeys(new Secret(privateExtendedKey), publicExtendedKey);
  // Ether for gas. It waits for the next block, so that the service, which starts later, sees it arrive.
  if (Number(await chain.node.call<string>('eth_getBalance', wallet.address, 'pending')) === 0)
    await chain.pay({ address: wallet.address, units: 10n * 10n ** 18n });
  const settings = {
    ETHEREUM_RPC_URL: chain.url,
    ETHEREUM_XPUB: publicExtendedKey,
    ETHEREUM_XPRV: privateExtendedKey,
    ETHEREUM_CHAIN_ID: String(chain.chainId),
    ETHEREUM_USDC_CONTRACT: chain.tokens.USDC,
    ETHEREUM_USDT_CONTRACT: chain.tokens.USDT,
  };
  return { settings, url: chain.url, stop: chain.stop };
}

/** A ledger that closes every second, and on it the account that receives and sends. */
async function startStellar(folder: SandboxFolder): Promise<Started> {
  const { Keypair } = await import('@stellar/stellar-sdk');
  const { sandboxPassphrase, sandboxUsdc, startStellarNetwork } = await import(
    '@quittance/sandbox/stellar/stellar-network'
  );
  const account = Keypair.fromRawEd25519Seed(seedFor(folder, 'stellar'));
  const password = folder.secrets.stellarPassword.reveal();
  const network = await startStellarNetwork({ user: 'sandbox', password, folder: folder.path, closeEveryMs: 1_000 });
  network.openAccount(account, '100', `${sandboxUsdc.code}:${sandboxUsdc.issuer}`);
  // The bridge issues its tokens from here.
  network.openAccount(Keypair.fromRawEd25519Seed(Buffer.from(folder.secrets.issuerSeed.reveal(), 'hex')), '10');
  const settings = {
    STELLAR_HORIZON_URL: network.url,
    STELLAR_ACCOUNT: account.publicKey(),
    STELLAR_NETWORK_PASSPHRASE: sandboxPassphrase,
    STELLAR_SECRET: account.secret(),
    STELLAR_URI_SIGNING_SEED: Keypair.fromRawEd25519Seed(seedFor(folder, 'stellar links')).secret(),
  };
  return { settings, url: network.ownerUrl, stop: network.stop };
}

/** A Lightning node for the merchant, and one with a channel to it for whoever pays. */
async function startLightning(folder: SandboxFolder): Promise<Started> {
  const { startLightningSandbox } = await import('@quittance/sandbox/lightning/lightning-sandbox');
  const seed = seedFor(folder, 'lightning');
  const password = folder.secrets.lightningPassword.reveal();
  const { url, stop, restUrl, macaroon } = await startLightningSandbox({
    ...{ seed, password, folder: folder.path },
    pushSat: 50_000_000n, // Something to send from the beginning.
  });
  const settings = {
    LIGHTNING_REST_URL: restUrl,
    LIGHTNING_MACAROON: macaroon,
    LIGHTNING_CHAIN: 'regtest',
    LIGHTNING_SEND: 'on',
  };
  return { settings, url, stop };
}

const walletSeed = (folder: SandboxFolder): Buffer => Buffer.from(folder.secrets.walletSeed.reveal(), 'hex');

const seedFor = (folder: SandboxFolder, purpose: string): Buffer =>
  createHash('sha256').update(`${purpose} ${folder.secrets.walletSeed.reveal()}`).digest();
