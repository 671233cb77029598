/**
 * The only way into the operator's area, as `account/frame/account-route` is into an account: a route names the permission that it
 * needs, or does not compile. For who is not of the staff, whatever else that person may be, there is nothing here.
 */

import { bodyBytesWith } from '../account/frame/account-route.ts';
import {
  type Admitted,
  answerPerson,
  type PersonDeps,
  type Proof,
  type Visit,
  whoIsIn,
} from '../account/frame/answer-person.ts';
import { audited } from '../account/frame/audited.ts';
import { placeOfForm, type SendOnce, sendOnce } from '../account/frame/send-once.ts';
import type { SignedInPerson } from '../auth/authenticate-person.ts';
import type { Tx } from '../db/database.ts';
import { operatorId } from '../deposits/deposit-target-store.ts';
import { type PageCost, type PageReply, type PageRoute, pageRoute } from '../http/route.ts';
import { GatewayError } from '../lib/errors.ts';
import type { StaffRole } from '../people/roles.ts';
import type { StaffGrant, StaffPermission } from '../people/staff-roles.ts';
import { operatorProblem } from './operator-layout.ts';
import { type OperatorLook, operatorLook } from './operator-look.ts';

export type StaffDeps = PersonDeps & {
  /** Ids of networks that are told in files. */
  readonly banks: readonly string[];
};

export type StaffContext = Visit<OperatorLook> & {
  readonly signedIn: SignedInPerson;
  readonly staffRole: StaffRole;
  readonly grant: StaffGrant;
  /** The transaction of what is done here, with its row in the operator's audit log. */
  readonly audited: <Result>(
    action: string,
    detail: Record<string, unknown>,
    work: (tx: Tx) => Promise<Result>,
  ) => Promise<Result>;
  /** Does what the form asks for, once, however often it is sent. */
  readonly once: SendOnce;
};

export type OperatorRouteDefinition = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly access: { readonly may: StaffPermission };
  /** What is about to be done, in words and numbers that a passkey signs; no code is enough for it. */
  readonly order?: (context: StaffContext) => Promise<string> | string;
  /** Left out: a page, or a form if it is posted. */
  readonly cost?: PageCost;
  /** The handler goes through `once`: a form that is sent again leads to where it led. Also with a used proof. */
  readonly isOnce?: boolean;
  /** The form has files, of so many bytes in all. Who is not of the staff can send no more than to every other page. */
  readonly filesBytesMax?: number;
  readonly handle: (context: StaffContext) => Promise<PageReply> | PageReply;
};

export type OperatorRoute = PageRoute & {
  readonly access: { readonly may: StaffPermission };
  readonly isOrder: boolean;
};

export function createOperatorRoutes(deps: StaffDeps) {
  return function operatorRoute(definition: OperatorRouteDefinition): OperatorRoute {
    const { method, path, access, cost, order, isOnce = false, filesBytesMax } = definition;
    const handle = answerPerson<OperatorLook, StaffContext>(deps, {
      method,
      cost,
      look: operatorLook(deps),
      admit,
      placeBefore: async (context) => (isOnce ? placeOfForm(deps, { ...context, merchant: operator }) : null),
      proofFor,
      handle: async (context) => definition.handle(context),
      problem: operatorProblem,
    });
    const page = pageRoute({
      methods: [method],
      path,
      handle,
      ...(cost && { cost }),
      ...(filesBytesMax !== undefined && {
        bodyBytesMax: bodyBytesWith(deps, filesBytesMax, (person) => person.staffRole !== null),
      }),
    });
    return { ...page, access, isOrder: order !== undefined };

    async function admit(visit: Visit<OperatorLook>): Promise<Admitted<StaffContext>> {
      const step = whoIsIn(visit, { isNews: cost === 'news', isHalfwayEnough: false });
      if ('refusal' in step) return step;
      const { signedIn } = step;
      const { staffRole } = signedIn;
      if (staffRole === null) throw nothingHere();
      const grant = signedIn.staffGrant(access.may);
      if (grant === 'no') throw notForYou();
      const context = { ...visit, signedIn, staffRole, grant };
      const once = sendOnce(deps, { ...context, merchant: operator });
      return {
        context: {
          ...context,
          once,
          audited: (action, detail, work) => audited(deps, { signedIn, merchant: operator }, action, detail)(work),
        },
      };
    }

    async function proofFor(context: StaffContext): Promise<Proof | null> {
      if (context.grant !== 'proof') return null;
      // Said here, so that what is signed for an account is worth nothing here.
      const signed = order ? `${await order(context)}, for the operator` : null;
      return { order: signed, codeSuffices: false, isFirstSetUp: false };
    }
  };
}

/** Under which the audit log and the forms of the operator are kept. */
const operator = { id: operatorId };

const nothingHere = (): GatewayError =>
  new GatewayError({ code: 'nothing_here', httpStatus: 404, message: 'There is no such page.' });
const notForYou = (): GatewayError =>
  new GatewayError({
    code: 'not_for_your_role',
    httpStatus: 403,
    message: 'Your role among the staff does not allow this.',
  });
