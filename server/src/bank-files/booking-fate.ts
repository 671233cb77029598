/** What became of a booking, from what is stored of it elsewhere. */
export type BookingFacts = {
  readonly kind: string;
  /** Of the document that told it. */
  readonly documentKind: string;
  readonly isRead: boolean;
  /** Of the payment that it is. */
  readonly ownerId: string | null;
  /** Of what named nobody: whether it still waits. */
  readonly isWaiting: boolean | null;
  /** Likewise: whether it is too small for a person to read. */
  readonly isCrumb: boolean | null;
  /** Likewise: whether staff took it as the operator's own. */
  readonly isOwn: boolean | null;
  readonly movementKind: string | null;
  readonly isOpen: boolean | null;
  readonly assignedAs: string | null;
  /** Of the payment of ours that came back. */
  readonly payoutId: string | null;
};

/** In the order in which they are told. */
export const bookingFates = [
  'matched',
  'unmatched',
  'small',
  'cameBack',
  'takenBack',
  'toExplain',
  'fee',
  'interest',
  'ownMoney',
  'sent',
  'ended',
  'announced',
  'refused',
  'doubted',
  'answer',
  'otherPayments',
  'unread',
] as const;
export type BookingFate = (typeof bookingFates)[number];

export const fateWords: Readonly<Record<BookingFate, string>> = {
  matched: 'Matched',
  unmatched: 'Matched nobody',
  small: 'Matched nobody, and small',
  cameBack: 'Payments of ours that came back',
  takenBack: 'Taken back by the bank',
  toExplain: 'To be explained',
  fee: 'Fees',
  interest: 'Interest',
  ownMoney: 'Our own money',
  sent: 'Payments of ours',
  ended: 'Matched nobody, and dealt with',
  announced: 'Announced',
  refused: 'The bank refuses payments of ours',
  doubted: 'The bank doubts that an account belongs to who is named',
  answer: 'The bank answers a payment file',
  otherPayments: 'The bank answers for payments that were not made here',
  unread: 'Not looked at yet',
};

/** What a person does about it; empty: nothing. */
export const fateAdvice: Readonly<Partial<Record<BookingFate, string>>> = {
  unmatched: 'Waits under Suspense: say for whom it is or that it is our own, or send it back.',
  small: 'One line under Suspense: nobody has to read them one by one.',
  toExplain: 'Waits under Suspense: say what it was.',
  announced: 'It counts when it is booked.',
  refused: 'The payment file says what became of each.',
  doubted: 'Its page says which payment: before anybody signs, ask its merchant who is to be paid.',
  answer: 'Only a booking says that money left.',
  unread: 'A moment, please: look again.',
};

/** These tell of money that a booking tells of too, if it moves: they have no sum. */
export const movesNothing: ReadonlySet<BookingFate> = new Set([
  'announced',
  'refused',
  'doubted',
  'answer',
  'otherPayments',
]);

/** A bank answers for the file, for its batches and for its payments: how often says nothing to a person. */
export const isUncounted = (fate: BookingFate): boolean => movesNothing.has(fate) && fate !== 'announced';

const movementFates: Readonly<Record<string, BookingFate>> = {
  FEE: 'fee',
  INTEREST: 'interest',
  OWN_MONEY: 'ownMoney',
  REVERSAL: 'takenBack',
  PAYOUT: 'sent',
};

/** An answer to a payment file: it moves no money. */
export const answerKind = 'pain.002';
const answerFates: Readonly<Record<string, BookingFate>> = {
  rejected: 'refused',
  'partly-rejected': 'refused',
  'payee-doubted': 'doubted',
  'other-payments': 'otherPayments',
};
/** Of a payment of ours, if it is nobody else's. */
const comesBack: readonly string[] = ['return', 'correction'];

export function bookingFate(facts: BookingFacts): BookingFate {
  const { kind, documentKind, isRead, ownerId, isWaiting, isCrumb, isOwn, movementKind, isOpen, assignedAs, payoutId } =
    facts;
  if (documentKind === answerKind) return answerFates[kind] ?? 'answer';
  if (kind === 'seen') return 'announced';
  if (movementKind !== null) return isOpen ? 'toExplain' : (movementFates[assignedAs ?? movementKind] ?? 'ownMoney');
  if (isWaiting) return isCrumb ? 'small' : 'unmatched';
  if (ownerId !== null) return 'matched';
  if (isOwn) return 'ownMoney';
  if (isWaiting === false) return 'ended';
  if (payoutId !== null) return 'cameBack';
  if (!isRead) return 'unread';
  return comesBack.includes(kind) ? 'cameBack' : 'sent';
}
