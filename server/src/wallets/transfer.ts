import type { Asker } from '../http/actor.ts';
import { addMs, hours } from '../lib/clock.ts';
import type { Destination } from '../networks/port/sending.ts';
import type { SlotWait } from '../sending/slot-share.ts';
import type { TransferState } from './transfer-state.ts';

/** Money that a merchant sends out of its balance. Units are at the asset's ledger scale. */
export type Transfer = Destination & {
  readonly merchantId: string;
  readonly id: string;
  /** Null: a person asked. */
  readonly apiKey: string | null;
  readonly requestedBy: Asker;
  readonly state: TransferState;
  readonly network: string;
  readonly asset: string;
  readonly units: bigint;
  readonly networkFeeUnits: bigint;
  readonly serviceFeeUnits: bigint;
  /** The network's fee in the asset in which it takes fees. Null: it was quoted before we stored that. */
  readonly heldFeeUnits: bigint | null;
  /** What the merchant paid for an attempt that failed, in the asset that was to be sent. */
  readonly costUnits: bigint;
  /** What came back after it had arrived. COMPLETED: a part of it; FAILED: all of it. */
  readonly cameBackUnits: bigint;
  readonly cameBackAt: Date | null;
  readonly targetAccountId: string | null;
  readonly targetLabel: string | null;
  readonly usableFrom: Date;
  /** An actor; in rows of earlier releases an API key. */
  readonly approvedBy: string | null;
  readonly approvedAt: Date | null;
  readonly canceledBy: string | null;
  readonly webhook: string | null;
  readonly meta: unknown;
  readonly failure: string | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  /** Why it was passed over, of one that is to be signed next; null: it was not, or nobody has looked at it yet. */
  readonly waitsFor: SlotWait | null;
  /** Whether `sending` has signed a transaction for it, and which. */
  readonly isSigned: boolean;
  readonly txHash: string | null;
};

type Fees = Pick<Transfer, 'networkFeeUnits' | 'serviceFeeUnits'>;

export const feeUnitsOf = ({ networkFeeUnits, serviceFeeUnits }: Fees): bigint => networkFeeUnits + serviceFeeUnits;
export const totalUnitsOf = (transfer: Fees & Pick<Transfer, 'units'>): bigint => transfer.units + feeUnitsOf(transfer);

const tryEveryMs = hours(1);

/** When a transfer that waits may leave: once its destination is usable, and every hour from then on if it is held up. */
export function nextTryOf({ usableFrom }: Pick<Transfer, 'usableFrom'>, now: Date): Date {
  if (now < usableFrom) return usableFrom;
  const tried = Math.floor((now.getTime() - usableFrom.getTime()) / tryEveryMs);
  return addMs(usableFrom, (tried + 1) * tryEveryMs);
}
