/** Money that named nobody and is the operator's own: one of the staff says so, and where two are needed another one too. */

import { redirect } from '../account/frame/account-request.ts';
import { inSession } from '../account/frame/in-session.ts';
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import { personActor } from '../http/actor.ts';
import type { PageReply } from '../http/route.ts';
import { GatewayError, notFound } from '../lib/errors.ts';
import { formatUnits } from '../money/amount.ts';
import { adoptUnmatched, approveAdoption, readReason, refuseAdoption } from '../watching/adopt-unmatched.ts';
import { findAdoption } from '../watching/unmatched-adoption-store.ts';
import { findUnmatched, type UnmatchedPayment } from '../watching/unmatched-store.ts';
import { adoptionsPath } from './adoption-parts.ts';
import { createOperatorRoutes, type OperatorRoute, type StaffContext, type StaffDeps } from './operator-route.ts';
import { suspensePath } from './suspense-page.ts';

type AdoptionDeps = StaffDeps & { readonly assets: AssetCatalog };
type PageOf = (context: StaffContext, id: string, error: GatewayError) => Promise<PageReply>;

/** `pageOf`: the page of the payment, with what was wrong. */
export function adoptionRoutes(deps: AdoptionDeps, pageOf: PageOf): OperatorRoute[] {
  const operatorRoute = createOperatorRoutes(deps);
  const { db } = deps;
  const byOf = ({ signedIn }: StaffContext) => ({
    actor: personActor(signedIn.person.id),
    begin: inSession(db, signedIn),
  });

  return [
    operatorRoute({
      method: 'POST',
      path: `${suspensePath}/:id/own`,
      access: { may: 'suspense' },
      order: orderOfAdoption,
      handle: (context) =>
        withPage(context, idOf(context), async () => {
          const { isWaiting } = await adoptUnmatched(deps, idOf(context), reasonIn(context), byOf(context));
          return redirect(`${suspensePath}?did=${isWaiting ? 'own-waiting' : 'own'}`);
        }),
    }),
    operatorRoute({
      method: 'POST',
      path: `${adoptionsPath}/:id/approve`,
      access: { may: 'suspense' },
      order: orderOfApproval,
      handle: (context) => decided(context, 'own', approveAdoption),
    }),
    operatorRoute({
      method: 'POST',
      path: `${adoptionsPath}/:id/refuse`,
      access: { may: 'suspense' },
      handle: (context) => decided(context, 'own-refused', refuseAdoption),
    }),
  ];

  async function decided(context: StaffContext, did: string, decide: typeof approveAdoption): Promise<PageReply> {
    const adoption = await findAdoption(db, idOf(context));
    if (!adoption) throw notFound('adoption', idOf(context));
    return withPage(context, adoption.unmatchedId, async () => {
      await decide(deps, adoption.id, byOf(context));
      return redirect(`${suspensePath}?did=${did}`);
    });
  }

  /** How much, of which payment, and why. */
  async function orderOfAdoption(context: StaffContext): Promise<string> {
    const payment = await findUnmatched(db, idOf(context));
    try {
      const reason = readReason(reasonIn(context));
      if (payment) return `take payment ${payment.id}: ${amountOf(payment)} as the operator's own: ${reason}`;
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
    }
    return 'an adoption that cannot be made'; // Why not is said to whoever has proven who it is.
  }

  /** As it is stored: while it waits, nothing about it changes. */
  async function orderOfApproval(context: StaffContext): Promise<string> {
    const adoption = await findAdoption(db, idOf(context));
    const payment = adoption && (await findUnmatched(db, adoption.unmatchedId));
    if (!payment) return `approve adoption ${idOf(context)}`;
    const { id, reason, requestedBy } = adoption;
    return `approve adoption ${id} of payment ${payment.id}: ${amountOf(payment)} as the operator's own: ${reason}, asked for by ${requestedBy}`;
  }

  function amountOf({ asset, units }: UnmatchedPayment): string {
    return `${formatUnits(units, findAsset(deps.assets, asset)?.ledgerScale ?? 0)} ${asset}`;
  }

  function withPage(context: StaffContext, id: string, act: () => Promise<PageReply>): Promise<PageReply> {
    return act().catch((error: unknown) => {
      if (!(error instanceof GatewayError) || error.code === 'not_found') throw error;
      return pageOf(context, id, error);
    });
  }
}

const idOf = ({ request }: StaffContext): string => request.params['id'] ?? '';
const reasonIn = ({ form }: StaffContext): string => form.get('reason') ?? '';
