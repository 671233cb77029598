import type { Query } from '@quittance/server/db/database';
import { needKinds, needKindsOfRole } from '@quittance/server/finding/need-kinds';
import {
  chooseNotifications,
  type NewsKind,
  type NotificationChoice,
  newsChoices,
  newsKinds,
  newsKindsFor,
  notificationChoices,
  readChoices,
  type ToldKind,
} from '@quittance/server/finding/notification-choices';
import { systemClock as clock } from '@quittance/server/lib/clock';
import { notFound } from '@quittance/server/lib/errors';
import { findMerchant } from '@quittance/server/merchants/merchant-store';
import { asLocalhost } from '@quittance/server/people/account-url';
import { changeByOperator, signOutByOperator, takeBackInvitationsFor } from '@quittance/server/people/change-member';
import { changeStaff, endStaffSessions, inviteStaff } from '@quittance/server/people/change-staff';
import { invite } from '@quittance/server/people/join-account';
import { normalizedEmail } from '@quittance/server/people/person';
import { findPersonId, findRole, listPeople } from '@quittance/server/people/person-store';
import { vouchForAddress } from '@quittance/server/people/prove-address';
import { makeRecoveryLink, takeBackRecoveryLink } from '@quittance/server/people/recover-sign-in';
import { grantOf, isRole, isStaffRole, roles, staffRoles } from '@quittance/server/people/roles';
import { type Command, command, UsageError } from '../command-line.ts';
import type { Installation } from '../installation.ts';
import { textTable } from '../text-table.ts';

/** The name under which the audit log has these commands. */
const actor = 'operator';

const accountUrl = async ({ env, serviceUrl }: Pick<Installation, 'env' | 'serviceUrl'>): Promise<string> =>
  env['ACCOUNT_URL']?.trim() || asLocalhost(await serviceUrl());

const shown = (url: string) => ({
  data: { url },
  text: `${url}\nIt works once. Pass it on as you would pass on a key.`,
});

async function personWith(db: Query, email: string): Promise<string> {
  const personId = await findPersonId(db, normalizedEmail(email));
  if (personId === undefined) throw notFound('person', email);
  return personId;
}

const toldKinds: readonly ToldKind[] = [...needKinds, ...(Object.keys(newsKinds) as NewsKind[])];

const isToldKind = (text: string): text is ToldKind => (toldKinds as readonly string[]).includes(text);

const choicesFor = (kind: ToldKind): readonly NotificationChoice[] =>
  Object.hasOwn(newsKinds, kind) ? newsChoices : notificationChoices;

export const personCommands: readonly Command[] = [
  command({
    name: 'person notify',
    summary: 'Say how somebody is told by e-mail what waits in an account; without --kind it is shown.',
    details: `Kinds: ${toldKinds.join(', ')}.`,
    arguments: ['email'],
    options: {
      merchant: { value: 'id', meaning: 'The account that it is about.', isRequired: true },
      kind: { value: 'kind', meaning: 'What this is about.' },
      choice: { value: notificationChoices.join('|'), meaning: 'How it is told.' },
    },
    examples: ['person notify ben@example.com --merchant 4cq0zr1lbdk9 --kind underpaid --choice never'],
    run: ({ withDatabase }, { email }, { merchant: merchantId, kind, choice: text }) =>
      withDatabase(async (db) => {
        const personId = await findPersonId(db, normalizedEmail(email));
        const role = personId === undefined ? undefined : await findRole(db, merchantId, personId);
        if (personId === undefined || role === undefined) throw notFound('member', email);
        if (kind !== undefined) {
          if (!isToldKind(kind)) throw new UsageError(`--kind must be one of ${toldKinds.join(', ')}.`);
          const choice = choicesFor(kind).find((each) => each === text);
          if (!choice) throw new UsageError(`--choice must be one of ${choicesFor(kind).join(', ')}.`);
          await chooseNotifications({ db, clock }, { merchantId, personId }, new Map([[kind, choice]]), actor);
        }
        const choiceOf = await readChoices(db, merchantId);
        const news = newsKindsFor((permission) => grantOf(permission, role) !== 'no');
        const rows = [...needKindsOfRole(role), ...news].map((each) => [each, choiceOf(personId, each).choice]);
        return { data: Object.fromEntries(rows), text: textTable(['KIND', 'CHOICE'], rows) };
      }),
  }),
  command({
    name: 'person invite',
    summary: 'Make a link with which somebody joins an account or the staff; prints it, once.',
    details: `Good for seven days. Roles in an account: ${roles.join(', ')}. Roles of staff: ${staffRoles.join(', ')}.`,
    arguments: ['email'],
    options: {
      merchant: { value: 'id', meaning: 'The account to join.' },
      role: { value: 'role', meaning: 'The role there (owner), or with --staff the role of staff (operator).' },
      staff: { meaning: 'Join those who run this installation.' },
    },
    examples: [
      'person invite ada@example.com --staff',
      'person invite ben@example.com --merchant 4cq0zr1lbdk9 --role support',
    ],
    async run(installation, { email }, { merchant, role, staff }) {
      if (staff === (merchant !== undefined)) throw new UsageError('Give either --merchant or --staff.');
      const staffRole = staff ? (role ?? 'operator') : null;
      const memberRole = staff ? null : (role ?? 'owner');
      if (staffRole !== null && !isStaffRole(staffRole))
        throw new UsageError(`--role must be one of ${staffRoles.join(', ')} for staff.`);
      if (memberRole !== null && !isRole(memberRole))
        throw new UsageError(`--role must be one of ${roles.join(', ')}.`);
      const token = await installation.withDatabase(async (db) => {
        if (staffRole !== null) {
          const by = { actor, now: clock.now(), isByEmail: false } as const;
          return db.begin((tx) => inviteStaff(tx, { email, role: staffRole }, by));
        }
        if (merchant !== undefined && !(await findMerchant(db, merchant))) throw notFound('merchant', merchant);
        const invitation = { email, merchantId: merchant ?? null, role: memberRole, staffRole: null };
        return invite({ db, clock }, invitation, actor);
      });
      return shown(`${await accountUrl(installation)}/account/welcome#${token}`);
    },
  }),
  command({
    name: 'person take-back-invitation',
    summary: 'Make an invitation worthless that nobody has used yet.',
    arguments: ['email'],
    options: {
      merchant: { value: 'id', meaning: 'The account that it is for.' },
      staff: { meaning: 'It is for those who run this installation.' },
    },
    examples: ['person take-back-invitation ben@example.com --merchant 4cq0zr1lbdk9'],
    run({ withDatabase }, { email }, { merchant, staff }) {
      if (staff === (merchant !== undefined)) throw new UsageError('Give either --merchant or --staff.');
      return withDatabase(async (db) => {
        await takeBackInvitationsFor({ db, clock }, { merchantId: merchant ?? null, email }, actor);
        return { data: { email }, text: `The invitation of ${email} is worth nothing any more.` };
      });
    },
  }),
  command({
    name: 'person link',
    summary: 'Make a link for somebody who has lost every way to sign in; prints it, once.',
    details:
      'Good for two days. Nothing that opened this sign-in before does so afterwards, and for a day this person approves ' +
      'nothing. Be sure whom you give it to: whoever opens it is this person.',
    arguments: ['email'],
    examples: ['person link ada@example.com'],
    async run(installation, { email }) {
      const token = await installation.withDatabase((db) => makeRecoveryLink({ db, clock }, email, actor));
      return shown(`${await accountUrl(installation)}/account/welcome#${token}`);
    },
  }),
  command({
    name: 'person take-back-link',
    summary: 'Make a link worthless with which somebody would be let in anew, whoever made it.',
    arguments: ['email'],
    examples: ['person take-back-link ada@example.com'],
    run: ({ withDatabase }, { email }) =>
      withDatabase(async (db) => {
        await takeBackRecoveryLink({ db, clock }, email, actor);
        return { data: { email }, text: `The link of ${email} is worth nothing any more.` };
      }),
  }),
  command({
    name: 'person prove',
    summary:
      'Vouch that an address belongs to whoever signs in by it; where there is a mail server they can prove it themselves.',
    details:
      'For who came by a link that somebody handed over. From then on whoever invites this address means this person, so be ' +
      'sure who it is: ask them, face to face or by a call. Name them as person list shows them.',
    arguments: ['email'],
    examples: ['person prove ada@example.com'],
    run: ({ withDatabase }, { email }) =>
      withDatabase(async (db) => {
        const person = await vouchForAddress({ db, clock }, email);
        return { data: { email: person.email }, text: `${person.email} is proven to be theirs now.` };
      }),
  }),
  command({
    name: 'person role',
    summary: 'Give somebody of an account, or of the staff, another role.',
    details: 'At once: within the account a second person may have to agree. Signs out there whom it is about.',
    arguments: ['email', 'role'],
    options: {
      merchant: { value: 'id', meaning: 'The account that it is about.' },
      staff: { meaning: 'Their role among those who run this installation.' },
    },
    examples: [
      'person role ben@example.com admin --merchant 4cq0zr1lbdk9',
      'person role ada@example.com treasury --staff',
    ],
    run({ withDatabase }, { email, role }, { merchant: merchantId, staff }) {
      if (staff === (merchantId !== undefined)) throw new UsageError('Give either --merchant or --staff.');
      if (merchantId === undefined) {
        if (!isStaffRole(role)) throw new UsageError(`The role must be one of ${staffRoles.join(', ')}.`);
        return withDatabase(async (db) => {
          const personId = await personWith(db, email);
          await db.begin((tx) => changeStaff(tx, personId, role, { actor, now: clock.now() }));
          return { data: { email, role }, text: `${email} is ${role} of the staff now.` };
        });
      }
      if (!isRole(role)) throw new UsageError(`The role must be one of ${roles.join(', ')}.`);
      return withDatabase(async (db) => {
        await changeByOperator({ db, clock }, { merchantId, personId: await personWith(db, email) }, role);
        return { data: { email, merchantId, role }, text: `${email} is ${role} of ${merchantId} now.` };
      });
    },
  }),
  command({
    name: 'person sign-out',
    summary: 'Sign somebody out of an account, or of the area of the staff.',
    details:
      'What they do in other accounts goes on. Who can still sign in comes back: for whose browser was stolen there is ' +
      'person link, after which nothing opens that did before.',
    arguments: ['email'],
    options: {
      merchant: { value: 'id', meaning: 'The account that it is about.' },
      staff: { meaning: 'They belong to those who run this installation.' },
    },
    examples: ['person sign-out ben@example.com --merchant 4cq0zr1lbdk9', 'person sign-out ada@example.com --staff'],
    run({ withDatabase }, { email }, { merchant: merchantId, staff }) {
      if (staff === (merchantId !== undefined)) throw new UsageError('Give either --merchant or --staff.');
      return withDatabase(async (db) => {
        const personId = await personWith(db, email);
        if (merchantId !== undefined) await signOutByOperator({ db, clock }, { merchantId, personId });
        else await db.begin((tx) => endStaffSessions(tx, personId, { actor, now: clock.now() }));
        return {
          data: { email, ...(merchantId !== undefined && { merchantId }) },
          text: `${email} is signed out there.`,
        };
      });
    },
  }),
  command({
    name: 'person remove',
    summary: 'Put somebody out of an account, or out of the staff.',
    details:
      'For who is alone with somebody that is gone: within the account the two would have to agree. ' +
      'The last owner cannot be removed, nor the last operator of the staff: invite another one first.',
    arguments: ['email'],
    options: {
      merchant: { value: 'id', meaning: 'The account to leave.' },
      staff: { meaning: 'Leave those who run this installation.' },
    },
    examples: ['person remove ben@example.com --merchant 4cq0zr1lbdk9', 'person remove ada@example.com --staff'],
    run: ({ withDatabase }, { email }, { merchant: merchantId, staff }) =>
      withDatabase(async (db) => {
        const personId = await personWith(db, email);
        if (staff === (merchantId !== undefined)) throw new UsageError('Give either --merchant or --staff.');
        if (merchantId === undefined) {
          await db.begin((tx) => changeStaff(tx, personId, null, { actor, now: clock.now() }));
          return { data: { email }, text: `${email} does not belong to the staff any more.` };
        }
        await changeByOperator({ db, clock }, { merchantId, personId }, null);
        return { data: { email, merchantId }, text: `${email} does not belong to ${merchantId} any more.` };
      }),
  }),
  command({
    name: 'person list',
    summary: 'List the people who sign in, and where they belong.',
    examples: ['person list'],
    run: ({ withDatabase }) =>
      withDatabase(async (db) => {
        const people = await listPeople(db);
        const rows = people.map(({ email, isProven, name, staff, accounts }) => [
          ...[email, isProven ? 'yes' : 'no', name, staff ?? '', accounts.join(', ')],
        ]);
        return { data: people, text: textTable(['SIGNS IN BY', 'PROVEN', 'NAME', 'STAFF', 'ACCOUNTS'], rows) };
      }),
  }),
];
