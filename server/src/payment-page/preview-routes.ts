/**
 * What customers see, for merchants: `/{lang}/checkout/preview/{state}`, and all states on one page under
 * `/{lang}/checkout/preview`. It shows only samples and can do nothing. With the token of a signed link it shows the
 * merchant's own brand, and colours and fonts can be tried before they are saved.
 */
import { type PageContext, type PageReply, pageRoute, type Route } from '../http/route.ts';
import type { Clock } from '../lib/clock.ts';
import type { Encryption } from '../lib/encryption.ts';
import { GatewayError } from '../lib/errors.ts';
import { type Brand, brandFonts, plainBrand, readColour, readFont } from '../merchants/brand.ts';
import { readPreviewToken } from '../merchants/preview-token.ts';
import { html } from '../web/html.ts';
import { ourAccent, pageBrand } from '../web/page-brand.ts';
import { framedBy } from '../web/page-framing.ts';
import { browserLanguage, readPlace, spokenLanguage } from '../web/page-language.ts';
import { createLook, type PageLook, pageLayout, pageReply } from '../web/page-layout.ts';
import { deadLinkPage, invalidPath, ourName, sheetPage } from '../web/plain-page.ts';
import type { ShopLookDeps } from './find-page.ts';
import { wantsReceipts } from './page-setting.ts';
import { fontNames, previewPage, stateTitles } from './preview-page.ts';
import type { PageMerchant } from './public-checkout.ts';
import { isSampleState, sampleStates } from './sample-checkouts.ts';

type PreviewDeps = ShopLookDeps & {
  readonly sendsReceipts: boolean;
  readonly clock: Clock;
  readonly encryption: Encryption;
};

type Preview = { readonly look: PageLook; readonly merchant: PageMerchant | undefined; readonly brand: Brand };

export function previewRoutes(deps: PreviewDeps): Route[] {
  /** Undefined when the link has expired or was never valid. */
  async function previewOf({ params, headers, query }: PageContext): Promise<Preview | undefined> {
    const { lang = '' } = params;
    const language = spokenLanguage(lang, headers['accept-language']);
    const token = query['brand'];
    if (token === undefined) return { look: createLook(language, deps), merchant: undefined, brand: plainBrand };
    const merchantId = readPreviewToken(deps.encryption, String(token), deps.clock.now());
    const merchant = merchantId === null ? undefined : await deps.merchantOf(merchantId);
    if (!merchant) return undefined;
    const brand = tried((await deps.brandOf(merchant.id)) ?? plainBrand, query);
    return { look: createLook(language, { ...deps, ...mailOf(merchant), brand: pageBrand(brand) }), merchant, brand };
  }

  const mailOf = (merchant: PageMerchant) => ({
    sendsMail: deps.sendsReceipts,
    sendsReceipts: deps.sendsReceipts && wantsReceipts(merchant),
  });

  const gone = ({ headers }: PageContext): PageReply => {
    const look = createLook(browserLanguage(headers['accept-language']), deps);
    return pageReply(404, look, deadLinkPage(look, 'invalidTitle', invalidPath));
  };

  async function showState(context: PageContext): Promise<PageReply> {
    const preview = await previewOf(context);
    if (!preview) return gone(context);
    const { look, merchant } = preview;
    const { state = '' } = context.params;
    if (!isSampleState(state)) {
      const others = html`<ul>${sampleStates.map((name) => html`<li><a href="/${look.language}/checkout/preview/${name}">${name}</a></li>`)}</ul>`;
      return pageReply(404, look, sheetPage(look, { title: look.say('missingPageTitle'), sheet: others }));
    }
    const now = deps.clock.now();
    const inLanguage = (language: string): string => `/${language}/checkout/preview/${state}${searchOf(context.query)}`;
    const place = readPlace(context.query);
    const shown = { state, merchant, now, inLanguage, place, notice: look.say('preview') };
    // Our own page with all states shows it in a frame.
    return framedBy(pageReply(200, look, previewPage(look, shown)), ['self']);
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

const tryable = ['accentColour', 'pageColour', 'textColour'] as const;

/** The brand with what the query wants to try; what cannot be read stays as it was. */
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

/** The parts of the query that links to the other previews need too. */
function searchOf(query: PageContext['query']): string {
  const kept = new URLSearchParams();
  for (const name of ['brand', ...tryable, 'font', 'way'])
    if (query[name] !== undefined && query[name] !== '') kept.set(name, String(query[name]));
  return kept.size > 0 ? `?${kept.toString()}` : '';
}

function everyState({ look, merchant, brand }: Preview, { query }: PageContext) {
  const search = searchOf(query);
  const name = merchant?.name ?? ourName;
  return pageLayout(look, {
    title: name,
    page: html`<main id="sheet" class="previews">
<h1>${name}</h1>
<p class="quiet">${look.say('preview')}</p>
${merchant && trialForm(look, brand, String(query['brand'] ?? ''))}
<div class="frames">${sampleStates.map(
      (state) => html`<section><h2>${look.say(stateTitles[state])}</h2>
<iframe title="${look.say(stateTitles[state])}" loading="lazy" src="/${look.language}/checkout/preview/${state}${search}"></iframe></section>`,
    )}</div></main>`,
  });
}

/** A colour is typed, or picked if there is a script. An empty field means our own colour. */
const trialForm = ({ say }: PageLook, brand: Brand, token: string) =>
  html`<form class="bar">
<input type="hidden" name="brand" value="${token}">
${tryable.map(
  (name) => html`<div class="field"><label for="${name}">${say(name)}</label>
<span class="bar"><input type="color" class="picker" data-picks="${name}" value="${brand[name] ?? ourAccent}" tabindex="-1" aria-hidden="true">
<input class="input" id="${name}" name="${name}" value="${brand[name]}" placeholder="${ourAccent}" size="9"></span></div>`,
)}
<div class="field"><label for="font">${say('font')}</label><select class="input" id="font" name="font">${brandFonts.map(
    (font) => html`<option value="${font}"${font === brand.font && html` selected`}>${say(fontNames[font])}</option>`,
  )}</select></div>
<button class="btn primary">${say('tryOut')}</button>
</form>`;

const framing = ({ headers = {}, ...reply }: PageReply): PageReply => ({
  ...reply,
  headers: {
    ...headers,
    'content-security-policy': `${headers['content-security-policy'] ?? ''}; frame-src 'self'`,
  },
});
