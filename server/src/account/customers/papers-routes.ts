/** Papers in their list, one of them, sending it again, and the credit note that somebody writes. */
import { findDossiers } from '../../checkouts/checkout-store.ts';
import { paperOfCause, type StatusMail, statusMailsOfCheckout } from '../../checkouts/status-mail-store.ts';
import { findCustomer } from '../../counterparties/customer-store.ts';
import type { Query } from '../../db/database.ts';
import { personActor } from '../../http/actor.ts';
import type { PageReply } from '../../http/route.ts';
import { GatewayError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { formatFixed } from '../../money/decimal.ts';
import { correctable, creditedOf, restOf } from '../../papers/credit-note.ts';
import { creditSums } from '../../papers/credit-split.ts';
import { demandCreditAmount } from '../../papers/demand-credit.ts';
import { creditByHand, type IssueDeps } from '../../papers/issue-paper.ts';
import { listPapers, type ShownPaper, showPaper } from '../../papers/list-papers.ts';
import { paperUrl } from '../../papers/paper-record.ts';
import type { StoredPaper } from '../../papers/paper-store.ts';
import { paperAddress, sendPaper } from '../../papers/send-paper.ts';
import { maskedEmail } from '../../payment-page/public-way-back.ts';
import { orderOf } from '../checkouts/checkout-words.ts';
import type { CheckoutPageDeps } from '../checkouts/one-checkout-replies.ts';
import { accountReply } from '../frame/account-layout.ts';
import { redirect } from '../frame/account-request.ts';
import { type AccountRoute, createAccountRoutes, type MemberContext } from '../frame/account-route.ts';
import { askedText, orProblem, withPoint } from '../frame/money-words.ts';
import { creditReviewPage, onePaperPage } from './one-paper-page.ts';
import { paperPeriod, papersPath, readAskedPapers, readPaperFilter } from './paper-list-filter.ts';
import { papersPage } from './papers-page.ts';

export type PaperPageDeps = CheckoutPageDeps & IssueDeps;

const pageSize = 50;
const idOf = ({ request }: MemberContext): string => request.params['id'] ?? '';

export function papersRoutes(deps: PaperPageDeps): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  const { db, clock } = deps;
  const seen = { may: 'seeCheckouts' } as const;
  const found = ({ merchant, request }: MemberContext): Promise<ShownPaper> =>
    showPaper(db, merchant.id, request.params['id'] ?? '');
  return [
    accountRoute({
      method: 'GET',
      path: papersPath,
      access: seen,
      async handle({ look, merchant, request, now }) {
        const mayReadCustomers = look.may('seeCustomers');
        const asked = readAskedPapers(request, { mayReadCustomers });
        const { filter, isCut } = await readPaperFilter(db, merchant.id, asked, { mayReadCustomers });
        const page = {
          limit: pageSize,
          ...(asked.cursor !== '' && { cursor: asked.cursor }),
          ...paperPeriod(asked, now),
        };
        const [{ items, next }, customer] = await Promise.all([
          listPapers(db, merchant.id, filter, page),
          asked.customer === '' ? null : findCustomer(db, merchant.id, asked.customer),
        ]);
        const keys = items.map(({ paper }) => ({ merchantId: merchant.id, id: paper.checkoutId }));
        const checkouts = (await findDossiers(db, keys, { hasQuotes: false })).filter((each) => each !== undefined);
        const orders = new Map(checkouts.map(({ checkout }) => [checkout.id, orderOf(checkout)]));
        const facts = { asked, items, orders, next, isCut, customer: customer ?? null };
        return accountReply(200, look, papersPage(look, facts));
      },
    }),
    accountRoute({
      method: 'GET',
      path: `${papersPath}/:id`,
      access: seen,
      async handle(context) {
        const { look, request } = context;
        const shown = await found(context);
        const maySend = deps.sendsEmail && look.may('charge');
        const email = maySend ? await paperAddress(db, shown.paper) : null;
        const did = (['sent', 'credited'] as const).find((each) => each === request.query['did']) ?? null;
        const mails = look.may('seeCustomers') ? await mailsAbout(db, shown.paper) : [];
        const page = onePaperPage(look, {
          shown,
          left: leftOf(shown),
          sendTo: email && maskedEmail(email),
          mails,
          did,
        });
        return accountReply(200, look, page);
      },
    }),
    // The link is made when it is followed, so that it is on no page that is open or kept.
    accountRoute({
      method: 'GET',
      path: `${papersPath}/:id/open`,
      access: seen,
      async handle(context) {
        const { look, request, signedIn } = context;
        const { paper } = await found(context);
        // Who only looks at the account would keep a link that is good when the look is long over.
        const isWhole = look.may('seeCustomers') && !signedIn.isLooking;
        const isPdf = request.query['format'] === 'pdf';
        return redirect(
          paperUrl(deps, paper, { language: look.language, isWhole, ...(isPdf && { format: 'pdf' as const }) }),
        );
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${papersPath}/:id/send`,
      access: { may: 'charge' },
      isOnce: true,
      handle(context) {
        const { merchant, signedIn } = context;
        const actor = personActor(signedIn.person.id);
        return context.once<StoredPaper>(
          ({ begin }) => sendPaper({ begin, clock, actor, sendsEmail: deps.sendsEmail }, merchant.id, idOf(context)),
          ({ id }) => `${papersPath}/${id}?did=sent`,
        );
      },
    }),
    accountRoute({
      method: 'GET',
      path: `${papersPath}/:id/credit`,
      access: { may: 'creditPapers' },
      handle: (context) =>
        reviewReply(context, {
          amount: askedText(context.request, 'amount'),
          reason: askedText(context.request, 'reason'),
        }),
    }),
    accountRoute({
      method: 'POST',
      path: `${papersPath}/:id/credit`,
      access: { may: 'creditPapers' },
      isOnce: true,
      async handle(context) {
        const { merchant, signedIn, form } = context;
        const typed = { amount: form.get('amount') ?? '', reason: (form.get('reason') ?? '').trim() };
        const actor = personActor(signedIn.person.id);
        const made = await orProblem(() =>
          context.once<StoredPaper>(
            ({ begin }) =>
              creditByHand(
                deps,
                { merchantId: merchant.id, actor, begin, requestId: newId() },
                { paperId: idOf(context), amount: withPoint(typed.amount) || null, reason: typed.reason || null },
              ),
            ({ id }) => `${papersPath}/${id}?did=credited`,
          ),
        );
        return made instanceof GatewayError ? reviewReply(context, typed, made) : made;
      },
    }),
  ];

  /** Nobody proves who they are for what is refused afterwards. */
  async function reviewReply(
    context: MemberContext,
    typed: { readonly amount: string; readonly reason: string },
    refused: GatewayError | null = null,
  ): Promise<PageReply> {
    const { look } = context;
    const { paper, papers } = await found(context);
    const checked =
      refused ?? (await orProblem(async () => demandCreditAmount(papers, paper, withPoint(typed.amount) || null)));
    const problem = checked instanceof GatewayError ? checked : null;
    const credited = formatFixed(creditedOf(papers, paper), paper.facts.decimals);
    const sums = checked instanceof GatewayError ? null : creditSums(paper.facts, credited, checked);
    const page = creditReviewPage(look, { paper, left: restOf(papers, paper), typed, sums, problem });
    return accountReply(problem?.httpStatus ?? 200, look, page, problem?.headers);
  }
}

/** Those that have ended, oldest first. */
const mailsAbout = async (db: Query, { merchantId, checkoutId, id }: StoredPaper): Promise<StatusMail[]> =>
  (await statusMailsOfCheckout(db, { merchantId, id: checkoutId })).filter(
    ({ kind, cause }) => kind === 'paper' && paperOfCause(cause) === id,
  );

/** Of a receipt beside its invoice nothing is taken back: the invoice is. */
const leftOf = ({ paper, papers }: ShownPaper): string | null =>
  correctable(papers, paper.generation)?.id === paper.id ? restOf(papers, paper) : null;
