/** When a claimable balance may be claimed, and by whom (CAP-23). */
import { Claimant, xdr } from '@stellar/stellar-sdk';
import { int64Max } from './ledger-entries.ts';

const depthMax = 4;

export function isValidPredicate(predicate: xdr.ClaimPredicate, depth = 1): boolean {
  if (depth > depthMax) return false;
  const isValidInside = (inner: xdr.ClaimPredicate) => isValidPredicate(inner, depth + 1);
  switch (predicate.type) {
    case 'claimPredicateUnconditional':
      return true;
    case 'claimPredicateAnd':
      return predicate.andPredicates.length === 2 && predicate.andPredicates.every(isValidInside);
    case 'claimPredicateOr':
      return predicate.orPredicates.length === 2 && predicate.orPredicates.every(isValidInside);
    case 'claimPredicateNot':
      return predicate.notPredicate !== null && isValidInside(predicate.notPredicate);
    case 'claimPredicateBeforeAbsoluteTime':
      return predicate.absBefore >= 0n;
    default:
      return predicate.relBefore >= 0n;
  }
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** Relative times count from the ledger that made the balance, and are stored as absolute ones. */
export const settledPredicate = (claimant: Claimant, closeTime: bigint): Claimant =>
  new Claimant(claimant.destination, settled(claimant.predicate, closeTime));

function settled(predicate: xdr.ClaimPredicate, closeTime: bigint): xdr.ClaimPredicate {
  const inside = (inner: xdr.ClaimPredicate) => settled(inner, closeTime);
  switch (predicate.type) {
    case 'claimPredicateAnd':
      return xdr.ClaimPredicate.claimPredicateAnd(predicate.andPredicates.map(inside));
    case 'claimPredicateOr':
      return xdr.ClaimPredicate.claimPredicateOr(predicate.orPredicates.map(inside));
    case 'claimPredicateNot':
      return xdr.ClaimPredicate.claimPredicateNot(predicate.notPredicate && inside(predicate.notPredicate));
    case 'claimPredicateBeforeRelativeTime':
      return xdr.ClaimPredicate.claimPredicateBeforeAbsoluteTime(least(closeTime + predicate.relBefore, int64Max));
    default:
      return predicate;
  }
}

function holds(predicate: xdr.ClaimPredicate, closeTime: bigint): boolean {
  switch (predicate.type) {
    case 'claimPredicateUnconditional':
      return true;
    case 'claimPredicateAnd':
      return predicate.andPredicates.every((inner) => holds(inner, closeTime));
    case 'claimPredicateOr':
      return predicate.orPredicates.some((inner) => holds(inner, closeTime));
    case 'claimPredicateNot':
      return predicate.notPredicate !== null && !holds(predicate.notPredicate, closeTime);
    case 'claimPredicateBeforeAbsoluteTime':
      return closeTime < predicate.absBefore;
    default:
      return false; // A relative time: settled when the balance was made.
  }
}

export const canClaim = (claimants: readonly Claimant[], account: string, closeTime: bigint): boolean =>
  claimants.some(({ destination, predicate }) => destination === account && holds(predicate, closeTime));

/** As Horizon writes it. */
export function horizonPredicate(predicate: xdr.ClaimPredicate): Record<string, unknown> {
  switch (predicate.type) {
    case 'claimPredicateUnconditional':
      return { unconditional: true };
    case 'claimPredicateAnd':
      return { and: predicate.andPredicates.map(horizonPredicate) };
    case 'claimPredicateOr':
      return { or: predicate.orPredicates.map(horizonPredicate) };
    case 'claimPredicateNot':
      return { not: predicate.notPredicate && horizonPredicate(predicate.notPredicate) };
    case 'claimPredicateBeforeAbsoluteTime': {
      const lastDate = 8_640_000_000_000n; // What a date can hold, in seconds.
      const seconds = least(predicate.absBefore, lastDate);
      return {
        abs_before: new Date(Number(seconds) * 1000).toISOString(),
        abs_before_epoch: String(predicate.absBefore),
      };
    }
    default:
      return { rel_before: String(predicate.relBefore) };
  }
}
