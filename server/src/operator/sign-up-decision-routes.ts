/** The operator's yes or no to who asks for an account, as `npx quittance sign-up` gives it. */
import { redirect } from '../account/frame/account-request.ts';
import { personActor } from '../http/actor.ts';
import { approveSignUp, refuseSignUp } from '../people/decide-sign-up.ts';
import { merchantsPath } from './merchants-page.ts';
import { createOperatorRoutes, type OperatorRoute, type StaffContext, type StaffDeps } from './operator-route.ts';

const here = '/operator/sign-ups/:id';
const access = { may: 'merchants' } as const;
const idOf = ({ request }: StaffContext): string => request.params['id'] ?? '';

export function signUpDecisionRoutes(deps: StaffDeps): OperatorRoute[] {
  const operatorRoute = createOperatorRoutes(deps);
  return [
    operatorRoute({
      method: 'POST',
      path: `${here}/approve`,
      access,
      async handle(context) {
        const id = idOf(context);
        const actor = personActor(context.signedIn.person.id);
        await approveSignUp(deps, id, actor, (work) => context.audited('sign_up.approved', { id }, work));
        return redirect(`${merchantsPath}?did=approved`);
      },
    }),
    operatorRoute({
      method: 'POST',
      path: `${here}/refuse`,
      access,
      async handle(context) {
        const id = idOf(context);
        await refuseSignUp(deps, id, (work) => context.audited('sign_up.refused', { id }, work));
        return redirect(`${merchantsPath}?did=refused`);
      },
    }),
  ];
}
