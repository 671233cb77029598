/**
 * A story in which every operation of the API is used once, as its example in the contract says, and answers what the
 * example says. `WRITE_EXAMPLES=1 npm test -- contract-served` writes the answers anew, and then `npm run openapi`.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { type Endpoint, endpoints } from '@quittance/contract/endpoints';
import { type Example, examplesFile, readExamples } from '@quittance/contract/examples';
import { changeSettings } from '../src/merchants/change-settings.ts';
import { createExampleWords } from './example-words.ts';
import type { TestMerchant } from './gateway.ts';
import type { RefundWorld } from './refund-world.ts';

const isWriting = process.env['WRITE_EXAMPLES'] === '1';
const byId: Readonly<Record<string, Endpoint>> = endpoints;

/** Lists that are longer than an example should be. */
const shownOf: Readonly<Record<string, number>> = {
  networks: 2,
  assets: 2,
  currencies: 3,
  languages: 3,
  listWallets: 2,
};

export async function tellExamples(world: RefundWorld): Promise<void> {
  const { gateway } = world;
  const { operations, events } = readExamples();
  const words = createExampleWords(isWriting);
  const shop = await world.shop();
  const { merchantId } = shop.merchant;
  const webhook = 'https://shop.example/webhooks/quittance';
  words.learn(webhook, gateway.webhookUrl);
  const eventsBefore = gateway.webhooks.length;
  const address = words.spoken('bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080');

  /** The id of something that was made for an example which has its own id for it. */
  const is = (operation: string, field: string, id: string): void =>
    words.learn(String(operations[operation]?.body?.[field]), id);

  let clerk: TestMerchant;
  let chief: TestMerchant;
  const asClerk = async (path: string, body: object): Promise<any> => {
    const reply = await shop.request('POST', path, body, { as: clerk });
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
    return reply.body;
  };

  /** What has to happen before an operation can be shown. */
  const before: Record<string, () => Promise<void>> = {
    async getCheckout() {
      const { checkoutId } = words.spoken(operations['commitCheckout']?.body ?? {});
      const { depositAddress, sourceAmountRequired } = await shop.checkout(String(checkoutId));
      await world.pay({ address: depositAddress }, sourceAmountRequired);
      await world.mine(6);
    },
    async getPaymentLink() {
      const { id } = words.spoken(operations['getPaymentLink']?.query ?? {});
      await fetch(`${new URL(gateway.url).origin}/pay/${id}`, { method: 'POST', redirect: 'manual' });
    },
    async getPaymentLinkSecret() {
      const wish = { description: 'Order', currency: 'EUR', signedOnly: true };
      const { paymentLink } = await shop.post('/payment-link', wish);
      words.learn(String(operations['getPaymentLinkSecret']?.query?.['id']), paymentLink.id);
    },
    async listPapers() {
      const { customerId } = await shop.post('/customer', {
        customer: { email: 'ada@example.com', lastname: 'Lovelace' },
      });
      const charge = {
        customerId,
        billingCurrency: 'EUR',
        lineItems: [{ description: 'Cup', netAmount: '10.00', quantity: 2 }],
        taxItems: [{ name: 'VAT', percent: 0.19 }],
      };
      const { id } = await shop.post('/checkout/hosted', { charge, settlementAsset: 'ORIGIN' });
      const checkout = await shop.commit(id, 'BITCOIN');
      await world.pay(checkout, checkout.amount);
      await world.mine(6);
    },
    async getPaper() {
      const { papers } = await shop.get('/papers?kind=INVOICE');
      words.learn(String(operations['getPaper']?.query?.['id']), papers[0].id);
    },
    async acceptUnderpayment() {
      is('acceptUnderpayment', 'checkoutId', (await world.underpaid(shop, '0.0006')).id);
    },
    async acceptExcess() {
      is('acceptExcess', 'checkoutId', (await world.paid(shop, '0.0015')).id);
    },
    async getRefund() {
      await world.send();
    },
    async approveRefund() {
      await changeSettings(gateway, merchantId, { refundApprovalAbove: '0' }, 'operator');
      clerk = await gateway.createKey(shop.merchant);
      chief = await gateway.createKey(shop.merchant);
      const { checkoutId } = words.spoken(operations['createRefund']?.body ?? {});
      is('approveRefund', 'id', (await asClerk('/refund', { checkoutId, amount: '0.0001' })).refund.id);
    },
    async cancelRefund() {
      const { checkoutId } = words.spoken(operations['createRefund']?.body ?? {});
      is('cancelRefund', 'id', (await asClerk('/refund', { checkoutId, amount: '0.00005' })).refund.id);
    },
    async getDeposit() {
      const { id } = words.spoken(operations['getDeposit']?.query ?? {});
      const { deposit } = await shop.get(`/deposit?id=${id}`);
      await world.pay({ address: deposit.depositAddress }, '0.002');
      await world.mine(6);
    },
    async getTransfer() {
      await world.send();
      await world.mine(6);
    },
    async approveTransfer() {
      await changeSettings(gateway, merchantId, { transferApprovalAbove: '0' }, 'operator');
      clerk = await gateway.createKey(shop.merchant);
      const order = { network: 'BITCOIN', asset: 'BTC', amount: '0.0001', address };
      is('approveTransfer', 'id', (await asClerk('/transfer', order)).id);
    },
    async cancelTransfer() {
      const order = { network: 'BITCOIN', asset: 'BTC', amount: '0.00015', address };
      is('cancelTransfer', 'id', (await asClerk('/transfer', order)).id);
    },
    async getStatement() {
      await world.pass({ hours: 36 });
    },
    async getExport() {
      await gateway.runUntilIdle();
    },
  };
  const by = (operation: string): TestMerchant => (operation.startsWith('approve') ? chief : shop.merchant);

  async function show(operation: string, { query, body, reply: example }: Example): Promise<Example> {
    gateway.clock.advance({ seconds: 1 }); // Of two in the same moment nobody knows which is the newer one.
    await before[operation]?.();
    const { method, path } = byId[operation] as Endpoint;
    const search = query && new URLSearchParams(words.spoken(query) as Record<string, string>).toString();
    const whole = search === undefined ? path : `${path}?${search}`;
    const { status, body: real } = await shop.request(method, whole, body && words.spoken(body), { as: by(operation) });
    assert.equal(status, 200, `${operation}: ${JSON.stringify(real)}`);
    const reply = words.compare(example, beginningOf(operation, real), operation);
    return { ...(query && { query }), ...(body && { body }), reply };
  }

  const shown: Record<string, Example> = {};
  for (const [operation, example] of Object.entries(operations)) shown[operation] = await show(operation, example);

  const firstOfType = new Map(
    gateway.webhooks
      .slice(eventsBefore)
      .toReversed()
      .map((event) => [event.eventType, event]),
  );
  const told = [...firstOfType].map(([eventType, { data }]) => [
    eventType,
    words.compare(events[eventType], { eventType, data }, eventType),
  ]);
  assert.deepEqual(isWriting ? [] : Object.keys(events).filter((type) => !firstOfType.has(type)), []);
  if (isWriting)
    await writeFile(
      examplesFile,
      `${JSON.stringify({ operations: shown, events: Object.fromEntries(told) }, null, 2)}\n`,
    );
}

function beginningOf(operation: string, reply: Record<string, unknown>): unknown {
  const count = shownOf[operation];
  if (count === undefined) return reply;
  return Object.fromEntries(
    Object.entries(reply).map(([name, value]) => [name, Array.isArray(value) ? value.slice(0, count) : value]),
  );
}
