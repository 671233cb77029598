/** All SQL about sessions and about what is good only once: links and challenges. */
import type { Query, Tx } from '../db/database.ts';
import type { ProofKind, Session } from './session.ts';

type SessionRow = {
  id: string;
  person_id: string;
  merchant_id: string | null;
  looks_at: string | null;
  not_for: string[];
  looks_until: Date | null;
  created_at: Date;
  seen_at: Date;
  proved_at: Date | null;
  proved_how: ProofKind | null;
  address: string;
  browser: string;
};

const toSession = (row: SessionRow): Session => ({
  id: row.id,
  personId: row.person_id,
  merchantId: row.merchant_id,
  notFor: row.not_for,
  looksAt: row.looks_at && row.looks_until ? { merchantId: row.looks_at, until: row.looks_until } : null,
  createdAt: row.created_at,
  seenAt: row.seen_at,
  provedAt: row.proved_at,
  provedHow: row.proved_how,
  address: row.address,
  browser: row.browser,
});

export async function findSession(query: Query, tokenHash: Buffer): Promise<Session | undefined> {
  const [row] = await query<SessionRow>`select * from session where token_hash = ${tokenHash}`;
  return row && toSession(row);
}

/**
 * First of all in a transaction that changes something: throws nothing, but says whether the session is still there, and good
 * for all that it was good for when the request began. Until the transaction ends nobody is signed out.
 */
export async function holdSession(tx: Tx, { id, notFor }: Pick<Session, 'id' | 'notFor'>): Promise<boolean> {
  const rows = await tx`
    select 1 from session where id = ${id} and not_for <@ ${[...notFor]}::text[] for key share`;
  return rows.length > 0;
}

/** Their sessions are not good for this place any more, for all else they are. Waits for what is under way in them. */
export async function shutOut(tx: Tx, personId: string, place: string): Promise<void> {
  await tx`select from session where person_id = ${personId} order by id for update`;
  await tx`
    update session set not_for = not_for || ${place}::text
     where person_id = ${personId} and not ${place} = any(not_for)`;
}

export async function sessionsOf(query: Query, personId: string): Promise<Session[]> {
  const rows = await query<SessionRow>`select * from session where person_id = ${personId} order by seen_at desc, id`;
  return rows.map(toSession);
}

export async function insertSession(tx: Tx, tokenHash: Buffer, session: Session): Promise<void> {
  await tx`
    insert into session (token_hash, id, person_id, merchant_id, created_at, seen_at, proved_at, proved_how, address,
                         browser)
    values (${tokenHash}, ${session.id}, ${session.personId}, ${session.merchantId}, ${session.createdAt},
            ${session.seenAt}, ${session.provedAt}, ${session.provedHow}, ${session.address}, ${session.browser})`;
}

/** A new token for the same session: whoever knew the old one is out. */
export async function renewSession(
  tx: Tx,
  id: string,
  { tokenHash, provedAt, provedHow }: { tokenHash: Buffer; provedAt: Date; provedHow: ProofKind },
): Promise<boolean> {
  const rows = await tx`
    update session set token_hash = ${tokenHash}, proved_at = ${provedAt}, proved_how = ${provedHow}
     where id = ${id} returning id`;
  return rows.length > 0;
}

export async function markSeen(query: Query, id: string, at: Date): Promise<void> {
  await query`update session set seen_at = ${at} where id = ${id} and seen_at < ${at}`;
}

/** Who joins the place anew is let in there by it. */
export async function letInAgain(tx: Tx, id: string, place: string): Promise<void> {
  await tx`update session set not_for = array_remove(not_for, ${place}) where id = ${id}`;
}

/** Who looked at another account looks no more. */
export async function chooseAccount(tx: Tx, id: string, merchantId: string): Promise<void> {
  await tx`update session set merchant_id = ${merchantId}, looks_at = null, looks_until = null where id = ${id}`;
}

export async function saveStaffLook(tx: Tx, id: string, look: Session['looksAt']): Promise<void> {
  await tx`
    update session set looks_at = ${look?.merchantId ?? null}, looks_until = ${look?.until ?? null} where id = ${id}`;
}

export async function deleteSession(tx: Query, personId: string, id: string): Promise<boolean> {
  return (await tx`delete from session where person_id = ${personId} and id = ${id} returning id`).length > 0;
}

export type HeldSession = {
  readonly session: Session;
  readonly isStaff: boolean;
  /** The account that was asked about, and the role in it. */
  readonly merchantId: string;
  readonly role: string | null;
};

/** Of each that is still there: who it is in the account it is asked about. */
export async function findHeldSessions(
  query: Query,
  wanted: readonly { readonly sessionId: string; readonly merchantId: string }[],
): Promise<HeldSession[]> {
  const rows = await query<SessionRow & { is_staff: boolean; role: string | null; asked_about: string }>`
    select session.*, wanted.merchant_id as asked_about, membership.role, staff.person_id is not null as is_staff
      from unnest(${wanted.map(({ sessionId }) => sessionId)}::text[],
                  ${wanted.map(({ merchantId }) => merchantId)}::text[]) as wanted (session_id, merchant_id)
      join session on session.id = wanted.session_id
      left join membership on membership.person_id = session.person_id and membership.merchant_id = wanted.merchant_id
                          and not membership.merchant_id = any(session.not_for)
      left join staff on staff.person_id = session.person_id and not 'operator' = any(session.not_for)`;
  return rows.map((row) => ({
    session: toSession(row),
    isStaff: row.is_staff,
    merchantId: row.asked_about,
    role: row.role,
  }));
}

/** `but`: this one stays. */
export async function deleteSessionsOf(tx: Tx, personId: string, but: string | null): Promise<void> {
  await tx`delete from session where person_id = ${personId} and id is distinct from ${but}`;
}

export async function forgetOldSessions(query: Query, idleSince: Date, createdBefore: Date): Promise<void> {
  await query`delete from session where seen_at < ${idleSince} or created_at < ${createdBefore}`;
}
