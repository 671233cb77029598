/**
 * A mail server's report that something we sent did not arrive (RFC 3464), as its mailbox has it. Everything in it was
 * written by others: all that is taken from it are the id of our message and a status code. Pure.
 */
import type { Attachment } from 'postal-mime';

export type Bounce = {
  /** Of our message: without brackets. */
  readonly messageId: string;
  /** Such as 5.1.1; 4.… is tried again by the server that says so. */
  readonly status: string;
};

/** Null: it is no such report, or does not say about what. */
export async function readBounce(raw: Uint8Array): Promise<Bounce | null> {
  const { default: PostalMime } = await import('postal-mime'); // Only the command needs it.
  const { attachments } = await PostalMime.parse(raw, { forceRfc822Attachments: true });
  const textOf = (...types: string[]): string =>
    attachments
      .filter(({ mimeType }) => types.includes(mimeType))
      .map(contentOf)
      .join('\n\n');
  const report = textOf('message/delivery-status', 'message/global-delivery-status');
  const status = failedStatus(report);
  if (status === null) return null;
  const original = textOf('message/rfc822', 'text/rfc822-headers', 'message/global', 'message/global-headers');
  const messageId =
    idIn(report, /^(?:X-)?Original-Message-ID:\s*<?([^<>\s]+)>?\s*$/im) ??
    idIn(headOf(original), /^Message-ID:\s*<([^<>\s]+)>/im);
  return messageId === null ? null : { messageId, status };
}

const contentOf = ({ content }: Attachment): string =>
  typeof content === 'string'
    ? content
    : Buffer.from(content instanceof ArrayBuffer ? new Uint8Array(content) : content).toString('utf8');

/** Of the first recipient who is not reached: we write to one at a time. */
function failedStatus(report: string): string | null {
  const failed = report.split(/\r?\n\r?\n/).find((group) => /^Action:\s*failed\s*$/im.test(group));
  return failed === undefined ? null : idIn(failed, /^Status:\s*([245]\.\d{1,3}\.\d{1,3})\b/im);
}

const idIn = (text: string, form: RegExp): string | null => form.exec(unfolded(text))?.[1] ?? null;
const unfolded = (text: string): string => text.replace(/\r?\n[ \t]+/g, ' ');
const headOf = (message: string): string => message.split(/\r?\n\r?\n/)[0] ?? '';
