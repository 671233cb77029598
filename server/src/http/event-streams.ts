/** Streams of server-sent events: each says only that something is new. They end with the server, and stay awake until then. */
import { Readable } from 'node:stream';
import type { PageContext, PageReply } from './route.ts';

/** Proxies close silent connections, mostly after a minute. */
const heartbeatMs = 20_000;

export type EventStream = {
  send(data: string): void;
  end(): void;
};

/** `begin` gets the stream and returns how to stop sending; null: too many are listening. */
export type OpenStream = (
  context: Pick<PageContext, 'closing'>,
  begin: (stream: EventStream) => (() => void) | null,
) => PageReply;

export function createEventStreams(): OpenStream {
  const streams = new Set<Readable>();
  let heartbeat: NodeJS.Timeout | undefined;
  const endAll = (): void => streams.forEach((stream) => void stream.push(null));

  return ({ closing }, begin) => {
    const stream = new Readable({ read: () => undefined });
    const stop = begin({ send: (data) => stream.push(`data: ${data}\n\n`), end: () => stream.push(null) });
    if (!stop) return { status: 503, headers: { 'retry-after': '30', 'cache-control': 'no-store' } };

    streams.add(stream);
    heartbeat ??= setInterval(() => streams.forEach((each) => void each.push(':\n\n')), heartbeatMs).unref();
    closing.addEventListener('abort', endAll);
    stream.on('close', () => {
      stop();
      streams.delete(stream);
      if (streams.size > 0) return;
      clearInterval(heartbeat);
      heartbeat = undefined;
    });
    stream.push('retry: 3000\n\n');
    return {
      status: 200,
      // The last one is for nginx, which would otherwise collect events before it sends them on.
      headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
      body: stream,
    };
  };
}
