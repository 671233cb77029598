/**
 * The payment page with samples, beside the form: as it is published, or as the form would make it. Only people who may
 * change the brand are shown it, and nothing of it is stored.
 */
import type { PageReply } from '../../http/route.ts';
import type { Brand } from '../../merchants/brand.ts';
import { type BrandFileKind, type BrandFiles, brandFileKinds } from '../../merchants/change-brand.ts';
import type { Merchant } from '../../merchants/merchant.ts';
import { wantsReceipts } from '../../payment-page/page-setting.ts';
import { previewPage } from '../../payment-page/preview-page.ts';
import { type SampleState, sampleStates } from '../../payment-page/sample-checkouts.ts';
import { type Html, type HtmlValue, html, trustedHtml } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import { dataSrc, type PageBrand, pageBrand } from '../../web/page-brand.ts';
import { framedBy } from '../../web/page-framing.ts';
import { createLook, type PageFiles, pageReply } from '../../web/page-layout.ts';
import { languageCodes, type PageLanguage, sayIn } from '../../web/texts/page-texts.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { paymentPagePath } from './settings-parts.ts';

export const previewPath = `${paymentPagePath}/preview`;

/** What of the page is looked at. */
export type PreviewView = {
  readonly state: SampleState;
  readonly language: PageLanguage;
  readonly scheme: 'light' | 'dark';
  readonly width: 'phone' | 'desk';
};

export function readView(look: AccountLook, given: (name: string) => unknown): PreviewView {
  return {
    state: sampleStates.find((each) => each === given('state')) ?? 'pending',
    language: languageCodes.find((each) => each === given('lang')) ?? look.language,
    scheme: given('scheme') === 'dark' ? 'dark' : 'light',
    width: given('width') === 'desk' ? 'desk' : 'phone',
  };
}

export const searchOfView = ({ state, language, scheme, width }: PreviewView): string =>
  new URLSearchParams({ state, lang: language, scheme, width }).toString();

export type Previewed = {
  readonly merchant: Merchant;
  readonly brand: Brand;
  /** Chosen, but not published. */
  readonly files: BrandFiles;
};

type PreviewDeps = { readonly pageFiles: PageFiles; readonly sendsEmail: boolean };

export function previewReply(
  deps: PreviewDeps,
  view: PreviewView,
  { merchant, brand, files }: Previewed,
  { now, notes }: { readonly now: Date; readonly notes?: Html },
): PageReply {
  const look = createLook(view.language, {
    isSandbox: false, // As it is for customers; the page around it says where we are.
    sendsMail: deps.sendsEmail,
    sendsReceipts: deps.sendsEmail && wantsReceipts(merchant),
    files: deps.pageFiles,
    brand: withFiles(pageBrand(brand), files),
    theme: view.scheme,
  });
  const inLanguage = (language: PageLanguage): string => `${previewPath}?${searchOfView({ ...view, language })}`;
  const page = previewPage(look, { state: view.state, merchant, now, inLanguage, stays: true }).toString();
  const document = trustedHtml(page.replace('</body>', `${notes?.toString() ?? ''}</body>`));
  const reply = pageReply(200, look, document);
  const { headers = {} } = reply;
  // A picture that is not stored yet is in the page itself. Its forms are for looking only.
  const policy = (headers['content-security-policy'] ?? '')
    .replace(/(img|font)-src 'self'/g, '$& data:')
    .replace("form-action 'self'", "form-action 'none'");
  return framedBy({ ...reply, headers: { ...headers, 'content-security-policy': policy } }, ['self']);
}

const sources: Readonly<Record<BrandFileKind, 'logoSrc' | 'logoDarkSrc' | 'backgroundSrc' | 'fontSrc'>> = {
  logo: 'logoSrc',
  logoDark: 'logoDarkSrc',
  background: 'backgroundSrc',
  fontFile: 'fontSrc',
};

function withFiles(brand: PageBrand, files: BrandFiles): PageBrand {
  const chosen = brandFileKinds.flatMap((kind) => {
    const file = files[kind];
    return file === undefined ? [] : [[sources[kind], file && dataSrc(file)] as const];
  });
  return { ...brand, ...Object.fromEntries(chosen) };
}

/** The fields belong to the form of the brand: without a script its button shows what it says, without publishing it. */
export const previewPart = (look: AccountLook, view: PreviewView): Html => {
  const { say } = look;
  const select = (name: string, label: string, options: HtmlValue): Html =>
    html`<div class="field"><label for="preview-${name}">${label}</label><span class="select"><select class="input" id="preview-${name}" name="${name}" form="brand">${options}</select></span></div>`;
  const segment = (name: string, label: string, chosen: string, options: readonly (readonly [string, HtmlValue])[]) =>
    html`<div class="seg" role="radiogroup" aria-label="${label}">${options.map(([value, text]) => html`<label><input type="radio" name="${name}" value="${value}" form="brand"${value === chosen && html` checked`}>${text}</label>`)}</div>`;
  return html`<section class="preview" aria-labelledby="h-preview"><h2 class="unseen" id="h-preview">${say('brandPreview')}</h2>
<div class="preview-what">
${select(
  'state',
  say('brandState'),
  sampleStates.map(
    (state) =>
      html`<option value="${state}"${state === view.state && html` selected`}>${say(`brandState_${state}`)}</option>`,
  ),
)}
${select(
  'lang',
  say('brandLanguage'),
  languageCodes.map(
    (code) =>
      html`<option value="${code}" lang="${code}"${code === view.language && html` selected`}>${sayIn(code)('languageName')}</option>`,
  ),
)}
</div>
<div class="device"><iframe name="preview" title="${say('brandPreview')}" src="${previewPath}?${searchOfView(view)}"></iframe></div>
<div class="bar">${segment('width', say('brandWidth'), view.width, [
    ['phone', html`${icon('phone')}${say('brandPhone')}`],
    ['desk', say('brandDesk')],
  ])}${segment('scheme', say('theme'), view.scheme, [
    ['light', say('theme_light')],
    ['dark', say('theme_dark')],
  ])}</div>
<button class="btn without-script" id="show-preview" form="brand" formaction="${previewPath}" formtarget="preview" formnovalidate>${icon('eye')}${say('brandShow')}</button>
<p class="help">${say('brandPreviewHelp')}</p>
</section>`;
};
