/**
 * Everything in the house that waits for somebody of the operator's staff, worst first. As *Needs you* of an account it is a
 * question and no second truth: each item is there because of what is stored, and vanishes with it.
 */
import { printedAddress } from '../catalog/network-catalog.ts';
import type { Query } from '../db/database.ts';
import { isNetworkUp, loadNetworkStatus } from '../deposits/network-health.ts';
import { mailJobs } from '../jobs/job-catalog.ts';
import { parkedJobs } from '../jobs/job-store.ts';
import { addMs, type Clock, hours, minutes } from '../lib/clock.ts';
import { listOpenMovements } from '../payments/movement-store.ts';
import { listWaitingSignUps } from '../people/sign-up-store.ts';
import type { StaffPermission } from '../people/staff-roles.ts';
import { type WaitingPayout, waitingPayouts } from '../sending/waiting-payout-store.ts';
import { waitingWithdrawals } from '../wallets/withdrawal-store.ts';
import { waitingCrumbAdoptions } from '../watching/crumb-adoption-store.ts';
import { isSound } from '../watching/reconcile.ts';
import { lastReconciliations } from '../watching/reconciliation-store.ts';
import { waitingAdoptions } from '../watching/unmatched-adoption-store.ts';
import { waitingReturns } from '../watching/unmatched-return-store.ts';
import { listUnmatched } from '../watching/unmatched-store.ts';
import { bankNeeds, isPaidByFile } from './bank-needs.ts';
import { failingMail, refusedMail } from './house-need-store.ts';

/** Every kind, worst first, and whose business it is: who may do something about it. */
const concerns = {
  booksDiffer: 'money',
  unexplained: 'suspense',
  networkSilent: 'runJobs',
  jobParked: 'runJobs',
  payoutWaits: 'money',
  fileRefused: 'bank',
  fileStuck: 'bank',
  fileWaits: 'bank',
  noStatement: 'bank',
  fileNotBooked: 'bank',
  unfiled: 'bank',
  fileNotFetched: 'bank',
  withdrawal: 'money',
  returnWaits: 'suspense',
  ownWaits: 'suspense',
  unmatched: 'suspense',
  mailFails: 'runJobs',
  signUp: 'merchants',
  mailRefused: 'runJobs',
} as const satisfies Record<string, StaffPermission>;

export type HouseNeedKind = keyof typeof concerns;

export const houseNeedKinds = Object.keys(concerns) as readonly HouseNeedKind[];

/** In English: so are the pages of the operator's area. */
export const houseNeedWords: Readonly<Record<HouseNeedKind, string>> = {
  booksDiffer: 'The books differ from what a network holds',
  unexplained: 'Money moved, and nobody can say why',
  networkSilent: 'A network is silent',
  jobParked: 'A job is parked',
  payoutWaits: 'A payout does not leave',
  fileRefused: 'A file of a bank was refused in the folder',
  fileStuck: 'A file of a bank cannot be taken from the folder',
  fileWaits: 'A file of a bank waits for an earlier one',
  noStatement: 'No statement of a bank has come',
  fileNotBooked: 'A payment file is not booked',
  unfiled: 'Payments wait for a payment file',
  fileNotFetched: 'A payment file was made and not downloaded',
  withdrawal: 'A withdrawal waits for a second signature',
  returnWaits: 'Sending money back waits for a second signature',
  ownWaits: 'Taking money as our own waits for a second signature',
  unmatched: 'Money arrived that nobody asked for',
  mailFails: 'Mail cannot be sent',
  signUp: 'Somebody asks for an account',
  mailRefused: 'Receipts were refused',
};

export const houseKindsFor = (may: (permission: StaffPermission) => boolean): HouseNeedKind[] =>
  houseNeedKinds.filter((kind) => may(concerns[kind]));

/** What a sentence about it needs; what does not belong to the kind is left out. */
export type HouseNeed = {
  readonly kind: HouseNeedKind;
  /** Which one it is, among all of its kind. */
  readonly name: string;
  readonly since: Date;
  readonly network?: string;
  readonly amount?: { readonly asset: string; readonly units: bigint };
  /** Of a payment that nobody asked for. */
  readonly sender?: string | null;
  readonly memo?: string | null;
  readonly isReturning?: boolean;
  readonly job?: {
    readonly id: string;
    readonly name: string;
    readonly about: Readonly<Record<string, unknown>>;
    readonly attempts: number;
  };
  readonly payout?: WaitingPayout;
  readonly reason?: string;
  readonly count?: number;
  /** Of a payment file. */
  readonly fileId?: string;
  /** Of a file in the folder; empty: the folder itself. */
  readonly fileName?: string;
  readonly who?: string;
};

export type HouseNeedDeps = {
  readonly db: Query;
  readonly clock: Clock;
  /** Those that this installation watches. */
  readonly networks: readonly string[];
};

/** So many of a kind are listed; with more there is another problem than their number. */
const listedMax = 200;
/** A payout is usually signed within seconds; a block may take an hour. */
const unsignedMs = minutes(10);
const unconfirmedMs = hours(6);
/** What a payer mistyped is nobody's business after so long. */
const refusedMs = hours(24 * 7);
const mailAttempts = 3;
const mailLooked = 10_000;

export async function houseNeeds(deps: HouseNeedDeps): Promise<HouseNeed[]> {
  const { db, clock } = deps;
  const now = clock.now();
  const without = deps.networks.filter(isPaidByFile);
  const [
    books,
    silent,
    jobs,
    payouts,
    withdrawals,
    returns,
    adoptions,
    crumbAdoptions,
    unmatched,
    failing,
    signUps,
    refused,
    moved,
    atBanks,
  ] = await Promise.all([
    lastReconciliations(db),
    silentNetworks(deps, now),
    parkedJobs(db, listedMax),
    waitingPayouts(db, { before: addMs(now, -unsignedMs), isMoving: true, limit: listedMax, without }),
    waitingWithdrawals(db),
    waitingReturns(db),
    waitingAdoptions(db),
    waitingCrumbAdoptions(db),
    listUnmatched(db),
    failingMail(db, { names: mailJobs, attempts: mailAttempts, limit: mailLooked }),
    listWaitingSignUps(db),
    refusedMail(db, addMs(now, -refusedMs)),
    listOpenMovements(db),
    bankNeeds(db, deps.networks, now),
  ]);
  const returning = new Set([...returns, ...adoptions].map(({ unmatchedId }) => unmatchedId));
  const needs: HouseNeed[] = [
    ...books
      .filter((each) => !isSound(each))
      .map(({ network, asset, difference, checkedAt }) =>
        need('booksDiffer', `${network}.${asset}`, checkedAt, { network, amount: { asset, units: difference } }),
      ),
    ...moved.map(({ id, network, asset, openUnits: units, note, seenAt }) =>
      need('unexplained', id, seenAt, { network, amount: { asset, units }, ...(note !== null && { reason: note }) }),
    ),
    ...silent,
    ...jobs.map(({ id, name, payload, attempts, reason, since }) =>
      need('jobParked', id, since, { job: { id, name, about: payload, attempts }, reason }),
    ),
    ...payouts
      .filter((payout) => isStuck(payout, now))
      .map((payout) => {
        const { id, network, asset, units, requestedAt } = payout;
        return need('payoutWaits', id, requestedAt, { network, amount: { asset, units }, payout });
      }),
    ...atBanks.map(({ kind, name, since, ...about }) => need(kind, name, since, about)),
    ...withdrawals.map(({ id, network, asset, units, address, memo, requestedAt }) =>
      need('withdrawal', id, requestedAt, {
        network,
        amount: { asset, units },
        reason: goalText(network, address, memo),
      }),
    ),
    ...returns.map(({ id, network, asset, units, address, memo, requestedAt }) =>
      need('returnWaits', id, requestedAt, {
        network,
        amount: { asset, units },
        reason: goalText(network, address, memo),
      }),
    ),
    ...adoptions.map(({ id, network, asset, units, reason, requestedAt }) =>
      need('ownWaits', id, requestedAt, { network, amount: { asset, units }, reason }),
    ),
    ...crumbAdoptions.map(({ id, network, asset, count, units, reason, requestedAt }) => {
      const why = `${count} small payments: ${reason}`;
      return need('ownWaits', id, requestedAt, { network, amount: { asset, units }, reason: why });
    }),
    ...unmatched.map(({ id, network, asset, units, sender, memo, seenAt, returnId, returnFailure }) =>
      need('unmatched', id, seenAt, {
        network,
        amount: { asset, units },
        sender,
        memo,
        isReturning: returnId !== null || returning.has(id),
        ...(returnFailure !== null && { reason: returnFailure }),
      }),
    ),
    ...(failing ? [need('mailFails', '', failing.since, { count: failing.count, reason: failing.error })] : []),
    ...signUps.map(({ id, business, askedAt }) => need('signUp', id, askedAt, { who: business })),
    ...(refused ? [need('mailRefused', '', refused.since, { count: refused.count })] : []),
  ];
  // What is on its way back needs nobody, and what shall go back, or be our own, is told as that.
  return needs.filter(({ isReturning }) => isReturning !== true);
}

const goalText = (network: string, address: string, memo: string | null): string =>
  `To ${printedAddress(network, address)}${memo === null ? '' : `, memo ${memo}`}`;

const need = (
  kind: HouseNeedKind,
  name: string,
  since: Date,
  about: Omit<HouseNeed, 'kind' | 'name' | 'since'>,
): HouseNeed => ({ kind, name: `${kind}.${name}`, since, ...about });

/** One that never answered is silent too. */
async function silentNetworks({ db, networks }: HouseNeedDeps, now: Date): Promise<HouseNeed[]> {
  const statuses = new Map((await loadNetworkStatus(db)).map((status) => [status.network, status]));
  return networks.flatMap((network) => {
    const status = statuses.get(network);
    if (isNetworkUp(status, now)) return [];
    const since = status?.failingSince ?? status?.observedAt ?? now;
    return [need('networkSilent', network, since, { network, ...(status?.lastError && { reason: status.lastError }) })];
  });
}

/** Signed and in no block for hours, or not even signed: for want of coins, of a fee that pays, or of the network. */
export const isStuck = (
  { network, state, requestedAt, signedAt, isIncluded, isUnpaid, isHeldBack, isInDoubt }: WaitingPayout,
  now: Date,
): boolean => {
  // It waits for a payment of the merchant's customer, or because the merchant is suspended, as it should.
  if (isIncluded || isUnpaid || isHeldBack || isInDoubt) return false;
  // What waits there too long is told of the file that it is in, or should be.
  if (isPaidByFile(network)) return false;
  if (state === 'SIGNED') return signedAt !== null && signedAt <= addMs(now, -unconfirmedMs);
  return requestedAt <= addMs(now, -unsignedMs);
};
