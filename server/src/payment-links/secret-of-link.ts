/** What amounts of a link are signed with. For who may charge: such a key can make checkouts of any amount anyway. */
import type { Db } from '../db/database.ts';
import { type Encryption, paymentLinkSecretContext } from '../lib/encryption.ts';
import type { Secret } from '../lib/secret.ts';
import { paymentLinkNotFound } from './payment-link-errors.ts';
import { findPaymentLink, type PaymentLinkKey } from './payment-link-store.ts';

export async function secretOfLink(
  { db, encryption }: { readonly db: Db; readonly encryption: Encryption },
  key: PaymentLinkKey,
): Promise<Secret> {
  const link = await findPaymentLink(db, key);
  if (link?.asks.kind !== 'signed') throw paymentLinkNotFound(key.id);
  return encryption.decrypt(link.asks.secret, paymentLinkSecretContext(link.id));
}
