/**
 * Writes to somebody who moves the operator's money, or was put out, what has changed about the staff. Who has left since is
 * told only what is about themselves.
 */
import { type Actor, isPersonActor, personIdOf } from '../http/actor.ts';
import type { JobCatalog } from '../jobs/job-catalog.ts';
import { findPerson } from '../people/person-store.ts';
import { findStaffRole } from '../people/staff-store.ts';
import { oneLine } from './one-line.ts';
import type { PersonEmailDeps } from './send-person-email.ts';
import { warnStaff } from './warn-staff.ts';

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
  const { db, accountUrl, sendEmail } = deps;
  const { personId } = news;
  const [person, role] = await Promise.all([findPerson(db, personId), findStaffRole(db, personId)]);
  if (sendEmail === null || !person || (role === undefined && person.email !== news.about)) return;
  const sentence = sentences[news.what](
    { ...news, about: oneLine(news.about) },
    await whoDidIt(deps, news.by as Actor),
  );
  await warnStaff(deps, sendEmail, {
    news,
    topic: 'staff',
    to: person.email,
    subject: 'Quittance: the staff has changed',
    sentence,
    place: `${accountUrl}/operator/staff`,
  });
}

export async function whoDidIt({ db }: Pick<PersonEmailDeps, 'db'>, by: Actor): Promise<string> {
  if (!isPersonActor(by)) return 'Somebody at the command line';
  const person = await findPerson(db, personIdOf(by));
  return person ? `${oneLine(person.name)} (${person.email})` : 'Somebody';
}
