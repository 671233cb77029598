/**
 * What at banks waits for a person: statements that are missing, files that were not accepted, payments that no file was made of,
 * files that nobody fetched, and files of which nothing is heard.
 */
import { askedSinceStatement } from '../bank-files/document-list-store.ts';
import { listFolderFiles } from '../bank-files/folder-file-store.ts';
import { findPaymentFiles, type PaymentFile } from '../bank-files/payment-file-store.ts';
import { findNetwork } from '../catalog/network-catalog.ts';
import type { Query } from '../db/database.ts';
import { addMs, hours, minutes } from '../lib/clock.ts';
import { openFiles, sumQueued } from '../sending/file-order-store.ts';

export type BankNeed = {
  readonly kind:
    | 'unfiled'
    | 'fileNotFetched'
    | 'fileNotBooked'
    | 'fileRefused'
    | 'fileStuck'
    | 'fileWaits'
    | 'noStatement';
  readonly name: string;
  readonly since: Date;
  readonly network: string;
  readonly count?: number;
  /** Of a file in the folder, and why it was not taken. */
  readonly fileName?: string;
  readonly reason?: string;
  readonly amount?: { readonly asset: string; readonly units: bigint };
  readonly fileId?: string;
};

/** Networks that are paid from by files, which people make: what waits there is not stuck. */
export const isPaidByFile = (network: string): boolean => findNetwork(network)?.endOfBankingDays !== undefined;

/** Who makes a file downloads it. */
const unfetchedMs = hours(1);
const unfiledDays = 1;
const silentDays = 3;
/** Whoever sees a file there says so every minute. */
export const folderSeenMs = minutes(10);
export const folderFilesMax = 200;
const earlyMs = minutes(10);
const unbookedDays = 3;

export async function bankNeeds(db: Query, networks: readonly string[], now: Date): Promise<BankNeed[]> {
  const needs = await Promise.all(networks.filter(isPaidByFile).map((network) => needsOf(db, network, now)));
  return [...needs.flat(), ...(await folderNeeds(db, now))];
}

const folderKinds = { WAITS: 'fileWaits', REFUSED: 'fileRefused', STUCK: 'fileStuck' } as const;

/** Those that lie in the folder. One that is too early has some minutes: what is missing may be on its way. */
async function folderNeeds(db: Query, now: Date): Promise<BankNeed[]> {
  const files = await listFolderFiles(db, addMs(now, -folderSeenMs), folderFilesMax);
  return files
    .filter(({ state, since }) => state !== 'WAITS' || since <= addMs(now, -earlyMs))
    .map(({ network, name: fileName, state, why: reason, since }) => {
      return { kind: folderKinds[state], name: `${network}.${fileName}`, since, network, fileName, reason };
    });
}

async function needsOf(db: Query, network: string, now: Date): Promise<BankNeed[]> {
  const isOver = (since: Date, days: number): boolean => {
    const end = findNetwork(network)?.endOfBankingDays?.(since, days);
    return end !== undefined && end <= now;
  };
  const isQuiet = ({ state, madeAt, downloadedAt, voidAt }: PaymentFile): boolean =>
    state === 'MADE' ? madeAt <= addMs(now, -unfetchedMs) : isOver(voidAt ?? downloadedAt ?? madeAt, unbookedDays);
  const [sums, waitingSince, files] = await Promise.all([
    sumQueued(db, network, now),
    askedSinceStatement(db, network),
    findPaymentFiles(db, await openFiles(db, network)),
  ]);
  return [
    ...(waitingSince !== null && isOver(waitingSince, silentDays)
      ? [{ kind: 'noStatement', name: network, since: waitingSince, network } as const]
      : []),
    ...sums
      .filter(({ since }) => isOver(since, unfiledDays))
      .map(({ asset, units, count, since }): BankNeed => {
        const amount = { asset, units };
        return { kind: 'unfiled', name: `${network}.${asset}`, since, network, count, amount };
      }),
    ...files.filter(isQuiet).map((file): BankNeed => {
      const { id, orderCount: count, madeAt, downloadedAt } = file;
      return file.state === 'MADE'
        ? { kind: 'fileNotFetched', name: id, since: madeAt, network, count, fileId: id }
        : { kind: 'fileNotBooked', name: id, since: downloadedAt ?? madeAt, network, count, fileId: id };
    }),
  ];
}
