/** Who runs the installation: inviting, roles, putting out, ending sessions. */
import { accountReply } from '../account/frame/account-layout.ts';
import { demandSession, redirect } from '../account/frame/account-request.ts';
import type { Tx } from '../db/database.ts';
import { personActor } from '../http/actor.ts';
import type { PageReply } from '../http/route.ts';
import { GatewayError, invalidRequest } from '../lib/errors.ts';
import { changeStaff, endStaffSessions, inviteStaff, takeBackStaffInvitation } from '../people/change-staff.ts';
import { openStaffInvitations } from '../people/one-time-link-store.ts';
import { isStaffRole, type StaffRole } from '../people/roles.ts';
import { findLostStaff, listStaff, lockStaffChanges } from '../people/staff-store.ts';
import type { Html } from '../web/html.ts';
import { createOperatorRoutes, type OperatorRoute, type StaffContext, type StaffDeps } from './operator-route.ts';
import { problemNote } from './staff-form.ts';
import { invitedStaffPage, staffPage, staffPath } from './staff-page.ts';

const access = { may: 'staff' } as const;

export function staffRoutes(deps: StaffDeps): OperatorRoute[] {
  const operatorRoute = createOperatorRoutes(deps);
  const { db } = deps;

  /** One of the forms beside a member; what was wrong is said on the page. */
  const memberForm = (
    path: string,
    did: string,
    act: (tx: Tx, form: URLSearchParams, by: ReturnType<typeof byOf>) => Promise<void>,
  ): OperatorRoute =>
    operatorRoute({
      method: 'POST',
      path: `${staffPath}/${path}`,
      access,
      handle: (context) =>
        withPage(context, async () => {
          await db.begin(async (tx) => {
            await lockStaffChanges(tx);
            await demandSession(tx, context.signedIn);
            await act(tx, context.form, byOf(context));
          });
          return redirect(`${staffPath}?did=${did}`);
        }),
    });

  return [
    operatorRoute({ method: 'GET', path: staffPath, access, handle: (context) => pageOf(context, false, 200) }),
    operatorRoute({
      method: 'POST',
      path: `${staffPath}/invite`,
      access,
      isOnce: true,
      handle: (context) =>
        withPage(context, async () => {
          const { look, form } = context;
          const email = form.get('email') ?? '';
          const invitation = { email, role: readRole(form) };
          const by = { ...byOf(context), isByEmail: look.sendsEmail };
          return context.once<string | null>(
            ({ begin }) => begin((tx) => inviteStaff(tx, invitation, by)),
            (token) => (token === null ? `${staffPath}?did=invited` : staffPath),
            async (token) => {
              if (token === null) return redirect(`${staffPath}?did=invited`);
              const url = `${deps.accountUrl}/account/welcome#${token}`;
              return accountReply(200, look, invitedStaffPage(look, email, url));
            },
          );
        }),
    }),
    memberForm('take-back', 'taken-back', (tx, form, by) =>
      takeBackStaffInvitation(tx, form.get('invitation') ?? '', by),
    ),
    memberForm('role', 'role', (tx, form, by) => changeStaff(tx, form.get('person') ?? '', readRole(form), by)),
    memberForm('remove', 'removed', (tx, form, by) => changeStaff(tx, form.get('person') ?? '', null, by)),
    memberForm('sign-out', 'ended', (tx, form, by) => endStaffSessions(tx, form.get('person') ?? '', by)),
  ];

  async function pageOf(
    { look, signedIn, now, request }: StaffContext,
    problem: Html | false,
    status: number,
  ): Promise<PageReply> {
    const [staff, invitations, lostAt] = await Promise.all([
      listStaff(db),
      openStaffInvitations(db, now),
      findLostStaff(db),
    ]);
    const did = String(request.query['did'] ?? '') || null;
    const page = staffPage(look, { staff, invitations, own: signedIn.person.id, lostAt, problem, did });
    return accountReply(status, look, page);
  }

  function withPage(context: StaffContext, act: () => Promise<PageReply>): Promise<PageReply> {
    return act().catch((error: unknown) => {
      if (!(error instanceof GatewayError)) throw error;
      return pageOf(context, problemNote(context.look, error), error.httpStatus);
    });
  }
}

const byOf = ({ signedIn, now }: StaffContext) => ({ actor: personActor(signedIn.person.id), now });

function readRole(form: URLSearchParams): StaffRole {
  const role = form.get('role') ?? '';
  if (!isStaffRole(role)) throw invalidRequest('Choose a role from the list.');
  return role;
}
