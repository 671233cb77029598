/** Pages and files of the account as a person gets them: over HTTP, from the service as a process of its own. */
import { newFormName } from '../server/src/account/frame/send-once.ts';
import { saveMembership } from '../server/src/people/person-store.ts';
import { hashOf, newToken } from '../server/src/people/session.ts';
import { insertSession } from '../server/src/people/session-store.ts';
import type { Service, World } from './world.ts';

/** An owner who is signed in. */
export type Visitor = {
  /** That say who it is. */
  readonly headers: Readonly<Record<string, string>>;
  ask(path: string): Promise<Response>;
  /** Sends a form; gives where it leads. */
  send(path: string, form: Readonly<Record<string, string>>): Promise<string>;
};

const personId = 'benchperson1';

export async function signIn({ db, shop, env }: World, { port }: Service): Promise<Visitor> {
  const token = newToken();
  const now = new Date();
  await db`
    insert into person (id, email, name, created_at) values (${personId}, 'ada@example.com', 'Ada', ${now})
        on conflict do nothing`;
  await db.begin(async (tx) => {
    await saveMembership(tx, { merchantId: shop.merchantId, personId, role: 'owner' }, now);
    const proof = { provedAt: now, provedHow: 'passkey' as const, looksAt: null, notFor: [] };
    const session = { personId, merchantId: shop.merchantId, createdAt: now, seenAt: now, ...proof };
    await insertSession(tx, hashOf(token), { ...session, id: token.slice(0, 12), address: '127.0.0.1', browser: '' });
  });
  const prefix = env['PUBLIC_URL']?.startsWith('https:') ? '__Host-' : '';
  const headers = { cookie: `${prefix}quittance-session=${token}`, 'accept-encoding': 'identity' };
  return {
    headers,
    async ask(path) {
      const reply = await fetch(`http://127.0.0.1:${port}${path}`, { headers, redirect: 'manual' });
      if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
      return reply;
    },
    async send(path, form) {
      const body = new URLSearchParams({ account: shop.merchantId, form: newFormName(new Date()), ...form });
      const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: 'POST',
        body,
        redirect: 'manual',
        headers: { ...headers, 'sec-fetch-site': 'same-origin' },
      });
      if (reply.status !== 303) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
      return reply.headers.get('location') ?? '';
    },
  };
}

export type Work = readonly [name: string, work: () => Promise<unknown>];

/** `checkoutId`: one of the account, which was paid. */
export function pageWorks({ ask }: Visitor, checkoutId: string): Work[] {
  const page = (name: string, path: string): Work => [`page, ${name}`, async () => (await ask(path)).text()];
  return [
    page('Home', '/account'),
    page('Needs you', '/account/needs-you'),
    page('Checkouts', '/account/checkouts'),
    page('Checkouts, odd', '/account/checkouts?tab=odd'),
    page('one checkout', `/account/checkouts/${checkoutId}`),
    page('Search', '/account/search?q=order-1'),
    page('Customers', '/account/customers'),
    page('Customers, search', '/account/customers?search=name+7'),
    page('one customer, a quarter of all checkouts', '/account/customers/guest'),
    page('Balances', '/account/balances'),
    page('Balances, one asset', '/account/balances/asset/BTC'),
    page('Transfers', '/account/transfers?tab=over'),
    page('Webhooks', '/account/developers/webhooks'),
    page('Audit log', '/account/settings/audit'),
    page('Audit log, one person', '/account/settings/audit?who=person:ada'),
    page('Audit log, rare kind', '/account/settings/audit?kind=settings'),
  ];
}

export type ExportFigures = {
  readonly rows: number;
  /** Until the file was ready, and to fetch it. */
  readonly madeSeconds: number;
  readonly fetchedSeconds: number;
  readonly megabytes: number;
  /** How much more memory the service had at most than before. */
  readonly grownMegabytes: number;
  /** Medians of a request for a page, before and while the file was made. */
  readonly beforeMs: number;
  readonly meanwhileMs: number;
};

const asked = '/account/checkouts';
const roundsBefore = 200;

/** Every checkout of the account as a file that is made by the same process, while somebody goes on looking at pages. */
export async function measureExport(visitor: Visitor, service: Service): Promise<ExportFigures> {
  const timed = async (): Promise<number> => {
    const start = performance.now();
    await (await visitor.ask(asked)).text();
    return performance.now() - start;
  };
  const before: number[] = [];
  for (let round = 0; round < roundsBefore; round += 1) before.push(await timed());
  const memory = await service.rssMegabytes();
  const start = performance.now();
  const path = await visitor.send('/account/reports/exports', { list: 'checkouts', format: 'csv', asked: '' });
  const meanwhile: number[] = [];
  let most = memory;
  for (let page = ''; !page.includes(`${path}/file`); page = await (await visitor.ask(path)).text()) {
    for (let round = 0; round < 20; round += 1) meanwhile.push(await timed());
    most = Math.max(most, await service.rssMegabytes());
  }
  const madeSeconds = (performance.now() - start) / 1000;
  const fetchedAt = performance.now();
  let [rows, bytes, lookAt] = [0, 0, 0];
  for await (const chunk of (await visitor.ask(`${path}/file`)).body ?? []) {
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 10) rows += 1;
    if (performance.now() < lookAt) continue;
    most = Math.max(most, await service.rssMegabytes());
    lookAt = performance.now() + 500;
  }
  return {
    rows: rows - 1,
    madeSeconds,
    fetchedSeconds: (performance.now() - fetchedAt) / 1000,
    megabytes: bytes / 1e6,
    grownMegabytes: most - memory,
    beforeMs: median(before),
    meanwhileMs: median(meanwhile),
  };
}

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
