/** All SQL about challenges, each good for one answer, and about failed attempts to sign in. */
import type { Query, Tx } from '../db/database.ts';

export type ChallengePurpose = 'sign-in' | 'register' | 'prove' | 'order';

export type Challenge = {
  readonly challenge: Buffer;
  readonly purpose: ChallengePurpose;
  readonly personId: string | null;
  readonly digest: Buffer | null;
  readonly expiresAt: Date;
};

export async function insertChallenge(query: Query, asked: Challenge): Promise<void> {
  await query`
    insert into challenge (challenge, purpose, person_id, digest, expires_at)
    values (${asked.challenge}, ${asked.purpose}, ${asked.personId}, ${asked.digest}, ${asked.expiresAt})`;
}

/** Undefined: answered already, too late, or never asked. */
export async function useUpChallenge(tx: Query, challenge: Buffer, now: Date): Promise<Challenge | undefined> {
  const [row] = await tx<Challenge>`
    update challenge set used_at = ${now}
     where challenge = ${challenge} and used_at is null and expires_at > ${now}
    returning challenge, purpose, person_id as "personId", digest, expires_at as "expiresAt"`;
  return row;
}

export async function forgetOldChallenges(query: Query, before: Date): Promise<void> {
  await query`delete from challenge where expires_at < ${before}`;
}

export type Failures = { readonly failures: number; readonly lastAt: Date };

/** Whoever tries at the same moment waits for the end of the transaction. */
export async function lockFailures(tx: Tx, subjects: readonly string[], at: Date): Promise<Map<string, Failures>> {
  const sorted = [...subjects].sort();
  await tx`
    insert into sign_in_failure (subject, failures, last_at)
    select subject, 0, ${at} from unnest(${sorted}::text[]) as subject on conflict (subject) do nothing`;
  const rows = await tx<Failures & { subject: string }>`
    select subject, failures, last_at as "lastAt" from sign_in_failure
     where subject = any(${sorted}) order by subject for update`;
  return new Map(rows.map(({ subject, ...failures }) => [subject, failures]));
}

export async function saveFailures(tx: Tx, subject: string, { failures, lastAt }: Failures): Promise<void> {
  await tx`update sign_in_failure set failures = ${failures}, last_at = ${lastAt} where subject = ${subject}`;
}

/** One failure less, which was none. */
export async function takeBackFailure(query: Query, subject: string): Promise<void> {
  await query`update sign_in_failure set failures = failures - 1 where subject = ${subject} and failures > 0`;
}

export async function forgetFailures(query: Query, subject: string): Promise<void> {
  await query`delete from sign_in_failure where subject = ${subject}`;
}

export async function forgetOldFailures(query: Query, before: Date): Promise<void> {
  await query`delete from sign_in_failure where last_at < ${before}`;
}
