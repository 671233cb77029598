/**
 * The bank over HTTP, on this machine only and with a password: a path for each deed (`POST /pay`), the same as calls at
 * `/` under the names that all sandbox networks have, so that the payment page and the command line can pay here too.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type LocalServer, startLocalServer } from '../local-server.ts';
import { bankCommands, ownerMethods } from './bank-commands.ts';
import type { BankDeeds } from './bank-deeds.ts';
import { BankRefused } from './bank-ledger.ts';

type Served = {
  readonly deeds: BankDeeds;
  readonly user: string;
  readonly password: string;
  readonly port?: number;
  /** Statements come without being asked for. */
  readonly tellsByItself: boolean;
};

const maxBytes = 80 * 1024 * 1024;

export async function serveBank(served: Served): Promise<LocalServer & { url: string }> {
  const { deeds, user, password, port } = served;
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const commands = bankCommands(deeds);
  const methods = ownerMethods(deeds, served.tellsByItself);

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.headers.authorization !== authorization) return void response.writeHead(401).end();
    const name = (request.url ?? '/').slice(1);
    const body = await readBody(request);
    if (request.method !== 'POST') return reply(response, 405, { error: 'Every command of the bank is a POST.' });
    if (name === '') return answerCall(response, body);
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!command) return reply(response, 404, { error: `The bank has ${Object.keys(commands).sort().join(', ')}.` });
    try {
      reply(response, 200, command(body));
    } catch (error) {
      if (!(error instanceof BankRefused)) throw error;
      reply(response, 422, { error: error.message });
    }
  }

  function answerCall(response: ServerResponse, body: Buffer): void {
    const { id = null, method = '', params = [] } = JSON.parse(body.toString('utf8')) as Call;
    try {
      const run = Object.hasOwn(methods, method) ? methods[method] : undefined;
      if (!run) throw new BankRefused('Method not found');
      reply(response, 200, { result: run(...(params as never[])) ?? null, error: null, id });
    } catch (error) {
      if (!(error instanceof BankRefused)) throw error;
      reply(response, 500, { result: null, error: { code: -1, message: error.message }, id });
    }
  }

  const server = await startLocalServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!response.headersSent)
        reply(response, 400, { error: error instanceof Error ? error.message : 'Unreadable.' });
    });
  }, port);
  return {
    ...server,
    url: `http://${encodeURIComponent(user)}:${encodeURIComponent(password)}@127.0.0.1:${server.port}`,
  };
}

type Call = { id?: unknown; method?: string; params?: unknown[] };

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > maxBytes) throw new Error('The request is too large.');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`);
}
