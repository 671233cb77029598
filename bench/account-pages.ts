/** Pages and files of the account as a person gets them: over HTTP, from the service as a process of its own. */
import { saveMembership } from '../server/src/people/person-store.ts';
import { hashOf, newToken } from '../server/src/people/session.ts';
import { insertSession } from '../server/src/people/session-store.ts';
import type { Service, World } from './world.ts';

/** An owner who is signed in. */
export type Visitor = { ask(path: string): Promise<Response> };

const personId = 'benchperson1';

export async function signIn({ db, shop, env }: World, { port }: Service): Promise<Visitor> {
  const token = newToken();
  const now = new Date();
  await db`
    insert into person (id, email, name, created_at) values (${personId}, 'ada@example.com', 'Ada', ${now})
        on conflict do nothing`;
  await db.begin(async (tx) => {
    await saveMembership(tx, { merchantId: shop.merchantId, personId, role: 'owner' }, now);
    const proof = { provedAt: now, provedHow: 'passkey' as const, looksAt: null };
    const session = { personId, merchantId: shop.merchantId, createdAt: now, seenAt: now, ...proof };
    await insertSession(tx, hashOf(token), { ...session, id: token.slice(0, 12), address: '127.0.0.1', browser: '' });
  });
  const prefix = env['PUBLIC_URL']?.startsWith('https:') ? '__Host-' : '';
  const headers = { cookie: `${prefix}quittance-session=${token}`, 'accept-encoding': 'identity' };
  return {
    async ask(path) {
      const reply = await fetch(`http://127.0.0.1:${port}${path}`, { headers, redirect: 'manual' });
      if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
      return reply;
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
  readonly firstMs: number;
  readonly seconds: number;
  readonly megabytes: number;
  /** How much more memory the service had at most than before. */
  readonly grownMegabytes: number;
};

/** Every checkout of the account as a file, read as fast as it comes. */
export async function measureExport({ ask }: Visitor, service: Service, path: string): Promise<ExportFigures> {
  const before = await service.rssMegabytes();
  const start = performance.now();
  const reply = await ask(path);
  let [rows, bytes, firstMs, most, lookAt] = [0, 0, 0, before, 0];
  for await (const chunk of reply.body ?? []) {
    if (bytes === 0) firstMs = performance.now() - start;
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 10) rows += 1;
    if (performance.now() < lookAt) continue;
    most = Math.max(most, await service.rssMegabytes());
    lookAt = performance.now() + 500;
  }
  const seconds = (performance.now() - start) / 1000;
  return { rows: rows - 1, firstMs, seconds, megabytes: bytes / 1e6, grownMegabytes: most - before };
}
