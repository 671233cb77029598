/** What the operator orders the bank to pay, and what became of it. */
import type { Day } from '@quittance/server/lib/local-day';
import type { Bearer } from './bank-entry.ts';
import type { Party } from './bank-parties.ts';

/** RCVD waits for a signature; ACSP for its day; ACSC was paid; RJCT was not. */
export type OrderStatus = 'RCVD' | 'ACSP' | 'ACSC' | 'RJCT';

export type Order = {
  readonly id: string;
  readonly messageId: string;
  readonly groupId: string;
  readonly account: string;
  readonly units: bigint;
  readonly currency: string;
  readonly payee: Party;
  /** Where the payee has no IBAN. */
  readonly payeeAccount: string | null;
  readonly instructionId: string | null;
  readonly endToEndId: string;
  readonly text: string;
  readonly reference: string | null;
  readonly isInstant: boolean;
  readonly isSwift: boolean;
  readonly bearer: Bearer;
  /** Whether the bank may book its whole group as one sum. */
  readonly isBatched: boolean;
  readonly requestedDay: Day;
  readonly status: OrderStatus;
  /** Why it was rejected. */
  readonly code: string | null;
  readonly changedAt: string;
  /** The entry by which it came back. */
  readonly returnedBy: string | null;
};

/** A payment file that was taken, even if nothing in it could be paid. */
export type PaymentFile = {
  readonly messageId: string;
  /** `pain.001.001.09` */
  readonly messageName: string;
  readonly count: number;
  readonly controlSum: bigint;
  readonly receivedAt: string;
  /** Null: nobody has signed it yet, so nothing of it is paid. */
  readonly signedOn: Day | null;
};
