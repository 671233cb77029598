/** A mail server that keeps what it is given, can be away for a while, and takes a moment over every message. */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';

export type ReceivedMail = {
  readonly to: string[];
  /** The header lines by their name in small letters, unfolded. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  readonly html: string;
  /** What the message carries to be shown in it, by the name that its HTML has for it. */
  readonly images: ReadonlyMap<string, Buffer>;
};

export type MailServer = {
  readonly port: number;
  readonly received: ReceivedMail[];
  /** Addresses whose mailbox is busy: another try may succeed. The answer names them, as real ones do. */
  readonly busy: Set<string>;
  /** Connections that were made, whatever came of them. */
  readonly conversations: () => number;
  stop(): Promise<void>;
};

export const mailUser = { user: 'payments@shop', pass: 'p:ss/word' };

/** What makes a gateway write its mail to this server. */
export const mailSettings = ({ port }: Pick<MailServer, 'port'>): Record<string, string> => ({
  SMTP_URL: `smtp://${encodeURIComponent(mailUser.user)}:${encodeURIComponent(mailUser.pass)}@127.0.0.1:${port}`,
  MAIL_FROM: 'Quittance <account@pay.test>',
});

export async function startMailServer(
  port = 0,
  received: ReceivedMail[] = [],
  { isPrompt = false }: { readonly isPrompt?: boolean } = {},
): Promise<MailServer> {
  let conversations = 0;
  const busy = new Set<string>();
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onConnect(_session, done) {
      conversations += 1;
      done();
    },
    onAuth({ username, password }, _session, done) {
      const isKnown = username === mailUser.user && password === mailUser.pass;
      done(isKnown ? null : new Error('wrong password'), isKnown ? { user: username } : undefined);
    },
    onRcptTo({ address }, _session, done) {
      if (busy.has(address)) return done(Object.assign(new Error(`<${address}> is busy`), { responseCode: 451 }));
      const isKnown = !address.startsWith('nobody@');
      done(isKnown ? null : Object.assign(new Error('no such mailbox'), { responseCode: 550 }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        received.push({ to, ...readMail(Buffer.concat(chunks).toString('utf8')) });
        if (isPrompt) done();
        else setTimeout(() => done(), 50);
      });
    },
  });
  await listen(server, port);
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    busy,
    conversations: () => conversations,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}

/** On a port that it had before: whoever took it meanwhile, for a connection of its own, gives it back. */
async function listen(server: SMTPServer, port: number): Promise<void> {
  for (;;) {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.server.once('error', reject);
    server.server.listen(port, '127.0.0.1', resolve);
    try {
      await promise;
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      await sleep(50);
    } finally {
      server.server.off('error', reject);
    }
  }
}

function readMail(raw: string): Omit<ReceivedMail, 'to'> {
  const { headers } = split(raw);
  const parts = partsOf(raw);
  const [text, html, ...others] = parts;
  assert.match(text?.type ?? '', /^text\/plain/, 'the form without markup comes first');
  assert.match(html?.type ?? '', /^text\/html/, 'the message has two forms');
  const images = others.map(({ cid, bytes }): [string, Buffer] => [cid, bytes]);
  return { headers, text: String(text?.bytes), html: String(html?.bytes), images: new Map(images) };
}

type Part = { readonly type: string; readonly cid: string; readonly bytes: Buffer };

/** Parts within parts one after the other, as they stand in the message. */
function partsOf(raw: string): Part[] {
  const { headers, body } = split(raw);
  const type = headers.get('content-type') ?? '';
  const boundary = /^multipart\/.*boundary="([^"]+)"/.exec(type)?.[1];
  if (boundary === undefined)
    return [{ type, cid: (headers.get('content-id') ?? '').replace(/[<>]/g, ''), bytes: decoded(headers, body) }];
  const [, ...parts] = body.split(`--${boundary}`);
  return parts.slice(0, -1).flatMap((part) => partsOf(part.replace(/^\r\n/, '').replace(/\r\n$/, '')));
}

function split(raw: string): { headers: Map<string, string>; body: string } {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), words(line.slice(line.indexOf(':') + 2))]),
  );
  return { headers, body: raw.slice(end + 4) };
}

function decoded(headers: ReadonlyMap<string, string>, body: string): Buffer {
  const encoding = headers.get('content-transfer-encoding');
  if (encoding === 'base64') return Buffer.from(body, 'base64');
  return Buffer.from(encoding === 'quoted-printable' ? unquoted(body.replace(/=\r\n/g, '')) : body);
}

/** Encoded words (RFC 2047). */
const words = (text: string): string =>
  text
    .replace(/(\?=) +(=\?)/g, '$1$2')
    .replace(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toUpperCase() === 'B' ? Buffer.from(word, 'base64').toString('utf8') : unquoted(word.replace(/_/g, ' ')),
    );

const unquoted = (text: string): string =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  ).toString('utf8');
