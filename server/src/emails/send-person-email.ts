/**
 * Writes to somebody who signs in, or is invited. The token of a link is made here: it is in the message and nowhere else. A
 * message that may not have gone out is written again with another token, and the earlier one is worth nothing then; but
 * nothing else about the link changes, and what was taken back is not mailed.
 */
import type { Db, Tx } from '../db/database.ts';
import type { JobCatalog } from '../jobs/job-catalog.ts';
import { RunLater } from '../jobs/job-runner.ts';
import { addMs, type Clock, minutes } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import { findMerchant } from '../merchants/merchant-store.ts';
import { newLink } from '../people/join-account.ts';
import { deleteLinksFor, deleteSignInLink, insertLink, saveMailFailure } from '../people/one-time-link-store.ts';
import { findPerson, findProvenPerson } from '../people/person-store.ts';
import { renewLink } from '../people/renew-link.ts';
import { hashOf, newToken } from '../people/session.ts';
import { signUpStates } from '../people/sign-up-state.ts';
import { findOpenSignUp } from '../people/sign-up-store.ts';
import { html } from '../web/html.ts';
import type { SupportContact } from '../web/support-contact.ts';
import type { PageLanguage } from '../web/texts/page-texts.ts';
import { oneLine } from './one-line.ts';
import { openLinkOfBefore } from './open-link-of-before.ts';
import { askLine, mailLanguage, personMailHtml } from './person-mail.ts';
import { AddressRefused, type SendEmail } from './send-email.ts';
import { type MailSay, sayInMail } from './texts/mail-texts.ts';

export type PersonEmailDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly accountUrl: string;
  readonly supportContact: SupportContact | null;
  /** Null: mail is off. */
  readonly sendEmail: SendEmail | null;
};

type Payload = JobCatalog['person.email'];
type Told<Kind extends Payload['kind']> = Extract<Payload, { kind: Kind }>;

const unknownKindMs = minutes(1);

/** What to write to whom. Null: nobody is there any more to write to. */
type Message = {
  readonly to: string;
  readonly language: string;
  readonly url: string;
  /** Asks to be answered if it is not right: it is not to be ignored, as what somebody else may have asked for is. */
  readonly isWarning?: boolean;
  write(say: MailSay, language: PageLanguage): { readonly subject: string; readonly sentence: string };
};

/** About a day: a mail server that is away for a night is waited for, and an address that never answers is told of. */
const linkTriesMax = 100;

export async function sendPersonEmail(deps: PersonEmailDeps, payload: Payload, attempt: number): Promise<void> {
  const { db, log, sendEmail } = deps;
  if (sendEmail === null) {
    // Mail was turned off since: nobody else will write it.
    if (payload.kind === 'link') await saveMailFailure(db, payload.linkId, deps.clock.now());
    return;
  }
  const message = await db.begin((tx) => write(deps, tx, payload));
  if (message === null) return;
  const language = mailLanguage(message.language);
  const say = sayInMail(language);
  const { subject, sentence } = message.write(say, language);
  const { to, url, isWarning = false } = message;
  const ignore = isWarning ? null : say('ignore');
  try {
    await sendEmail({
      id: `person.${newId()}`,
      to,
      language,
      subject,
      text: `${[sentence, '', url, ...(ignore === null ? [] : ['', ignore]), ...askLine(say, deps.supportContact)].join('\n')}\n`,
      html: personMailHtml(
        language,
        // An address is read from left to right in every language.
        html`<p>${sentence}</p><p><a href="${url}" dir="ltr">${url}</a></p>${ignore !== null && html`<p>${ignore}</p>`}`,
        deps.supportContact,
      ),
    });
  } catch (error) {
    const isRefused = error instanceof AddressRefused;
    const isGivenUp = payload.kind === 'link' && (isRefused || attempt >= linkTriesMax);
    if (!isRefused && !isGivenUp) throw error;
    log.info({ kind: payload.kind, isRefused, attempt }, 'a message to a person was given up');
    if (isGivenUp) await saveMailFailure(db, payload.linkId, deps.clock.now());
  }
}

function write(deps: PersonEmailDeps, tx: Tx, payload: Payload): Promise<Message | null> {
  if (payload.kind === 'sign-in') return signInMessage(deps, tx, payload);
  if (payload.kind === 'link') return linkMessage(deps, tx, payload);
  if (payload.kind === 'invitation' || payload.kind === 'staff-invitation' || payload.kind === 'recovery')
    return openLinkOfBefore(tx, payload, deps.clock.now());
  if (payload.kind === 'owner-invited') return ownerInvitedMessage(deps, tx, payload);
  if (payload.kind === 'approver-lost') return lostMessage(deps, tx, payload);
  if (payload.kind === 'new-hand') return newHandMessage(deps, tx, payload);
  if (payload.kind === 'credential-added') return credentialMessage(deps, tx, payload);
  if (payload.kind === 'sign-up') return signUpMessage(deps, tx, payload);
  if (payload.kind === 'sign-up-decided') return decidedMessage(deps, tx, payload);
  if (payload.kind === 'recovery-announced') return announcement(deps, tx, payload);
  // Of a newer release, which runs beside this one and will write it.
  throw new RunLater(addMs(deps.clock.now(), unknownKindMs));
}

async function signInMessage(deps: PersonEmailDeps, tx: Tx, told: Told<'sign-in'>): Promise<Message | null> {
  const { email } = told;
  const language = await languageOf(tx, email);
  if (language === undefined) return null;
  const token = newToken();
  const browserHash = Buffer.from(told.browserHash, 'hex');
  await deleteSignInLink(tx, email, browserHash);
  const link = newLink({ ...nowhere, email }, 'sign-in', 'operator', deps.clock.now());
  await insertLink(tx, hashOf(token), { ...link, browserHash });
  const url = `${deps.accountUrl}/account/sign-in/link#${token}`;
  return { to: email, language, url, write: (say) => ({ subject: say('signInSubject'), sentence: say('signInText') }) };
}

/** Null: it was taken back, used or replaced since it was asked for. */
async function linkMessage(deps: PersonEmailDeps, tx: Tx, told: Told<'link'>): Promise<Message | null> {
  const renewed = await renewLink(tx, told.linkId, deps.clock.now());
  if (!renewed?.link.email) return null;
  const { email, merchantId, purpose, createdAt, goodFrom } = renewed.link;
  const account = merchantId ? await nameOf(tx, merchantId) : '';
  return {
    to: email,
    language: (await languageOf(tx, email)) ?? told.language,
    url: `${deps.accountUrl}/account/welcome#${renewed.token}`,
    write(say, language) {
      if (purpose === 'prove') return { subject: say('proveSubject'), sentence: say('proveText') };
      if (!merchantId) return { subject: say('staffInvitationSubject'), sentence: say('staffInvitationText') };
      const from = momentIn(language, goodFrom);
      if (purpose === 'join') {
        const isLater = goodFrom > createdAt;
        const sentence = isLater ? say('invitationLaterText', { account, from }) : say('invitationText', { account });
        return { subject: say('invitationSubject', { account }), sentence };
      }
      return { subject: say('recoverySubject', { account }), sentence: say('recoveryText', { account, from }) };
    },
  };
}

async function announcement(deps: PersonEmailDeps, tx: Tx, told: Told<'recovery-announced'>): Promise<Message | null> {
  const [owner, lost] = [await findPerson(tx, told.personId), await findPerson(tx, told.lost)];
  if (!owner || !lost) return null;
  const account = await nameOf(tx, told.merchantId);
  const named = { account, name: oneLine(lost.name), email: lost.email };
  return {
    to: owner.email,
    language: owner.language,
    url: `${deps.accountUrl}/account/people`,
    isWarning: true,
    write: (say, language) => ({
      subject: say('recoveryAnnouncedSubject', named),
      sentence: say('recoveryAnnouncedText', { ...named, from: momentIn(language, new Date(told.goodFrom)) }),
    }),
  };
}

/** To whom the account belongs by its own settings: nobody signs in there yet. */
async function ownerInvitedMessage(
  deps: PersonEmailDeps,
  tx: Tx,
  told: Told<'owner-invited'>,
): Promise<Message | null> {
  const merchant = await findMerchant(tx, told.merchantId);
  if (!merchant?.email) return null;
  const named = { account: oneLine(merchant.name), email: told.email };
  return {
    to: merchant.email,
    language: (await languageOf(tx, merchant.email)) ?? 'en',
    url: `${deps.accountUrl}/account`,
    isWarning: true,
    write: (say, language) => ({
      subject: say('ownerInvitedSubject', named),
      sentence: say('ownerInvitedText', { ...named, from: momentIn(language, new Date(told.goodFrom)) }),
    }),
  };
}

/** To who approved: a week is left to object, in which nobody who is alone there changes limits. */
async function lostMessage(deps: PersonEmailDeps, tx: Tx, told: Told<'approver-lost'>): Promise<Message | null> {
  const person = await findPerson(tx, told.personId);
  if (!person) return null;
  const account = await nameOf(tx, told.merchantId);
  return {
    to: person.email,
    language: person.language,
    url: `${deps.accountUrl}/account`,
    isWarning: true,
    write: (say) => ({
      subject: say('approverLostSubject', { account }),
      sentence: say('approverLostText', { account }),
    }),
  };
}

/** To each of the others: a day is left to see who it is, and to refuse what waits. */
async function newHandMessage(deps: PersonEmailDeps, tx: Tx, told: Told<'new-hand'>): Promise<Message | null> {
  const [reader, about] = [await findPerson(tx, told.personId), await findPerson(tx, told.about)];
  if (!reader || !about) return null;
  const named = { account: await nameOf(tx, told.merchantId), name: oneLine(about.name), email: about.email };
  return {
    to: reader.email,
    language: reader.language,
    url: `${deps.accountUrl}/account/people`,
    isWarning: true,
    write: (say, language) => ({
      subject: say('newHandSubject', named),
      sentence: say('newHandText', { ...named, from: momentIn(language, new Date(told.from)) }),
    }),
  };
}

async function credentialMessage(
  deps: PersonEmailDeps,
  tx: Tx,
  { personId, what, at }: Told<'credential-added'>,
): Promise<Message | null> {
  const person = await findPerson(tx, personId);
  if (!person) return null;
  return {
    to: person.email,
    language: person.language,
    url: `${deps.accountUrl}/account/my-sign-in`,
    isWarning: true,
    write: (say, language) => ({
      subject: say('credentialSubject'),
      sentence: say('credentialText', { what: say(`credential_${what}`), at: momentIn(language, new Date(at)) }),
    }),
  };
}

/** Without the name that was typed: anybody may type anything, and it would be read as if we had written it. */
async function signUpMessage(deps: PersonEmailDeps, tx: Tx, told: Told<'sign-up'>): Promise<Message | null> {
  const { email, language } = told;
  const signUp = await findOpenSignUp(tx, email);
  if (!signUp || !signUpStates.can(signUp.state, 'prove')) return null;
  const token = newToken();
  await deleteLinksFor(tx, email, 'sign-up');
  const link = newLink({ ...nowhere, email }, 'sign-up', 'operator', deps.clock.now());
  await insertLink(tx, hashOf(token), { ...link, isProof: true });
  const url = `${deps.accountUrl}/account/welcome#${token}`;
  return { to: email, language, url, write: (say) => ({ subject: say('signUpSubject'), sentence: say('signUpText') }) };
}

async function decidedMessage(deps: PersonEmailDeps, tx: Tx, told: Told<'sign-up-decided'>): Promise<Message | null> {
  const person = await findPerson(tx, told.personId);
  if (!person) return null;
  const account = oneLine(told.business);
  return {
    to: person.email,
    language: person.language,
    url: `${deps.accountUrl}/account`,
    write: (say) => ({
      subject: say(told.isApproved ? 'signUpApprovedSubject' : 'signUpRefusedSubject', { account }),
      sentence: say(told.isApproved ? 'signUpApprovedText' : 'signUpRefusedText', { account }),
    }),
  };
}

const nowhere = { merchantId: null, role: null, staffRole: null };

const nameOf = async (tx: Tx, merchantId: string): Promise<string> =>
  oneLine((await findMerchant(tx, merchantId))?.name ?? '');

/** Whoever is known is written to as they chose; undefined: nobody is known by this address. */
async function languageOf(tx: Tx, email: string): Promise<string | undefined> {
  const personId = await findProvenPerson(tx, email);
  return personId === undefined ? undefined : (await findPerson(tx, personId))?.language;
}

const momentIn = (language: PageLanguage, moment: Date): string =>
  `${moment.toLocaleString(language, { dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23', timeZone: 'UTC' })} UTC`;
