/** What matched nobody and is too small to be read one by one, of one network and asset. */
import { accountReply } from '../account/frame/account-layout.ts';
import type { PageReply } from '../http/route.ts';
import { listCrumbs, unmatchedCrumbs } from '../watching/unmatched-crumb-store.ts';
import { unmatchedShown } from '../watching/unmatched-store.ts';
import { crumbsPage, crumbsPath } from './crumbs-page.ts';
import { createOperatorRoutes, type OperatorRoute, type StaffContext, type StaffDeps } from './operator-route.ts';
import type { WordDeps } from './suspense-page.ts';

const searchMax = 100;

export function crumbRoutes(deps: StaffDeps & WordDeps): OperatorRoute[] {
  const operatorRoute = createOperatorRoutes(deps);
  const { db } = deps;

  async function pageOf({ look, request }: StaffContext): Promise<PageReply> {
    const asked = (name: string): string => String(request.query[name] ?? '').trim();
    const rail = { network: asked('network'), asset: asked('asset') };
    const wanted = asked('q').slice(0, searchMax);
    const after = asked('cursor') || null;
    const [sums, payments] = await Promise.all([unmatchedCrumbs(db), listCrumbs(db, rail, { after, wanted })]);
    const none = { ...rail, count: 0, units: 0n };
    const sum = sums.find(({ network, asset }) => network === rail.network && asset === rail.asset) ?? none;
    const next = payments.length === unmatchedShown ? (payments.at(-1)?.id ?? null) : null;
    return accountReply(200, look, crumbsPage(deps, look, { sum, payments, wanted, next, isFirst: after === null }));
  }

  return [operatorRoute({ method: 'GET', path: crumbsPath, access: { may: 'seeSuspense' }, handle: pageOf })];
}
