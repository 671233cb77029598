/**
 * Sends signed requests as fast as they are answered: a process of its own, on bare sockets, so that asking takes
 * little of the machine's time. Every connection is kept alive and has one request under way.
 */
import { connect } from 'node:net';
import { type ApiRequest, type Credentials, digestHeaders } from './signed-request.ts';

export type Load = {
  /** The ports of the processes that serve; the connections are shared out evenly among them. */
  readonly ports: readonly number[];
  readonly credentials: Credentials;
  readonly requests: readonly ApiRequest[];
  /** Starts again when all requests were sent. Otherwise the run then ends. */
  readonly isRepeated: boolean;
  readonly connections: number;
  readonly seconds: number;
};

export type LoadResult = {
  readonly answered: number;
  readonly perSecond: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  /** Anything that was not 200, the first one in full. */
  readonly failed: number;
  readonly firstFailure: string | null;
};

process.on('message', (load: Load) => {
  run(load).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.send?.('ready');

async function run(load: Load): Promise<LoadResult> {
  const requests = sign(load);
  const latencies: number[] = [];
  let next = 0;
  let failed = 0;
  let firstFailure: string | null = null;
  const startedAt = performance.now();
  const endsAt = startedAt + load.seconds * 1000;

  const take = (): Buffer | undefined => {
    if (performance.now() >= endsAt) return undefined;
    if (next >= requests.length && !load.isRepeated) return undefined;
    return requests[next++ % requests.length];
  };

  function keepAsking(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port, noDelay: true });
      let sentAt = 0;
      let received = '';
      const ask = (): void => {
        const request = take();
        if (!request) {
          socket.destroy();
          resolve();
          return;
        }
        received = '';
        sentAt = performance.now();
        socket.write(request);
      };
      socket.on('connect', ask);
      socket.on('error', reject);
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1');
        if (!isWhole(received)) return;
        latencies.push(performance.now() - sentAt);
        if (!received.startsWith('HTTP/1.1 200')) {
          failed += 1;
          firstFailure ??= received;
        }
        ask();
      });
    });
  }

  const portOf = (connection: number): number => load.ports[connection % load.ports.length] ?? 0;
  await Promise.all(Array.from({ length: load.connections }, (_, connection) => keepAsking(portOf(connection))));
  const seconds = (performance.now() - startedAt) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? 0;
  const answered = latencies.length;
  return { answered, perSecond: answered / seconds, medianMs: at(0.5), p99Ms: at(0.99), failed, firstFailure };
}

function isWhole(text: string): boolean {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd === -1) return false;
  const length = /content-length: (\d+)/i.exec(text)?.[1];
  return text.length >= headEnd + 4 + Number(length ?? 0);
}

/** Signed before the clock starts; a signature holds for half a minute. */
function sign({ credentials, requests }: Load): Buffer[] {
  return requests.map((request) => {
    const { method, path, body } = request;
    const head = [
      `${method} /api/v1${path} HTTP/1.1`,
      'host: 127.0.0.1',
      'user-agent: bench',
      'accept: application/json',
      ...Object.entries(digestHeaders(credentials, request)).map(([name, value]) => `${name}: ${value}`),
      ...(body === '' ? [] : ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`]),
    ];
    return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
  });
}
