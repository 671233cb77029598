/** An SMTP server that takes every message to everybody and passes none on. On this machine only, with a password. */
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';

export type CaughtMail = { readonly from: string; readonly to: readonly string[]; readonly source: Buffer };

export type MailCatcher = { readonly port: number; stop(): Promise<void> };

type Options = {
  readonly user: string;
  readonly password: string;
  /** Of one message. */
  readonly maxBytes: number;
  keep(mail: CaughtMail): Promise<void>;
};

export async function startMailCatcher({ user, password, maxBytes, keep }: Options): Promise<MailCatcher> {
  const server = new SMTPServer({
    banner: 'Quittance sandbox',
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    size: maxBytes,
    socketTimeout: 60_000,
    closeTimeout: 1_000,
    // Without it any page that a browser shows could post a message here, as lines of a form.
    onAuth({ username, password: given }, _session, done) {
      const isRight = username === user && given === password;
      done(isRight ? null : new Error('wrong password'), isRight ? { user } : undefined);
    },
    onData(stream, { envelope }, done) {
      const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
      const to = envelope.rcptTo.map(({ address }) => address);
      collect(stream, maxBytes)
        .then((source) => keep({ from, to, source }))
        .then(
          () => done(),
          (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
        );
    },
  });
  // A client that goes away in the middle of a sentence is no trouble of ours.
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await new Promise((resolve, reject) => listening.once('listening', resolve).once('error', reject));
  return {
    port: (server.server.address() as AddressInfo).port,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** What is too long is heard to its end, and not kept: the client waits for our answer. */
async function collect(stream: SMTPServerDataStream, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= maxBytes) chunks.push(chunk);
  }
  if (length > maxBytes) throw Object.assign(new Error(`A message may have ${maxBytes} bytes`), { responseCode: 552 });
  return Buffer.concat(chunks);
}
