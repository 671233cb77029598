/** A message to one person of an account: a sentence, and a link to what it is about. What it says is read there, signed in. */
import { createHash } from 'node:crypto';
import type { Log } from '../lib/log.ts';
import type { Person } from '../people/person.ts';
import { html } from '../web/html.ts';
import type { PageLanguage } from '../web/texts/page-texts.ts';
import { mailLanguage, personMailHtml } from './person-mail.ts';
import { AddressRefused, type SendEmail } from './send-email.ts';
import { type MailSay, sayInMail } from './texts/mail-texts.ts';

export type LinkMail = {
  /** By which every attempt to send it is the same message. */
  readonly about: readonly string[];
  readonly url: string;
  write(say: MailSay, language: PageLanguage): { readonly subject: string; readonly sentence: string };
};

export async function sendLink(
  { sendEmail, log, accountUrl }: { readonly sendEmail: SendEmail; readonly log: Log; readonly accountUrl: string },
  person: Person,
  { about, url, write }: LinkMail,
): Promise<void> {
  const language = mailLanguage(person.language);
  const say = sayInMail(language);
  const { subject, sentence } = write(say, language);
  const choose = `${accountUrl}/account/settings/notifications`;
  try {
    await sendEmail({
      id: `${about[0]}.${createHash('sha256').update(JSON.stringify(about)).digest('hex').slice(0, 32)}`,
      to: person.email,
      language,
      subject,
      text: `${[sentence, '', url, '', say('needsChange'), choose].join('\n')}\n`,
      html: personMailHtml(
        language,
        html`<p>${sentence}</p><p><a href="${url}" dir="ltr">${url}</a></p><p>${say('needsChange')} <a href="${choose}" dir="ltr">${choose}</a></p>`,
      ),
    });
  } catch (error) {
    if (!(error instanceof AddressRefused)) throw error;
    log.info({ personId: person.id }, 'the address of a person was refused');
  }
}
