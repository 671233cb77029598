import type { Query } from '../db/database.ts';
import { mailsDoNotArrive } from './customer-errors.ts';
import { findMailAddress } from './mail-address-store.ts';
import { addressHash } from './mail-token.ts';

/** For what somebody of the shop wants to be mailed: they are told at once. That status mails are stopped is no reason, for it is asked for. */
export async function demandReachable(query: Query, merchantId: string, email: string): Promise<void> {
  const { failure } = await findMailAddress(query, { merchantId, addressHash: addressHash(email) });
  if (failure !== null) throw mailsDoNotArrive();
}
