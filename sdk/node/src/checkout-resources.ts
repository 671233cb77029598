/** Money that comes in: checkouts, refunds, customers and deposits. */
import { type Api, listOf } from './api.ts';
import type {
  Charge,
  ChargeTotal,
  Checkout,
  CheckoutFilter,
  CommitCheckoutRequest,
  CommittedCheckout,
  CreatedCheckout,
  CreatedDeposit,
  Customer,
  CustomerChange,
  CustomerFilter,
  Deposit,
  DepositFilter,
  HostedCheckout,
  NewCheckout,
  NewCustomer,
  NewDeposit,
  NewRefund,
  Refund,
  RefundFilter,
  RefundReply,
  TimelineEntry,
} from './contract.ts';
import type { List } from './list.ts';
import type { CallOptions } from './transport.ts';

export class Checkouts {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /** A checkout with a payment page: send the customer to its `url`. */
  createHosted(checkout: NewCheckout, options?: CallOptions): Promise<HostedCheckout> {
    return this.#api.call('createHostedCheckout', checkout, options);
  }

  /** A checkout on a page of your own: show the payment methods, then `commit`. */
  create(checkout: NewCheckout, options?: CallOptions): Promise<CreatedCheckout> {
    return this.#api.call('createCheckout', checkout, options);
  }

  /** The customer has chosen: gives the address to pay to, and starts the time to pay. */
  commit(choice: CommitCheckoutRequest, options?: CallOptions): Promise<CommittedCheckout> {
    return this.#api.call('commitCheckout', choice, options);
  }

  async get(id: string, options?: CallOptions): Promise<Checkout> {
    return (await this.#api.call('getCheckout', { id }, options)).checkout;
  }

  /** Newest first. */
  list(filter: CheckoutFilter = {}, options?: CallOptions): List<Checkout> {
    return listOf(this.#api, 'listCheckouts', filter, options, ({ checkouts }) => checkouts);
  }

  /** What happened to a checkout, oldest first. */
  async timeline(id: string, options?: CallOptions): Promise<TimelineEntry[]> {
    return (await this.#api.call('checkoutTimeline', { id }, options)).timeline;
  }

  /** What the server makes of a charge. Nothing is stored. */
  total(charge: Charge, options?: CallOptions): Promise<ChargeTotal> {
    return this.#api.call('validateCharge', { charge }, options);
  }

  /** Possible before any payment. */
  async cancel(checkoutId: string, options?: CallOptions): Promise<Checkout> {
    return (await this.#api.call('cancelCheckout', { checkoutId }, options)).checkout;
  }

  /** Credits what arrived although it is less than the price. */
  async acceptUnderpayment(checkoutId: string, options?: CallOptions): Promise<Checkout> {
    return (await this.#api.call('acceptUnderpayment', { checkoutId }, options)).checkout;
  }

  /** Keeps what arrived beyond the price. */
  async acceptExcess(checkoutId: string, options?: CallOptions): Promise<Checkout> {
    return (await this.#api.call('acceptExcess', { checkoutId }, options)).checkout;
  }
}

export class Refunds {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /** All of a checkout or a part of it. Without an address the reply has a link where the customer enters one. */
  create(refund: NewRefund, options?: CallOptions): Promise<RefundReply> {
    return this.#api.call('createRefund', refund, options);
  }

  /** By another API key than the one that asked for it. */
  approve(id: string, options?: CallOptions): Promise<RefundReply> {
    return this.#api.call('approveRefund', { id }, options);
  }

  async cancel(id: string, options?: CallOptions): Promise<Refund> {
    return (await this.#api.call('cancelRefund', { id }, options)).refund;
  }

  async get(id: string, options?: CallOptions): Promise<Refund> {
    return (await this.#api.call('getRefund', { id }, options)).refund;
  }

  list(filter: RefundFilter = {}, options?: CallOptions): List<Refund> {
    return listOf(this.#api, 'listRefunds', filter, options, ({ refunds }) => refunds);
  }
}

export class Customers {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Gives the id. The same e-mail address again gives the same one, with the new fields. */
  async create(customer: NewCustomer, options?: CallOptions): Promise<string> {
    return (await this.#api.call('createCustomer', { customer }, options)).customerId;
  }

  /** Fields that are left out stay as they are; an empty text empties a field. */
  async change(customer: CustomerChange, options?: CallOptions): Promise<void> {
    await this.#api.call('changeCustomer', { customer }, options);
  }

  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.#api.call('deleteCustomer', { id }, options);
  }

  async get(id: string, options?: CallOptions): Promise<Customer> {
    return (await this.#api.call('getCustomer', { id }, options)).customer;
  }

  list(filter: CustomerFilter = {}, options?: CallOptions): List<Customer> {
    return listOf(this.#api, 'listCustomers', filter, options, ({ customers }) => customers);
  }
}

/** Money that arrives without a charge. */
export class Deposits {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Gives an address. */
  create(deposit: NewDeposit, options?: CallOptions): Promise<CreatedDeposit> {
    return this.#api.call('createDeposit', deposit, options);
  }

  async get(id: string, options?: CallOptions): Promise<Deposit> {
    return (await this.#api.call('getDeposit', { id }, options)).deposit;
  }

  async close(id: string, options?: CallOptions): Promise<Deposit> {
    return (await this.#api.call('closeDeposit', { id }, options)).deposit;
  }

  list(filter: DepositFilter = {}, options?: CallOptions): List<Deposit> {
    return listOf(this.#api, 'listDeposits', filter, options, ({ deposits }) => deposits);
  }
}
