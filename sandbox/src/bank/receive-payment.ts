/** Somebody pays the operator: by SEPA, at once, or by SWIFT, where banks on the way take their part. */
import { createHash } from 'node:crypto';
import type { Day } from '@quittance/server/lib/local-day';
import { type Bearer, type Charge, type Detail, type Entry, type EntryKind, sumOf } from './bank-entry.ts';
import { BankRefused } from './bank-ledger.ts';
import {
  type BankAccount,
  correspondents,
  firstCustomer,
  overseasCustomer,
  ownBic,
  type Party,
} from './bank-parties.ts';
import { type Mangling, manglings } from './mangle-text.ts';
import { addBankingDays, bankingDayFrom } from './target-calendar.ts';

export type IncomingPayment = {
  readonly units: bigint;
  readonly by?: 'sepa' | 'instant' | 'swift';
  readonly from?: Party;
  readonly text?: string;
  readonly reference?: string;
  readonly endToEndId?: string;
  /**
   * At once if banks work today; today whatever day it is; or later: announced first on the next banking day, or silently
   * in three of them with the value of today.
   */
  readonly booked?: 'at once' | 'today' | 'next day' | 'late';
  readonly mangled?: Mangling;
  /** Of a payment by SWIFT. */
  readonly bearer?: Bearer;
  readonly feesOnTheWay?: readonly bigint[];
};

/** What the payer's and the payee's bank take of a payment by SWIFT. */
const payersBankFee = 1_200n;
const ownBankFee = 500n;
const usualFees: readonly bigint[] = [1_000n];

const kinds: Readonly<Record<NonNullable<IncomingPayment['by']>, EntryKind>> = {
  sepa: 'transferIn',
  instant: 'instantIn',
  swift: 'swiftIn',
};

export function incomingEntry(payment: IncomingPayment, account: BankAccount, today: Day, id: string): Entry {
  const { units, by = account.currency === 'EUR' ? 'sepa' : 'swift', booked = 'at once', endToEndId } = payment;
  if (units <= 0n) throw new BankRefused('A payment must be of more than nothing.');
  if (by !== 'swift' && account.currency !== 'EUR') throw new BankRefused('Only euros come by SEPA.');
  const charges = by === 'swift' ? chargesOf(payment) : [];
  const received = units - sumOf(charges);
  if (received <= 0n) throw new BankRefused('The banks on the way took all of it.');
  const mangle = payment.mangled === undefined ? (text: string) => text : manglings[payment.mangled];
  const detail: Detail = {
    id: `${id}T`,
    units: received,
    party: payment.from ?? (by === 'swift' ? overseasCustomer : firstCustomer),
    endToEndId: endToEndId ?? null,
    instructionId: null,
    uetr: by === 'swift' ? uetrOf(id) : null,
    text: mangle(payment.text ?? '').slice(0, 140),
    reference: payment.reference === undefined ? null : mangle(payment.reference).slice(0, 35) || null,
    instructed: by === 'swift' ? { units, currency: account.currency } : null,
    charges,
    returned: null,
  };
  // Instant payments know no weekends.
  const valueDay = by === 'instant' || booked === 'today' ? today : bankingDayFrom(today);
  const isLater = booked === 'next day' || booked === 'late';
  const day = isLater ? addBankingDays(today, booked === 'late' ? 3 : 1) : valueDay;
  return {
    id,
    account: account.iban,
    kind: kinds[by],
    units: received,
    day,
    valueDay: booked === 'next day' ? day : valueDay,
    isReversal: false,
    details: [detail],
    batch: null,
  };
}

function chargesOf({ bearer = 'SHA', feesOnTheWay = usualFees }: IncomingPayment): Charge[] {
  if (bearer === 'OUR') return [];
  const onTheWay = feesOnTheWay.map((units, at) => ({
    units,
    bearer,
    bic: correspondents[at % correspondents.length] ?? null,
  }));
  const own: Charge = { units: ownBankFee, bearer, bic: ownBic };
  return bearer === 'SHA' ? [...onTheWay, own] : [{ units: payersBankFee, bearer, bic: null }, ...onTheWay, own];
}

/** In the form of a random UUID, but always the same for one payment. */
export function uetrOf(id: string): string {
  const hex = createHash('sha256').update(id).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
