/** Payment files are made, downloaded and given up here, as `npx quittance bank file` does it. */
import { accountReply } from '../account/frame/account-layout.ts';
import { redirect } from '../account/frame/account-request.ts';
import { inSession } from '../account/frame/in-session.ts';
import { downloadPaymentFile } from '../bank-files/download-payment-file.ts';
import { findFile, listFiles, listOrders } from '../bank-files/list-payment-files.ts';
import { filingAmong, type MadeFile, type MakeDeps, makePaymentFile } from '../bank-files/make-payment-file.ts';
import { shortWarning } from '../bank-files/payment-file-words.ts';
import { refusePayment } from '../bank-files/refuse-payment.ts';
import { voidPaymentFile } from '../bank-files/void-payment-file.ts';
import { type Actor, isPersonActor, personActor, personIdOf } from '../http/actor.ts';
import type { PageReply } from '../http/route.ts';
import { GatewayError, notFound } from '../lib/errors.ts';
import { namesOfPeople } from '../people/person-store.ts';
import { sumQueued } from '../sending/file-order-store.ts';
import { queuedPayouts } from '../sending/payout-store.ts';
import { createOperatorRoutes, type OperatorRoute, type StaffContext, type StaffDeps } from './operator-route.ts';
import { bankPath, filePath, filesShown, type PayingFacts, paymentFilePage, queuedShown } from './payment-file-page.ts';
import { staffActor } from './staff-audit-words.ts';
import { problemNote } from './staff-form.ts';

const actorOf = ({ signedIn }: StaffContext) => personActor(signedIn.person.id);
const networkOf = ({ request }: StaffContext): string => request.params['network'] ?? '';
const idOf = ({ request }: StaffContext): string => request.params['id'] ?? '';

const doneWords: Readonly<Record<string, string>> = {
  made: 'The file is made. Download it, and sign it in your bank’s portal.',
  short:
    'The file is made. Careful: all payments that are not booked yet come to more than the account held by the last statement.',
  downloaded:
    'The file is downloaded. Upload it in your bank’s portal, compare number and sum, and sign it there. What became of it is read from the next statement.',
  void: 'The file is void. Its payments wait for another one.',
  declared: 'The file is declared void. Bring the next statements: they show whether it was booked.',
};

/** What the page *Bank* shows of them; null: this network is not paid from by files. */
export async function payingFacts(
  { db, clock, connectors }: MakeDeps,
  network: string,
  before: string | null,
): Promise<PayingFacts | null> {
  if (!filingAmong(connectors).some((bank) => bank.network.id === network)) return null;
  const now = clock.now();
  const [sums, queued, files] = await Promise.all([
    sumQueued(db, network, now),
    queuedPayouts(db, network, now, queuedShown),
    listFiles(db, network, { before, limit: filesShown }),
  ]);
  return { sums, queued, files, next: files.length === filesShown ? (files.at(-1)?.id ?? null) : null };
}

export function paymentFileRoutes(
  deps: StaffDeps & MakeDeps,
  bankPageOf: (context: StaffContext, error: GatewayError) => Promise<PageReply>,
): OperatorRoute[] {
  const operatorRoute = createOperatorRoutes(deps);
  const { db } = deps;
  const here = `${bankPath}/:network/files/:id`;

  async function filePageOf(context: StaffContext, error: GatewayError | null): Promise<PageReply> {
    const { look, request } = context;
    const file = await findFile(db, idOf(context));
    if (file?.network !== networkOf(context)) throw notFound('payment file', idOf(context));
    const actors = [file.madeBy, file.voidBy].filter((actor) => actor !== null);
    const [orders, people] = await Promise.all([
      listOrders(db, file),
      namesOfPeople(db, actors.filter(isPersonActor).map(personIdOf)),
    ]);
    const names = { assets: deps.assets, people, keys: new Map(), merchants: new Map() };
    const nameOf = (actor: Actor | null): string => (actor === null ? '' : staffActor(look, names, actor));
    const asked = String(request.query['did']);
    // Whoever comes back to an address, and finds the file further, is not told what to do with it before.
    const isOver =
      ((asked === 'made' || asked === 'short') && file.state !== 'MADE') ||
      (asked === 'downloaded' && file.fate !== 'DOWNLOADED');
    const did = error || isOver ? null : (doneWords[asked] ?? null);
    const page = paymentFilePage(deps, look, {
      file,
      orders,
      madeBy: nameOf(file.madeBy),
      voidBy: nameOf(file.voidBy),
      did,
      refusal: problemNote(look, error),
    });
    return accountReply(error?.httpStatus ?? 200, look, page);
  }

  /** What is refused is said where it was asked for. */
  const orSay =
    (act: (context: StaffContext) => Promise<PageReply>, page: typeof bankPageOf) =>
    async (context: StaffContext): Promise<PageReply> => {
      try {
        return await act(context);
      } catch (error) {
        if (!(error instanceof GatewayError) || error.code === 'not_found') throw error;
        return page(context, error);
      }
    };

  return [
    operatorRoute({
      method: 'GET',
      path: here,
      access: { may: 'seeBank' },
      handle: (context) => filePageOf(context, null),
    }),
    operatorRoute({
      method: 'POST',
      path: `${bankPath}/:network/files`,
      access: { may: 'bank' },
      isOnce: true,
      handle: orSay(
        (context) =>
          context.once<MadeFile>(
            ({ begin }) => makePaymentFile(deps, { network: networkOf(context), actor: actorOf(context), begin }),
            (made) => `${filePath(made.network, made.id)}?did=${shortWarning(made) === null ? 'made' : 'short'}`,
          ),
        bankPageOf,
      ),
    }),
    operatorRoute({
      method: 'POST',
      path: `${here}/download`,
      access: { may: 'bank' },
      handle: orSay(async (context) => {
        const { fileName, mediaType, bytes } = await downloadPaymentFile(deps, {
          id: idOf(context),
          isAgain: context.form.get('again') === 'yes',
          actor: actorOf(context),
          begin: inSession(db, context.signedIn),
        });
        return {
          status: 200,
          headers: {
            'content-type': mediaType,
            'content-disposition': `attachment; filename="${fileName}"`,
            'cache-control': 'no-store',
          },
          body: bytes,
        };
      }, filePageOf),
    }),
    operatorRoute({
      method: 'POST',
      path: `${here}/void`,
      access: { may: 'bank' },
      handle: orSay(async (context) => {
        const { isDeclared } = await voidPaymentFile(deps, {
          id: idOf(context),
          isDeclared: context.form.get('declare') === 'yes',
          actor: actorOf(context),
          begin: inSession(db, context.signedIn),
        });
        return redirect(`${filePath(networkOf(context), idOf(context))}?did=${isDeclared ? 'declared' : 'void'}`);
      }, filePageOf),
    }),
    operatorRoute({
      method: 'POST',
      path: `${bankPath}/:network/refuse`,
      access: { may: 'bank' },
      handle: orSay(async (context) => {
        const { form } = context;
        await refusePayment(deps, {
          payoutId: (form.get('payout') ?? '').trim(),
          why: form.get('why') ?? '',
          actor: actorOf(context),
          begin: inSession(db, context.signedIn),
        });
        return redirect(`${bankPath}?network=${networkOf(context)}&did=refused`);
      }, bankPageOf),
    }),
  ];
}
