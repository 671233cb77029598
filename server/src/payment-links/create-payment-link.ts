/** Something that can be paid many times is offered under an address of its own. Problems with it are told before. */
import { randomBytes } from 'node:crypto';
import type { PaymentLinkBody } from '@quittance/contract/payment-link';
import { type Asker, signingKeyOf } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import type { Clock } from '../lib/clock.ts';
import { type Encryption, paymentLinkSecretContext } from '../lib/encryption.ts';
import { newId } from '../lib/ids.ts';
import { Secret } from '../lib/secret.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import { decimal } from '../money/decimal.ts';
import type { AskedAmount, PaymentLink } from './payment-link.ts';
import { insertPaymentLink } from './payment-link-store.ts';

export type CreateLinkDeps = { readonly clock: Clock; readonly encryption: Encryption };

export async function createPaymentLink(
  { clock, encryption }: CreateLinkDeps,
  request: {
    readonly merchantId: string;
    readonly body: PaymentLinkBody;
    readonly actor: Asker;
    readonly begin: Begin<PaymentLink>;
  },
): Promise<PaymentLink> {
  const { merchantId, body, actor } = request;
  const id = newId();
  const at = clock.now();
  const link: PaymentLink = {
    merchantId,
    id,
    description: body.description,
    currency: body.currency,
    asks: askedAmount(body, () => encryption.encrypt(newLinkSecret(), paymentLinkSecretContext(id))),
    paymentsMax: body.paymentsMax ?? null,
    settlementAsset: body.settlementAsset ?? null,
    webhook: body.webhook ?? null,
    pageSettings: body.pageSettings,
    meta: body.meta ?? null,
    apiKey: signingKeyOf(actor),
    createdBy: actor,
    createdAt: at,
    closedAt: null,
  };
  return request.begin(async (tx) => {
    await Promise.all([
      insertPaymentLink(tx, link),
      insertAudit(tx, { merchantId, at, actor, action: 'payment_link.created', detail: { id } }),
    ]);
    return link;
  });
}

function askedAmount({ amount, amountMin, amountMax, signedOnly }: PaymentLinkBody, seal: () => Buffer): AskedAmount {
  if (amount !== undefined) return { kind: 'fixed', amount: decimal(amount) };
  if (signedOnly) return { kind: 'signed', secret: seal() };
  const limit = (text: string | undefined) => (text === undefined ? null : decimal(text));
  return { kind: 'open', min: limit(amountMin), max: limit(amountMax) };
}

const newLinkSecret = (): Secret => new Secret(randomBytes(32).toString('hex'));
