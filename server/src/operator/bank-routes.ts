/** Files of banks are brought here, as `npx quittance bank import` and the folder do it, and what was accepted is shown. */
import { accountReply } from '../account/frame/account-layout.ts';
import { redirect } from '../account/frame/account-request.ts';
import { inSession } from '../account/frame/in-session.ts';
import { findDocument, listDocuments, listRecords } from '../bank-files/document-list-store.ts';
import { listFolderFiles, putAsideRefused } from '../bank-files/folder-file-store.ts';
import { bankNamed, type ImportDeps, importBankFile } from '../bank-files/import-bank-file.ts';
import type { MakeDeps } from '../bank-files/make-payment-file.ts';
import { folderFilesMax, folderSeenMs } from '../finding/bank-needs.ts';
import { personActor } from '../http/actor.ts';
import type { PageReply } from '../http/route.ts';
import { addMs } from '../lib/clock.ts';
import { GatewayError, invalidRequest, notFound } from '../lib/errors.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import { DocumentRefused } from '../networks/port/documents.ts';
import { operatorId } from '../people/audit-sign-in.ts';
import { bankDocumentPage, bankPage, documentsShown, recordsShown } from './bank-page.ts';
import { broughtPath } from './bank-words.ts';
import { broughtRoutes } from './brought-routes.ts';
import type { HouseNews } from './house-news.ts';
import { createOperatorRoutes, type OperatorRoute, type StaffContext, type StaffDeps } from './operator-route.ts';
import { bankPath } from './payment-file-page.ts';
import { payingFacts, paymentFileRoutes } from './payment-file-routes.ts';
import { problemNote } from './staff-form.ts';

/** What goes through a browser is read into memory several times over: more comes by command or folder. */
const uploadBytesMost = 16 * 1024 * 1024;
const megabyte = 1024 * 1024;

/** A number of a list, as far as it is one. */
const numberIn = (given: unknown): number | null =>
  typeof given === 'string' && /^\d{1,9}$/.test(given) ? Number(given) : null;

const idIn = (given: unknown): string | null =>
  typeof given === 'string' && /^[a-z0-9]{12}$/.test(given) ? given : null;

export function bankRoutes(
  deps: StaffDeps & ImportDeps & MakeDeps & { readonly houseNews: HouseNews },
): OperatorRoute[] {
  const operatorRoute = createOperatorRoutes(deps);
  const { db } = deps;
  const filesBytesMax = Math.min(uploadBytesMost, deps.bankFileBytesMax);

  async function pageOf(
    { look, request, form }: StaffContext,
    error: GatewayError | null,
    did: string | null,
  ): Promise<PageReply> {
    const asked = String(form.get('network') ?? request.params['network'] ?? request.query['network'] ?? '');
    const network = deps.banks.find((id) => id === asked) ?? deps.banks[0] ?? null;
    const before = numberIn(request.query['before']);
    const limit = documentsShown;
    const documents = network === null ? [] : await listDocuments(db, network, { before, limit });
    const next = documents.length === limit ? (documents.at(-1)?.position ?? null) : null;
    const filesBefore = idIn(request.query['files']);
    const paying = network === null ? null : await payingFacts(deps, network, filesBefore);
    const refusal = problemNote(look, error);
    const lying = await listFolderFiles(db, addMs(deps.clock.now(), -folderSeenMs), folderFilesMax);
    const inFolder = lying.filter((each) => each.network === network);
    const megabytesMax = Math.floor(filesBytesMax / megabyte);
    const page = bankPage(deps, look, {
      banks: deps.banks,
      network,
      documents,
      next,
      inFolder,
      megabytesMax,
      paying,
      did,
      refusal,
    });
    return accountReply(error?.httpStatus ?? 200, look, page);
  }

  async function upload({ form, files, fileNames, signedIn }: StaffContext): Promise<PageReply> {
    const { network } = bankNamed(deps.connectors, form.get('network'));
    const bytes = files.get('file');
    if (!bytes)
      throw invalidRequest(
        fileNames.has('file')
          ? 'The file is empty: get it from the bank again.'
          : 'Choose a file of the bank first: a statement, a report, an answer to a payment file, or a ZIP of them.',
      );
    const imported = await importBankFile(deps, {
      network: network.id,
      fileName: fileNames.get('file') ?? 'file',
      bytes,
      way: 'UPLOAD',
      actor: personActor(signedIn.person.id),
      begin: inSession(db, signedIn),
    });
    const { fileId } = imported;
    return redirect(fileId === null ? `${bankPath}?network=${network.id}&did=known` : broughtPath(network.id, fileId));
  }

  return [
    ...paymentFileRoutes(deps, (context, error) => pageOf(context, error, null)),
    ...broughtRoutes(deps),
    operatorRoute({
      method: 'GET',
      path: '/operator/bank',
      access: { may: 'seeBank' },
      handle: (context) => pageOf(context, null, didWords(context.request.query['did'])),
    }),
    operatorRoute({
      method: 'POST',
      path: '/operator/bank',
      access: { may: 'bank' },
      filesBytesMax,
      async handle(context) {
        try {
          return await upload(context);
        } catch (error) {
          if (error instanceof DocumentRefused) return pageOf(context, refusedBy(error), null);
          if (error instanceof GatewayError) return pageOf(context, error, null);
          throw error;
        }
      },
    }),
    operatorRoute({
      method: 'POST',
      path: '/operator/bank/:network/put-aside',
      access: { may: 'bank' },
      async handle({ form, request, signedIn }) {
        const { network = '' } = request.params;
        const name = form.get('name') ?? '';
        await inSession(
          db,
          signedIn,
        )(async (tx) => {
          if (!(await putAsideRefused(tx, { network, name }))) return;
          const [at, actor] = [deps.clock.now(), personActor(signedIn.person.id)];
          const detail = { network, file: name };
          await insertAudit(tx, { merchantId: operatorId, at, actor, action: 'bank.refused_put_aside', detail });
        });
        return redirect(`${bankPath}?network=${network}&did=aside`);
      },
    }),
    operatorRoute({
      method: 'GET',
      path: '/operator/bank/:network/:position',
      access: { may: 'seeBank' },
      async handle({ look, request }) {
        const { network = '', position: given = '' } = request.params;
        const position = numberIn(given);
        const document = position === null ? undefined : await findDocument(db, network, position);
        if (position === null || !document) throw notFound('document', given);
        const after = numberIn(request.query['after']) ?? 0;
        const records = await listRecords(db, network, { position, after, limit: recordsShown });
        const last = records.at(-1)?.number ?? 0;
        const next = last < document.recordCount && records.length === recordsShown ? last : null;
        return accountReply(200, look, bankDocumentPage(look, { document, records, next }));
      },
    }),
  ];
}

const refusedBy = ({ problem }: DocumentRefused): GatewayError =>
  new GatewayError({ code: problem.code, httpStatus: 422, message: [problem], facts: { ...problem.facts } });

/** What was done a moment ago. */
const didWords = (did: unknown): string | null =>
  did === 'refused'
    ? 'The payment is refused, and whoever asked for it is told why.'
    : did === 'aside'
      ? 'It is put aside. The file itself stays in the folder, under refused/.'
      : did === 'known'
        ? 'Nothing in the file is new: all of it was accepted earlier.'
        : null;
