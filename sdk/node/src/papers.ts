/** Receipts, invoices and credit notes, as they were issued. */
import { type Api, listOf } from './api.ts';
import type { NewCreditNote, Paper, PaperDetails, PaperFilter, SentPaper } from './contract.ts';
import type { List } from './list.ts';
import type { CallOptions } from './transport.ts';

export class Papers {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  async get(id: string, options?: CallOptions): Promise<PaperDetails> {
    return (await this.#api.call('getPaper', { id }, options)).paper;
  }

  /** Newest first. */
  list(filter: PaperFilter = {}, options?: CallOptions): List<Paper> {
    return listOf(this.#api, 'listPapers', filter, options, ({ papers }) => papers);
  }

  /** It moves no money: what is refunded gets a credit note by itself. */
  async credit(note: NewCreditNote, options?: CallOptions): Promise<Paper> {
    return (await this.#api.call('createCreditNote', note, options)).paper;
  }

  /** Once more by e-mail, to the buyer. */
  async sendAgain(id: string, options?: CallOptions): Promise<SentPaper> {
    return this.#api.call('sendPaper', { id }, options);
  }
}
