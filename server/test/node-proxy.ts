/**
 * Stands between the service and a node. From a chosen request on it cuts every connection: before the node hears of
 * that request, or after the node has done it but before anybody is told. Until it has a node to pass requests to, it
 * answers like one that is not there.
 */
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** `request`: which one, counted, or the first one of that name. */
export type Cut = { readonly request: number | string; readonly moment: 'before' | 'after' };

export type NodeProxy = {
  /** The address of the node as the service is told it. */
  readonly url: string;
  urlFor(credentials: string): string;
  passTo(nodeUrl: string): void;
  /** Counts anew. */
  cutAt(cut: Cut): void;
  /** From now on requests of this name wait, as at a node that takes its time, until `letGo`. */
  hold(name: string): void;
  /** How many are waiting. */
  readonly held: number;
  letGo(): void;
  /** How often a request of this name has come. */
  countOf(name: string): number;
  /** Nothing is cut any more. Tells which request was cut first, or null. */
  mend(): string | null;
  close(): Promise<void>;
};

export async function startNodeProxy(): Promise<NodeProxy> {
  let target: URL | undefined;
  let cut: Cut | undefined;
  let requests = 0;
  let firstCut: string | null = null;
  const names: string[] = [];
  let holding: { readonly name: string; readonly over: Promise<void>; end(): void } | undefined;
  let held = 0;

  async function wait(name: string): Promise<void> {
    if (holding?.name !== name) return;
    held += 1;
    await holding.over;
    held -= 1;
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    requests += 1;
    const count = requests;
    const name = nameOf(incoming, body);
    names.push(name);
    await wait(name);
    const isTheOne = cut !== undefined && [count, name].includes(cut.request) && firstCut === null;
    const isCut = cut !== undefined && (isTheOne || firstCut !== null);
    if (isTheOne) firstCut = name;
    const isHeard = !isCut || (cut?.moment === 'after' && isTheOne);
    if (!target || !isHeard) return void incoming.socket.destroy();
    const { hostname, port } = target;
    const { method, url: path } = incoming;
    const headers = { ...incoming.headers, 'content-length': String(body.length) };
    const outgoing = httpRequest({ hostname, port, path, method, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        const text = Buffer.concat(parts);
        const { 'transfer-encoding': _, ...others } = answer.headers;
        if (isCut) incoming.socket.destroy();
        else response.writeHead(answer.statusCode ?? 500, { ...others, 'content-length': text.length }).end(text);
      });
    });
    outgoing.on('error', () => incoming.socket.destroy());
    outgoing.end(body);
  }

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(() => incoming.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    urlFor: (credentials) => `http://${credentials}@127.0.0.1:${port}`,
    passTo(nodeUrl) {
      target = new URL(nodeUrl);
    },
    cutAt(at) {
      requests = 0;
      firstCut = null;
      cut = at;
    },
    hold(name) {
      const { promise: over, resolve: end } = Promise.withResolvers<void>();
      holding = { name, over, end };
    },
    get held() {
      return held;
    },
    letGo() {
      holding?.end();
      holding = undefined;
    },
    countOf: (name) => names.filter((each) => each === name).length,
    mend() {
      cut = undefined;
      return firstCut;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The method of a call to a node, or what is asked of Horizon. */
function nameOf({ method, url = '' }: IncomingMessage, body: Buffer): string {
  const text = body.toString('utf8');
  if (!/^[[{]/.test(text)) return `${method} ${url.replace(/[?].*/, '').replace(/(?<=\w)\/.*/, '')}`;
  const call = JSON.parse(text) as { method: string } | { method: string }[];
  return Array.isArray(call) ? (call[0]?.method ?? '') : call.method;
}
