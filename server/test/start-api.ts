/** Some routes behind the real HTTP server, called as one merchant or another without the trouble of signing. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Db } from '../src/db/database.ts';
import { createHttpServer } from '../src/http/http-server.ts';
import type { Route } from '../src/http/route.ts';
import type { Clock } from '../src/lib/clock.ts';
import { createEncryption } from '../src/lib/encryption.ts';
import { newId } from '../src/lib/ids.ts';
import { createLog } from '../src/lib/log.ts';
import type { Merchant } from '../src/merchants/merchant.ts';

export type Reply = { status: number; body: Record<string, unknown> & { errors?: readonly string[] } };
export type Call = (method: string, target: string, json?: string | object) => Promise<Reply>;

export type TestApi = {
  addMerchant(): Promise<{ merchantId: string; call: Call }>;
  close(): Promise<void>;
};

export async function startApi(deps: { db: Db; clock: Clock; routes: readonly Route<Merchant>[] }): Promise<TestApi> {
  const { db, clock } = deps;
  const server = createHttpServer({
    ...deps,
    encryption: createEncryption(randomBytes(32)),
    log: createLog('silent'),
    rateLimiter: null,
    authenticate: async ({ headers }) => {
      const id = headers['x-test-merchant'];
      assert.ok(typeof id === 'string');
      return {
        merchant: { id } as Merchant,
        actor: 'key:k',
        method: 'digest',
        signature: null,
        may: () => true,
        hold: async () => undefined,
      };
    },
  });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });

  return {
    async addMerchant() {
      const merchantId = newId();
      await db`insert into merchant (id, name, webhook_secret, created_at)
               values (${merchantId}, 'Shop', ${Buffer.alloc(1)}, ${clock.now()})`;
      return {
        merchantId,
        async call(method, target, json) {
          const reply = await fetch(`${url}/api/v1${target}`, {
            method,
            headers: { 'x-test-merchant': merchantId },
            ...(json === undefined ? {} : { body: typeof json === 'string' ? json : JSON.stringify(json) }),
          });
          return { status: reply.status, body: (await reply.json()) as Reply['body'] };
        },
      };
    },
    close: () => server.close(),
  };
}
