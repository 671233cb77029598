/**
 * What a bank books. An entry moves an account's balance once; its details are the payments behind it: one, or many that
 * were booked as one sum. Amounts are cents, above zero into the account.
 */
import type { Day } from '@quittance/server/lib/local-day';
import type { Party } from './bank-parties.ts';

export type Money = { readonly units: bigint; readonly currency: string };

/** Who pays what the banks take: the payer all of it, each side its own, the payee all of it. */
export type Bearer = 'OUR' | 'SHA' | 'BEN';
export const bearerCodes: Readonly<Record<Bearer, string>> = { OUR: 'DEBT', SHA: 'SHAR', BEN: 'CRED' };

/** What a bank took out of a payment; the payment's units are what was left. */
export type Charge = { readonly units: bigint; readonly bearer: Bearer; readonly bic: string | null };

export type Detail = {
  /** The bank's own name of the payment. */
  readonly id: string;
  readonly units: bigint;
  /** Who is on the other side. */
  readonly party: Party | null;
  readonly endToEndId: string | null;
  readonly instructionId: string | null;
  /** The name of a payment on its whole way, which SWIFT gives. */
  readonly uetr: string | null;
  readonly text: string;
  /** A reference in a field of its own. */
  readonly reference: string | null;
  /** What the payer ordered, where that is not what came. */
  readonly instructed: Money | null;
  readonly charges: readonly Charge[];
  readonly returned: { readonly code: string; readonly sentence: string } | null;
};

export type Entry = {
  readonly id: string;
  /** The IBAN of the account. */
  readonly account: string;
  readonly kind: EntryKind;
  readonly units: bigint;
  /** When it is booked: of one that is expected, when it will be. */
  readonly day: Day;
  readonly valueDay: Day;
  /** The bank takes back a booking of its own. */
  readonly isReversal: boolean;
  readonly details: readonly Detail[];
  /** The payment file, and the group in it, that was booked as one sum. */
  readonly batch: { readonly messageId: string; readonly groupId: string } | null;
};

type KindCodes = {
  /** ISO 20022: domain, family, sub-family. */
  readonly domain: readonly [string, string, string];
  /** The number that German banks give to a kind of business. */
  readonly germanCode: string;
  /** As it is called on paper. */
  readonly words: string;
};

export const entryKinds = {
  transferIn: { domain: ['PMNT', 'RCDT', 'ESCT'], germanCode: '166', words: 'SEPA-Gutschrift' },
  instantIn: { domain: ['PMNT', 'RRCT', 'ESCT'], germanCode: '168', words: 'Echtzeit-Gutschrift' },
  swiftIn: { domain: ['PMNT', 'RCDT', 'XBCT'], germanCode: '202', words: 'Auslandszahlungseingang' },
  transferOut: { domain: ['PMNT', 'ICDT', 'ESCT'], germanCode: '116', words: 'SEPA-Überweisung' },
  instantOut: { domain: ['PMNT', 'IRCT', 'ESCT'], germanCode: '118', words: 'Echtzeit-Überweisung' },
  swiftOut: { domain: ['PMNT', 'ICDT', 'XBCT'], germanCode: '201', words: 'Auslandsüberweisung' },
  returned: { domain: ['PMNT', 'ICDT', 'RRTN'], germanCode: '159', words: 'Rücküberweisung' },
  recalled: { domain: ['PMNT', 'RCDT', 'RPCR'], germanCode: '159', words: 'Rückruf' },
  fee: { domain: ['ACMT', 'MDOP', 'CHRG'], germanCode: '808', words: 'Entgelt' },
  interest: { domain: ['ACMT', 'MCOP', 'INTR'], germanCode: '814', words: 'Zinsen' },
  ownTransfer: { domain: ['PMNT', 'ICDT', 'BOOK'], germanCode: '116', words: 'Umbuchung' },
  directDebit: { domain: ['PMNT', 'RDDT', 'ESDD'], germanCode: '105', words: 'Lastschrift' },
  correction: { domain: ['ACMT', 'MCOP', 'ADJT'], germanCode: '899', words: 'Storno' },
} as const satisfies Readonly<Record<string, KindCodes>>;

export type EntryKind = keyof typeof entryKinds;

export const sumOf = (items: readonly { readonly units: bigint }[]): bigint =>
  items.reduce((sum, { units }) => sum + units, 0n);

export const absolute = (units: bigint): bigint => (units < 0n ? -units : units);

/** `1234.05`: every currency of this bank has cents. */
export function formatCents(units: bigint): string {
  const digits = String(absolute(units)).padStart(3, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Null: it is no amount in cents. As XML writes a decimal: `5`, `05.00`, `.5`. */
export function readCents(text: string): bigint | null {
  const [, whole = '', fraction = ''] = /^\+?(\d{0,16})(?:\.(\d{0,5}))?$/.exec(text) ?? [];
  // More than two decimals are allowed if they say nothing.
  if (whole + fraction === '' || /[^0]/.test(fraction.slice(2))) return null;
  return BigInt(whole || '0') * 100n + BigInt(fraction.slice(0, 2).padEnd(2, '0'));
}
