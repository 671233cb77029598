/**
 * One story for each endpoint that changes something: how to ask for it once more, and how to see that it happened once.
 * An endpoint without one does not compile. 60.00 USD are 0.001 BTC.
 */
import assert from 'node:assert/strict';
import type { endpoints } from '@quittance/contract/endpoints';
import { changeSettings } from '../src/merchants/change-settings.ts';
import { aCharge, type TestMerchant } from './gateway.ts';
import { aBitcoinAddress, type RefundWorld, received } from './refund-world.ts';
import type { Shop } from './shop.ts';

/** `once`: how often it has happened, given the answer. */
export type Wish = {
  readonly body: Record<string, unknown>;
  readonly as?: TestMerchant;
  readonly once: (answer: any) => Promise<number>;
};
export type KeyStory = {
  readonly shop: Shop;
  /** Something new each time. */
  readonly wish: () => Promise<Wish>;
  /** When all have been asked for, so often. */
  readonly after?: (times: number) => Promise<void>;
};

export type ChangingId = {
  [Id in keyof typeof endpoints]: (typeof endpoints)[Id]['method'] extends 'GET' ? never : Id;
}[keyof typeof endpoints];

const counted = async (rows: Promise<unknown[]>): Promise<number> => (await rows).length;
const changed = async (): Promise<number> => 1; // Changing it to the same twice is changing it once.
const chargeOf = (count: number) => aCharge(`${10 + count}.00 USD`, { meta: { count } });

export function keyStories(world: RefundWorld): Record<ChangingId, () => Promise<KeyStory>> {
  /** Two equal requests in one second are one where a signature is good for once. */
  const later = (): void => world.gateway.clock.advance({ seconds: 1 });

  /** A shop that has been paid 0.1 BTC, and by which checkout. */
  async function paidShop(): Promise<{ shop: Shop; checkoutId: string }> {
    const shop = await world.shop();
    const checkout = await shop.open('6000.00 USD', 'BITCOIN');
    await world.pay(checkout, checkout.amount);
    await world.mine(6);
    return { shop, checkoutId: checkout.id };
  }

  /** A shop that has been paid by a customer, and its invoice. */
  async function invoicedShop(): Promise<{ shop: Shop; paperId: string; number: string }> {
    const shop = await world.shop();
    const { customerId } = await shop.post('/customer', { customer: { email: 'ada@example.com' } });
    const { charge } = aCharge('6000.00 USD') as { charge: object };
    const { id } = await shop.post('/checkout/hosted', {
      charge: { ...charge, customerId },
      settlementAsset: 'ORIGIN',
    });
    const checkout = await shop.commit(id, 'BITCOIN');
    await world.pay(checkout, checkout.amount);
    await world.mine(6);
    const { papers } = await shop.get(`/papers?kind=INVOICE`);
    return { shop, paperId: papers[0].id, number: papers[0].number };
  }

  const audited =
    (shop: Shop, action: string) =>
    async (id: string): Promise<number> => {
      const rows = await world.gateway.db`
      select from audit_log where merchant_id = ${shop.merchant.merchantId} and action = ${action}
         and ${id} in (detail ->> 'id', detail ->> 'refund', detail ->> 'checkoutId')`;
      return rows.length;
    };
  const stories: Record<ChangingId, () => Promise<KeyStory>> = {
    async createCheckout() {
      const shop = await world.shop();
      let count = 0;
      const once = async () =>
        counted(world.gateway.db`select from checkout where merchant_id = ${shop.merchant.merchantId}
                                  and payload -> 'meta' ->> 'count' = ${String(count)}`);
      return { shop, wish: async () => ({ body: chargeOf((count += 1)), once }) };
    },
    async createHostedCheckout() {
      const { shop, wish } = await stories.createCheckout();
      return { shop, wish };
    },
    async commitCheckout() {
      const shop = await world.shop();
      return {
        shop,
        async wish() {
          const checkoutId = await shop.create('60.00 USD');
          const once = () => counted(world.gateway.db`select from commitment where checkout_id = ${checkoutId}`);
          return { body: { checkoutId, network: 'BITCOIN' }, once };
        },
      };
    },
    async cancelCheckout() {
      const shop = await world.shop();
      return {
        shop,
        async wish() {
          const { id } = await shop.open('60.00 USD', 'BITCOIN');
          const once = async () => (await shop.timeline(id)).filter((what) => what === 'canceled').length;
          return { body: { checkoutId: id }, once };
        },
      };
    },
    async acceptUnderpayment() {
      const shop = await world.shop();
      return {
        shop,
        async wish() {
          const { id } = await world.underpaid(shop, '0.0006');
          return { body: { checkoutId: id }, once: () => audited(shop, 'underpayment.accepted')(id) };
        },
      };
    },
    async acceptExcess() {
      const shop = await world.shop();
      return {
        shop,
        async wish() {
          const { id } = await world.paid(shop, '0.0015');
          return { body: { checkoutId: id }, once: () => audited(shop, 'excess.accepted')(id) };
        },
      };
    },
    async createRefund() {
      const { shop, checkoutId } = await paidShop();
      const address = aBitcoinAddress();
      let count = 0;
      return {
        shop,
        async wish() {
          count += 1;
          const meta = String(count);
          const { db } = world.gateway;
          return {
            body: { checkoutId, amount: '0.0001', address, meta: { meta } },
            once: () => counted(db`select from refund where checkout_id = ${checkoutId} and meta ->> 'meta' = ${meta}`),
          };
        },
        async after(times) {
          await world.send();
          assert.equal(await received(world.gateway, address), 10_000n * BigInt(times));
          assert.equal((await shop.balances())['reserved/BTC'], undefined);
        },
      };
    },
    async approveRefund() {
      const { shop, checkoutId } = await paidShop();
      await changeSettings(world.gateway, shop.merchant.merchantId, { refundApprovalAbove: '0' }, 'operator');
      const [clerk, chief] = [
        await world.gateway.createKey(shop.merchant),
        await world.gateway.createKey(shop.merchant),
      ];
      return {
        shop,
        async wish() {
          const asked = await shop.request('POST', '/refund', { checkoutId, amount: '0.0001' }, { as: clerk });
          const { id } = asked.body.refund;
          return {
            body: { id },
            as: chief,
            async once({ claimUrl }) {
              const url = claimUrl.replace('https://pay.test', new URL(world.gateway.url).origin);
              assert.equal((await fetch(url)).status, 200, 'the link of the answer works');
              return audited(shop, 'refund.approved')(id);
            },
          };
        },
      };
    },
    async cancelRefund() {
      const { shop, checkoutId } = await paidShop();
      return {
        shop,
        async wish() {
          later();
          const { id } = (await shop.post('/refund', { checkoutId, amount: '0.0001' })).refund;
          return { body: { id }, once: () => audited(shop, 'refund.canceled')(id) };
        },
      };
    },
    async validateCharge() {
      const shop = await world.shop();
      return { shop, wish: async () => ({ body: { charge: aCharge('60.00 USD')['charge'] }, once: changed }) };
    },
    async createCustomer() {
      const shop = await world.shop();
      let count = 0;
      return {
        shop,
        async wish() {
          const email = `ada-${(count += 1)}@shop.example`;
          const { db } = world.gateway;
          return {
            body: { customer: { email } },
            once: () => counted(db`select from customer where email = ${email}`),
          };
        },
      };
    },
    async changeCustomer() {
      const shop = await world.shop();
      const { customerId: id } = await shop.post('/customer', { customer: { email: 'ada@shop.example' } });
      return { shop, wish: async () => ({ body: { customer: { id, firstname: 'Ada' } }, once: changed }) };
    },
    async deleteCustomer() {
      const shop = await world.shop();
      return {
        shop,
        async wish() {
          const { customerId: id } = await shop.post('/customer', { customer: { email: 'ada@shop.example' } });
          return { body: { id }, once: changed };
        },
      };
    },
    async createBeneficiary() {
      const shop = await world.shop();
      let count = 0;
      return {
        shop,
        async wish() {
          const company = `Engines ${(count += 1)}`;
          const { db } = world.gateway;
          return {
            body: { beneficiary: { company } },
            once: () =>
              counted(db`select from beneficiary where merchant_id = ${shop.merchant.merchantId}
                                    and fields ->> 'company' = ${company}`),
          };
        },
      };
    },
    async changeBeneficiary() {
      const shop = await world.shop();
      const { beneficiaryId: id } = await shop.post('/beneficiary', { beneficiary: { company: 'Engines' } });
      return { shop, wish: async () => ({ body: { beneficiary: { id, townName: 'Paris' } }, once: changed }) };
    },
    async deleteBeneficiary() {
      const shop = await world.shop();
      return {
        shop,
        async wish() {
          const { beneficiaryId: id } = await shop.post('/beneficiary', { beneficiary: { company: 'Engines' } });
          return { body: { id }, once: changed };
        },
      };
    },
    async saveTargetAccount() {
      const shop = await world.shop();
      const { targetAccountId: id } = await shop.post('/target-account', {
        label: 'Rent',
        network: 'BITCOIN',
        address: aBitcoinAddress(),
      });
      let count = 0;
      return {
        shop,
        async wish() {
          count += 1;
          const body = { id, label: `Rent ${count}` };
          const { db } = world.gateway;
          const once = () =>
            counted(db`select from audit_log where action = 'target_account.changed'
                        and detail ->> 'id' = ${id} and detail ->> 'label' = ${body.label}`);
          return { body, once };
        },
      };
    },
    async deleteTargetAccount() {
      const shop = await world.shop();
      return {
        shop,
        async wish() {
          const { targetAccountId: id } = await shop.post('/target-account', {
            label: 'Rent',
            network: 'BITCOIN',
            address: aBitcoinAddress(),
          });
          return { body: { id }, once: () => audited(shop, 'target_account.deleted')(id) };
        },
      };
    },
    async createDeposit() {
      const shop = await world.shop();
      let count = 0;
      return {
        shop,
        async wish() {
          const mark = String((count += 1));
          const { db } = world.gateway;
          return {
            body: { network: 'BITCOIN', meta: { mark } },
            once: () =>
              counted(db`select from deposit where merchant_id = ${shop.merchant.merchantId}
                                    and meta ->> 'mark' = ${mark}`),
          };
        },
      };
    },
    async closeDeposit() {
      const shop = await world.shop();
      return {
        shop,
        async wish() {
          const { id } = await shop.post('/deposit-address', { network: 'BITCOIN' });
          return { body: { id }, once: () => audited(shop, 'deposit.closed')(id) };
        },
      };
    },
    async createCreditNote() {
      const { shop, paperId } = await invoicedShop();
      let count = 0;
      const once = () =>
        counted(world.gateway.db`select from paper where merchant_id = ${shop.merchant.merchantId}
                                  and facts -> 'corrects' -> 'reason' ->> 'text' = ${`Reason ${count}`}`);
      return {
        shop,
        wish: async () => ({ body: { paperId, amount: '0.01', reason: `Reason ${(count += 1)}` }, once }),
      };
    },
    async sendPaper() {
      const { shop, paperId, number } = await invoicedShop();
      return {
        shop,
        async wish() {
          await world.pass({ hours: 1 });
          const before = await audited(shop, 'paper.sent')(number);
          return { body: { id: paperId }, once: async () => (await audited(shop, 'paper.sent')(number)) - before };
        },
      };
    },
    async createPaymentLink() {
      const shop = await world.shop();
      let count = 0;
      const once = () =>
        counted(world.gateway.db`select from payment_link where merchant_id = ${shop.merchant.merchantId}
                                  and description = ${`Cup ${count}`}`);
      return {
        shop,
        wish: async () => ({ body: { description: `Cup ${(count += 1)}`, currency: 'USD', amount: '60' }, once }),
      };
    },
    async closePaymentLink() {
      const shop = await world.shop();
      return {
        shop,
        async wish() {
          const { paymentLink } = await shop.post('/payment-link', { description: 'Cup', currency: 'USD' });
          const { id } = paymentLink;
          return { body: { id }, once: () => audited(shop, 'payment_link.closed')(id) };
        },
      };
    },
    async createSwap() {
      const { shop } = await paidShop();
      let count = 0;
      return {
        shop,
        async wish() {
          count += 1;
          return {
            body: { sourceAsset: 'BTC', targetAsset: 'USDC', sourceAmount: '0.0001', meta: { count } },
            async once({ swap }) {
              assert.equal(swap.state, 'COMPLETED');
              assert.equal((await shop.balances())['available/BTC'], String(9_950_000 - 10_000 * count));
              return (await shop.get('/swaps?limit=100')).swaps.filter(({ meta }: any) => meta.count === count).length;
            },
          };
        },
      };
    },
    async createTransfer() {
      const { shop } = await paidShop();
      const address = aBitcoinAddress();
      let count = 0;
      return {
        shop,
        async wish() {
          count += 1;
          return {
            body: { network: 'BITCOIN', asset: 'BTC', amount: '0.0001', address, meta: { count } },
            async once({ transfer }) {
              assert.equal(transfer.state, 'QUEUED');
              const { transfers } = await shop.get('/transfers?limit=100');
              return transfers.filter(({ meta }: any) => meta.count === count).length;
            },
          };
        },
        async after(times) {
          await world.send();
          assert.equal(await received(world.gateway, address), 10_000n * BigInt(times));
          assert.equal((await shop.balances())['reserved/BTC'], undefined);
        },
      };
    },
    async approveTransfer() {
      const { shop } = await paidShop();
      await changeSettings(world.gateway, shop.merchant.merchantId, { transferApprovalAbove: '0' }, 'operator');
      const [clerk, chief] = [
        await world.gateway.createKey(shop.merchant),
        await world.gateway.createKey(shop.merchant),
      ];
      const address = aBitcoinAddress();
      return {
        shop,
        async wish() {
          later();
          const order = { network: 'BITCOIN', asset: 'BTC', amount: '0.0001', address };
          const { id } = (await shop.request('POST', '/transfer', order, { as: clerk })).body;
          return { body: { id }, as: chief, once: () => audited(shop, 'transfer.approved')(id) };
        },
        async after(times) {
          await world.send();
          assert.equal(await received(world.gateway, address), 10_000n * BigInt(times));
        },
      };
    },
    async cancelTransfer() {
      const { shop } = await paidShop();
      return {
        shop,
        async wish() {
          later();
          const order = { network: 'BITCOIN', asset: 'BTC', amount: '0.0001', address: aBitcoinAddress() };
          const { id } = await shop.post('/transfer', order);
          return { body: { id }, once: () => audited(shop, 'transfer.canceled')(id) };
        },
        async after() {
          assert.equal((await shop.balances())['available/BTC'], '9950000');
        },
      };
    },
    async deleteExport() {
      const shop = await world.shop();
      return {
        shop,
        async wish() {
          const { export: made } = await shop.post('/reports/exports', { list: 'customers' });
          return { body: { id: made.id }, once: changed };
        },
      };
    },
    async createExport() {
      const shop = await world.shop();
      const { merchantId } = shop.merchant;
      return {
        shop,
        async wish() {
          const { db } = world.gateway;
          // Only so many are kept at once.
          await db`update export set state = 'DELETED' where merchant_id = ${merchantId} and state = 'READY'`;
          const before = await counted(db`select from export where merchant_id = ${merchantId}`);
          const once = async () => (await counted(db`select from export where merchant_id = ${merchantId}`)) - before;
          return { body: { list: 'customers' }, once };
        },
      };
    },
    async redeliverWebhook() {
      const { shop, checkoutId } = await paidShop();
      const deliveriesOf = async () => (await shop.get(`/webhook-deliveries?checkoutId=${checkoutId}`)).deliveries;
      return {
        shop,
        async wish() {
          const before = await deliveriesOf();
          return {
            body: { deliveryId: before[0].id },
            once: async () => (await deliveriesOf()).length - before.length,
          };
        },
      };
    },
  };

  return stories;
}
