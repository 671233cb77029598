/**
 * Which payments an entry consists of. Details count where their amounts come to the entry's, or come to it with the charges
 * that the bank tells of; where they do not, nobody can say what each of them brought, and the entry is one. A single credit
 * is the entry, also if it names more: charges were taken on the way. But where it names less, or the bank says that it was
 * several, it is not all that came.
 */
import {
  type AmountTold,
  type BankDetail,
  type BankEntry,
  type Charge,
  type Direction,
  nobody,
  opposite,
  signedUnits,
} from './bank-statement.ts';
import type { ToldDetail } from './camt-detail.ts';

type Entry = Pick<BankEntry, 'units' | 'currency' | 'direction' | 'servicerRef' | 'batches' | 'charges'>;
export type SettledDetails = Pick<BankEntry, 'details' | 'unproven'>;

export function settleDetails(entry: Entry, told: readonly ToldDetail[]): SettledDetails {
  const [first, ...others] = told;
  if (!first) return { details: [whole(entry, nothingTold)], unproven: [] };
  const isPart = entry.direction === 'credit' && (countOf(entry) > told.length || isLess(entry, told));
  const isAlone = others.length === 0 && !isPart;
  if (isAlone && entry.direction === 'credit') return { details: [whole(entry, first.detail)], unproven: [] };
  const charges = chargesOf(entry, told);
  // Where a bank names both what it booked and what was ordered, a payment of ours is what was ordered.
  const isOrdered = ({ units }: AmountTold): boolean =>
    isAlone && signedUnits({ ...entry, units }) + sumOf(charges) === signedUnits(entry);
  const amounts = told.map((each) => {
    const named = each.amounts.filter(({ currency }) => currency === entry.currency);
    return named.find(isOrdered) ?? named[0];
  });
  const details = told.map(
    (each, place): BankDetail => ({
      ...each.detail,
      servicerRef: each.detail.servicerRef ?? (isAlone ? entry.servicerRef : null),
      units: amounts[place]?.units ?? 0n,
      direction: each.direction ?? entry.direction,
    }),
  );
  const isTold = !isPart && amounts.every((amount) => amount !== undefined);
  const missing = signedUnits(entry) - sumOf(details);
  if (isTold && missing === 0n && !isAlone) return { details, unproven: [] };
  if (isTold && charges.length > 0 && missing === sumOf(charges))
    return { details: [...details, ...charges.map(chargeDetail)], unproven: [] };
  if (isAlone) return { details: [whole(entry, first.detail)], unproven: [] };
  return { details: [whole(entry, nothingTold)], unproven: details };
}

/** Of one alone, in every amount that it names in the currency of the account. */
function isLess({ units, currency }: Entry, [only, ...others]: readonly ToldDetail[]): boolean {
  const named = (only?.amounts ?? []).filter((each) => each.currency === currency);
  return others.length === 0 && named.length > 0 && named.every((each) => each.units < units);
}

const sumOf = (booked: readonly { readonly units: bigint; readonly direction: Direction }[]): bigint =>
  booked.reduce((sum, each) => sum + signedUnits(each), 0n);

/**
 * What the bank took for itself in this booking. Told at the payments they count where money left: of what came, a charge may
 * have been taken from the payment or from us, and nobody could say which.
 */
function chargesOf(entry: Entry, told: readonly ToldDetail[]): readonly Charge[] {
  const ofDetails = entry.direction === 'debit' ? told.flatMap(({ detail }) => detail.charges) : [];
  const charges = entry.charges.length > 0 ? entry.charges : ofDetails;
  const isOfEntry = ({ isIncluded, currency, units }: Charge): boolean =>
    isIncluded !== false && currency === entry.currency && units !== 0n;
  return charges.filter(isOfEntry);
}

const chargeDetail = ({ units, direction }: Charge): BankDetail => ({
  ...nothingTold,
  units,
  direction,
  isCharge: true,
});

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
