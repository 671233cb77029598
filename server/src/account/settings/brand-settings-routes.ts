/** The look of the payment page: shown, tried out beside the form, published. */

import type { Query } from '../../db/database.ts';
import { personActor } from '../../http/actor.ts';
import type { PageReply } from '../../http/route.ts';
import type { GatewayError } from '../../lib/errors.ts';
import type { GuardedFetch } from '../../lib/guarded-fetch.ts';
import { listAudit } from '../../merchants/audit-store.ts';
import { type Brand, plainBrand } from '../../merchants/brand.ts';
import type { BrandImageKind } from '../../merchants/brand-image.ts';
import { findBrand } from '../../merchants/brand-store.ts';
import { applyBrandChange } from '../../merchants/change-brand.ts';
import { applyChange } from '../../merchants/change-settings.ts';
import type { PictureWork } from '../../merchants/picture-work.ts';
import { notYours } from '../../people/people-errors.ts';
import { membersOf } from '../../people/person-store.ts';
import { type Html, type HtmlValue, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import { framedBy } from '../../web/page-framing.ts';
import type { PageFiles } from '../../web/page-layout.ts';
import { accountReply } from '../frame/account-layout.ts';
import { demandSession, redirect } from '../frame/account-request.ts';
import {
  type AccountDeps,
  type AccountRoute,
  createAccountRoutes,
  type MemberContext,
} from '../frame/account-route.ts';
import { agoText } from '../frame/ago-text.ts';
import { type BrandWish, changedSettings, changesProven, readBrandForm } from './brand-form.ts';
import { brandNotes, notesTemplate } from './brand-notes.ts';
import { previewPath, previewReply, readView, searchOfView } from './brand-preview.ts';
import { brandSettingsPage } from './brand-settings-page.ts';
import { type DomainFacts, findDomainFacts, ownDomainPart } from './own-domain-part.ts';
import { paymentPagePath } from './settings-parts.ts';

export type BrandPageDeps = AccountDeps & {
  /** Of the payment page, which is shown in a frame. */
  readonly pageFiles: PageFiles;
  readonly brandScript: string;
  readonly fetch: GuardedFetch;
  readonly pictures: PictureWork;
};

/** What the last form did, and how it is said. */
const doneTexts = ['brandPublished', 'domainSaved', 'domainKeyRevoked', 'domainRemoved'] as const;
export type Done = (typeof doneTexts)[number];

const noProblems: BrandWish['problems'] = new Map();

type Shown = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly notice?: HtmlValue;
  /** The form as it was sent, and what is wrong with it. */
  readonly refused?: { readonly form: URLSearchParams; readonly wish: BrandWish };
  readonly domain?: Partial<DomainFacts>;
};

/** The page, also for what is done about the own domain on it. */
export async function showPaymentPage(
  deps: BrandPageDeps,
  context: MemberContext,
  { status = 200, headers, notice = false, refused, domain }: Shown,
): Promise<PageReply> {
  const { look, merchant, request } = context;
  const [stored, published, domainFacts] = await Promise.all([
    brandOf(deps.db, merchant.id),
    lastPublished(deps.db, context),
    findDomainFacts(deps, merchant.id),
  ]);
  const brand = { ...stored, ...refused?.wish.look };
  const here = { ...look, path: paymentPagePath };
  const page = brandSettingsPage(here, {
    merchant,
    brand: stored,
    view: readView(look, refused ? (name) => refused.form.get(name) : (name) => request.query[name]),
    notes: brandNotes(look, brand, refused?.wish.problems ?? noProblems),
    form: refused?.form ?? null,
    notice,
    published,
    ownDomain: ownDomainPart(here, { ...domainFacts, ...domain }),
    script: deps.brandScript,
  });
  return accountReply(status, look, page, headers);
}

const brandOf = async (query: Query, merchantId: string): Promise<Brand> =>
  (await findBrand(query, merchantId)) ?? plainBrand;

async function lastPublished(query: Query, { look, merchant, now }: MemberContext): Promise<Html | false> {
  const newest = { actor: null, beginnings: ['brand.changed'], from: null, to: null, before: null, limit: 1 };
  const [[last], members] = await Promise.all([listAudit(query, merchant.id, newest), membersOf(query, merchant.id)]);
  if (!last) return false;
  const member = members.find(({ personId }) => personActor(personId) === last.actor);
  const name = member?.name ?? look.say(last.actor === 'operator' ? 'keyByOperator' : 'somebodyElse');
  return look.say.html('brandPublishedBy', { name, ago: agoText(look, last.at, now) });
}

const goodNotice = (sentence: string): Html =>
  html`<p class="notice paid" role="status">${icon('check')}<span>${sentence}</span></p>`;
export const badNotice = (sentence: string): Html =>
  html`<p class="notice fail" role="alert">${icon('alert')}<span>${sentence}</span></p>`;

export function brandSettingsRoutes(deps: BrandPageDeps): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  const encodeFor =
    ({ merchant }: MemberContext) =>
    (kind: BrandImageKind, upload: Buffer): Promise<Buffer> =>
      deps.pictures.encode(merchant.id, kind, upload);
  const access = { may: 'brand' } as const;

  async function publish(context: MemberContext): Promise<PageReply> {
    const { look, merchant, signedIn, form, now } = context;
    const wish = await readBrandForm(look, context, encodeFor(context));
    if (wish.problems.size > 0)
      return showPaymentPage(deps, context, {
        status: wish.hasToWait?.httpStatus ?? 400,
        headers: wish.hasToWait?.headers,
        notice: badNotice(look.say('brandRefused', { count: wish.problems.size })),
        refused: { form, wish },
      });
    const pageSettings = changedSettings(merchant, wish.pageSettings);
    // Else whoever may not see customers would read them on the pages of all orders.
    if ('displayBuyerInfo' in pageSettings && !look.may('seeCustomers')) throw notYours();
    const by = { merchantId: merchant.id, actor: personActor(signedIn.person.id), now };
    await deps.db.begin(async (tx) => {
      await demandSession(tx, signedIn);
      if (Object.keys(pageSettings).length > 0) await applyChange(tx, by, { settings: { pageSettings } });
      await applyBrandChange(tx, by, wish);
    });
    const view = readView(look, (name) => form.get(name));
    return redirect(`${paymentPagePath}?did=${'brandPublished' satisfies Done}&${searchOfView(view)}`);
  }

  return [
    accountRoute({
      method: 'GET',
      path: paymentPagePath,
      access,
      handle(context) {
        const { look, request } = context;
        const did = doneTexts.find((each) => each === request.query['did']);
        return showPaymentPage(deps, context, { notice: did && goodNotice(look.say(did)) });
      },
    }),
    accountRoute({
      method: 'POST',
      path: paymentPagePath,
      access,
      takesFiles: true,
      needsProofFor: ({ merchant, form }) => changesProven(merchant, form),
      handle: publish,
    }),
    inFrame(
      accountRoute({
        method: 'GET',
        path: previewPath,
        access,
        async handle({ look, merchant, request, now }) {
          const brand = await brandOf(deps.db, merchant.id);
          const view = readView(look, (name) => request.query[name]);
          return previewReply(deps, view, { merchant, brand, files: {} }, { now });
        },
      }),
    ),
    inFrame(
      accountRoute({
        method: 'POST',
        path: previewPath,
        access,
        takesFiles: true,
        async handle(context) {
          const { look, merchant, form, now } = context;
          const [stored, wish] = await Promise.all([
            brandOf(deps.db, merchant.id),
            readBrandForm(look, context, encodeFor(context)),
          ]);
          const brand = { ...stored, ...wish.look };
          const pageSettings = { ...merchant.pageSettings, ...wish.pageSettings };
          const shown = { merchant: { ...merchant, pageSettings }, brand, files: wish.files };
          const notes = notesTemplate(brandNotes(look, brand, wish.problems));
          const view = readView(look, (name) => form.get(name));
          const reply = previewReply(deps, view, shown, { now, notes });
          return wish.hasToWait ? busy(reply, wish.hasToWait) : reply;
        },
      }),
    ),
  ];
}

/** What could be shown is shown, and a program reads when to ask again. */
const busy = (reply: PageReply, { httpStatus, headers }: GatewayError): PageReply => ({
  ...reply,
  status: httpStatus,
  headers: { ...reply.headers, ...headers },
});

/** What goes wrong is told there too, instead of a frame that stays empty. */
const inFrame = (route: AccountRoute): AccountRoute => ({
  ...route,
  handle: async (context) => framedBy(await route.handle(context), ['self']),
});
