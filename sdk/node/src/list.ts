import { QuittanceError } from './errors.ts';

/** A list that comes in pages. Go through all of it with `for await`, or take one page at a time. */
export type Page<T> = {
  readonly items: readonly T[];
  /** Where the next page begins; null: this was the last one. */
  readonly next: string | null;
};

const endless = 'The server names a page that was there already: this list would never end.';

export class List<T> implements AsyncIterable<T> {
  readonly #ask: (cursor: string | null) => Promise<Page<T>>;

  /** @internal */
  constructor(ask: (cursor: string | null) => Promise<Page<T>>) {
    this.#ask = ask;
  }

  /** One page: the first, or the one that begins at `cursor`, the `next` of the page before. */
  page(cursor: string | null = null): Promise<Page<T>> {
    return this.#ask(cursor);
  }

  /** Page by page. A page may be empty without being the last. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    const seen = new Set<string>();
    let page = await this.#ask(null);
    yield page;
    while (page.next !== null) {
      if (seen.has(page.next)) throw new QuittanceError(endless);
      seen.add(page.next);
      page = await this.#ask(page.next);
      yield page;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }

  /** At most so many of them, as an array. */
  async take(count: number): Promise<T[]> {
    const taken: T[] = [];
    if (count <= 0) return taken;
    for await (const item of this) if (taken.push(item) >= count) break;
    return taken;
  }
}
