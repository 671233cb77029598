/** A browser in which somebody is signed in. The token is only in its cookie; here is its hash. */
import { createHash, randomBytes } from 'node:crypto';
import { addMs, hours, minutes } from '../lib/clock.ts';
import type { Person } from './person.ts';

/** How somebody proved who it is. The first three are a second factor, or better than one. */
export type ProofKind = 'passkey' | 'totp' | 'code' | 'password' | 'link';

export type Session = {
  readonly id: string;
  readonly personId: string;
  readonly merchantId: string | null;
  /** Accounts of which somebody there signed this person out, or `operator`: the others go on. */
  readonly notFor: readonly string[];
  /** An account at which somebody of the staff looks, without belonging to it. */
  readonly looksAt: { readonly merchantId: string; readonly until: Date } | null;
  readonly createdAt: Date;
  readonly seenAt: Date;
  readonly provedAt: Date | null;
  readonly provedHow: ProofKind | null;
  readonly address: string;
  readonly browser: string;
};

const limits = {
  member: { idleMs: hours(12), mostMs: hours(24 * 30) },
  staff: { idleMs: hours(1), mostMs: hours(12) },
} as const;

/** Older ones are of nobody's use and are deleted. */
export const longestSession = limits.member;

/** For changes that matter, the proof must not be older. */
export const freshMs = minutes(5);

export const newToken = (): string => randomBytes(32).toString('base64url');
export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

export function isOver(session: Session, isStaff: boolean, now: Date): boolean {
  const { idleMs, mostMs } = isStaff ? limits.staff : limits.member;
  return now >= addMs(session.seenAt, idleMs) || now >= addMs(session.createdAt, mostMs);
}

export const isFresh = ({ provedAt }: Session, now: Date): boolean =>
  provedAt !== null && now < addMs(provedAt, freshMs);

const isSecondFactor = (how: ProofKind | null): boolean => how === 'passkey' || how === 'totp' || how === 'code';

/**
 * How far somebody is in. `code`: a second factor is set up and was not shown yet. `setUp`: one is needed for what this
 * person may do, and there is none: it can be set up, nothing else.
 */
export function standingOf(
  { provedHow }: Session,
  { hasTotp, passkeys }: Person,
  needsSecondFactor: boolean,
): 'in' | 'code' | 'setUp' {
  if (isSecondFactor(provedHow)) return 'in';
  if (hasTotp || passkeys > 0) return 'code';
  return needsSecondFactor ? 'setUp' : 'in';
}
