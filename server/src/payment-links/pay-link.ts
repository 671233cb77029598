/**
 * Somebody goes on to pay a link: a hosted checkout is created from it, by the rules of all others.
 *
 * What is to be made once (a form that was shown, a reference that was signed) is looked for under the lock of the link.
 * Whether there is a place left is said here; it is taken when a way to pay is chosen (`take-places`).
 */
import { checkoutBody } from '@quittance/contract/checkout';
import type { AssetCatalog } from '../catalog/asset-catalog.ts';
import type { Checkout } from '../checkouts/checkout.ts';
import { checkoutProblems } from '../checkouts/checkout-problems.ts';
import { findCheckout, insertCheckouts } from '../checkouts/checkout-store.ts';
import { type CreateDeps, createCheckout } from '../checkouts/create-checkout.ts';
import type { Query, Tx } from '../db/database.ts';
import { readInput } from '../http/read-input.ts';
import { present } from '../lib/assert.ts';
import type { Encryption } from '../lib/encryption.ts';
import { invalidRequest } from '../lib/errors.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { compare, decimal } from '../money/decimal.ts';
import { readLinkAmount, type SentToLink } from './link-amount.ts';
import type { PaymentLink } from './payment-link.ts';
import { paymentLinkClosed, paymentLinkUsedUp, referenceTaken, shopSuspended } from './payment-link-errors.ts';
import { findMadeOnce, insertLinkCheckout, lockPaymentLink } from './payment-link-store.ts';
import { countPlaces } from './take-places.ts';

export type PayLinkDeps = Omit<CreateDeps, 'batches'> & {
  readonly assets: AssetCatalog;
  readonly encryption: Encryption;
};

/** Throws what whoever opens it is told. */
export async function demandPayable(
  db: Query,
  merchant: Pick<Merchant, 'suspended'>,
  link: PaymentLink,
  now: Date,
): Promise<void> {
  if (link.closedAt) throw paymentLinkClosed();
  if (merchant.suspended) throw shopSuspended();
  if (link.paymentsMax === null) return;
  if ((await countPlaces(db, link, now)) >= link.paymentsMax) throw paymentLinkUsedUp();
}

/** The id of the checkout: a new one, or the one that the same form or reference has led to. */
export async function payLink(
  deps: PayLinkDeps,
  merchant: Merchant,
  link: PaymentLink,
  sent: SentToLink & { readonly form: string | null },
): Promise<string> {
  const { amount, reference } = readLinkAmount(deps, link, sent);
  // A donor who goes back and says another amount wants another checkout.
  const once = reference === null ? sent.form && `form:${sent.form}:${amount}` : `reference:${reference}`;
  const before = once === null ? null : await findMadeOnce(deps.db, link, once);
  if (before !== null) return sameAgain(deps.db, merchant.id, before, amount);
  await demandPayable(deps.db, merchant, link, deps.clock.now());

  const payload = payloadOf(link, amount, reference);
  const body = readInput(checkoutBody, payload, { name: 'The payment link' });
  const problems = await checkoutProblems(deps, merchant, body);
  if (problems.length > 0) throw invalidRequest(problems);

  let earlier: string | null = null;
  const store = (checkout: Checkout): Promise<void> =>
    deps.db.begin(async (tx) => {
      earlier = await storeOnce(tx, checkout);
    });

  async function storeOnce(tx: Tx, checkout: Checkout): Promise<string | null> {
    const locked = present(await lockPaymentLink(tx, link), `payment link ${link.id}`);
    const made = once === null ? null : await findMadeOnce(tx, link, once);
    if (made !== null) return made;
    await demandPayable(tx, merchant, locked, deps.clock.now());
    await insertCheckouts(tx, [checkout]);
    await insertLinkCheckout(tx, link, { checkoutId: checkout.id, once, at: checkout.createdAt });
    return null;
  }

  const batches = { insert: ({ checkout }: { readonly checkout: Checkout }) => store(checkout) };
  const { id } = await createCheckout({ ...deps, batches }, merchant, {
    body,
    payload,
    apiKey: link.apiKey,
    type: 'HOSTED',
    origin: 'PAYMENT_LINK',
    remember: null,
  });
  return earlier === null ? id : sameAgain(deps.db, merchant.id, earlier, amount);
}

/** Who has the same reference with another amount must not be led to a checkout of the first one. */
async function sameAgain(db: Query, merchantId: string, id: string, amount: string): Promise<string> {
  const { total } = present(await findCheckout(db, merchantId, id), `checkout ${id}`);
  if (compare(total, decimal(amount)) !== 0) throw referenceTaken();
  return id;
}

/** As the API would be asked for it. */
function payloadOf(link: PaymentLink, amount: string, reference: string | null) {
  const { settlementAsset, webhook, meta, pageSettings } = link;
  return {
    charge: {
      billingCurrency: link.currency,
      lineItems: [{ description: link.description, netAmount: amount }],
    },
    ...(settlementAsset !== null && { settlementAsset }),
    ...(webhook !== null && { webhook }),
    pageSettings: reference === null ? pageSettings : { ...pageSettings, orderReference: reference },
    ...(meta !== null && { meta }),
    paymentLinkId: link.id,
  };
}
