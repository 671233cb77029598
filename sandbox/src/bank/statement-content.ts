/**
 * What a statement says, before it is written in anybody's form. A statement is an interval of an account's entries with
 * the balances before and after it; those of one series follow one another without a gap.
 */
import type { Day } from '@quittance/server/lib/local-day';
import type { Entry } from './bank-entry.ts';
import type { BankAccount } from './bank-parties.ts';
import type { BankStyle } from './bank-styles.ts';

/** Reports of a day that is not over, statements, notices of single entries, and the form of the century before. */
export type MessageKind = 'camt.052' | 'camt.053' | 'camt.054' | 'mt940';
export type CamtVersion = '02' | '04' | '06' | '08' | '13';

export const messageKinds: readonly MessageKind[] = ['camt.052', 'camt.053', 'camt.054', 'mt940'];
export const camtVersions: readonly CamtVersion[] = ['02', '04', '06', '08', '13'];

export type StatementForm = {
  readonly kind: MessageKind;
  readonly version: CamtVersion;
  readonly style: BankStyle;
};

/** Remembered, so that it can be written again with the same bytes. */
export type IssuedStatement = {
  readonly id: string;
  readonly account: string;
  readonly kind: MessageKind;
  readonly version: CamtVersion;
  readonly styleName: string;
  readonly issuedAt: string;
  /** Places in the account's book. Each part has the next number of its series. */
  readonly parts: readonly { readonly number: number; readonly from: number; readonly to: number; readonly day: Day }[];
  /** What a report of the running day says is still to come. */
  readonly pending: readonly Entry[];
};

export type Statement = {
  readonly id: string;
  readonly number: number;
  readonly account: BankAccount;
  readonly day: Day;
  readonly opening: bigint;
  readonly closing: bigint;
  readonly entries: readonly Entry[];
  readonly pending: readonly Entry[];
  /** Null: it is whole. */
  readonly page: { readonly number: number; readonly isLast: boolean } | null;
};

/** One file. */
export type StatementFile = {
  readonly messageId: string;
  readonly issuedAt: Date;
  readonly statements: readonly Statement[];
};
