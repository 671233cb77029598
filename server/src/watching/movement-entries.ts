/** What movements that are no payments post. */
import { chainWallet, operatorAccount } from '../ledger/chart-of-accounts.ts';
import type { Entry, EntryKind, Line } from '../ledger/entry.ts';
import { opposite } from '../ledger/entry.ts';
import type { Movement, NewMovement } from '../payments/movement-store.ts';

/** A kind that explains a movement. What a reversal takes from its payment is booked by whoever owns the payment. */
export type ExplainedKind = Exclude<Movement['kind'], 'UNKNOWN' | 'REVERSAL'>;

/**
 * A fee is a cost. Interest is the operator's own, as what the operator moves is: nobody else has a claim to what a bank
 * gives, and costs stay what was taken for moving money. What nobody has explained waits in suspense.
 */
const counterparts = {
  FEE: 'costs',
  INTEREST: 'equity',
  OWN_MONEY: 'equity',
  UNKNOWN: 'suspense',
  REVERSAL: 'suspense',
} as const;

type Moved = Pick<NewMovement, 'id' | 'network' | 'asset'>;

const movedLines = ({ network, asset }: Moved, kind: Movement['kind'], units: bigint): Line[] => [
  { account: chainWallet(network, asset), units: -units },
  { account: operatorAccount(counterparts[kind], asset), units },
];

const entry = (kind: EntryKind, reference: string, { id }: Moved, lines: Line[]): Entry => ({
  reference,
  kind,
  merchantId: null,
  subject: { kind: 'network_movement', id },
  lines,
});

/** `units`: all of it, less what of a reversal was taken from its payment at once. */
export const receivedMovement = (movement: NewMovement, units: bigint): Entry[] =>
  units === 0n
    ? []
    : [entry('movement_received', `movement/${movement.id}`, movement, movedLines(movement, movement.kind, units))];

/**
 * So many of its open units are explained. They leave suspense, and are what they are said to be; null: somebody else
 * books what they are. What is open gets less with each, so that every one has a name of its own.
 */
export const explainedMovement = (movement: Movement, units: bigint, as: ExplainedKind | null): Entry => {
  const before = opposite(movedLines(movement, 'UNKNOWN', units));
  const reference = `movement/${movement.id}/${movement.openUnits}`;
  return entry(
    'movement_explained',
    reference,
    movement,
    as ? [...before, ...movedLines(movement, as, units)] : before,
  );
};
