/** All SQL about links that are good once. */
import type { Query, Tx } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import { present } from '../lib/assert.ts';
import type { Role, StaffRole } from './roles.ts';

/**
 * `join`: become a member or staff. `sign-in`: in place of the password. `recover`: register a passkey anew. `sign-up`: prove an
 * address, to ask for an account of one's own. `prove`: that the address of somebody who signs in already is theirs.
 */
export type LinkPurpose = 'join' | 'sign-in' | 'recover' | 'sign-up' | 'prove';

export type OneTimeLink = {
  readonly purpose: LinkPurpose;
  /** Null: whoever opens it says which. */
  readonly email: string | null;
  readonly merchantId: string | null;
  readonly role: Role | null;
  readonly staffRole: StaffRole | null;
  readonly madeBy: Actor;
  /** Only good in the browser that asked for it. */
  readonly browserHash: Buffer | null;
  /**
   * Whoever opens it has the mailbox, since the token was nowhere else, or the word of the operator at the command line. What
   * somebody hands over proves nothing.
   */
  readonly isProof: boolean;
  /** Whom it lets in, where that is somebody who signs in already. */
  readonly personId: string | null;
  /** Made by the operator for an account that nobody owned: worth nothing once somebody does. */
  readonly isFirstOwner: boolean;
  readonly createdAt: Date;
  readonly goodFrom: Date;
  readonly expiresAt: Date;
};

type LinkRow = {
  purpose: LinkPurpose;
  email: string | null;
  merchant_id: string | null;
  role: Role | null;
  staff_role: StaffRole | null;
  made_by: Actor;
  browser_hash: Buffer | null;
  is_proof: boolean;
  person_id: string | null;
  is_first_owner: boolean;
  created_at: Date;
  good_from: Date;
  expires_at: Date;
};

const toLink = (row: LinkRow): OneTimeLink => ({
  purpose: row.purpose,
  email: row.email,
  merchantId: row.merchant_id,
  role: row.role,
  staffRole: row.staff_role,
  madeBy: row.made_by,
  browserHash: row.browser_hash,
  isProof: row.is_proof,
  personId: row.person_id,
  isFirstOwner: row.is_first_owner,
  createdAt: row.created_at,
  goodFrom: row.good_from,
  expiresAt: row.expires_at,
});

/** Gives the name of the row, which stays when it gets another token. */
export async function insertLink(tx: Query, tokenHash: Buffer, link: OneTimeLink): Promise<string> {
  const [row] = await tx<{ id: string }>`
    insert into one_time_link (token_hash, purpose, email, merchant_id, role, staff_role, made_by, browser_hash,
                               is_proof, person_id, is_first_owner, created_at, good_from, expires_at)
    values (${tokenHash}, ${link.purpose}, ${link.email}, ${link.merchantId}, ${link.role}, ${link.staffRole},
            ${link.madeBy}, ${link.browserHash}, ${link.isProof}, ${link.personId}, ${link.isFirstOwner},
            ${link.createdAt}, ${link.goodFrom}, ${link.expiresAt})
    returning id`;
  return present(row, 'the link that was inserted').id;
}

/** Undefined: it was used, or its time is over, or there never was one. */
export async function findLink(query: Query, tokenHash: Buffer, now: Date): Promise<OneTimeLink | undefined> {
  const [row] = await query<LinkRow>`
    select * from one_time_link where token_hash = ${tokenHash} and used_at is null and expires_at > ${now}`;
  return row && toLink(row);
}

/** Undefined: it was used or taken back, or its time is over. */
export async function findOpenLink(query: Query, id: string, now: Date): Promise<OneTimeLink | undefined> {
  const [row] = await query<LinkRow>`
    select * from one_time_link where id = ${id} and used_at is null and expires_at > ${now}`;
  return row && toLink(row);
}

/** The newest that waits for the address: to join the account (null: the staff), or to sign in anew. */
export async function findWaitingLink(
  query: Query,
  { purpose, merchantId, email }: Pick<OneTimeLink, 'purpose' | 'merchantId' | 'email'>,
  now: Date,
): Promise<(OneTimeLink & { readonly id: string }) | undefined> {
  const [row] = await query<LinkRow & { id: string }>`
    select * from one_time_link
     where email = ${email} and purpose = ${purpose} and used_at is null and expires_at > ${now}
       and merchant_id is not distinct from ${merchantId}
     order by created_at desc limit 1`;
  return row && { ...toLink(row), id: row.id };
}

/** False: it was used or taken back meanwhile. */
export async function replaceToken(tx: Tx, id: string, tokenHash: Buffer): Promise<boolean> {
  const rows = await tx`
    update one_time_link set token_hash = ${tokenHash} where id = ${id} and used_at is null returning id`;
  return rows.length > 0;
}

/** Nobody tries any more to mail it. */
export async function saveMailFailure(query: Query, id: string, at: Date): Promise<void> {
  await query`update one_time_link set mail_failed_at = ${at} where id = ${id}`;
}

/** Whoever comes second gets nothing. */
export async function useUpLink(tx: Tx, tokenHash: Buffer, now: Date): Promise<OneTimeLink | undefined> {
  const [row] = await tx<LinkRow>`
    update one_time_link set used_at = ${now}
     where token_hash = ${tokenHash} and used_at is null and expires_at > ${now} and good_from <= ${now} returning *`;
  return row && toLink(row);
}

export type OpenInvitation = {
  readonly id: string;
  readonly email: string | null;
  readonly role: Role;
  readonly expiresAt: Date;
  readonly goodFrom: Date;
  /** Of the operator, for an account that nobody owns. */
  readonly isFirstOwner: boolean;
  /** When its e-mail was given up; null: it was not, or none carries it. */
  readonly mailFailedAt: Date | null;
};

export async function openInvitations(query: Query, merchantId: string, now: Date): Promise<OpenInvitation[]> {
  return query<OpenInvitation>`
    select id, email, role, good_from as "goodFrom", expires_at as "expiresAt", is_first_owner as "isFirstOwner",
           mail_failed_at as "mailFailedAt" from one_time_link
     where merchant_id = ${merchantId} and purpose = 'join' and used_at is null and expires_at > ${now}
     order by created_at`;
}

export type StaffInvitation = Omit<OpenInvitation, 'role' | 'goodFrom' | 'isFirstOwner'> & { readonly role: StaffRole };

export async function openStaffInvitations(query: Query, now: Date): Promise<StaffInvitation[]> {
  return query<StaffInvitation>`
    select id, email, staff_role as role, expires_at as "expiresAt", mail_failed_at as "mailFailedAt" from one_time_link
     where merchant_id is null and staff_role is not null and purpose = 'join' and used_at is null and expires_at > ${now}
     order by created_at`;
}

export async function deleteStaffInvitation(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx`
    delete from one_time_link
     where merchant_id is null and staff_role is not null and id = ${id} and purpose = 'join'
       and used_at is null
    returning purpose`;
  return rows.length > 0;
}

/** Takes back an invitation that nobody has used. */
export async function deleteInvitation(tx: Tx, merchantId: string, id: string): Promise<boolean> {
  const rows = await tx`
    delete from one_time_link
     where merchant_id = ${merchantId} and id = ${id} and purpose = 'join' and used_at is null
    returning purpose`;
  return rows.length > 0;
}

export async function deleteFirstOwnerLink(tx: Tx, merchantId: string, id: string): Promise<boolean> {
  const rows = await tx`
    delete from one_time_link
     where merchant_id = ${merchantId} and id = ${id} and is_first_owner and purpose = 'join' and used_at is null
    returning purpose`;
  return rows.length > 0;
}

/** Whoever is not of the staff any more gives no account away. */
export async function deleteFirstOwnerLinksBy(tx: Tx, madeBy: Actor): Promise<void> {
  await tx`delete from one_time_link where is_first_owner and made_by = ${madeBy} and purpose = 'join' and used_at is null`;
}

/** The newest invitation of an address to an account, or to the staff, is the one that is good. */
export async function deleteInvitationsFor(tx: Tx, merchantId: string | null, email: string | null): Promise<boolean> {
  const rows = await tx`
    delete from one_time_link
     where merchant_id is not distinct from ${merchantId} and email = ${email} and purpose = 'join' and used_at is null
    returning purpose`;
  return rows.length > 0;
}

/** Whoever may not invite any more has invited nobody who has not come yet, and let nobody in anew. */
export async function deleteInvitationsBy(tx: Tx, merchantId: string | null, madeBy: Actor): Promise<void> {
  await tx`
    delete from one_time_link
     where merchant_id is not distinct from ${merchantId} and made_by = ${madeBy} and purpose in ('join', 'recover')
       and used_at is null`;
}

/** Links that the sandbox printed at earlier starts. */
export async function deleteFirstLinks(query: Query): Promise<void> {
  await query`delete from one_time_link where purpose = 'join' and staff_role is not null and email is null and used_at is null`;
}

/** The one that this browser asked for before. Those of others stay: whoever asks in somebody's name takes nothing from them. */
export async function deleteSignInLink(tx: Tx, email: string, browserHash: Buffer): Promise<void> {
  await tx`
    delete from one_time_link
     where email = ${email} and purpose = 'sign-in' and browser_hash = ${browserHash} and used_at is null`;
}

export async function deleteLinksOf(tx: Tx, personId: string, purpose: LinkPurpose): Promise<void> {
  await tx`delete from one_time_link where person_id = ${personId} and purpose = ${purpose} and used_at is null`;
}

export async function deleteLinksFor(tx: Tx, email: string, purpose: LinkPurpose): Promise<void> {
  await tx`delete from one_time_link where email = ${email} and purpose = ${purpose} and used_at is null`;
}

export type OpenRecovery = {
  readonly personId: string;
  readonly name: string;
  readonly since: Date;
  readonly goodFrom: Date;
  readonly expiresAt: Date;
  readonly mailFailedAt: Date | null;
};

/** Of members of the account, whoever made it. */
export async function openRecoveries(query: Query, merchantId: string, now: Date): Promise<OpenRecovery[]> {
  return query<OpenRecovery>`
    select person.id as "personId", person.name, one_time_link.created_at as since, good_from as "goodFrom", expires_at as "expiresAt",
           mail_failed_at as "mailFailedAt"
      from one_time_link
      join person on person.id = one_time_link.person_id
      join membership on membership.person_id = person.id and membership.merchant_id = ${merchantId}
     where purpose = 'recover' and used_at is null and expires_at > ${now} order by one_time_link.created_at`;
}

/** `madeIn`: only what that account asked for; null: whoever made it. */
export async function deleteRecovery(tx: Tx, personId: string, madeIn: string | null = null): Promise<boolean> {
  const rows = await tx`
    delete from one_time_link
     where person_id = ${personId} and purpose = 'recover' and used_at is null
       and (${madeIn}::text is null or merchant_id = ${madeIn})
    returning purpose`;
  return rows.length > 0;
}

export async function forgetOldLinks(query: Query, before: Date): Promise<void> {
  await query`delete from one_time_link where expires_at < ${before}`;
}
