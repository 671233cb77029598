/**
 * Files that are made to be fetched later, for who asked for them: nobody else of the account, nor who only looks at it. Who takes
 * care of its people deletes files of others too, for all share the room that there is, but reads none.
 */
import { addAbortSignal } from 'node:stream';
import { personActor } from '../../http/actor.ts';
import { insertAudit } from '../../merchants/merchant-store.ts';
import { notYours } from '../../people/people-errors.ts';
import { cancelExport, deleteExport } from '../../reports/end-export.ts';
import type { Export } from '../../reports/export.ts';
import { exportStream, findOwnExport } from '../../reports/export-file.ts';
import { findExport, listExports, listLiveExports } from '../../reports/export-store.ts';
import { exportNotFound } from '../../reports/report-errors.ts';
import { accountReply } from '../frame/account-layout.ts';
import { redirect } from '../frame/account-request.ts';
import {
  type AccountDeps,
  type AccountRoute,
  createAccountRoutes,
  type MemberContext,
} from '../frame/account-route.ts';
import { elsewhereOf, elsewherePage } from '../frame/elsewhere.ts';
import { exportHeaders } from '../frame/file-reply.ts';
import { actorNames } from '../frame/money-words.ts';
import type { ListDeps } from './exported-lists.ts';
import { exportsPage, exportsPath, oneExportPage } from './exports-page.ts';
import { orderExport, placeOrder, titleOfExport } from './order-export.ts';

const listedMax = 50;

export function exportsRoutes(deps: AccountDeps & Pick<ListDeps, 'assets'>): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  const access = { may: 'exportReports' } as const;
  const { db } = deps;

  /** What names customers is not for who may not see them any more. */
  async function own({ look, merchant, signedIn, request }: MemberContext): Promise<Export> {
    const id = request.params['id'] ?? '';
    const found = await findOwnExport(db, merchant.id, personActor(signedIn.person.id), id);
    if (found.frame.hasCustomers && !look.may('seeCustomers')) throw notYours();
    return found;
  }
  const shown = (made: Export) => ({ ...made, title: titleOfExport(deps, made) });
  const deed = (name: 'cancel' | 'delete', work: typeof cancelExport): AccountRoute =>
    accountRoute({
      method: 'POST',
      path: `${exportsPath}/:id/${name}`,
      access,
      async handle(context) {
        const { look, merchant, signedIn, request, now } = context;
        const actor = personActor(signedIn.person.id);
        const id = request.params['id'] ?? '';
        const made = await findExport(db, merchant.id, id);
        const isOwn = made?.requestedBy === actor;
        if (!made || !(isOwn || look.may('people'))) throw exportNotFound(id);
        await context.db.begin(async (tx) => {
          if ((await work(tx, made, now)) && !isOwn) {
            const detail = { export: id, askedBy: made.requestedBy };
            await insertAudit(tx, { merchantId: merchant.id, at: now, actor, action: 'export.deleted', detail });
          }
        });
        return redirect(isOwn ? `${exportsPath}/${id}` : exportsPath);
      },
    });

  return [
    accountRoute({
      method: 'GET',
      path: exportsPath,
      access,
      async handle({ look, merchant, signedIn }) {
        const actor = personActor(signedIn.person.id);
        const mine = await listExports(db, merchant.id, actor, listedMax);
        const all = look.may('people') ? await listLiveExports(db, merchant.id) : [];
        const others = all.filter(({ requestedBy }) => requestedBy !== actor);
        const names = others.length > 0 ? await actorNames(db, merchant.id) : new Map();
        return accountReply(200, look, exportsPage(look, mine.map(shown), { others: others.map(shown), names }));
      },
    }),
    accountRoute({
      method: 'POST',
      path: exportsPath,
      access,
      isOnce: true,
      async handle({ look, merchant, signedIn, form, once, now }) {
        const requestedBy = personActor(signedIn.person.id);
        const asked = Object.fromEntries(new URLSearchParams(form.get('asked') ?? ''));
        const wish = { list: form.get('list') ?? '', format: form.get('format') ?? '', asked };
        const ordered = await orderExport(deps, { merchant, look, requestedBy, now }, wish);
        return once<string>(
          ({ begin }) => begin((tx) => placeOrder(tx, merchant.id, ordered, now)),
          (id) => `${exportsPath}/${id}`,
        );
      },
    }),
    accountRoute({
      method: 'GET',
      path: `${exportsPath}/:id`,
      access,
      async handle(context) {
        const { look, merchant, request } = context;
        const elsewhere = elsewhereOf(context);
        if (elsewhere) return accountReply(200, look, elsewherePage(look, 'menuExports', elsewhere));
        const news = await deps.news.exportNews(merchant.id, request.params['id'] ?? '');
        return accountReply(200, look, oneExportPage(look, shown(await own(context)), news));
      },
    }),
    accountRoute({
      method: 'GET',
      path: `${exportsPath}/:id/file`,
      access,
      cost: 'document',
      async handle(context) {
        const { merchant, signedIn, request, now } = context;
        const made = await own(context);
        const body = exportStream(db, made, now);
        const actor = personActor(signedIn.person.id);
        const detail = { export: made.id };
        await context.db.begin((tx) =>
          insertAudit(tx, { merchantId: merchant.id, at: now, actor, action: 'export.fetched', detail }),
        );
        return {
          status: 200,
          headers: exportHeaders(made),
          body: addAbortSignal(request.closing, body),
        };
      },
    }),
    deed('cancel', cancelExport),
    deed('delete', deleteExport),
  ];
}
