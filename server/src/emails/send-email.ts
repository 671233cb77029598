/**
 * One message to one address, over SMTP. Every error is thrown and the message may be tried again, unless the server
 * refuses the address itself.
 */
import { setTimeout } from 'node:timers/promises';
import { type MailFailure, mailFailure } from '../counterparties/mail-failure.ts';
import type { MailSettings } from './mail-settings.ts';
import { oneLine } from './one-line.ts';

/** A picture inside the message, which its HTML shows as `cid:…`. */
export type MailImage = { readonly cid: string; readonly name: string; readonly png: Buffer };

export type Email = {
  /** Without brackets and domain; the same for every attempt to send the same message. */
  readonly id: string;
  readonly to: string;
  readonly language: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly images?: readonly MailImage[];
  /** In whose name it is, and who reads answers, if anybody does. Left out: it is the operator's own. */
  readonly shop?: { readonly name: string; readonly replyTo: string | null };
  /** Where mails of this kind are stopped: mail programs show a button for it (RFC 8058). */
  readonly stopUrl?: string;
};

export type SendEmail = (email: Email) => Promise<void>;

/** The mail server says that nobody can be reached at this address: another try is useless. */
export class AddressRefused extends Error {
  readonly failure: MailFailure;
  constructor(failure: MailFailure) {
    super('the mail server refuses the address');
    this.failure = failure;
  }
}

/** No conversation takes longer, whatever the server does. */
export const conversationMaxMs = 60_000;

const loopbacks = new Set(['localhost', '127.0.0.1', '[::1]']);

export function createSendEmail({ smtpUrl, from }: MailSettings): SendEmail {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl.reveal());
  const isEncrypted = protocol === 'smtps:';
  const auth = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  const options = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || (isEncrypted ? 465 : 587)),
    secure: isEncrypted,
    ...(username !== '' && { auth }),
    // A password is never sent unencrypted, except within this machine.
    requireTLS: username !== '' && !loopbacks.has(hostname),
    connectionTimeout: 15_000,
    greetingTimeout: 15_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);

  return async ({ id, to, language, subject, text, html, images = [], shop, stopUrl }) => {
    const { createTransport } = await import('nodemailer'); // Large, and most processes never send mail.
    const transport = createTransport(options);
    const deadline = new AbortController();
    try {
      const sent = transport.sendMail({
        from: { name: (shop && senderName(shop.name)) || from.name, address: from.address },
        ...(shop?.replyTo && { replyTo: { name: '', address: shop.replyTo } }),
        to: { name: '', address: to },
        envelope: { from: from.address, to: [to] },
        messageId: `<${id}@${domain}>`,
        subject: subject.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '),
        text,
        html,
        attachments: images.map(({ cid, name, png }) => ({
          cid,
          filename: name,
          content: png,
          contentType: 'image/png',
          contentDisposition: 'inline',
        })),
        headers: {
          'Auto-Submitted': 'auto-generated',
          'Content-Language': language,
          ...(stopUrl !== undefined && {
            'List-Unsubscribe': `<${stopUrl}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
        },
      });
      await Promise.race([sent, tooLate(deadline.signal)]);
    } catch (error) {
      throw isRefusal(error) ? new AddressRefused(failureOf(error)) : new Error(whyNotSent(error));
    } finally {
      deadline.abort();
    }
  };
}

/** As a list of messages shows it: short, and nothing that could pass for an address. */
const senderName = (name: string): string =>
  Array.from(oneLine(name.replace(/[@<>"]+/gu, ' ')))
    .slice(0, 80)
    .join('')
    .trim();

/** The message may still arrive: that is why every attempt has the same id. */
async function tooLate(signal: AbortSignal): Promise<void> {
  await setTimeout(conversationMaxMs, undefined, { signal }).catch(() => undefined);
  if (!signal.aborted) throw new TooLate('the mail server takes too long');
}

class TooLate extends Error {}

/** What the library adds to an error. */
type SmtpProblem = Error & {
  readonly command?: string;
  readonly response?: string;
  readonly responseCode?: number;
  readonly code?: string;
};

/**
 * For the log and the staff. Not in the server's own words, which often name whom we wrote to; what kept us from talking to it
 * at all names nobody.
 */
function whyNotSent(error: unknown): string {
  if (!(error instanceof Error)) return 'the mail could not be sent';
  const { command = 'nothing yet', responseCode, code = 'error' }: SmtpProblem = error;
  if (responseCode !== undefined) return `the mail server answered ${responseCode} to ${command}`;
  if (command === 'CONN' || error instanceof TooLate) return error.message;
  return `the mail could not be sent: ${code} at ${command}`;
}

const isRefusal = (error: unknown): error is SmtpProblem =>
  error instanceof Error &&
  'command' in error &&
  error.command === 'RCPT TO' &&
  'responseCode' in error &&
  Number(error.responseCode) >= 500;

/** Behind the reply code most servers give a more exact one: `550 5.1.1 …`. */
const failureOf = ({ response = '', responseCode }: SmtpProblem): MailFailure =>
  mailFailure(/^\d{3}[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1] ?? null, responseCode);
