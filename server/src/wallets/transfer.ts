import type { Destination } from '../networks/port/sending.ts';
import type { TransferState } from './transfer-state.ts';

/** Money that a merchant sends out of its balance. Units are at the asset's ledger scale. */
export type Transfer = Destination & {
  readonly merchantId: string;
  readonly id: string;
  readonly apiKey: string;
  readonly state: TransferState;
  readonly network: string;
  readonly asset: string;
  readonly units: bigint;
  readonly networkFeeUnits: bigint;
  readonly serviceFeeUnits: bigint;
  /** The network's fee in the asset in which it is taken. Null: quoted before that was kept. */
  readonly heldFeeUnits: bigint | null;
  /** What an attempt that failed was charged with, in the asset that was to be sent. */
  readonly costUnits: bigint;
  readonly targetAccountId: string | null;
  readonly targetLabel: string | null;
  readonly usableFrom: Date;
  /** An actor; of earlier releases an API key. */
  readonly approvedBy: string | null;
  readonly approvedAt: Date | null;
  readonly webhook: string | null;
  readonly meta: unknown;
  readonly failure: string | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  /** What `sending` says: a transaction for it is signed, and which. */
  readonly isSigned: boolean;
  readonly txHash: string | null;
};

type Fees = Pick<Transfer, 'networkFeeUnits' | 'serviceFeeUnits'>;

export const feeUnitsOf = ({ networkFeeUnits, serviceFeeUnits }: Fees): bigint => networkFeeUnits + serviceFeeUnits;
export const totalUnitsOf = (transfer: Fees & Pick<Transfer, 'units'>): bigint => transfer.units + feeUnitsOf(transfer);
