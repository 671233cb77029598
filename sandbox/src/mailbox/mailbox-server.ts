/**
 * The pages of the mailbox over HTTP. Messages have links in them that sign people in, so nobody else on this machine
 * and no page of another origin may read them: an address has a secret part, whoever asks must call us by a name of
 * this machine (else a foreign domain that points here could read everything), and must not be another page's script.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { type LocalServer, startLocalServer } from '../local-server.ts';
import type { MailFolder } from './mail-folder.ts';
import { framedMail, mailListPage, mailPage, type View, views } from './mailbox-page.ts';
import { readMail } from './read-mail.ts';

export type MailboxServer = {
  readonly port: number;
  /** Tells all open lists. */
  announce(): void;
  stop(): Promise<void>;
};

type Options = {
  readonly mails: MailFolder;
  /** The first part of every path. */
  readonly secret: string;
  /** Taken if nobody else has it. */
  readonly wantedPort: number;
};

type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
};

const ownNames = new Set(['127.0.0.1', 'localhost', '[::1]']);

const alwaysSent = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
};

const pagePolicy = (nonce: string): string =>
  `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src data:; connect-src 'self'; ` +
  "frame-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/** Of a message: it shows what is in it, and can neither run, nor send, nor load anything. Its links open beside it. */
const mailPolicy =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; " +
  "frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox";

export async function startMailboxServer({ mails, secret, wantedPort }: Options): Promise<MailboxServer> {
  const lists = new Set<ServerResponse>();
  const newest = (): string => `data: ${mails.list()[0]?.id ?? ''}\n\n`;
  const stylesheet = readStylesheet();

  function answer(request: IncomingMessage, response: ServerResponse): void {
    // What is no address is one of nothing.
    const { pathname, searchParams } = URL.parse(`http://mailbox${request.url}`) ?? new URL('http://mailbox');
    const refused = refusal(request, pathname, secret);
    if (refused !== null) return send(response, refused);
    const name = pathname.slice(secret.length + 2);
    if (name === 'news') {
      response.writeHead(200, { ...alwaysSent, 'content-type': 'text/event-stream' }).write(newest());
      lists.add(response);
      response.once('close', () => lists.delete(response));
      return;
    }
    if (name === 'mailbox.css') return send(response, reply('text/css; charset=utf-8', stylesheet));
    replyTo(mails, name, searchParams).then(
      (found) => send(response, found ?? text(404, 'There is no such e-mail, or no more.')),
      () => send(response, text(500, 'This e-mail could not be shown.')),
    );
  }

  const server = await startOn(wantedPort, answer);
  return {
    port: server.port,
    announce() {
      for (const list of lists) list.write(newest());
    },
    stop: () => server.close(),
  };
}

/** The port of before, so that a bookmark stays good, unless somebody took it meanwhile. */
async function startOn(port: number, answer: Parameters<typeof startLocalServer>[0]): Promise<LocalServer> {
  try {
    return await startLocalServer(answer, port);
  } catch (error) {
    if (port === 0 || !['EADDRINUSE', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return startLocalServer(answer);
  }
}

function refusal({ headers, method }: IncomingMessage, path: string, secret: string): Reply | null {
  if (!ownNames.has(URL.parse(`http://${headers.host ?? ''}`)?.hostname ?? ''))
    return text(421, 'This page is for this machine only: open it at the address that npm start printed.');
  if (!isSame(path.split('/')[1] ?? '', secret) || path === `/${secret}`)
    return text(404, 'Open the mailbox at the address that npm start printed.');
  if (isFromElsewhere(headers)) return text(403, 'Other pages cannot read the mailbox.');
  if (method !== 'GET' && method !== 'HEAD') return text(405, 'The mailbox can only be read.');
  return null;
}

/** A browser says where a request came from. To be led here by a link is no reading: the other page sees nothing. */
function isFromElsewhere(headers: IncomingHttpHeaders): boolean {
  if (headers.origin !== undefined && headers.origin !== `http://${headers.host}`) return true;
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return false;
  return headers['sec-fetch-mode'] !== 'navigate' || headers['sec-fetch-dest'] !== 'document';
}

const isSame = (given: string, secret: string): boolean => timingSafeEqual(digest(given), digest(secret));
const digest = (value: string): Buffer => createHash('sha256').update(value).digest();

async function replyTo(mails: MailFolder, name: string, query: URLSearchParams): Promise<Reply | null> {
  const nonce = randomBytes(16).toString('base64url');
  const showPage = (page: { toString(): string }): Reply =>
    reply('text/html; charset=utf-8', page.toString(), { 'content-security-policy': pagePolicy(nonce) });
  if (name === '') return showPage(mailListPage(nonce, mails.list()));

  const [, id = '', form = ''] = /^message-(\d+)(|\.html|\.eml|-file-\d+)$/.exec(name) ?? [];
  const found = mails.find(id);
  if (found === null) return null;
  if (form === '.eml') return download(`${id}.eml`, found.source);
  const read = await readMail(found.source);
  if (form === '.html')
    return read === null || read.html === null
      ? null
      : reply('text/html; charset=utf-8', framedMail(read.html), { 'content-security-policy': mailPolicy });
  if (form !== '') {
    const file = read?.attachments[Number(form.slice('-file-'.length))];
    return file ? download(file.name, file.bytes) : null;
  }
  const wanted = query.get('as') ?? 'html';
  const view: View = views.find((each) => each === wanted) ?? 'html';
  return showPage(mailPage(nonce, found.mail, read, found.source.toString('utf8'), view));
}

const reply = (type: string, body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status: 200,
  headers: { 'content-security-policy': "default-src 'none'", ...headers, 'content-type': type },
  body,
});

const text = (status: number, sentence: string): Reply => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: `${sentence}\n`,
});

/** Never shown by the browser itself, whatever it says it is. */
const download = (name: string, bytes: Buffer): Reply =>
  reply('application/octet-stream', bytes, {
    'content-security-policy': "default-src 'none'; sandbox",
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, '_')}`,
  });

function send(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, { ...alwaysSent, ...headers }).end(body);
}

function readStylesheet(): string {
  const ofServer = (name: string): URL => new URL(`css/${name}.css`, import.meta.resolve('@quittance/server/web/html'));
  const files = [ofServer('tokens'), ofServer('components'), new URL('mailbox.css', import.meta.url)];
  return files.map((file) => readFileSync(file, 'utf8')).join('\n');
}
