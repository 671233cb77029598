/**
 * Examples of the contract and what the service answers, side by side. They are the same but for what is new each time:
 * ids, hashes, addresses. Of those the example has its own, and once both were seen in the same place, the one stands
 * for the other everywhere.
 */
import assert from 'node:assert/strict';

/** Ids; addresses and hashes, which are longer; of a link also its token or key. */
const wordsThatChange = /(?<=token=|key=)[\w-]+|\b[a-z0-9]{12}\b|\b[A-Za-z0-9]{26,}\b/g;

/** Fields that tell of the machine or the moment and not of the service. */
const fieldsThatChange = new Set(['durationMs', 'date', 'webhook-signature', 'X-Webhook-Auth', 'next']);

export type ExampleWords = ReturnType<typeof createExampleWords>;

export function createExampleWords(isWriting: boolean) {
  const toReal = new Map<string, string>();
  const toExample = new Map<string, string>();

  function learn(example: string, real: string): void {
    toReal.set(example, real);
    toExample.set(real, example);
  }

  const said = (text: string, words: ReadonlyMap<string, string>): string =>
    [...words].reduce((whole, [from, to]) => whole.replaceAll(from, to), text);

  function learnFrom(example: string, real: string): void {
    const pairs = [example, real].map((text) => text.match(wordsThatChange) ?? []);
    pairs[0]?.forEach((word, position) => {
      const other = pairs[1]?.[position];
      if (other !== undefined && other !== word && !toReal.has(word) && !toExample.has(other)) learn(word, other);
    });
  }

  /** What was answered in the words of the example. Fails where it is something else, unless it is written anew. */
  function told(example: unknown, real: unknown, at: string): unknown {
    if (Array.isArray(real)) {
      const known = Array.isArray(example) ? example : [];
      return real.map((item, position) => told(known[position], item, `${at}[${position}]`));
    }
    if (typeof real === 'object' && real !== null) {
      const known = (example ?? {}) as Record<string, unknown>;
      return Object.fromEntries(
        Object.entries(real).map(([name, value]) => {
          const isFree = fieldsThatChange.has(name) && typeof known[name] === typeof value;
          return [name, isFree ? known[name] : told(known[name], value, `${at}.${name}`)];
        }),
      );
    }
    if (typeof real !== 'string') return real;
    if (typeof example === 'string' && said(real, toExample) !== example) learnFrom(example, real);
    return said(real, toExample);
  }

  return {
    learn,
    /** A request as the service understands it. */
    spoken: <T>(request: T): T => JSON.parse(said(JSON.stringify(request), toReal)) as T,
    compare(example: unknown, real: unknown, what: string): unknown {
      const result = told(example, real, what);
      if (!isWriting) assert.deepEqual(result, example, `${what} is as its example says`);
      return result;
    },
  };
}
