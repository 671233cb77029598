/**
 * Writes to somebody what waits for them. What was decided meanwhile, or is not theirs any more, is left out; if nothing
 * is left nobody is written to. The message says of which kind things are and leads to them: the rest is for who signs in.
 */
import { createHash } from 'node:crypto';
import { needKindsOfRole, needName } from '../finding/need-kinds.ts';
import { listNeeds, type Need } from '../finding/needs-you.ts';
import type { NotifyDeps } from '../finding/notify-people.ts';
import type { JobCatalog } from '../jobs/job-catalog.ts';
import type { Log } from '../lib/log.ts';
import { findMerchant } from '../merchants/merchant-store.ts';
import { findPerson, findRole } from '../people/person-store.ts';
import { html } from '../web/html.ts';
import type { SupportContact } from '../web/support-contact.ts';
import { oneLine } from './one-line.ts';
import { askLine, mailLanguage, personMailHtml } from './person-mail.ts';
import { AddressRefused, type SendEmail } from './send-email.ts';
import { sayInMail } from './texts/mail-texts.ts';

export type SendNeedsDeps = Omit<NotifyDeps, 'sendsEmail'> & {
  readonly log: Log;
  readonly accountUrl: string;
  readonly supportContact: SupportContact | null;
  /** Null: mail is off. */
  readonly sendEmail: SendEmail | null;
};

const listedMax = 20;

export async function sendNeeds(deps: SendNeedsDeps, told: JobCatalog['needs.mail']): Promise<void> {
  const { db, log, accountUrl, sendEmail } = deps;
  const { merchantId, personId, items, isDigest } = told;
  const [merchant, person, role] = await Promise.all([
    findMerchant(db, merchantId),
    findPerson(db, personId),
    findRole(db, merchantId, personId),
  ]);
  if (sendEmail === null || !merchant || !person || !role) return;
  const kinds = needKindsOfRole(role);
  const needs = (await listNeeds(deps, merchantId)).filter(
    (need) => kinds.includes(need.kind) && items.includes(needName(need)),
  );
  if (needs.length === 0) return;
  const language = mailLanguage(person.language);
  const say = sayInMail(language);
  const account = oneLine(merchant.name);
  const opening = say('needsOpening', { account });
  const lines = needs
    .slice(0, listedMax)
    .map((need) => ({ text: say(`need_${need.kind}`), url: urlOf(accountUrl, merchantId, need) }));
  const more = needs.length > listedMax ? say('needsMore', { count: needs.length - listedMax }) : null;
  const choose = `${accountUrl}/account/settings/notifications`;
  try {
    await sendEmail({
      // The same for every attempt: a mail program takes a repetition for what it is.
      id: `needs.${createHash('sha256').update(JSON.stringify(told)).digest('hex').slice(0, 32)}`,
      to: person.email,
      language,
      subject: say(isDigest ? 'needsDigestSubject' : 'needsSubject', { account }),
      text: `${[opening, '', ...lines.flatMap(({ text, url }) => [text, url, '']), ...(more === null ? [] : [more, '']), say('needsChange'), choose, ...askLine(say, deps.supportContact)].join('\n')}\n`,
      html: personMailHtml(
        language,
        html`<p>${opening}</p><ul>${lines.map(({ text, url }) => html`<li><a href="${url}">${text}</a></li>`)}</ul>${more !== null && html`<p>${more}</p>`}<p>${say('needsChange')} <a href="${choose}" dir="ltr">${choose}</a></p>`,
        deps.supportContact,
      ),
    });
  } catch (error) {
    if (!(error instanceof AddressRefused)) throw error;
    log.info({ personId }, 'the address of a person was refused');
  }
}

/** An address of the shop's server may hold a secret: such an item is found in the list. */
function urlOf(accountUrl: string, merchantId: string, need: Need): string {
  const isNamed = (need.policyId ?? need.refundId ?? need.transferId ?? need.checkoutId) !== undefined;
  const asked = { ...(isNamed && { open: needName(need) }), account: merchantId };
  return `${accountUrl}/account/needs-you?${new URLSearchParams(asked).toString()}`;
}
