/** Accounts: opening them, what is agreed about fees, suspending them, looking at them. */
import { accountReply } from '../account/frame/account-layout.ts';
import { redirect, safeNext } from '../account/frame/account-request.ts';
import { inSession } from '../account/frame/in-session.ts';
import { fixedValue } from '../account/frame/money-words.ts';
import { numberOf } from '../account/settings/settings-parts.ts';
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import { billingCurrencies } from '../catalog/currency-catalog.ts';
import type { Tx } from '../db/database.ts';
import { operatorId } from '../deposits/deposit-target-store.ts';
import { findMerchants, listHouseMerchants } from '../finding/merchant-search-store.ts';
import { personActor } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import { pageOf as pageOfRows, readPageCursor } from '../http/page-cursor.ts';
import type { PageReply } from '../http/route.ts';
import { storedBytesOf } from '../http/stored-bytes-store.ts';
import { leavingNoTrail } from '../http/trail.ts';
import { houseDayOf } from '../ledger/count-credits.ts';
import { type Credited, creditedToOn } from '../ledger/credited-store.ts';
import { GatewayError, invalidRequest, notFound } from '../lib/errors.ts';
import { applyChange } from '../merchants/change-settings.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { findMerchant, insertAudit } from '../merchants/merchant-store.ts';
import { resumeMerchant, suspendMerchant } from '../merchants/suspend-merchant.ts';
import { decimal, formatDecimal, sum, times } from '../money/decimal.ts';
import { lookAtMerchant, stopLooking } from '../people/look-at-merchant.ts';
import { openInvitations } from '../people/one-time-link-store.ts';
import { inviteFirstOwner, openAccount, takeBackFirstOwner } from '../people/open-account.ts';
import { membersOf } from '../people/person-store.ts';
import { listWaitingSignUps } from '../people/sign-up-store.ts';
import type { RateBook } from '../pricing/rate-book.ts';
import type { FeeSchedule } from '../pricing/settlement-fee.ts';
import { listHeldBack } from '../refunds/cancel-held-back.ts';
import { worthOfUnits } from '../wallets/read-wallets.ts';
import type { Html } from '../web/html.ts';
import { priceText } from '../web/number-text.ts';
import { merchantPage } from './merchant-page.ts';
import { invitedOwnerPage, merchantsPage, merchantsPath, newMerchantPage } from './merchants-page.ts';
import { createOperatorRoutes, type OperatorRoute, type StaffContext, type StaffDeps } from './operator-route.ts';
import { problemNote } from './staff-form.ts';

export type MerchantsDeps = StaffDeps & {
  readonly assets: AssetCatalog;
  readonly rates: RateBook;
  readonly fees: FeeSchedule;
  readonly storedMegabytesMax: number;
};

const rowsMax = 50;
const here = `${merchantsPath}/:id`;
const idOf = ({ request }: StaffContext): string => request.params['id'] ?? '';
const asked = ({ request }: StaffContext, name: string): string => String(request.query[name] ?? '').trim();
/** In the operator's own log; the account has a row of its own. */
const about = (context: StaffContext) => ({ merchant: idOf(context) });
const actorOf = ({ signedIn }: StaffContext) => personActor(signedIn.person.id);

export function merchantsRoutes(deps: MerchantsDeps): OperatorRoute[] {
  const operatorRoute = createOperatorRoutes(deps);
  const { db } = deps;
  const welcome = (token: string): string => `${deps.accountUrl}/account/welcome#${token}`;

  return [
    operatorRoute({
      method: 'GET',
      path: merchantsPath,
      access: { may: 'seeMerchants' },
      async handle(context) {
        const { look, now } = context;
        const search = asked(context, 'q').slice(0, 100);
        const before = readPageCursor(asked(context, 'cursor') || undefined);
        const cut = { before, limit: rowsMax + 1 };
        const [found, signUps] = await Promise.all([
          search === '' ? listHouseMerchants(db, cut) : findMerchants(db, search, cut),
          listWaitingSignUps(db),
        ]);
        const { items: merchants, next } = pageOfRows(found, rowsMax);
        const credited = await creditedOf(
          merchants.map(({ id }) => id),
          now,
        );
        const facts = {
          merchants,
          credited: new Map(merchants.flatMap((each) => inWords(each.id, creditedText(each, credited)))),
          signUps,
          search,
          next,
          isFirst: before === null,
          did: asked(context, 'did') || null,
        };
        return accountReply(200, look, merchantsPage(look, facts));
      },
    }),
    operatorRoute({
      method: 'GET',
      path: `${merchantsPath}/new`,
      access: { may: 'merchants' },
      handle: ({ look }) => accountReply(200, look, newMerchantPage(look, new URLSearchParams(), false)),
    }),
    operatorRoute({
      method: 'POST',
      path: merchantsPath,
      access: { may: 'merchants' },
      isOnce: true,
      handle(context) {
        const { look, form } = context;
        const email = form.get('email') ?? '';
        const account = { name: (form.get('name') ?? '').trim(), accountCurrency: form.get('currency') ?? '', email };
        return orForm(
          async () => {
            if (!billingCurrencies.includes(account.accountCurrency))
              throw invalidRequest('Choose a currency from the list.');
            return context.once<{ merchantId: string; token: string | null }>(
              ({ begin }) =>
                begin(async (tx) => {
                  const by = { actor: actorOf(context), isByEmail: look.sendsEmail };
                  const opened = await openAccount(deps, tx, account, by);
                  await noteIn(context, tx, 'merchant.opened', { merchant: opened.merchantId });
                  return opened;
                }),
              ({ merchantId, token }) => `${merchantsPath}/${merchantId}${token === null ? '?did=opened' : ''}`,
              ({ merchantId, token }) => shownLink(context, merchantId, email, token),
            );
          },
          (problem) => newMerchantPage(look, form, problemNote(look, problem)),
          context,
        );
      },
    }),
    operatorRoute({
      method: 'GET',
      path: here,
      access: { may: 'seeMerchants' },
      handle: (context) => pageOf(context, false, 200),
    }),
    operatorRoute({
      method: 'POST',
      path: `${here}/invite`,
      access: { may: 'merchants' },
      isOnce: true,
      handle(context) {
        const { look, form } = context;
        const email = form.get('email') ?? '';
        const by = { actor: actorOf(context), isByEmail: look.sendsEmail };
        return withPage(context, async () => {
          await demandMerchant(idOf(context));
          return context.once<string | null>(
            ({ begin }) =>
              begin(async (tx) => {
                await noteIn(context, tx, 'merchant.owner_invited', { ...about(context), email });
                return inviteFirstOwner(deps, tx, idOf(context), email, by);
              }),
            (token) => `${merchantsPath}/${idOf(context)}${token === null ? '?did=invited' : ''}`,
            (token) => shownLink(context, idOf(context), email, token),
          );
        });
      },
    }),
    operatorRoute({
      method: 'POST',
      path: `${here}/take-back`,
      access: { may: 'merchants' },
      handle: (context) =>
        withPage(context, async () => {
          const id = context.form.get('invitation') ?? '';
          await context.audited('merchant.invitation_taken_back', about(context), (tx) =>
            takeBackFirstOwner(tx, idOf(context), id, { actor: actorOf(context), now: context.now }),
          );
          return redirect(`${merchantsPath}/${idOf(context)}?did=taken-back`);
        }),
    }),
    operatorRoute({
      method: 'POST',
      path: `${here}/fees`,
      access: { may: 'merchants' },
      handle: (context) =>
        withPage(context, async () => {
          const { form, now } = context;
          const settings = {
            feePercent: numberOf(form, 'percent') || null,
            feeMinimumUsd: numberOf(form, 'minimum') || null,
          };
          const by = { merchantId: idOf(context), actor: actorOf(context), now };
          await context.audited('merchant.fees_changed', { ...about(context), ...settings }, (tx) =>
            leavingNoTrail(() => applyChange(tx, by, { settings })),
          );
          return redirect(`${merchantsPath}/${idOf(context)}?did=fees`);
        }),
    }),
    operatorRoute({
      method: 'POST',
      path: `${here}/room`,
      access: { may: 'merchants' },
      handle: (context) =>
        withPage(context, async () => {
          const { form, now } = context;
          const typed = numberOf(form, 'megabytes');
          const settings = { storedMegabytesMax: typed === '' ? null : Number(typed) };
          const by = { merchantId: idOf(context), actor: actorOf(context), now };
          await context.audited('merchant.room_changed', { ...about(context), ...settings }, (tx) =>
            leavingNoTrail(() => applyChange(tx, by, { settings })),
          );
          return redirect(`${merchantsPath}/${idOf(context)}?did=room`);
        }),
    }),
    operatorRoute({
      method: 'POST',
      path: `${here}/suspend`,
      access: { may: 'merchants' },
      handle: (context) =>
        withPage(context, async () => {
          const why = context.form.get('why') ?? '';
          const begin: Begin<void> = (work) => context.audited('merchant.suspended', { ...about(context), why }, work);
          await suspendMerchant(deps, idOf(context), why, { actor: actorOf(context), begin });
          return redirect(`${merchantsPath}/${idOf(context)}?did=suspended`);
        }),
    }),
    operatorRoute({
      method: 'POST',
      path: `${here}/resume`,
      access: { may: 'merchants' },
      handle: (context) =>
        withPage(context, async () => {
          const begin: Begin<void> = (work) => context.audited('merchant.resumed', about(context), work);
          await resumeMerchant(deps, idOf(context), { actor: actorOf(context), begin });
          return redirect(`${merchantsPath}/${idOf(context)}?did=resumed`);
        }),
    }),
    operatorRoute({
      method: 'POST',
      path: `${here}/look`,
      access: { may: 'lookAtMerchants' },
      async handle(context) {
        const { signedIn, now } = context;
        await context.audited('staff.looked', about(context), (tx) =>
          lookAtMerchant(tx, signedIn.session, idOf(context), now),
        );
        return redirect(inAccount(context.form.get('to')) ?? '/account');
      },
    }),
    operatorRoute({
      method: 'POST',
      path: '/operator/stop-looking',
      access: { may: 'lookAtMerchants' },
      async handle({ signedIn }) {
        await inSession(db, signedIn)((tx) => stopLooking(tx, signedIn.session));
        const at = signedIn.session.looksAt?.merchantId;
        return redirect(at === undefined ? merchantsPath : `${merchantsPath}/${at}`);
      },
    }),
  ];

  function noteIn(context: StaffContext, tx: Tx, action: string, detail: Record<string, unknown>): Promise<void> {
    return insertAudit(tx, { merchantId: operatorId, at: context.now, actor: actorOf(context), action, detail });
  }

  async function demandMerchant(id: string): Promise<Merchant> {
    const merchant = await findMerchant(db, id);
    if (!merchant) throw notFound('merchant', id);
    return merchant;
  }

  async function pageOf(context: StaffContext, problem: Html | false, status: number): Promise<PageReply> {
    const { look, now } = context;
    const merchant = await demandMerchant(idOf(context));
    const [members, invitations, heldBack, credited, storedBytes] = await Promise.all([
      membersOf(db, merchant.id),
      openInvitations(db, merchant.id, now),
      merchant.suspended ? listHeldBack(db, merchant.id) : [],
      creditedOf([merchant.id], now),
      storedBytesOf(db, merchant.id),
    ]);
    const { percent, minimumUsd } = deps.fees;
    const usualFees = { percent: formatDecimal(times(percent, decimal(100))), minimumUsd: formatDecimal(minimumUsd) };
    const did = asked(context, 'did') || null;
    const wanted = inAccount(asked(context, 'to'));
    const { assets } = deps;
    const today = creditedText(merchant, credited);
    const toOwn = invitations.filter(({ isFirstOwner }) => isFirstOwner);
    const stored = { bytes: storedBytes, usualMegabytes: deps.storedMegabytesMax };
    const facts = {
      merchant,
      members,
      toOwn,
      heldBack,
      assets,
      credited: today,
      stored,
      usualFees,
      wanted,
      problem,
      did,
    };
    return accountReply(status, look, merchantPage(look, facts));
  }

  function creditedOf(ids: readonly string[], now: Date): Promise<Credited[]> {
    return creditedToOn(db, ids, houseDayOf(now));
  }

  /** What was wrong is said on the page of the account. */
  function withPage(context: StaffContext, act: () => Promise<PageReply>): Promise<PageReply> {
    return act().catch((error: unknown) => {
      if (!(error instanceof GatewayError) || error.code === 'not_found') throw error;
      return pageOf(context, problemNote(context.look, error), error.httpStatus);
    });
  }

  async function shownLink({ look }: StaffContext, merchantId: string, email: string, token: string | null) {
    if (token === null) return redirect(`${merchantsPath}/${merchantId}?did=invited`);
    const back = `${merchantsPath}/${merchantId}`;
    return accountReply(200, look, invitedOwnerPage(look, { email, url: welcome(token), back }));
  }

  /** In the currency of the account; what has no rate does not count. Null: nothing. */
  function creditedText(
    { id, accountCurrency }: Pick<Merchant, 'id' | 'accountCurrency'>,
    credited: readonly Credited[],
  ): string | null {
    const values = credited
      .filter(({ merchantId }) => merchantId === id)
      .flatMap(({ asset: assetId, units }) => {
        const asset = findAsset(deps.assets, assetId);
        const worth = asset ? worthOfUnits(deps.rates, asset, units, accountCurrency) : null;
        return worth === null ? [] : [decimal(worth)];
      });
    if (values.length === 0) return null;
    return priceText('en', fixedValue(formatDecimal(sum(values, (value) => value)), accountCurrency), accountCurrency);
  }
}

/** A page of an account; null: none was asked for, or it is something else. */
const inAccount = (path: string | null): string | null => {
  const safe = safeNext(path);
  return safe.startsWith('/account/') ? safe : null;
};

const inWords = (id: string, text: string | null): [string, string][] => (text === null ? [] : [[id, text]]);

async function orForm(
  act: () => Promise<PageReply>,
  page: (problem: GatewayError) => Html,
  { look }: StaffContext,
): Promise<PageReply> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return accountReply(error.httpStatus, look, page(error));
  }
}
