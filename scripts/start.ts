/**
 * `npm start`: the whole service on one machine, with nothing to set up. What the environment does not give is made
 * here and kept in DATA_DIR: secrets, a database and, outside production, chains to pay on and a first merchant.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError } from '@quittance/server/config';
import { type Db, openDatabase } from '@quittance/server/db/database';
import { startEmbeddedPostgres } from '@quittance/server/db/embedded-postgres';
import { migrate } from '@quittance/server/db/migrate';
import { systemClock } from '@quittance/server/lib/clock';
import { type DataFolder, openDataFolder, readAccess, writeAccess } from '@quittance/server/lib/data-folder';
import { createEncryption, type Encryption } from '@quittance/server/lib/encryption';
import { createLog, type Log } from '@quittance/server/lib/log';
import { type IssuerKeypair, issuerKeypair } from '@quittance/server/lib/strkey';
import { writeFileAtomically } from '@quittance/server/lib/write-file-atomically';
import { startService } from '@quittance/server/main';
import { findOwnerOfKey } from '@quittance/server/merchants/api-key-store';
import { allowAddress } from '@quittance/server/merchants/change-settings';
import { createMerchant } from '@quittance/server/merchants/create-merchant';
import { asLocalhost } from '@quittance/server/people/account-url';
import { inviteFirstPerson } from '@quittance/server/people/join-account';
import { checkStart } from '@quittance/server/start-problems';
import { firstSteps, nextSteps, sandboxScopes } from './first-steps.ts';
import { rehearse } from './rehearse-start.ts';
import { isNamed, sandboxList } from './sandbox-list.ts';
import type { SandboxNetworks } from './sandbox-networks.ts';
import { startSandboxProcess } from './sandbox-process.ts';
import { stockSandbox } from './stock-sandbox.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** An empty value counts as not given. */
const env: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).filter(([, value]) => value !== undefined && value.trim() !== ''),
);
const isSandbox = (env['MODE'] ?? 'sandbox') === 'sandbox';
let log = null as Log | null;

/** What must be undone, newest last: the database must live longer than those who use it. */
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
      log?.error({ err }, 'could not stop in order');
      code = 1;
    }
  }
  process.exit(code);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stopOnce(0));
process.on('disconnect', () => void stopOnce(0)); // The script that started us was killed.

try {
  if (isComplete()) await startWith(env);
  else await startWithFolder();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  if (!(error instanceof ConfigError)) log?.debug({ err: error }, 'start failed');
  await stopOnce(1);
}

/**
 * Whether nothing must be made. Then no folder is taken, so that many processes of one installation can run on one
 * machine.
 */
function isComplete(): boolean {
  const hasNetwork = sandboxList.some((part) => isNamed(part, (name) => env[name] !== undefined));
  return hasNetwork && ['DATABASE_URL', 'MASTER_KEY', 'ISSUER_ACCOUNT'].every((name) => env[name] !== undefined);
}

async function startWith(environment: NodeJS.ProcessEnv): Promise<string | null> {
  const service = await startService(environment);
  started.push(() => service.stop());
  return service.url;
}

async function startWithFolder(): Promise<void> {
  const path = env['DATA_DIR'] ?? 'data';
  const config = await checkStart(rehearse(env), { hasDatabase: env['DATABASE_URL'] !== undefined, folder: path });
  log = createLog(config.logLevel);
  const folder = await openDataFolder(path);
  started.push(() => folder.release());
  env['MASTER_KEY'] ??= folder.secrets.masterKey.reveal();
  const issuer = issuerKeypair(Buffer.from(folder.secrets.issuerSeed.reveal(), 'hex'));
  env['ISSUER_ACCOUNT'] ??= issuer.accountId;
  env['DATABASE_URL'] ??= await startDatabase(folder);
  const sandbox = isSandbox ? await startSandbox(folder, issuer) : null;
  const isNewMerchant = isSandbox && (await prepareMerchant(folder));

  const url = await startWith(env);
  if (sandbox === null) return;
  if (config.roles.includes('worker') && config.roles.includes('watcher')) await stock(folder, sandbox.urls);
  if (url !== null) await announce(folder, url, isNewMerchant, sandbox.mailbox);
}

async function startDatabase(folder: DataFolder): Promise<string> {
  const postgres = await startEmbeddedPostgres({ folder: folder.postgresFolder, ...(log && { log }) });
  started.push(() => postgres.stop());
  return postgres.url;
}

async function startSandbox(folder: DataFolder, issuer: IssuerKeypair): Promise<SandboxNetworks> {
  const networks = await startSandboxProcess(folder, Object.keys(env));
  started.push(() => networks.stop());
  Object.assign(env, networks.settings);
  // Another Stellar network does not know the account from which the bridge issues its tokens.
  if (networks.urls['stellar'] !== undefined && env['ISSUER_ACCOUNT'] === issuer.accountId)
    env['ISSUER_SECRET'] ??= issuer.secretSeed.reveal();
  env['SANDBOX_CHAINS'] ??= JSON.stringify(networks.urls);
  await writeFileAtomically(join(folder.path, 'sandbox.json'), `${JSON.stringify(networks.urls, null, 2)}\n`);
  return networks;
}

/** A machine that is busy with starting all this may let a connection wait for long; nobody else waits for us. */
function openPatiently(): Db {
  return openDatabase({ url: env['DATABASE_URL'] ?? '', poolSize: 2, connectMs: 60_000 });
}

/** Without it everything works but swaps: the next start tries again. */
async function stock(folder: DataFolder, chains: Readonly<Record<string, string>>): Promise<void> {
  const db = openPatiently();
  try {
    await stockSandbox(db, folder.path, chains);
  } catch (err) {
    log?.warn({ err }, "the sandbox's operator could not be given money");
  } finally {
    await db.close();
  }
}

/**
 * The merchant of access.json, made before the service answers: so there is a working key from the first answer on;
 * from this machine it can also move money. Returns whether it was made just now.
 */
async function prepareMerchant(folder: DataFolder): Promise<boolean> {
  const db = openPatiently();
  try {
    await migrate(db);
    const known = await readAccess(folder.path);
    const isKnown = known !== null && (await findOwnerOfKey(db, known.apiKey)) !== undefined;
    const encryption = createEncryption(Buffer.from(env['MASTER_KEY'] ?? '', 'hex'));
    const { apiKey, apiSecret } = isKnown ? known : await createSandboxMerchant(db, encryption);
    const baseUrl = `http://${env['HOST'] ?? '127.0.0.1'}:${env['PORT'] ?? '8080'}/api/v1`;
    await writeAccess(folder.path, { baseUrl, apiKey, apiSecret });
    return !isKnown;
  } finally {
    await db.close();
  }
}

async function createSandboxMerchant(db: Db, encryption: Encryption) {
  const deps = { db, clock: systemClock, encryption };
  const made = await createMerchant(deps, { name: 'Sandbox merchant', scopes: sandboxScopes }, 'operator');
  for (const range of ['127.0.0.1', '::1'])
    await allowAddress(deps, made.merchantId, { range, note: 'This machine' }, 'operator');
  return made;
}

async function announce(
  folder: DataFolder,
  url: string,
  isNewMerchant: boolean,
  mailbox: string | null,
): Promise<void> {
  const access = await readAccess(folder.path);
  const baseUrl = `${url}/api/v1`;
  if (access !== null && access.baseUrl !== baseUrl) await writeAccess(folder.path, { ...access, baseUrl });
  console.log(`Quittance is ready: ${baseUrl} (key and secret: ${join(folder.path, 'access.json')})`);
  const told = folder.path === join(root, 'data') ? null : folder.path;
  if (access === null) return;
  const welcome = await welcomeLink(env['ACCOUNT_URL'] ?? asLocalhost(url), access.apiKey);
  const known = { ...access, baseUrl, welcome, mailbox };
  console.log(`\n${isNewMerchant ? firstSteps(known, told) : nextSteps(known, told)}\n`);
}

/** For the first person; null once somebody has come. Without it everything works: the next start prints one. */
async function welcomeLink(accountUrl: string, apiKey: string): Promise<string | null> {
  const db = openPatiently();
  try {
    const merchantId = await findOwnerOfKey(db, apiKey);
    const token = merchantId === undefined ? null : await inviteFirstPerson({ db, clock: systemClock }, merchantId);
    return token === null ? null : `${accountUrl}/account/welcome#${token}`;
  } catch (err) {
    log?.warn({ err }, 'no link to the account could be made');
    return null;
  } finally {
    await db.close();
  }
}
