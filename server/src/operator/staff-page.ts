/** Who runs this installation, what they may do, and who is invited. */
import { textField } from '../account/settings/settings-parts.ts';
import type { StaffInvitation } from '../people/one-time-link-store.ts';
import { type StaffRole, staffRoles } from '../people/roles.ts';
import { approvesFrom, movesMoney } from '../people/staff-approvers.ts';
import type { StaffMember } from '../people/staff-store.ts';
import { type Html, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import { operatorPage } from './operator-layout.ts';
import type { OperatorLook } from './operator-look.ts';
import { houseMoment, part, stateMark, tableIn } from './operator-parts.ts';
import { doneNote, linkOnce, staffForm } from './staff-form.ts';

export const staffPath = '/operator/staff';

export const roleWords: Readonly<Record<StaffRole, { readonly name: string; readonly means: string }>> = {
  operator: { name: 'Operator', means: 'All there is, the staff too.' },
  treasury: { name: 'Treasury', means: 'The operator’s own money, and money that nobody asked for.' },
  support: { name: 'Support', means: 'Sees, looks at accounts, runs jobs again.' },
  viewer: { name: 'Viewer', means: 'Sees.' },
};

export type StaffFacts = {
  readonly staff: readonly StaffMember[];
  readonly invitations: readonly StaffInvitation[];
  readonly own: string;
  /** When somebody who moves money was last put out. */
  readonly lostAt: Date | null;
  readonly problem: Html | false;
  readonly did: string | null;
};

const doneWords: Readonly<Record<string, string>> = {
  invited: 'The link is on its way by e-mail.',
  role: 'The role is changed, and they sign in again.',
  removed: 'They do not belong to the staff any more.',
  ended: 'They are signed out of this area.',
  'taken-back': 'The invitation is taken back.',
};

export const staffPage = (look: OperatorLook, facts: StaffFacts): Html =>
  operatorPage(look, {
    title: 'Staff',
    lead: 'Once two move money, what leaves needs both: one asks, another approves.',
    main: html`${facts.problem}${doneNote(doneWords[facts.did ?? ''] ?? null)}
${part(
  'members',
  'Members',
  tableIn(
    'members',
    html`<th scope="col">Name</th><th scope="col">Role</th><th scope="col" class="desk">Second factor</th><th scope="col" class="n desk">Seen</th><td></td>`,
    facts.staff.map((member) => memberRow(look, member, facts)),
    'list names',
  ),
)}
${facts.invitations.length > 0 && invitationsPart(look, facts.invitations)}
${part('invite', 'Invite somebody', inviteForm(look))}`,
  });

function memberRow(look: OperatorLook, member: StaffMember, { own, lostAt }: StaffFacts): Html {
  const { personId, name, email, role, hasPasskey, hasSecondFactor, seenAt } = member;
  const isSelf = personId === own;
  const from = approvesFrom(member, lostAt);
  const isNew = movesMoney(role) && look.now < from;
  return html`<tr><th scope="row">${name}${isSelf && html` <span class="quiet">(you)</span>`}<span class="sub">${email}</span></th><td>${roleWords[role].name}${isNew && html`<span class="sub">new: approves from ${houseMoment(from)} on</span>`}</td><td class="desk">${
    hasPasskey
      ? stateMark('paid', 'passkey')
      : hasSecondFactor
        ? stateMark('decide', 'app with codes')
        : stateMark('fail', 'none')
  }</td><td class="n desk">${seenAt ? houseMoment(seenAt) : 'never'}</td><td class="n">${!isSelf && changeMember(look, member)}</td></tr>`;
}

const changeMember = (look: OperatorLook, { personId, name, role }: StaffMember): Html => {
  const who = html`<input type="hidden" name="person" value="${personId}">`;
  const options = staffRoles.map(
    (each) => html`<option value="${each}"${each === role && html` selected`}>${roleWords[each].name}</option>`,
  );
  return html`<details class="own"><summary class="btn small">Change<span class="unseen"> ${name}</span></summary><div class="own-menu">
${staffForm(look, { action: `${staffPath}/role`, button: 'Change the role', body: html`${who}<label>Role<span class="select"><select class="input" name="role">${options}</select></span></label>` })}
${staffForm(look, { action: `${staffPath}/sign-out`, button: 'Sign out everywhere', body: who })}
${staffForm(look, { action: `${staffPath}/remove`, button: 'Remove', kind: 'danger', body: who })}</div></details>`;
};

function invitationsPart(look: OperatorLook, invitations: readonly StaffInvitation[]): Html {
  const rows = invitations.map(
    ({ id, email, role, expiresAt, mailFailedAt }) =>
      html`<tr><th scope="row">${email ?? 'whoever has the link'}${mailFailedAt && html`<span class="sub">${stateMark('fail', 'The e-mail could not be sent')}</span>`}</th><td>${roleWords[role].name}</td><td class="n desk">${houseMoment(expiresAt)}</td><td class="n">${staffForm(look, { action: `${staffPath}/take-back`, button: html`Take back<span class="unseen"> the invitation of ${email}</span>`, isSmall: true, body: html`<input type="hidden" name="invitation" value="${id}">` })}</td></tr>`,
  );
  const head = html`<th scope="col">Invited</th><th scope="col">Role</th><th scope="col" class="n desk">Until</th><td></td>`;
  return part('invitations', 'Invited', tableIn('invitations', head, rows, 'list names'));
}

const inviteForm = (look: OperatorLook): Html =>
  staffForm(look, {
    action: `${staffPath}/invite`,
    kind: 'primary',
    button: look.sendsEmail ? 'Invite' : 'Make a link',
    body: html`${textField({ name: 'email', label: 'E-mail address', value: '', help: look.sendsEmail ? 'They get a link by e-mail, good for seven days and once.' : 'You get a link to pass on, good for seven days and once.', attributes: html`type="email" required maxlength="254"` })}
<fieldset class="rows"><legend>Role</legend>${staffRoles.map((role) => html`<label class="choice"><input type="radio" name="role" value="${role}" required><b>${roleWords[role].name}</b><span>${roleWords[role].means}</span></label>`)}</fieldset>`,
  });

export const invitedStaffPage = (look: OperatorLook, email: string, url: string): Html =>
  operatorPage(look, {
    title: `A link for ${email}`,
    crumb: html`<a href="${staffPath}">Staff</a>`,
    main: html`<p>It works once, for seven days, and is not shown again. Pass it on as you would pass on a key.</p>
${linkOnce(look, url)}
<p><a class="btn" href="${staffPath}">${icon('left')}Done</a></p>`,
  });
