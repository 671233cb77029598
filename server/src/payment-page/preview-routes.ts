/**
 * What customers see, for merchants: `/{lang}/checkout/preview/{state}`, and all states on one page under
 * `/{lang}/checkout/preview`. It shows samples only and can do nothing. With the token of a signed link it shows the
 * merchant's own brand, and colours and fonts can be tried out before they are kept.
 */
import { type PageContext, type PageReply, pageRoute, type Route } from '../http/route.ts';
import type { Clock } from '../lib/clock.ts';
import type { Encryption } from '../lib/encryption.ts';
import { GatewayError } from '../lib/errors.ts';
import { type Brand, brandFonts, plainBrand, readColour, readFont } from '../merchants/brand.ts';
import { readPreviewToken } from '../merchants/preview-token.ts';
import { html } from '../web/html.ts';
import { pageBrand } from '../web/page-brand.ts';
import { framedBy } from '../web/page-framing.ts';
import { browserLanguage } from '../web/page-language.ts';
import { createLook, type PageLook, pageLayout, pageReply } from '../web/page-layout.ts';
import { plainPage } from '../web/plain-page.ts';
import { isPageLanguage } from '../web/texts/page-texts.ts';
import { checkoutPage } from './checkout-page.ts';
import type { PageDeps } from './find-page.ts';
import { isPageSettingOn, pageSetting, sellerEmail } from './page-setting.ts';
import type { PageMerchant, PublicCheckout } from './public-checkout.ts';
import { isSampleState, sampleCheckout, sampleStates } from './sample-checkouts.ts';

type PreviewDeps = Pick<PageDeps, 'isSandbox' | 'sendsReceipts' | 'files' | 'merchantOf' | 'brandOf'> & {
  readonly clock: Clock;
  readonly encryption: Encryption;
};

type Preview = { readonly look: PageLook; readonly merchant: PageMerchant | undefined; readonly brand: Brand };

export function previewRoutes(deps: PreviewDeps): Route[] {
  /** Undefined when the link has had its day, or never had one. */
  async function previewOf({ params, headers, query }: PageContext): Promise<Preview | undefined> {
    const { lang = '' } = params;
    const language = isPageLanguage(lang) ? lang : browserLanguage(headers['accept-language']);
    const token = query['brand'];
    if (token === undefined) return { look: createLook(language, deps), merchant: undefined, brand: plainBrand };
    const merchantId = readPreviewToken(deps.encryption, String(token), deps.clock.now());
    const merchant = merchantId === null ? undefined : await deps.merchantOf(merchantId);
    if (!merchant) return undefined;
    const brand = tried((await deps.brandOf(merchant.id)) ?? plainBrand, query);
    return { look: createLook(language, { ...deps, brand: pageBrand(brand) }), merchant, brand };
  }

  const gone = ({ headers }: PageContext): PageReply => {
    const look = createLook(browserLanguage(headers['accept-language']), deps);
    return pageReply(404, look, plainPage(look, 'invalidTitle', 'invalidText'));
  };

  async function showState(context: PageContext): Promise<PageReply> {
    const preview = await previewOf(context);
    if (!preview) return gone(context);
    const { look, merchant } = preview;
    const { state = '' } = context.params;
    if (!isSampleState(state)) {
      const others = html`<ul>${sampleStates.map((name) => html`<li><a href="/${look.language}/checkout/preview/${name}">${name}</a></li>`)}</ul>`;
      return pageReply(404, look, plainPage(look, 'invalidTitle', 'preview', others));
    }
    const now = deps.clock.now();
    const checkout = asOf(merchant, sampleCheckout(state, now, look.language));
    const inLanguage = (language: string): string => `/${language}/checkout/preview/${state}${searchOf(context.query)}`;
    const options = { now, notice: look.say('preview'), inLanguage };
    // On the page with all states, which is ours.
    return framedBy(pageReply(200, look, checkoutPage(look, checkout, options)), ['self']);
  }

  async function showAll(context: PageContext): Promise<PageReply> {
    const preview = await previewOf(context);
    return preview ? framing(pageReply(200, preview.look, everyState(preview, context))) : gone(context);
  }

  return [
    pageRoute({ methods: ['GET'], path: '/:lang/checkout/preview', handle: showAll }),
    pageRoute({ methods: ['GET'], path: '/:lang/checkout/preview/:state', handle: showState }),
  ];
}

/** The sample with what the account says about names and addresses. */
function asOf(merchant: PageMerchant | undefined, sample: PublicCheckout): PublicCheckout {
  if (!merchant) return sample;
  const ofAccount = { payload: {} };
  return {
    ...sample,
    shopName: pageSetting(ofAccount, merchant, 'shopName') ?? merchant.name,
    sellerEmail: isPageSettingOn(ofAccount, merchant, 'displaySellerInfo') ? sellerEmail(merchant) : null,
    buyer: isPageSettingOn(ofAccount, merchant, 'displayBuyerInfo') ? sample.buyer : null,
  };
}

const tryable = ['accentColour', 'pageColour', 'textColour'] as const;

/** The brand with what the query wants to try; what cannot be read is left as it was. */
function tried(brand: Brand, query: PageContext['query']): Brand {
  const given = (name: string): string => String(query[name] ?? '').trim();
  const read = <T>(name: string, reader: (text: string) => T, kept: T): T => {
    if (given(name) === '') return kept;
    try {
      return reader(given(name));
    } catch (error) {
      if (error instanceof GatewayError) return kept;
      throw error;
    }
  };
  const colours = Object.fromEntries(tryable.map((name) => [name, read(name, readColour, brand[name])]));
  return { ...brand, ...colours, font: read('font', readFont, brand.font) };
}

/** What of the query the other previews need too. */
function searchOf(query: PageContext['query']): string {
  const kept = new URLSearchParams();
  for (const name of ['brand', ...tryable, 'font'])
    if (query[name] !== undefined && query[name] !== '') kept.set(name, String(query[name]));
  return kept.size > 0 ? `?${kept.toString()}` : '';
}

function everyState({ look, merchant, brand }: Preview, { query }: PageContext) {
  const search = searchOf(query);
  const main = html`<style nonce="${look.nonce}">
.states{display:grid;grid-template-columns:repeat(auto-fill,minmax(20rem,1fr));gap:1rem;margin-top:1rem}
.states section{padding:.75rem;border-radius:var(--radius);background:var(--page)}
.states h2{margin-bottom:.25rem}
.states iframe{width:100%;height:44rem;border:1px solid var(--line);border-radius:var(--radius);background:var(--page)}
.trial{display:flex;flex-wrap:wrap;gap:.75rem;align-items:end}
.trial .button{width:auto}
</style>
<div class="card"><h1>${merchant?.name ?? 'Quittance'}</h1>
<p>${look.say('preview')}</p>
${merchant && trialForm(brand, String(query['brand'] ?? ''))}</div>
<div class="states">${sampleStates.map(
    (state) => html`<section><h2>${state}</h2>
<iframe title="${state}" loading="lazy" src="/${look.language}/checkout/preview/${state}${search}"></iframe></section>`,
  )}</div>`;
  return pageLayout(look, { title: merchant?.name ?? 'Quittance', main });
}

/** In English, as everything that is for merchants and not for their customers. */
const trialForm = (brand: Brand, token: string) =>
  html`<form class="trial" lang="en">
<input type="hidden" name="brand" value="${token}">
${tryable.map(
  (name) => html`<label>${name.replace('Colour', ' colour')}<br>
<input name="${name}" value="${brand[name]}" placeholder="#1d4ed8" size="9"></label>`,
)}
<label>font<br><select name="font">${brandFonts.map(
    (font) => html`<option${font === brand.font && html` selected`}>${font}</option>`,
  )}</select></label>
<button class="button">Try</button>
</form>`;

const framing = ({ headers = {}, ...reply }: PageReply): PageReply => ({
  ...reply,
  headers: {
    ...headers,
    'content-security-policy': `${headers['content-security-policy'] ?? ''}; frame-src 'self'`,
  },
});
