/** The API, in the words of a shop. Beside it `get`, `post`, `put` and `delete`, as programs call that used an earlier SDK. */
import { type Api, createApi } from './api.ts';
import { Checkouts, Customers, Deposits, Refunds } from './checkout-resources.ts';
import type { Asset, Currency, Language, Network, ServiceStatus, Settings } from './contract.ts';
import { ConnectionError } from './errors.ts';
import { Beneficiaries, Swaps, TargetAccounts, Transfers, Wallets } from './money-resources.ts';
import { Papers } from './papers.ts';
import { PaymentLinks } from './payment-links.ts';
import { Reports, WebhookDeliveries } from './report-resources.ts';
import {
  type CallOptions,
  type ClientOptions,
  createTransport,
  type Method,
  type Params,
  type Transport,
} from './transport.ts';

/** What `get`, `post`, `put` and `delete` give, whatever the status is. */
export type PlainReply = {
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  readonly statusText: string;
  /** What the body says; anything, as it always was. Of a failure `{ errors: […] }`, one sentence each. */
  readonly data: any;
  /** In lower case. */
  readonly headers: Readonly<Record<string, string>>;
};

/** Programs that used an earlier SDK may give a function instead of waiting. */
type Callback = (reply: PlainReply) => void;

export class Client {
  readonly checkouts: Checkouts;
  readonly paymentLinks: PaymentLinks;
  readonly papers: Papers;
  readonly refunds: Refunds;
  readonly customers: Customers;
  readonly deposits: Deposits;
  readonly wallets: Wallets;
  readonly swaps: Swaps;
  readonly transfers: Transfers;
  readonly targetAccounts: TargetAccounts;
  readonly beneficiaries: Beneficiaries;
  readonly reports: Reports;
  readonly webhookDeliveries: WebhookDeliveries;
  readonly #transport: Transport;
  readonly #api: Api;

  /** `baseUrl` ends in /api/v1; where it has no path, that is meant. */
  constructor(key: string, secret: string, baseUrl: string, options: ClientOptions = {}) {
    // With the end of a line, as files of settings have it, no signature would fit, and nobody would say why.
    for (const [name, value] of Object.entries({ key, secret, baseUrl }))
      if (typeof value !== 'string' || !(name === 'baseUrl' ? /./ : /^[\x21-\x7e]+$/).test(value))
        throw new TypeError(`A client needs a ${name}: new Client(key, secret, baseUrl).`);
    this.#transport = createTransport({ key, secret, baseUrl }, options);
    const api = createApi(this.#transport);
    this.#api = api;
    this.checkouts = new Checkouts(api);
    this.paymentLinks = new PaymentLinks(api);
    this.papers = new Papers(api);
    this.refunds = new Refunds(api);
    this.customers = new Customers(api);
    this.deposits = new Deposits(api);
    this.wallets = new Wallets(api);
    this.swaps = new Swaps(api);
    this.transfers = new Transfers(api);
    this.targetAccounts = new TargetAccounts(api);
    this.beneficiaries = new Beneficiaries(api);
    this.reports = new Reports(api);
    this.webhookDeliveries = new WebhookDeliveries(api);
  }

  /** Throws an AuthenticationError when key and secret are not good. */
  async authTest(options?: CallOptions): Promise<void> {
    await this.#api.call('authTest', undefined, options);
  }

  /** The server's time as Unix time in seconds. Requests are signed with it without being asked to. */
  async time(options?: CallOptions): Promise<number> {
    return (await this.#api.call('time', undefined, options)).time;
  }

  async networks(options?: CallOptions): Promise<Network[]> {
    return (await this.#api.call('networks', undefined, options)).networks;
  }

  async assets(options?: CallOptions): Promise<Asset[]> {
    return (await this.#api.call('assets', undefined, options)).assets;
  }

  async currencies(options?: CallOptions): Promise<Currency[]> {
    return (await this.#api.call('currencies', undefined, options)).currencies;
  }

  async languages(options?: CallOptions): Promise<Language[]> {
    return (await this.#api.call('languages', undefined, options)).languages;
  }

  async settings(options?: CallOptions): Promise<Settings> {
    return (await this.#api.call('getSettings', undefined, options)).settings;
  }

  /** Whether all parts of the service are well. */
  status(options?: CallOptions): Promise<ServiceStatus> {
    return this.#api.call('status', undefined, options);
  }

  /** Whether the process that answers can serve; throws an UnavailableError when it cannot. */
  async health(options?: CallOptions): Promise<void> {
    await this.#api.call('health', undefined, options);
  }

  /** Any endpoint. Never throws because of an answer: look at `status`, which is 200 or a failure. */
  get(path: string, params?: Params | null, options?: CallOptions | Callback): Promise<PlainReply> {
    return this.#plainly('GET', path, params, options);
  }

  post(path: string, params?: Params | null, options?: CallOptions | Callback): Promise<PlainReply> {
    return this.#plainly('POST', path, params, options);
  }

  put(path: string, params?: Params | null, options?: CallOptions | Callback): Promise<PlainReply> {
    return this.#plainly('PUT', path, params, options);
  }

  delete(path: string, params?: Params | null, options?: CallOptions | Callback): Promise<PlainReply> {
    return this.#plainly('DELETE', path, params, options);
  }

  async #plainly(
    method: Method,
    path: string,
    params: Params | null | undefined,
    options: CallOptions | Callback | undefined,
  ): Promise<PlainReply> {
    const [given, tell] = typeof options === 'function' ? [{}, options] : [options ?? {}, () => undefined];
    const reply = await this.#transport.send({ method, path, params }, given).then(
      ({ status, statusText = '', data, headers }): PlainReply => ({ status, statusText, data, headers }),
      (error: unknown): PlainReply => {
        if (!(error instanceof ConnectionError)) throw error;
        return { status: 0, statusText: '', data: { errors: [error.message] }, headers: {} };
      },
    );
    tell(reply);
    return reply;
  }
}
