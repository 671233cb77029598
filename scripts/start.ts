/**
 * `npm start`: the whole service on one machine, with nothing to set up. What the environment does not give is made
 * here and kept in DATA_DIR: secrets, a database and, outside production, chains to pay on and a first merchant.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { startUtxoChain } from '@quittance/sandbox/utxo-chain';
import { openDatabase } from '@quittance/server/db/database';
import { startEmbeddedPostgres } from '@quittance/server/db/embedded-postgres';
import { migrate } from '@quittance/server/db/migrate';
import { systemClock } from '@quittance/server/lib/clock';
import { type DataFolder, openDataFolder, readAccess, writeAccess } from '@quittance/server/lib/data-folder';
import { createEncryption } from '@quittance/server/lib/encryption';
import { createLog } from '@quittance/server/lib/log';
import { issuerKeypair } from '@quittance/server/lib/strkey';
import { writeFileAtomically } from '@quittance/server/lib/write-file-atomically';
import { startService } from '@quittance/server/main';
import { createMerchant } from '@quittance/server/merchants/create-merchant';
import { findCredentialsByKey } from '@quittance/server/merchants/merchant-store';
import { HDKey } from '@scure/bip32';
import { firstSteps } from './first-steps.ts';

const env: NodeJS.ProcessEnv = { ...process.env };
const isSandbox = (env['MODE'] ?? 'sandbox') === 'sandbox';
const log = createLog(env['LOG_LEVEL'] ?? 'info');

/** What to undo, newest last: the database must outlive those who use it. */
const started: (() => unknown)[] = [];
let stopping: Promise<never> | undefined;

// One Ctrl-C can arrive several times: from the terminal, from npm and from the script that started us.
const stopOnce = (exitCode: number): Promise<never> => (stopping ??= stop(exitCode));
async function stop(exitCode: number): Promise<never> {
  let code = exitCode;
  for (const undo of started.reverse()) {
    try {
      await undo();
    } catch (err) {
      log.error({ err }, 'could not stop in order');
      code = 1;
    }
  }
  process.exit(code);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stopOnce(0));
process.on('disconnect', () => void stopOnce(0)); // The script that started us was killed.

try {
  const folder = await openDataFolder(env['DATA_DIR'] ?? 'data');
  started.push(() => folder.release());
  env['MASTER_KEY'] ??= folder.secrets.masterKey.reveal();
  env['ISSUER_ACCOUNT'] ??= issuerKeypair(Buffer.from(folder.secrets.issuerSeed.reveal(), 'hex')).accountId;
  env['DATABASE_URL'] ??= await startDatabase(folder);
  if (isSandbox) await startChains(folder);
  if (isSandbox) await prepareMerchant(folder);

  const service = await startService(env);
  started.push(() => service.stop());
  if (isSandbox && service.url !== null) await announce(folder, service.url);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  log.debug({ err: error }, 'start failed');
  await stopOnce(1);
}

async function startDatabase(folder: DataFolder): Promise<string> {
  const postgres = await startEmbeddedPostgres({ folder: folder.postgresFolder, log });
  started.push(() => postgres.stop());
  return postgres.url;
}

/** A chain of our own for every coin whose node the environment does not name. */
async function startChains(folder: DataFolder): Promise<void> {
  const regtestKeys = { private: 0x04358394, public: 0x043587cf };
  const wallet = HDKey.fromMasterSeed(Buffer.from(folder.secrets.walletSeed.reveal(), 'hex'), regtestKeys);
  const urls: Record<string, string> = {};
  for (const [account, coin] of (['bitcoin', 'litecoin'] as const).entries()) {
    const name = coin.toUpperCase();
    if (env[`${name}_RPC_URL`] !== undefined) continue;
    const password = folder.secrets[`${coin}RpcPassword`].reveal();
    const chain = await startUtxoChain({ coin, user: 'sandbox', password, folder: folder.path });
    started.push(() => chain.stop());
    urls[coin] = chain.url;
    env[`${name}_RPC_URL`] = chain.url;
    env[`${name}_XPUB`] = wallet.derive(`m/84'/1'/${account}'`).publicExtendedKey;
    env[`${name}_CHAIN`] = 'regtest';
  }
  if (env['STELLAR_HORIZON_URL'] === undefined) urls['stellar'] = await startStellar(folder);
  await writeFileAtomically(join(folder.path, 'sandbox.json'), `${JSON.stringify(urls, null, 2)}\n`);
}

/** A ledger that closes every second, and on it the account that receives. */
async function startStellar(folder: DataFolder): Promise<string> {
  // Large libraries that a production start has no use for.
  const { Keypair } = await import('@stellar/stellar-sdk');
  const { sandboxPassphrase, sandboxUsdc, startStellarNetwork } = await import(
    '@quittance/sandbox/stellar/stellar-network'
  );
  const { walletSeed, stellarPassword } = folder.secrets;
  const seed = createHash('sha256').update(`stellar ${walletSeed.reveal()}`).digest();
  const account = Keypair.fromRawEd25519Seed(seed);
  const network = await startStellarNetwork({
    user: 'sandbox',
    password: stellarPassword.reveal(),
    folder: folder.path,
    closeEveryMs: 1_000,
  });
  started.push(() => network.stop());
  network.openAccount(account, '100', `${sandboxUsdc.code}:${sandboxUsdc.issuer}`);
  env['STELLAR_HORIZON_URL'] = network.url;
  env['STELLAR_ACCOUNT'] = account.publicKey();
  env['STELLAR_NETWORK_PASSPHRASE'] = sandboxPassphrase;
  return network.ownerUrl;
}

/** The merchant of access.json, before the door opens: whoever sees us answer finds a key that works. */
async function prepareMerchant(folder: DataFolder): Promise<void> {
  const db = openDatabase({ url: env['DATABASE_URL'] ?? '', poolSize: 2 });
  try {
    await migrate(db);
    const known = await readAccess(folder.path);
    const isKnown = known !== null && (await findCredentialsByKey(db, known.apiKey)) !== undefined;
    const encryption = createEncryption(Buffer.from(env['MASTER_KEY'] ?? '', 'hex'));
    const { apiKey, apiSecret } = isKnown
      ? known
      : await createMerchant({ db, clock: systemClock, encryption }, { name: 'Sandbox merchant' }, 'start');
    const baseUrl = `http://${env['HOST'] ?? '127.0.0.1'}:${env['PORT'] ?? '8080'}/api/v1`;
    await writeAccess(folder.path, { baseUrl, apiKey, apiSecret });
  } finally {
    await db.close();
  }
}

async function announce(folder: DataFolder, url: string): Promise<void> {
  const access = await readAccess(folder.path);
  const baseUrl = `${env['PUBLIC_URL'] ?? url}/api/v1`;
  if (access !== null && access.baseUrl !== baseUrl) await writeAccess(folder.path, { ...access, baseUrl });
  console.log(`Quittance is ready: ${baseUrl} (key and secret: ${join(folder.path, 'access.json')})`);
  if (access !== null) console.log(`\n${firstSteps({ ...access, baseUrl })}\n`);
}
