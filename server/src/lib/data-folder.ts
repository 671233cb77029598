/**
 * The folder that holds everything a self-contained installation must keep: the secrets, the embedded database, the
 * sandbox's chains. Nothing has a default password: what is missing is generated once and stays.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { lockFolder } from './lock-folder.ts';
import { Secret } from './secret.ts';
import { writeFileAtomically } from './write-file-atomically.ts';

const randomHex = (byteCount: number) => () => randomBytes(byteCount).toString('hex');

/** Every secret, and how it is made. A line added here is filled in when an older installation next starts. */
const generators = {
  masterKey: randomHex(32),
  walletSeed: randomHex(32), // The root of all addresses on the sandbox's chains, and of their passwords.
  issuerSeed: randomHex(32), // Of the Stellar account that issues bridged assets.
};

type SecretName = keyof typeof generators;
export type DataFolder = {
  readonly path: string;
  readonly postgresFolder: string;
  readonly secrets: Readonly<Record<SecretName, Secret>>;
  /** Lets another process have the folder. */
  release(): void;
};

/** Takes the folder for this process only. Throws a sentence if another process has it. */
export async function openDataFolder(folder: string): Promise<DataFolder> {
  const path = resolve(folder);
  await mkdir(path, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(path);
  try {
    return {
      path,
      postgresFolder: join(path, 'postgres'),
      secrets: await readOrCreateSecrets(path),
      release: () => lock.release(),
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** What a shop needs to use our API, for people who start the service on their own machine. */
export type Access = { baseUrl: string; apiKey: string; apiSecret: Secret };

export async function writeAccess(folder: string, { baseUrl, apiKey, apiSecret }: Access): Promise<void> {
  const access = { baseUrl, apiKey, apiSecret: apiSecret.reveal() };
  await writeFileAtomically(join(resolve(folder), 'access.json'), `${JSON.stringify(access, null, 2)}\n`);
}

export async function readAccess(folder: string): Promise<Access | null> {
  const text = await readFile(join(resolve(folder), 'access.json'), 'utf8').catch(() => '');
  const { baseUrl, apiKey, apiSecret } = parseObject(text) ?? {};
  if (typeof baseUrl !== 'string' || typeof apiKey !== 'string' || typeof apiSecret !== 'string') return null;
  return { baseUrl, apiKey, apiSecret: new Secret(apiSecret) };
}

async function readOrCreateSecrets(folder: string): Promise<Record<SecretName, Secret>> {
  const file = join(folder, 'secrets.json');
  const known = await readSecrets(file, folder);
  const names = Object.keys(generators) as SecretName[];
  const values = names.map((name): [SecretName, string] => [name, known[name] ?? generators[name]()]);
  if (names.some((name) => known[name] === undefined)) {
    await writeFileAtomically(file, `${JSON.stringify({ ...known, ...Object.fromEntries(values) }, null, 2)}\n`);
  }
  await chmod(file, 0o600);
  return Object.fromEntries(values.map(([name, value]) => [name, new Secret(value)])) as Record<SecretName, Secret>;
}

/** For programs that look into an installation which another process runs. Null: there is none. */
export async function readMasterKey(folder: string): Promise<Secret | null> {
  const file = join(resolve(folder), 'secrets.json');
  if (!existsSync(file)) return null;
  const { masterKey } = await readSecrets(file, folder);
  return masterKey === undefined ? null : new Secret(masterKey);
}

async function readSecrets(file: string, folder: string): Promise<Partial<Record<string, string>>> {
  if (!existsSync(file)) {
    // With new secrets nobody could decrypt what is in that database, or spend from its deposit addresses.
    if (existsSync(join(folder, 'postgres', 'data'))) {
      throw new Error(`${folder} holds a database, but ${file} is missing. Restore that file from a backup.`);
    }
    return {};
  }
  const secrets = parseObject(await readFile(file, 'utf8'));
  if (secrets === null || Object.values(secrets).some((value) => typeof value !== 'string' || value === '')) {
    throw new Error(`${file} is damaged. Restore it from a backup: without it the data cannot be read.`);
  }
  return secrets as Record<string, string>;
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null; // The parser's message would show the secrets.
  }
}
