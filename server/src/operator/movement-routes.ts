/** Money that moved without a word why: somebody says what it was, as `npx quittance movement assign` does it. */
import { accountReply } from '../account/frame/account-layout.ts';
import { redirect } from '../account/frame/account-request.ts';
import { findToldBooking } from '../bank-files/document-list-store.ts';
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import { personActor } from '../http/actor.ts';
import type { PageReply } from '../http/route.ts';
import { GatewayError, invalidRequest, notFound } from '../lib/errors.ts';
import { formatUnits } from '../money/amount.ts';
import { findMovement } from '../payments/movement-store.ts';
import { assignMovement, type MovementMeaning, movementMeanings } from '../watching/assign-movement.ts';
import { movementPage, movementsPath } from './movement-page.ts';
import { createOperatorRoutes, type OperatorRoute, type StaffContext, type StaffDeps } from './operator-route.ts';
import { problemNote } from './staff-form.ts';

const idOf = ({ request }: StaffContext): string => request.params['id'] ?? '';

function meaningOf({ form }: StaffContext): MovementMeaning {
  const as = movementMeanings.find((each) => each === form.get('as'));
  if (!as) throw invalidRequest('Say what it was.');
  return { as, of: (form.get('of') ?? '').trim() || null };
}

export function movementRoutes(deps: StaffDeps & { readonly assets: AssetCatalog }): OperatorRoute[] {
  const operatorRoute = createOperatorRoutes(deps);
  const { db, assets } = deps;

  async function pageOf(context: StaffContext, error: GatewayError | null): Promise<PageReply> {
    const movement = await findMovement(db, idOf(context));
    if (!movement) throw notFound('movement', idOf(context));
    const { look, form } = context;
    const { network, key, txHash } = movement;
    const [told, toldPayment] = await Promise.all([
      findToldBooking(db, network, key),
      txHash === null ? null : findToldBooking(db, network, txHash),
    ]);
    const page = movementPage(assets, look, { movement, told, toldPayment, form, refusal: problemNote(look, error) });
    return accountReply(error?.httpStatus ?? 200, look, page);
  }

  /** How much is booked as what. */
  async function orderOfAssignment(context: StaffContext): Promise<string> {
    const movement = await findMovement(db, idOf(context));
    if (!movement) return 'an assignment that cannot be made';
    const { id, network, asset, openUnits } = movement;
    const amount = formatUnits(openUnits, findAsset(assets, asset)?.ledgerScale ?? 0);
    const { form } = context;
    return `explain movement ${id}: ${amount} ${asset} on ${network} was ${form.get('as') ?? ''} ${form.get('of') ?? ''}`;
  }

  return [
    operatorRoute({
      method: 'GET',
      path: `${movementsPath}/:id`,
      access: { may: 'seeSuspense' },
      handle: (context) => pageOf(context, null),
    }),
    operatorRoute({
      method: 'POST',
      path: `${movementsPath}/:id/assign`,
      access: { may: 'suspense' },
      order: orderOfAssignment,
      async handle(context) {
        try {
          const id = idOf(context);
          const meaning = meaningOf(context);
          await assignMovement(deps, id, meaning, {
            actor: personActor(context.signedIn.person.id),
            begin: (work) => context.audited('movement.assigned', { id, as: meaning.as, of: meaning.of ?? '' }, work),
          });
          return redirect('/operator/suspense?did=explained');
        } catch (error) {
          if (!(error instanceof GatewayError) || error.code === 'not_found') throw error;
          return pageOf(context, error);
        }
      },
    }),
  ];
}
