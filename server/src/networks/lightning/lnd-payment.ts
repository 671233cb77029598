/**
 * The parts of LND's outgoing payments that we read. The node knows each payment by its hash, and pays a hash only
 * once.
 */
import { LndRefusal, type LndRest, notFoundCode } from './lnd-rest.ts';

export type LndPayment = {
  readonly status: 'INITIATED' | 'IN_FLIGHT' | 'SUCCEEDED' | 'FAILED';
  readonly value_msat: string;
  readonly fee_msat: string;
  readonly creation_time_ns: string; // of the last time that it was begun
  readonly failure_reason?: string;
  readonly htlcs?: readonly { readonly resolve_time_ns?: string }[];
};

/** Null: the node has never begun this payment. */
export async function findPayment(lnd: LndRest, hash: string): Promise<LndPayment | null> {
  // Bytes in a path are base64 for URLs. The first message says how things are; later ones say only what changes.
  const name = Buffer.from(hash, 'hex').toString('base64').replaceAll('+', '-').replaceAll('/', '_');
  try {
    return await lnd.first<LndPayment>('GET', `/v2/router/track/${name}`);
  } catch (error) {
    // A path that a node does not have gives "Not Found" with the same number.
    if (error instanceof LndRefusal && error.code === notFoundCode && /payment/.test(error.message)) return null;
    throw error;
  }
}

const reasons: Readonly<Record<string, string>> = {
  FAILURE_REASON_TIMEOUT: 'No way to the recipient was found in time.',
  FAILURE_REASON_NO_ROUTE: 'There is no way to the recipient within the fee limit.',
  FAILURE_REASON_INCORRECT_PAYMENT_DETAILS: 'The recipient refused it: the invoice is unknown there, paid or expired.',
  FAILURE_REASON_INSUFFICIENT_BALANCE: 'The channels of our node hold too little.',
  FAILURE_REASON_CANCELED: 'It was cancelled at our node.',
};

export const failureOf = ({ failure_reason: reason = '' }: LndPayment): string =>
  reasons[reason] ?? `Our node could not send it${reason === '' ? '' : ` (${reason})`}.`;

/** When its last part was settled. */
export function settledAt({ htlcs = [], creation_time_ns: begun }: LndPayment): Date {
  const last = htlcs.map(({ resolve_time_ns: time = '0' }) => BigInt(time)).reduce((a, b) => (a > b ? a : b), 0n);
  return new Date(Number((last || BigInt(begun)) / 1_000_000n));
}
