/** People make payment links that can be paid many times, by the rules and with the sentences of the API. */
import { paymentLinkBody } from '@quittance/contract/payment-link';
import type { AssetCatalog } from '../../catalog/asset-catalog.ts';
import { billingCurrencies } from '../../catalog/currency-catalog.ts';
import type { Db } from '../../db/database.ts';
import { personActor } from '../../http/actor.ts';
import type { DemandRoom } from '../../http/demand-room.ts';
import { readInput } from '../../http/read-input.ts';
import type { PageReply } from '../../http/route.ts';
import { GatewayError, invalidRequest, told } from '../../lib/errors.ts';
import { findBrand } from '../../merchants/brand-store.ts';
import { closePaymentLink } from '../../payment-links/close-payment-link.ts';
import { type CreateLinkDeps, createPaymentLink } from '../../payment-links/create-payment-link.ts';
import {
  listLinkCheckouts,
  listPaymentLinks,
  type ShownLink,
  showPaymentLink,
} from '../../payment-links/list-payment-links.ts';
import type { PaymentLink } from '../../payment-links/payment-link.ts';
import { paymentLinkProblems } from '../../payment-links/payment-link-problems.ts';
import { type LinkUrlDeps, paymentLinkUrl } from '../../payment-links/payment-link-record.ts';
import { secretOfLink } from '../../payment-links/secret-of-link.ts';
import type { PageFiles } from '../../web/page-layout.ts';
import { qrPng, qrSvg } from '../../web/qr-file.ts';
import { accountReply } from '../frame/account-layout.ts';
import { redirect } from '../frame/account-request.ts';
import {
  type AccountDeps,
  type AccountRoute,
  createAccountRoutes,
  type MemberContext,
} from '../frame/account-route.ts';
import { askedText, orProblem, withPoint } from '../frame/money-words.ts';
import type { WordDeps } from './checkout-words.ts';
import {
  type LastingLinkForm,
  lastingLinkFields,
  linksPage,
  linksPath,
  newLastingLinkPage,
  newLastingLinkPath,
  oneLinkPage,
} from './lasting-link-page.ts';
import { linkPrintReply } from './link-print-page.ts';

export type LastingLinkDeps = AccountDeps &
  CreateLinkDeps &
  LinkUrlDeps &
  WordDeps & {
    readonly db: Db;
    readonly assets: AssetCatalog;
    readonly pageFiles: PageFiles;
    readonly demandRoom: DemandRoom;
  };

const perPage = 50;
const seen = { may: 'seeCheckouts' } as const;
const charged = { may: 'charge' } as const;

export function lastingLinkRoutes(deps: LastingLinkDeps): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  const { clock } = deps;
  const keyOf = ({ merchant, request }: MemberContext) => ({
    merchantId: merchant.id,
    id: request.params['id'] ?? '',
  });
  const found = (context: MemberContext): Promise<ShownLink> => showPaymentLink(deps.db, keyOf(context));

  return [
    accountRoute({
      method: 'GET',
      path: linksPath,
      access: seen,
      async handle({ look, merchant, request }) {
        const cursor = askedText(request, 'cursor');
        const wish = { limit: perPage, ...(cursor !== '' && { cursor }) };
        const { items, next } = await listPaymentLinks(deps.db, merchant.id, wish);
        return accountReply(200, look, linksPage(look, { items, next, isFirst: cursor === '' }));
      },
    }),
    accountRoute({
      method: 'GET',
      path: newLastingLinkPath,
      access: charged,
      handle: (context) =>
        formReply(context, { ...emptyForm, currency: context.merchant.accountCurrency, asks: 'fixed' }, null),
    }),
    accountRoute({
      method: 'POST',
      path: newLastingLinkPath,
      access: charged,
      isOnce: true,
      async handle(context) {
        const typed = typedIn(context);
        const made = await orProblem(() => makeLink(context, typed));
        return made instanceof GatewayError ? formReply(context, typed, made) : made;
      },
    }),
    accountRoute({
      method: 'GET',
      path: `${linksPath}/:id`,
      access: seen,
      async handle(context) {
        const { look, request } = context;
        const key = keyOf(context);
        const shown = await found(context);
        const { items } = await listLinkCheckouts(deps.db, key, { limit: perPage });
        const isSigned = shown.link.asks.kind === 'signed' && look.may('charge');
        const page = oneLinkPage(deps, look, {
          ...shown,
          url: paymentLinkUrl(deps, shown.link),
          secret: isSigned ? (await secretOfLink(deps, key)).reveal() : null,
          checkouts: items,
          now: clock.now(),
          isClosedNow: request.query['did'] === 'closed',
        });
        return accountReply(200, look, page);
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${linksPath}/:id/close`,
      access: charged,
      async handle(context) {
        const key = keyOf(context);
        const actor = personActor(context.signedIn.person.id);
        await closePaymentLink({ begin: context.db.begin, clock }, key, actor);
        return redirect(`${linksPath}/${encodeURIComponent(key.id)}?did=closed`);
      },
    }),
    accountRoute({
      method: 'GET',
      path: `${linksPath}/:id/code.svg`,
      access: seen,
      handle: (context) => codeReply(context, 'svg'),
    }),
    accountRoute({
      method: 'GET',
      path: `${linksPath}/:id/code.png`,
      access: seen,
      handle: (context) => codeReply(context, 'png'),
    }),
    accountRoute({
      method: 'GET',
      path: `${linksPath}/:id/print`,
      access: seen,
      async handle(context) {
        const { look, merchant } = context;
        const [{ link }, brand] = await Promise.all([found(context), findBrand(deps.db, merchant.id)]);
        const url = paymentLinkUrl(deps, link);
        return linkPrintReply(look, { link, merchant, brand, url, files: deps.pageFiles });
      },
    }),
  ];

  async function codeReply(context: MemberContext, kind: 'svg' | 'png'): Promise<PageReply> {
    const { link } = await found(context);
    const url = paymentLinkUrl(deps, link);
    return {
      status: 200,
      headers: {
        'content-type': kind === 'svg' ? 'image/svg+xml' : 'image/png',
        'content-disposition': `attachment; filename="payment-link-${link.id}.${kind}"`,
        'cache-control': 'no-store',
      },
      body: kind === 'svg' ? qrSvg(url, context.look.say('linkCode')) : qrPng(url),
    };
  }

  function formReply({ look }: MemberContext, form: LastingLinkForm, problem: GatewayError | null): PageReply {
    const page = newLastingLinkPage(look, { currencies: billingCurrencies, form, problem });
    return accountReply(problem?.httpStatus ?? 200, look, page, problem?.headers);
  }

  async function makeLink(context: MemberContext, typed: LastingLinkForm): Promise<PageReply> {
    const { merchant, signedIn } = context;
    const body = readInput(paymentLinkBody, readForm(typed), { name: 'The payment link' });
    const problems = await paymentLinkProblems(deps, merchant, body);
    if (problems.length > 0) throw invalidRequest(problems);
    await deps.demandRoom(merchant.id, Buffer.byteLength(JSON.stringify(body)));
    const actor = personActor(signedIn.person.id);
    return context.once<PaymentLink>(
      ({ begin }) => createPaymentLink(deps, { merchantId: merchant.id, body, actor, begin }),
      ({ id }) => `${linksPath}/${id}`,
    );
  }
}

const emptyForm: LastingLinkForm = {
  description: '',
  currency: '',
  asks: '',
  amount: '',
  amountMin: '',
  amountMax: '',
  paymentsMax: '',
};

const typedIn = ({ form }: MemberContext): LastingLinkForm =>
  Object.fromEntries(lastingLinkFields.map((name) => [name, form.get(name)?.trim() ?? ''])) as LastingLinkForm;

/** As the API would be asked for it: of the amounts only those that belong to the choice. An empty price is none. */
function readForm({ description, currency, asks, amount, amountMin, amountMax, paymentsMax }: LastingLinkForm) {
  const given = (name: string, text: string) => (text === '' ? {} : { [name]: withPoint(text) });
  if (!/^([1-9]\d{0,4}|100000)?$/.test(paymentsMax))
    throw invalidRequest([
      told('link_payments_wrong', 'The most payments must be a number from 1 to 100000, or empty.'),
    ]);
  return {
    description,
    currency,
    ...(asks === 'signed' && { signedOnly: true }),
    ...(asks === 'open' && { ...given('amountMin', amountMin), ...given('amountMax', amountMax) }),
    ...(asks === 'fixed' && { amount: withPoint(amount) || '0' }),
    ...(paymentsMax !== '' && { paymentsMax: Number(paymentsMax) }),
  };
}
