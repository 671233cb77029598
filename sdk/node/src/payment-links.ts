/** What can be paid many times: links, and addresses with an amount that is signed here, without a request. */
import { createHmac } from 'node:crypto';
import { type Api, listOf } from './api.ts';
import type {
  Checkout,
  NewPaymentLink,
  PaymentLink,
  PaymentLinkCheckoutFilter,
  PaymentLinkFilter,
} from './contract.ts';
import type { List } from './list.ts';
import type { CallOptions } from './transport.ts';

export class PaymentLinks {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Its `url` can be shared, printed and put on a page; it is never changed, only closed. */
  async create(link: NewPaymentLink, options?: CallOptions): Promise<PaymentLink> {
    return (await this.#api.call('createPaymentLink', link, options)).paymentLink;
  }

  async get(id: string, options?: CallOptions): Promise<PaymentLink> {
    return (await this.#api.call('getPaymentLink', { id }, options)).paymentLink;
  }

  /** What `signPaymentLink` signs with, for a link with `signedOnly`. */
  async secret(id: string, options?: CallOptions): Promise<string> {
    return (await this.#api.call('getPaymentLinkSecret', { id }, options)).secret;
  }

  async close(id: string, options?: CallOptions): Promise<PaymentLink> {
    return (await this.#api.call('closePaymentLink', { id }, options)).paymentLink;
  }

  /** Newest first. */
  list(filter: PaymentLinkFilter = {}, options?: CallOptions): List<PaymentLink> {
    return listOf(this.#api, 'listPaymentLinks', filter, options, ({ paymentLinks }) => paymentLinks);
  }

  /** Those that were begun from the link, newest first, paid or not. */
  checkouts(id: string, filter: Omit<PaymentLinkCheckoutFilter, 'id'> = {}, options?: CallOptions): List<Checkout> {
    return listOf(this.#api, 'listPaymentLinkCheckouts', { ...filter, id }, options, ({ checkouts }) => checkouts);
  }
}

/**
 * The address where exactly this amount is paid for this reference, once: `url` and `secret` are those of a link with
 * `signedOnly`. The amount is a decimal as a text, such as `12.50`.
 */
export function signPaymentLink(
  url: string,
  secret: string,
  { amount, reference }: { readonly amount: string; readonly reference: string },
): string {
  const signed = new URL(url);
  const linkId = signed.pathname.split('/').at(-1) ?? '';
  const signature = createHmac('sha256', secret).update(`${linkId}\n${amount}\n${reference}`).digest('hex');
  signed.search = new URLSearchParams({ amount, reference, signature }).toString();
  return signed.href;
}
