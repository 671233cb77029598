/**
 * One merchant of a shared gateway, with books and webhooks of its own, so that many stories can be told on one
 * gateway without disturbing each other.
 */
import assert from 'node:assert/strict';
import { changeSettings, type SettingsChange } from '../src/merchants/change-settings.ts';
import {
  aCharge,
  type Gateway,
  type ReceivedWebhook,
  type Reply,
  type RequestOptions,
  type TestMerchant,
} from './gateway.ts';

export type Shop = {
  readonly merchant: TestMerchant;
  request(method: string, path: string, body?: unknown, options?: RequestOptions): Promise<Reply>;
  /** The body of a reply that must be 200. */
  get(path: string): Promise<any>;
  post(path: string, body: unknown): Promise<any>;
  /** The sentences of a reply that must have this status. */
  refused(status: number, method: string, path: string, body?: unknown): Promise<string[]>;
  /** A checkout with a webhook; gives its id. */
  create(price: string, more?: Record<string, unknown>): Promise<string>;
  commit(checkoutId: string, network: string, asset?: string): Promise<Committed>;
  /** Creates and commits in one. */
  open(price: string, network: string, more?: Record<string, unknown>): Promise<Committed>;
  checkout(id: string): Promise<any>;
  /** State and exceptions in one line: `PENDING` or `PENDING PARTIAL`. */
  state(id: string): Promise<string>;
  /** Balances by purpose and asset code, e.g. `available/BTC`, zeros left out. */
  balances(): Promise<Record<string, string>>;
  webhooksOf(id: string): ReceivedWebhook[];
  /** Events in the order of their arrival: `CHECKOUT_COMPLETED COMPLETED`. */
  eventsOf(id: string): string[];
  /** What happened, in one word each; a change of state as `state PENDING → PROCESSING`. */
  timeline(id: string): Promise<string[]>;
};

const subjectOf = (data: any) => data.checkout ?? data.deposit ?? data.transfer ?? data.swap;

export type Committed = { id: string; address: string; amount: string; expirationTime: string; reply: any };

export async function openShop(gateway: Gateway, settings: SettingsChange = {}, given?: TestMerchant): Promise<Shop> {
  const merchant = given ?? (await gateway.createMerchant('A shop'));
  await changeSettings(gateway, merchant.merchantId, settings, 'operator');
  const request: Shop['request'] = (method, path, body, options) =>
    gateway.request(method, path, body, { as: merchant, ...options });

  async function ok(method: string, path: string, body?: unknown): Promise<any> {
    const reply = await request(method, path, body);
    assert.equal(reply.status, 200, `${method} ${path}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  }

  const checkout = async (id: string) => (await ok('GET', `/checkout?id=${id}`)).checkout;
  const create: Shop['create'] = async (price, more = {}) =>
    (await ok('POST', '/checkout', aCharge(price, { webhook: gateway.webhookUrl, ...more }))).id;

  const commit: Shop['commit'] = async (checkoutId, network, asset) => {
    const reply = await ok('POST', '/checkout/commit', { checkoutId, network, ...(asset ? { asset } : {}) });
    const { address, amount } = reply.depositInstructions;
    return { id: checkoutId, address, amount, expirationTime: reply.expirationTime, reply };
  };

  const webhooksOf = (id: string) => gateway.webhooks.filter(({ data }) => subjectOf(data).id === id);

  return {
    merchant,
    request,
    get: (path) => ok('GET', path),
    post: (path, body) => ok('POST', path, body),
    async refused(status, method, path, body) {
      const reply = await request(method, path, body);
      assert.equal(reply.status, status, `${method} ${path}: ${JSON.stringify(reply.body)}`);
      return reply.body.errors;
    },
    create,
    commit,
    open: async (price, network, more) => commit(await create(price, more), network),
    checkout,
    async state(id) {
      const { state, exceptions } = await checkout(id);
      return [state, ...exceptions.toSorted()].join(' ');
    },
    balances: () => balancesOf(gateway, `merchant/${merchant.merchantId}/`),
    webhooksOf,
    eventsOf: (id) => webhooksOf(id).map(({ eventType, data }) => `${eventType} ${subjectOf(data).state}`),
    async timeline(id) {
      const { timeline } = await ok('GET', `/checkout/timeline?id=${id}`);
      return timeline.map(({ what, why }: any) => (what === 'state' ? `state ${why.from} → ${why.to}` : what));
    },
  };
}

/** Balances of the accounts under a prefix, by the rest of their name without the issuer, zeros left out. */
export async function balancesOf(gateway: Gateway, prefix: string): Promise<Record<string, string>> {
  const rows = await gateway.db<{ id: string; balance: string }>`
    select id, balance from ledger_account where id like ${`${prefix}%`} and balance <> 0 order by id`;
  return Object.fromEntries(rows.map(({ id, balance }) => [id.slice(prefix.length).replace(/:.*/, ''), balance]));
}
