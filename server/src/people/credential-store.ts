/** All SQL about what people sign in with: passkeys, passwords, codes of an app, printed codes. */
import type { Query, Tx } from '../db/database.ts';

export type Passkey = {
  readonly id: string;
  readonly personId: string;
  readonly publicKey: Buffer;
  readonly counter: bigint;
  readonly rpId: string;
  readonly label: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
};

type PasskeyRow = {
  id: string;
  person_id: string;
  public_key: Buffer;
  counter: string;
  rp_id: string;
  label: string;
  created_at: Date;
  last_used_at: Date | null;
};

const toPasskey = (row: PasskeyRow): Passkey => ({
  id: row.id,
  personId: row.person_id,
  publicKey: row.public_key,
  counter: BigInt(row.counter),
  rpId: row.rp_id,
  label: row.label,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
});

export async function findPasskey(query: Query, id: string): Promise<Passkey | undefined> {
  const [row] = await query<PasskeyRow>`select * from passkey where id = ${id}`;
  return row && toPasskey(row);
}

export async function passkeysOf(query: Query, personId: string): Promise<Passkey[]> {
  const rows = await query<PasskeyRow>`select * from passkey where person_id = ${personId} order by created_at, id`;
  return rows.map(toPasskey);
}

/** False: this passkey belongs to somebody already. */
export async function insertPasskey(tx: Tx, passkey: Omit<Passkey, 'lastUsedAt'>): Promise<boolean> {
  const rows = await tx`
    insert into passkey (id, person_id, public_key, counter, rp_id, label, created_at)
    values (${passkey.id}, ${passkey.personId}, ${passkey.publicKey}, ${passkey.counter}, ${passkey.rpId},
            ${passkey.label}, ${passkey.createdAt})
    on conflict (id) do nothing returning id`;
  return rows.length > 0;
}

/** False: it was used with a higher number, or taken away, in the meantime. */
export async function usePasskey(
  tx: Tx,
  { id, counter, newCounter }: { id: string; counter: bigint; newCounter: bigint },
  now: Date,
): Promise<boolean> {
  const rows = await tx`
    update passkey set counter = ${newCounter}, last_used_at = ${now}
     where id = ${id} and counter = ${counter} returning id`;
  return rows.length > 0;
}

export async function deletePasskey(tx: Tx, personId: string, id: string): Promise<boolean> {
  return (await tx`delete from passkey where person_id = ${personId} and id = ${id} returning id`).length > 0;
}

export type StoredTotp = {
  readonly totpSecret: Buffer | null;
  readonly totpStep: bigint | null;
};

export async function findTotp(query: Query, personId: string): Promise<StoredTotp | undefined> {
  const [row] = await query<{ totp_secret: Buffer | null; totp_step: string | null }>`
    select totp_secret, totp_step from person where id = ${personId}`;
  if (!row) return undefined;
  return { totpSecret: row.totp_secret, totpStep: row.totp_step === null ? null : BigInt(row.totp_step) };
}

/**
 * One question, whether there is such a person or not. Whoever signs in by a longer name may type the address alone, as long as
 * nobody signs in by that, and no older one by a longer name.
 */
export async function findPassword(
  query: Query,
  given: string,
): Promise<{ readonly personId: string; readonly password: string | null } | undefined> {
  const [row] = await query<{ personId: string; password: string | null }>`
    select id as "personId", password from person where email = ${given} or address = ${given}
     order by (email = ${given}) desc, created_at, id limit 1`;
  return row;
}

export async function findPasswordOf(query: Query, personId: string): Promise<string | null> {
  const [row] = await query<{ password: string | null }>`select password from person where id = ${personId}`;
  return row?.password ?? null;
}

/** Nothing that was there before opens anything any more. */
export async function deleteCredentials(tx: Tx, personId: string): Promise<void> {
  await tx`delete from passkey where person_id = ${personId}`;
  await tx`delete from recovery_code where person_id = ${personId}`;
  await tx`delete from known_browser where person_id = ${personId}`;
  await tx`update person set password = null, totp_secret = null, totp_step = null where id = ${personId}`;
}

export async function isKnownBrowser(query: Query, personId: string | null, tokenHash: Buffer): Promise<boolean> {
  const rows = await query`
    select from known_browser where token_hash = ${tokenHash} and person_id = ${personId}`;
  return rows.length > 0;
}

export async function saveKnownBrowser(tx: Tx, personId: string, tokenHash: Buffer, now: Date): Promise<void> {
  await tx`
    insert into known_browser (token_hash, person_id, seen_at) values (${tokenHash}, ${personId}, ${now})
    on conflict (person_id, token_hash) do update set seen_at = excluded.seen_at`;
}

export async function forgetOldBrowsers(query: Query, before: Date): Promise<void> {
  await query`delete from known_browser where seen_at < ${before}`;
}

export async function savePassword(tx: Tx, personId: string, password: string | null): Promise<void> {
  await tx`update person set password = ${password} where id = ${personId}`;
}

export async function saveTotp(tx: Tx, personId: string, secret: Buffer | null, step: bigint | null): Promise<void> {
  await tx`update person set totp_secret = ${secret}, totp_step = ${step} where id = ${personId}`;
}

/** False: this code, or a later one, was used in the meantime. */
export async function useTotpStep(tx: Tx, personId: string, step: bigint): Promise<boolean> {
  const rows = await tx`
    update person set totp_step = ${step}
     where id = ${personId} and (totp_step is null or totp_step < ${step}) returning id`;
  return rows.length > 0;
}

export async function replaceCodes(tx: Tx, personId: string, hashes: readonly Buffer[]): Promise<void> {
  await tx`delete from recovery_code where person_id = ${personId}`;
  await tx`insert into recovery_code (person_id, hash) select ${personId}, unnest(${[...hashes]}::bytea[])`;
}

/** False: there is no such code, or it was used. */
export async function useCode(tx: Tx, personId: string, hash: Buffer, now: Date): Promise<boolean> {
  const rows = await tx`
    update recovery_code set used_at = ${now}
     where person_id = ${personId} and hash = ${hash} and used_at is null returning hash`;
  return rows.length > 0;
}
