/**
 * What surrounds an SDK in its tests, as addresses in the environment of its test runner: a real gateway behind a line
 * that notes what passes and can lose answers, a server that never answers, one whose certificate nobody trusts, and
 * somebody who pays and moves the clock when asked to.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import type { Gateway, TestMerchant } from '../../server/test/gateway.ts';

export type SdkWorld = {
  /** Runs a test runner with the environment of a merchant; shows what it wrote when it fails. */
  tell(merchant: TestMerchant, program: string, args: readonly string[], cwd: string): Promise<string>;
  /** What was asked for since the last time, such as `POST /checkout`. */
  takeNotes(): Set<string>;
  stop(): Promise<void>;
};

export async function startSdkWorld(gateway: Gateway): Promise<SdkWorld> {
  const notes = new Set<string>();
  /** How often something was asked for, by whom and on which line. */
  const timesAsked = new Map<string, number>();

  /**
   * As the gateway answers. On the lossy line two answers to everything do not arrive: one not at all, one by half. On a
   * busy line everything is first told to come back after some seconds.
   */
  async function carry(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = request.url ?? '';
    const [, line = '', seconds = '', path = ''] = /^(?:\/(lossy|busy)\/?(\d*))?\/api\/v1(.*)$/.exec(url) ?? [];
    const method = request.method ?? '';
    notes.add(`${method} ${path.split('?')[0]}`);
    const asked = [line, request.headers['x-digest-key'], request.headers['idempotency-key'] ?? url].join(' ');
    const askedBefore = timesAsked.get(asked) ?? 0;
    if (path !== '/time') timesAsked.set(asked, askedBefore + 1);
    if (line === 'busy' && path !== '/time' && askedBefore === 0) {
      response.writeHead(503, { 'retry-after': seconds }).end('{"errors":["Not now."]}');
      return;
    }
    const headers = Object.entries(request.headers).filter(([name]) => /^(?:x-|idempotency-|content-type)/.test(name));
    const answer = await fetch(`${gateway.url}${path}`, {
      method,
      headers: headers.map(([name, value]): [string, string] => [name, String(value)]),
      ...(method !== 'GET' && { body: await textOf(request) }),
    });
    const body = Buffer.from(await answer.arrayBuffer());
    const passed = [...answer.headers].filter(
      ([name]) => !/^(?:connection|content-(?:length|encoding)|keep-alive|transfer-)/.test(name),
    );
    response.writeHead(answer.status, { ...Object.fromEntries(passed), 'content-length': body.length });
    if (line !== 'lossy' || path === '/time' || askedBefore > 1) response.end(body);
    else if (askedBefore === 0) request.socket.destroy();
    else response.write(body.subarray(0, body.length / 2), () => request.socket.destroy());
  }

  /** What a test of an SDK asks for: `/pay?address=…&amount=…&checkoutId=…`, `/pass?minutes=…`, `/work`. */
  async function help(wish: URL): Promise<unknown> {
    const asked = (name: string): string => wish.searchParams.get(name) ?? '';
    if (wish.pathname === '/pay') {
      gateway.bitcoin.pay({ address: asked('address'), amount: asked('amount') });
      gateway.bitcoin.mine(1);
    } else if (wish.pathname === '/pass') {
      gateway.clock.advance({ minutes: Number(asked('minutes')) });
    } else assert.equal(wish.pathname, '/work');
    await gateway.runUntilIdle();
    const webhooks = gateway.webhooks.filter(({ data }) => data.checkout?.id === asked('checkoutId'));
    return {
      now: Math.floor(gateway.clock.now().getTime() / 1000),
      webhooks: webhooks.map(({ headers, raw }) => ({ headers, body: raw })),
    };
  }

  const line = createServer((request, response) => {
    carry(request, response).catch(() => request.socket.destroy());
  });
  const helper = createServer((request, response) => {
    help(new URL(request.url ?? '', 'http://helper')).then(
      (answer) => response.end(JSON.stringify(answer)),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  const silent = createServer(() => undefined);
  const vector = (name: string) => readFile(new URL(`../../server/test/vectors/lnd-tls/${name}`, import.meta.url));
  const untrusted = createTlsServer(
    { cert: await vector('tls.cert'), key: await vector('tls.key') },
    (_request, response) => response.end('{"time":0}'),
  );
  const servers = [line, helper, silent, untrusted];
  const [linePort, helperPort, silentPort, untrustedPort] = await Promise.all(servers.map(listen));

  return {
    async tell(merchant, program, args, cwd) {
      const child = spawn(program, args, {
        cwd,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          ...process.env,
          QUITTANCE_KEY: merchant.apiKey,
          QUITTANCE_SECRET: merchant.apiSecret,
          QUITTANCE_WEBHOOK_SECRET: merchant.webhookSecret,
          QUITTANCE_URL: `http://127.0.0.1:${linePort}/api/v1`,
          QUITTANCE_LOSSY_URL: `http://127.0.0.1:${linePort}/lossy/api/v1`,
          QUITTANCE_BUSY_URL: `http://127.0.0.1:${linePort}/busy/0/api/v1`,
          QUITTANCE_CLOSED_URL: `http://127.0.0.1:${linePort}/busy/3600/api/v1`,
          QUITTANCE_SILENT_URL: `http://127.0.0.1:${silentPort}/api/v1`,
          QUITTANCE_UNTRUSTED_URL: `https://localhost:${untrustedPort}/api/v1`,
          QUITTANCE_HELPER_URL: `http://127.0.0.1:${helperPort}`,
          QUITTANCE_WEBHOOK_URL: gateway.webhookUrl,
        },
      });
      const written = Promise.all([textOf(child.stdout), textOf(child.stderr)]);
      const [code] = (await once(child, 'close')) as [number | null];
      const output = (await written).join('\n');
      assert.equal(code, 0, `${program} ${args.join(' ')} in ${cwd}:\n${output}`);
      return output;
    },
    takeNotes() {
      const taken = new Set(notes);
      notes.clear();
      return taken;
    },
    async stop() {
      for (const server of servers) server.closeAllConnections();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
