/**
 * A shop whose orders are as large as the contract allows, in every state that a payer can meet, with customers, links and
 * papers to match: what `loop-budget` asks for. 60.00 USD are 0.001 BTC.
 */
import assert from 'node:assert/strict';
import { endpoints } from '@quittance/contract/endpoints';
import { addressHash, createMailToken } from '../src/counterparties/mail-token.ts';
import { createEncryption } from '../src/lib/encryption.ts';
import { changeLook } from '../src/merchants/change-brand.ts';
import { createBrandingKey } from '../src/merchants/change-brand-domain.ts';
import { createPreviewToken } from '../src/merchants/preview-token.ts';
import { type AccountWorld, accountsAt, sessionCookie } from './account-world.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { type Filling, filled, largestBody, largestOf } from './largest-requests.ts';
import { type MailServer, mailSettings, startMailServer } from './mail-server.ts';
import { aBitcoinAddress, type RefundWorld, refundWorldAt, sendingKeys } from './refund-world.ts';
import type { Shop } from './shop.ts';

export type LargestWorld = {
  readonly gateway: Gateway;
  readonly world: RefundWorld;
  readonly accounts: AccountWorld;
  readonly shop: Shop;
  stop(): Promise<void>;
};

/** Orders of one shop, by what became of them. */
export type Orders = Readonly<Record<'created' | 'pending' | 'paid' | 'underpaid' | 'refunded' | 'expired', string>>;

export async function startLargestWorld(): Promise<LargestWorld> {
  const mail: MailServer = await startMailServer();
  const gateway = await startGateway({
    hasAccount: true,
    env: { ...sendingKeys, ...mailSettings(mail), SIGN_UP: 'open' },
  });
  const world = await refundWorldAt(gateway);
  return {
    gateway,
    world,
    accounts: accountsAt(gateway),
    shop: await world.shop(),
    async stop() {
      await gateway.stop();
      await mail.stop();
    },
  };
}

const longUrl = `https://shop.example/${'a-b/'.repeat(500)}`;

/** A charge of 60.00 USD and a bit, in as many rows of each kind as fit: a share of them, of what the contract allows. */
export const largestCharge =
  (filling: Filling, more: object = {}) =>
  (share: number): object => {
    const rows = Math.max(1, Math.floor(500 * share));
    const text = filled(filling, 200);
    const each = (whole: number): string => `${(whole / rows).toFixed(16)}01`;
    const row = (whole: number) => ({ description: text, netAmount: each(whole) });
    const repeat = <T>(item: T): T[] => Array.from({ length: rows }, () => item);
    return {
      charge: {
        billingCurrency: 'USD',
        lineItems: repeat({ ...row(60), quantity: '1.000000000000000001', productId: filled(filling, 20) }),
        discountItems: repeat(row(5)),
        shippingCostItems: repeat({ ...row(5), taxable: true }),
        taxItems: repeat({ name: text, percent: '0.000000000000000001' }),
        ...more,
      },
      settlementAsset: 'ORIGIN',
      pageSettings: {
        returnUrl: longUrl,
        cancelUrl: longUrl,
        shopName: filled(filling, 100),
        orderReference: filled(filling, 30),
        displayBuyerInfo: true,
        displaySellerInfo: true,
      },
    };
  };

type Fields = Record<string, unknown>;

export function largestCustomer(filling: Filling, email: string): { readonly customer: Fields } {
  const { customer } = largestOf(endpoints.createCustomer.body, filling) as { customer: Fields };
  return { customer: { ...customer, id: null, email } };
}

export async function makeCustomer(shop: Shop, filling: Filling, email: string): Promise<string> {
  return (await shop.post('/customer', largestCustomer(filling, email))).customerId;
}

export async function makeOrder(shop: Shop, filling: Filling, customerId: string): Promise<string> {
  const raw = largestBody(largestCharge(filling, { customerId }));
  const { status, body } = await shop.request('POST', '/checkout/hosted', undefined, { raw });
  assert.equal(status, 200, JSON.stringify(body));
  return body.id;
}

export async function makeOrders(
  { gateway, world, shop }: LargestWorld,
  filling: Filling,
  customerId: string,
): Promise<{ readonly orders: Orders; readonly claim: string }> {
  const committed = async (share: number): Promise<string> => {
    const id = await makeOrder(shop, filling, customerId);
    const { address, amount } = await shop.commit(id, 'BITCOIN');
    if (share > 0) gateway.bitcoin.pay({ address, amount: (Number(amount) * share).toFixed(8) });
    return id;
  };
  const [paid, underpaid, refunded, expired] = [
    await committed(1),
    await committed(0.6),
    await committed(1.6),
    await committed(0),
  ];
  await gateway.runUntilIdle();
  await world.mine(6);
  await world.pass({ minutes: 61 });
  const { claimUrl } = await shop.post('/refund', { checkoutId: underpaid, amount: '0.0003' });
  await shop.post('/refund', { checkoutId: refunded, amount: '0.0003', address: aBitcoinAddress() });
  await world.send();
  const created = await makeOrder(shop, filling, customerId);
  const pending = await committed(0);
  return {
    orders: { created, pending, paid, underpaid, refunded, expired },
    claim: new URL(claimUrl).searchParams.get('token') ?? '',
  };
}

export const makeLink = async (shop: Shop, filling: Filling): Promise<string> => {
  const { description, pageSettings, meta } = largestOf(endpoints.createPaymentLink.body, filling) as Fields;
  const { paymentLink } = await shop.post('/payment-link', { description, pageSettings, meta, currency: 'USD' });
  return paymentLink.id;
};

/** Of links that open something without signing in. */
export function tokensOf({ gateway, shop }: LargestWorld): { readonly mails: string; readonly preview: string } {
  const encryption = createEncryption(Buffer.from(String(gateway.env['MASTER_KEY']), 'hex'));
  const { merchantId } = shop.merchant;
  return {
    mails: createMailToken(encryption, { merchantId, addressHash: addressHash('ada@shop.example') }),
    preview: createPreviewToken(encryption, merchantId, gateway.clock.now()),
  };
}

/** What a container on the shop's own domain says. */
export async function openDoor({ gateway, shop }: LargestWorld): Promise<Record<string, string>> {
  const domain = 'pay.largest.example';
  const { merchantId } = shop.merchant;
  await changeLook(gateway, merchantId, { accentColour: '#7c2d12' }, 'operator');
  const wish = { domain, behaviour: 'both', serviceUrl: 'https://pay.test' } as const;
  const { key } = await createBrandingKey(gateway, merchantId, wish, 'operator');
  await gateway.app.refresh();
  return { 'x-ws-branding-key': key.reveal(), 'x-forwarded-for-hostname': domain };
}

/** The cookie of the shop's owner. */
export async function signInOwner({ accounts, shop }: LargestWorld): Promise<string> {
  const owner = await accounts.member('owner', 'owner@shop.example', shop.merchant.merchantId);
  return `${sessionCookie}=${owner.cookie(sessionCookie) ?? ''}`;
}
