/** How each network of the sandbox is started, and what a service must be told to use it. */
import { join, resolve } from 'node:path';
import { Secret } from '@quittance/server/lib/secret';
import { openEvmKeys } from '@quittance/server/networks/families/evm/evm-keys';
import { isUtxoNetwork } from '@quittance/server/networks/families/utxo/utxo-network';
import { registeredNetworks } from '@quittance/server/networks/registry';
import { HDKey } from '@scure/bip32';
import type { EvmLine, SandboxFolder, Started } from './sandbox-list.ts';
import { passwordFor, seedFor, walletSeed } from './sandbox-secrets.ts';

/** `id`: of a network of the family; its own definition says how its coin is played. */
export async function startUtxo(folder: SandboxFolder, id: string, account: number): Promise<Started> {
  const network = registeredNetworks.find(({ identity }) => identity.id === id);
  if (!network || !isUtxoNetwork(network)) throw new Error(`${id} is no network of the UTXO family.`);
  const { startUtxoChain } = await import('@quittance/sandbox/utxo-chain');
  const { utxoCoin } = await import('@quittance/sandbox/utxo-coin');
  const { definition, parameters } = network.utxo;
  const coin = utxoCoin(definition, parameters);
  const password = passwordFor(folder, coin.name);
  const { url, stop } = await startUtxoChain({ coin, user: 'sandbox', password, folder: folder.path });
  const regtestKeys = { private: 0x04358394, public: 0x043587cf };
  const purpose = parameters.addressKind === 'p2pkh' ? 44 : 84; // BIP44, BIP84
  const wallet = HDKey.fromMasterSeed(walletSeed(folder), regtestKeys).derive(`m/${purpose}'/1'/${account}'`);
  const settings = {
    [`${id}_RPC_URL`]: url,
    [`${id}_XPUB`]: wallet.publicExtendedKey,
    [`${id}_XPRV`]: wallet.privateExtendedKey,
    [`${id}_CHAIN`]: 'regtest',
  };
  return { settings, url, stop };
}

export async function startEvm(
  folder: SandboxFolder,
  { name, kind, index, chainId, tokens }: EvmLine,
): Promise<Started> {
  const { startEvmChain } = await import('@quittance/sandbox/evm-chain');
  const password = passwordFor(folder, name);
  const chain = await startEvmChain({ name, kind, chainId, user: 'sandbox', password, folder: folder.path });
  const keys = HDKey.fromMasterSeed(walletSeed(folder)).derive(`m/44'/60'/${index}'`);
  const { wallet } = openEvmKeys(new Secret(keys.privateExtendedKey), keys.publicExtendedKey);
  // Ether for gas. It waits for the next block, so that the service, which starts later, sees it arrive.
  if (Number(await chain.node.call<string>('eth_getBalance', wallet.address, 'pending')) === 0)
    await chain.pay({ address: wallet.address, units: 10n * 10n ** 18n });
  const contracts: Readonly<Record<string, string>> = chain.tokens;
  const id = name.toUpperCase();
  const settings = {
    [`${id}_RPC_URL`]: chain.url,
    [`${id}_XPUB`]: keys.publicExtendedKey,
    [`${id}_XPRV`]: keys.privateExtendedKey,
    [`${id}_CHAIN_ID`]: String(chain.chainId),
    ...Object.fromEntries(tokens.map((code) => [`${id}_${code}_CONTRACT`, contracts[code] ?? 'none'])),
  };
  return { settings, url: chain.url, stop: chain.stop };
}

/** A ledger that closes every second, and on it the account that receives and sends. */
export async function startStellar(folder: SandboxFolder): Promise<Started> {
  const { Keypair } = await import('@stellar/stellar-sdk');
  const { sandboxPassphrase, sandboxUsdc, startStellarNetwork } = await import(
    '@quittance/sandbox/stellar/stellar-network'
  );
  const account = Keypair.fromRawEd25519Seed(seedFor(folder, 'stellar'));
  const password = passwordFor(folder, 'stellar');
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

/** A Lightning node for the merchant, and one for the payer, with a channel between them. */
export async function startLightning(folder: SandboxFolder): Promise<Started> {
  const { startLightningSandbox } = await import('@quittance/sandbox/lightning/lightning-sandbox');
  const seed = seedFor(folder, 'lightning');
  const password = passwordFor(folder, 'lightning');
  const { url, stop, restUrl, macaroon } = await startLightningSandbox({
    seed,
    password,
    folder: folder.path,
    pushSat: 50_000_000n, // So that something can be sent from the beginning.
  });
  const settings = {
    LIGHTNING_REST_URL: restUrl,
    LIGHTNING_MACAROON: macaroon,
    LIGHTNING_CHAIN: 'regtest',
    LIGHTNING_SEND: 'on',
  };
  return { settings, url, stop };
}

/** A bank in Brazil, and people who pay there. */
export async function startPix(folder: SandboxFolder): Promise<Started> {
  const { startPixSandbox } = await import('@quittance/sandbox/pix/pix-sandbox');
  const bank = await startPixSandbox({ password: passwordFor(folder, 'pix'), folder: folder.path });
  const settings = {
    PIX_URL: bank.baseUrl,
    PIX_CLIENT_ID: bank.clientId,
    PIX_CLIENT_SECRET: bank.clientSecret,
    PIX_CHAVE: bank.key,
    PIX_RETURNS: 'on',
    PIX_POLL_SECONDS: '1',
    PIX_LOOK_BACK_MINUTES: '0', // Who tries a contested payment out does not wait for it.
  };
  return { settings, url: bank.url, stop: bank.stop };
}

/** A bank with an account in euros and one in dollars for the operator, whose statements are laid down in the folder that the service looks into. */
export async function startBank(folder: SandboxFolder): Promise<Started> {
  const { startSandboxBank } = await import('@quittance/sandbox/bank/sandbox-bank');
  const { ownBic } = await import('@quittance/sandbox/bank/bank-parties');
  const bankFolder = join(resolve(folder.path), 'bank');
  const bank = await startSandboxBank({
    user: 'sandbox',
    password: passwordFor(folder, 'bank'),
    folder: folder.path,
    dropFolders: { EUR: join(bankFolder, 'sepa'), USD: join(bankFolder, 'swift') },
    tellEveryMs: 3_000,
    isImpatient: true,
  });
  // Who tries this out does not wait for the statement of the day.
  const creditsFrom = 'camt.052';
  // Without it only accounts in the EEA can be paid.
  const [town, country] = ['Frankfurt am Main', 'DE'];
  const settings = {
    BANK_FOLDER: bankFolder,
    BANK_FOLDER_SECONDS: '1',
    SEPA_IBAN: bank.euro.iban,
    SEPA_BIC: ownBic,
    SEPA_ACCOUNT_NAME: bank.euro.owner,
    SEPA_ACCOUNT_TOWN: town,
    SEPA_ACCOUNT_COUNTRY: country,
    SEPA_CREDITS_FROM: creditsFrom,
    SWIFT_IBAN: bank.dollar.iban,
    SWIFT_BIC: ownBic,
    SWIFT_ACCOUNT_NAME: bank.dollar.owner,
    SWIFT_ACCOUNT_TOWN: town,
    SWIFT_ACCOUNT_COUNTRY: country,
    SWIFT_CURRENCY: bank.dollar.currency,
    SWIFT_CREDITS_FROM: creditsFrom,
  };
  return { settings, url: bank.url, stop: bank.stop };
}
