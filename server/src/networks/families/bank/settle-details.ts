/**
 * Which payments an entry consists of. Details count where their amounts come to the entry's; where they do not, nobody
 * can say what each of them brought, and the entry is one. A single detail is the entry, whatever amount it names: charges
 * were taken on the way. But where the bank says that it was several, one of them is not all that came.
 */
import { type BankDetail, type BankEntry, type Direction, nobody, opposite } from './bank-statement.ts';
import type { ToldDetail } from './camt-detail.ts';

type Entry = Pick<BankEntry, 'units' | 'currency' | 'direction' | 'servicerRef' | 'batches'>;
export type SettledDetails = Pick<BankEntry, 'details' | 'unproven'>;

export function settleDetails(entry: Entry, told: readonly ToldDetail[]): SettledDetails {
  const [first, ...others] = told;
  if (!first) return { details: [whole(entry, nothingTold)], unproven: [] };
  const isPart = entry.direction === 'credit' && countOf(entry) > told.length;
  if (others.length === 0 && !isPart) return { details: [whole(entry, first.detail)], unproven: [] };
  const amounts = told.map((each) => each.amounts.find(({ currency }) => currency === entry.currency));
  const details = told.map(
    (each, place): BankDetail => ({
      ...each.detail,
      units: amounts[place]?.units ?? 0n,
      direction: each.direction ?? entry.direction,
    }),
  );
  const sum = details.reduce(
    (total, each) => total + (each.direction === entry.direction ? each.units : -each.units),
    0n,
  );
  const isProven = !isPart && sum === entry.units && amounts.every((amount) => amount !== undefined);
  return isProven ? { details, unproven: [] } : { details: [whole(entry, nothingTold)], unproven: details };
}

/** Of how many payments a bank says that an entry is the sum. */
export const countOf = ({ batches }: Pick<BankEntry, 'batches'>): number =>
  batches.reduce((sum, { count }) => sum + (count ?? 0), 0);

const whole = ({ units, direction, servicerRef }: Entry, detail: ToldDetail['detail']): BankDetail => ({
  ...detail,
  servicerRef: detail.servicerRef ?? servicerRef,
  units,
  direction,
});

const nothingTold: ToldDetail['detail'] = {
  servicerRef: null,
  txId: null,
  uetr: null,
  endToEndId: null,
  instructionId: null,
  messageId: null,
  paymentInfoId: null,
  mandateId: null,
  code: null,
  charges: [],
  instructed: null,
  returned: null,
  references: [],
  texts: [],
  payer: nobody,
  payee: nobody,
};

/** The same entry, the other way round. */
export const turnedAround = (entry: BankEntry): BankEntry => ({
  ...entry,
  direction: opposite[entry.direction],
  details: entry.details.map(turned),
  unproven: entry.unproven.map(turned),
});

const turned = <T extends { readonly direction: Direction }>(booked: T): T => ({
  ...booked,
  direction: opposite[booked.direction],
});
