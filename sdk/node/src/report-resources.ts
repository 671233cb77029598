/** What can be read about an account: reports over closed days, files of them, and the log of webhooks. */
import { type Api, listOf } from './api.ts';
import type {
  CheckoutLedgerRow,
  Disposal,
  Export,
  FeeReport,
  NewExport,
  Statement,
  TaxReport,
  WebhookDelivery,
  WebhookDeliveryFilter,
} from './contract.ts';
import type { List } from './list.ts';
import type { CallOptions } from './transport.ts';

/** A day, month, quarter or year: 2026-10-17, 2026-10, 2026-Q4, 2026. Left out: the month of the last closed day. */
export type Period = { readonly period?: string | undefined };

export type ExportFile = {
  /** What the server calls it. */
  readonly fileName: string | null;
  readonly contentType: string | null;
  /** Its bytes, as they come: for `pipeline` into a file, or `new Response(body).text()`. */
  readonly body: ReadableStream<Uint8Array>;
};

export class Reports {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  async statement(period: Period = {}, options?: CallOptions): Promise<Statement> {
    return (await this.#api.call('getStatement', period, options)).statement;
  }

  tax(period: Period = {}, options?: CallOptions): Promise<TaxReport> {
    return this.#api.call('getTaxReport', period, options);
  }

  fees(period: Period = {}, options?: CallOptions): Promise<FeeReport> {
    return this.#api.call('getFeeReport', period, options);
  }

  /** The checkout ledger: credits and refunds, in the order of time. */
  checkouts(period: Period & { limit?: number } = {}, options?: CallOptions): List<CheckoutLedgerRow> {
    return listOf(this.#api, 'getCheckoutLedger', period, options, ({ rows }) => rows);
  }

  /** Transfers and disposals, in the order of time. */
  disposals(period: Period & { limit?: number } = {}, options?: CallOptions): List<Disposal> {
    return listOf(this.#api, 'listDisposals', period, options, ({ rows }) => rows);
  }

  /** A list of any length as a file that is made in the background: ask `export` until it is READY. */
  async createExport(wanted: NewExport, options?: CallOptions): Promise<Export> {
    return (await this.#api.call('createExport', wanted, options)).export;
  }

  async export(id: string, options?: CallOptions): Promise<Export> {
    return (await this.#api.call('getExport', { id }, options)).export;
  }

  async exportFile(id: string, options?: CallOptions): Promise<ExportFile> {
    const { headers, file } = await this.#api.file('getExportFile', { id }, options);
    const [, fileName = null] = /filename="([^"]+)"/.exec(headers['content-disposition'] ?? '') ?? [];
    return { fileName, contentType: headers['content-type'] ?? null, body: file ?? new Blob([]).stream() };
  }

  async deleteExport(id: string, options?: CallOptions): Promise<Export> {
    return (await this.#api.call('deleteExport', { id }, options)).export;
  }
}

/** The log of what was sent to your server. To check what arrives there: `readWebhook`. */
export class WebhookDeliveries {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /** Newest first. */
  list(filter: WebhookDeliveryFilter = {}, options?: CallOptions): List<WebhookDelivery> {
    return listOf(this.#api, 'listWebhookDeliveries', filter, options, ({ deliveries }) => deliveries);
  }

  /** Sends an event again, with the same id. Gives the id of the new delivery. */
  async redeliver(deliveryId: string, options?: CallOptions): Promise<string> {
    return (await this.#api.call('redeliverWebhook', { deliveryId }, options)).deliveryId;
  }
}
