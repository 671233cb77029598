/**
 * Writes to somebody who moves the operator's money, or was put out, what has changed about the staff. Who has left since is
 * told only what is about themselves. In English, as the pages of the operator.
 */
import { createHash } from 'node:crypto';
import { type Actor, isPersonActor, personIdOf } from '../http/actor.ts';
import type { JobCatalog } from '../jobs/job-catalog.ts';
import { findPerson } from '../people/person-store.ts';
import { findStaffRole } from '../people/staff-store.ts';
import { html } from '../web/html.ts';
import { oneLine } from './one-line.ts';
import { AddressRefused } from './send-email.ts';
import type { PersonEmailDeps } from './send-person-email.ts';

type News = JobCatalog['staff.news'];

const sentences: Readonly<Record<News['what'], (news: News, by: string) => string>> = {
  invited: ({ about, role }, by) => `${by} invited ${about} to the staff, as ${role}.`,
  joined: ({ about, role }, by) => `${about} joined the staff, as ${role}. The invitation was made by ${by}.`,
  'role-changed': ({ about, role }, by) => `${by} gave ${about} another role among the staff: ${role}.`,
  removed: ({ about }, by) => `${by} removed ${about} from the staff.`,
  'recovery-asked': ({ about }, by) =>
    `${by} lets ${about} sign in anew, who has lost every way to. The command "person take-back-link" makes the link worthless.`,
  'owner-invited': ({ about, account = '' }, by) =>
    `${by} invited ${about} to own the account ${oneLine(account)}, which is in use and which nobody owns. The link works a day from then on; until then it is taken back on the page of the account.`,
  recovered: ({ about }) => `${about} signed in with a link for who has lost every way to.`,
  'passkey-added': (_, by) => `${by} added a passkey. For a day at least nothing leaves by their signature.`,
};

export async function sendStaffNews(deps: PersonEmailDeps, news: News): Promise<void> {
  const { db, log, accountUrl, sendEmail } = deps;
  const { personId } = news;
  const [person, role] = await Promise.all([findPerson(db, personId), findStaffRole(db, personId)]);
  if (sendEmail === null || !person || (role === undefined && person.email !== news.about)) return;
  const sentence = sentences[news.what](
    { ...news, about: oneLine(news.about) },
    await whoDidIt(deps, news.by as Actor),
  );
  const warning = 'If this is not right, tell the others and whoever has access to the machine at once:';
  const place = `${accountUrl}/operator/staff`;
  try {
    await sendEmail({
      // The same for every attempt: a mail program takes a repetition for what it is.
      id: `staff.${createHash('sha256').update(JSON.stringify(news)).digest('hex').slice(0, 32)}`,
      to: person.email,
      language: 'en',
      subject: 'Quittance: the staff has changed',
      text: `${[sentence, '', warning, place].join('\n')}\n`,
      html: html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"></head>
<body><p>${sentence}</p><p>${warning} <a href="${place}">${place}</a></p></body></html>
`.toString(),
    });
  } catch (error) {
    if (!(error instanceof AddressRefused)) throw error;
    log.info({ personId }, 'the address of a person was refused');
  }
}

export async function whoDidIt({ db }: Pick<PersonEmailDeps, 'db'>, by: Actor): Promise<string> {
  if (!isPersonActor(by)) return 'Somebody at the command line';
  const person = await findPerson(db, personIdOf(by));
  return person ? `${oneLine(person.name)} (${person.email})` : 'Somebody';
}
