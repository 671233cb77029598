/** What a file of a bank brought, and the file itself, as it came. */
import { accountReply } from '../account/frame/account-layout.ts';
import { inSession } from '../account/frame/in-session.ts';
import { findFileBrought, type KeptFile } from '../bank-files/brought-store.ts';
import { documentsOfFile } from '../bank-files/document-list-store.ts';
import type { ImportDeps } from '../bank-files/import-bank-file.ts';
import type { MakeDeps } from '../bank-files/make-payment-file.ts';
import { readKeptFile } from '../bank-files/read-kept-file.ts';
import { whatItBrought } from '../bank-files/what-it-brought.ts';
import { findAsset } from '../catalog/asset-catalog.ts';
import { isPersonActor, personActor, personIdOf } from '../http/actor.ts';
import type { PageReply } from '../http/route.ts';
import { present } from '../lib/assert.ts';
import { GatewayError, notFound } from '../lib/errors.ts';
import { namesOfPeople } from '../people/person-store.ts';
import { broughtPage } from './brought-page.ts';
import type { HouseNews } from './house-news.ts';
import { createOperatorRoutes, type OperatorRoute, type StaffContext, type StaffDeps } from './operator-route.ts';
import { problemNote } from './staff-form.ts';

export function broughtRoutes(
  deps: StaffDeps & ImportDeps & MakeDeps & { readonly houseNews: HouseNews },
): OperatorRoute[] {
  const operatorRoute = createOperatorRoutes(deps);
  const { db } = deps;
  const here = '/operator/bank/:network/brought/:id';
  const ledgerScale = (asset: string): number => present(findAsset(deps.assets, asset), `asset ${asset}`).ledgerScale;

  async function fileOf({ request }: StaffContext): Promise<KeptFile> {
    const { network = '', id = '' } = request.params;
    const file = await findFileBrought(db, id);
    if (file?.network !== network) throw notFound('file', id);
    return file;
  }

  async function pageOf(context: StaffContext, error: GatewayError | null): Promise<PageReply> {
    const { look } = context;
    const news = await deps.houseNews.pageNews();
    const file = await fileOf(context);
    const who = file.broughtBy;
    const [brought, documents, people] = await Promise.all([
      whatItBrought(db, ledgerScale, file),
      documentsOfFile(db, file.id),
      namesOfPeople(db, isPersonActor(who) ? [personIdOf(who)] : []),
    ]);
    const broughtBy = (isPersonActor(who) && people.get(personIdOf(who))) || 'somebody';
    const facts = { file, brought, documents, broughtBy, news, refusal: problemNote(look, error) };
    return accountReply(error?.httpStatus ?? 200, look, broughtPage(look, facts));
  }

  return [
    operatorRoute({
      method: 'GET',
      path: here,
      access: { may: 'seeBank' },
      handle: (context) => pageOf(context, null),
    }),
    operatorRoute({
      method: 'POST',
      path: `${here}/download`,
      access: { may: 'bank' },
      async handle(context) {
        const { signedIn } = context;
        const file = await fileOf(context);
        try {
          const actor = personActor(signedIn.person.id);
          const bytes = await readKeptFile(deps, { file, actor, begin: inSession(db, signedIn) });
          // Whatever a bank, or somebody, called it: it is saved, and never shown as a page of ours.
          const name = encodeURIComponent(file.fileName).replaceAll("'", '%27');
          return {
            status: 200,
            headers: {
              'content-type': 'application/octet-stream',
              'content-disposition': `attachment; filename*=UTF-8''${name}`,
              'cache-control': 'no-store',
            },
            body: bytes,
          };
        } catch (error) {
          if (!(error instanceof GatewayError)) throw error;
          return pageOf(context, error);
        }
      },
    }),
  ];
}
