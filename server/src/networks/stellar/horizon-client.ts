/** Horizon over HTTP: what does not exist is null, and everything else that goes wrong is a NetworkError. */
import { waitOutside } from '../../lib/wait-outside.ts';
import { withoutEnd } from '../../lib/without-end.ts';
import { onceMoreIfHungUp } from '../once-more-if-hung-up.ts';
import { NetworkError } from '../port/connector.ts';

export type HorizonReply = {
  readonly status: number;
  readonly body: unknown;
  /** The newest ledger when an answer about accounts was read. Null: Horizon does not say. */
  readonly latestLedger: number | null;
};

type AsOf<Body> = { readonly body: Body; readonly latestLedger: number | null };

export type HorizonClient = {
  /** Null: there is no such thing. */
  get<Body>(path: string): Promise<Body | null>;
  found<Body>(path: string): Promise<Body>;
  /** With the ledger that it was read from. */
  getAsOf<Body>(path: string): Promise<AsOf<Body> | null>;
  foundAsOf<Body>(path: string): Promise<AsOf<Body>>;
  post(path: string, form: Readonly<Record<string, string>>): Promise<HorizonReply>;
};

export function createHorizonClient(horizonUrl: string, timeoutMs = 30_000): HorizonClient {
  const base = withoutEnd(horizonUrl, (sign) => sign === '/');

  async function request(path: string, init?: { method: string; body: string }): Promise<HorizonReply> {
    let status: number;
    let text: string;
    let ledger: string | null;
    try {
      ({ status, text, ledger } = await waitOutside(() =>
        onceMoreIfHungUp(async () => {
          const response = await fetch(`${base}${path}`, {
            ...init,
            headers: {
              accept: 'application/json',
              ...(init && { 'content-type': 'application/x-www-form-urlencoded' }),
            },
            signal: AbortSignal.timeout(timeoutMs),
          });
          return {
            status: response.status,
            text: await response.text(),
            ledger: response.headers.get('latest-ledger'),
          };
        }),
      ));
    } catch (cause) {
      throw new NetworkError('Horizon does not answer.', { isRetryable: true, cause });
    }
    const latestLedger = ledger !== null && /^\d+$/.test(ledger) ? Number(ledger) : null;
    return { status, body: parsed(text), latestLedger };
  }

  function checked({ status, body }: HorizonReply): unknown {
    if (status === 404) return null;
    if (status === 410) {
      // If we went on, we would skip what happened in between.
      throw new NetworkError('Horizon no longer has the ledgers after our cursor: name one with a longer history.', {
        isRetryable: false,
      });
    }
    if (status !== 200) throw new NetworkError(`Horizon answered HTTP ${status}.`, { isRetryable: true });
    if (body === undefined) throw new NetworkError('Horizon answered without JSON.', { isRetryable: true });
    return body;
  }

  async function getAsOf<Body>(path: string): Promise<AsOf<Body> | null> {
    const reply = await request(path);
    const body = checked(reply) as Body | null;
    return body === null ? null : { body, latestLedger: reply.latestLedger };
  }

  async function foundAsOf<Body>(path: string): Promise<AsOf<Body>> {
    const found = await getAsOf<Body>(path);
    if (!found) throw new NetworkError(`Horizon does not know ${path.split('?')[0]}.`, { isRetryable: true });
    return found;
  }

  return {
    getAsOf,
    foundAsOf,
    get: async <Body>(path: string) => (await getAsOf<Body>(path))?.body ?? null,
    found: async <Body>(path: string) => (await foundAsOf<Body>(path)).body,
    post: (path, form) => request(path, { method: 'POST', body: new URLSearchParams(form).toString() }),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
