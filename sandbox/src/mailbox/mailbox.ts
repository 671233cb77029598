/**
 * The mailbox of the sandbox: a mail server that keeps what it is given, and a page that shows it, so that whoever
 * tries the service out reads its e-mails without having a mail server.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, systemClock } from '@quittance/server/lib/clock';
import { writeFileAtomically } from '@quittance/server/lib/write-file-atomically';
import { startMailCatcher } from './mail-catcher.ts';
import { openMailFolder } from './mail-folder.ts';
import { startMailboxServer } from './mailbox-server.ts';
import { readMail } from './read-mail.ts';

export type Mailbox = {
  /** For the service that sends. */
  readonly smtpUrl: string;
  /** For a person. It opens everything: it is told to the owner of the sandbox only. */
  readonly pageUrl: string;
  stop(): Promise<void>;
};

type Options = {
  /** In it a folder `mailbox` is made. */
  readonly folder: string;
  readonly password: string;
  /** A part of the page's address. */
  readonly pageSecret: string;
  readonly clock?: Clock;
};

/** What is kept, and how long one message may be. */
const limits = { messages: 500, bytes: 20 * 1024 * 1024 };
const maxBytes = 5 * 1024 * 1024;

export async function startMailbox({ folder, password, pageSecret, clock = systemClock }: Options): Promise<Mailbox> {
  const path = join(folder, 'mailbox');
  const mails = openMailFolder(path, limits);
  const pages = await startMailboxServer({ mails, secret: pageSecret, wantedPort: readPort(path) });
  await writeFileAtomically(portFile(path), `${pages.port}\n`);
  const catcher = await startMailCatcher({
    user: 'sandbox',
    password,
    maxBytes,
    async keep({ from, to, source }) {
      const read = await readMail(source);
      const at = clock.now().toISOString();
      await mails.keep({ from: read?.from || from, to, subject: read?.subject ?? '', at }, source);
      pages.announce();
    },
  });
  return {
    smtpUrl: `smtp://sandbox:${password}@127.0.0.1:${catcher.port}`,
    pageUrl: `http://127.0.0.1:${pages.port}/${pageSecret}/`,
    async stop() {
      await Promise.all([catcher.stop(), pages.stop()]);
    },
  };
}

const portFile = (path: string): string => join(path, 'port');

/** Of the start before; 0, which is any, at the first. */
function readPort(path: string): number {
  try {
    const port = Number(readFileSync(portFile(path), 'utf8'));
    return Number.isInteger(port) && port > 0 && port < 65_536 ? port : 0;
  } catch {
    return 0;
  }
}
