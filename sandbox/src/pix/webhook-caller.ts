/** Calls whoever wants to be called when a Pix came or went back. Nothing depends on it: calls get lost, and are forged. */
import type { BookedPix, PixBook } from './pix-book.ts';
import { pixJson } from './pix-json.ts';

export type WebhookMischief = 'told' | 'lost' | 'twice';

export function createWebhookCaller(book: PixBook, mischief: () => WebhookMischief) {
  const underWay = new Set<Promise<void>>();

  function call(pix: unknown): Promise<void> {
    const urls = [...book.hooks.values()].flatMap(({ url }) => url ?? []);
    const calls = Promise.allSettled(urls.map((url) => post(`${url.replace(/(?<!\/)\/+$/, '')}/pix`, { pix: [pix] })));
    const calling = calls.then(() => void underWay.delete(calling));
    underWay.add(calling);
    return calling;
  }
  return {
    /** Only what names a charge is told. */
    tell(pix: BookedPix): void {
      if (pix.txid === null) return;
      const times = { told: 1, lost: 0, twice: 2 }[mischief()];
      for (let time = 0; time < times; time += 1) void call(pixJson(pix));
    },
    /** As somebody who is not the bank would. */
    forge: call,
    idle: async () => void (await Promise.all(underWay)),
  };
}

const post = (url: string, body: unknown): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(5_000),
  });
