/** By what people know a payment, where what we call it is a mark of our own that nobody else knows. */
import type { Day } from '../../lib/local-day.ts';
import type { InWords } from './payer-instructions.ts';
import type { Observation } from './receiving.ts';

export type KnownAs = {
  /** What the memo of a target is called: whoever pays was asked to write it. */
  readonly reference: InWords;
  /** What the name of what we sent is called. */
  readonly sentName: InWords;
  /** What came, as the network told it (`Observation.trace`). */
  booking(trace: Observation['trace']): ShownBooking;
  /** What we sent, by what we call its transaction; null: by nothing that the network knows. */
  sent(txHash: string): string | null;
  /** Whose such a name is: the id of the checkout, deposit or payout; null: it is no such name. */
  ownerOf(name: string): string | null;
};

/** In the words of a bank's statement, and harmless to show, whoever wrote them. Null: it was not told. */
export type ShownBooking = {
  readonly day: Day | null;
  readonly payer: { readonly name: string | null; readonly account: string | null };
  /** What the bank that tells of it calls it. */
  readonly bankReference: string | null;
  /** What whoever paid calls it. */
  readonly endToEndId: string | null;
};
