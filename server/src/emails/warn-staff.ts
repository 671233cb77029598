/** Mails a sentence to one of the staff who is to object if it is not right. In English, as the pages of the operator. */
import { createHash } from 'node:crypto';
import { html } from '../web/html.ts';
import { AddressRefused, type SendEmail } from './send-email.ts';
import type { PersonEmailDeps } from './send-person-email.ts';

const warning = 'If this is not right, tell the others and whoever has access to the machine at once:';

export type StaffWarning = {
  /** The same for every attempt: a mail program takes a repetition for what it is. */
  readonly news: { readonly personId: string };
  readonly topic: 'order' | 'staff';
  readonly to: string;
  readonly subject: string;
  readonly sentence: string;
  /** Where it can be looked at. */
  readonly place: string;
};

export async function warnStaff(
  { log }: Pick<PersonEmailDeps, 'log'>,
  sendEmail: SendEmail,
  { news, topic, to, subject, sentence, place }: StaffWarning,
): Promise<void> {
  try {
    await sendEmail({
      id: `${topic}.${createHash('sha256').update(JSON.stringify(news)).digest('hex').slice(0, 32)}`,
      to,
      language: 'en',
      subject,
      text: `${[sentence, '', warning, place].join('\n')}\n`,
      html: html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"></head>
<body><p>${sentence}</p><p>${warning} <a href="${place}">${place}</a></p></body></html>
`.toString(),
    });
  } catch (error) {
    if (!(error instanceof AddressRefused)) throw error;
    log.info({ personId: news.personId }, 'the address of a person was refused');
  }
}
