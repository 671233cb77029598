/** How the payment page looks and what it says, with that page beside it. */
import { type Brand, brandFonts } from '../../merchants/brand.ts';
import { fontBytesMax } from '../../merchants/brand-font.ts';
import { imageBytesMax } from '../../merchants/brand-image.ts';
import type { Merchant } from '../../merchants/merchant.ts';
import { pageSettingForms } from '../../merchants/page-setting-forms.ts';
import { wantsReceipts } from '../../payment-page/page-setting.ts';
import { fontNames } from '../../payment-page/preview-page.ts';
import { type Html, type HtmlValue, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import { brandFileFolder, ourAccent } from '../../web/page-brand.ts';
import { sayIn } from '../../web/texts/page-texts.ts';
import { accountPage } from '../frame/account-layout.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { filesBytesMax } from '../frame/account-route.ts';
import { accountField, proofField, proving } from '../sign-in/sign-in-parts.ts';
import {
  type BrandField,
  type ColourField,
  colourFields,
  type FileField,
  fileFields,
  provenFields,
  type TextField,
  textFields,
} from './brand-form.ts';
import { type BrandNotes, noteOf } from './brand-notes.ts';
import { type PreviewView, previewPart, searchOfView } from './brand-preview.ts';
import { paymentPagePath } from './settings-parts.ts';

export type BrandPageFacts = {
  readonly merchant: Merchant;
  readonly brand: Brand;
  readonly view: PreviewView;
  readonly notes: BrandNotes;
  /** What was sent and refused: nothing has to be typed twice. */
  readonly form: URLSearchParams | null;
  /** Above everything: what became of the last form. */
  readonly notice: HtmlValue;
  /** Who published it last, and when. */
  readonly published: HtmlValue;
  readonly ownDomain: Html;
  readonly script: string;
};

export const brandSettingsPage = (look: AccountLook, facts: BrandPageFacts): Html => {
  const { say } = look;
  const discard = html`<a class="btn" href="${paymentPagePath}?${searchOfView(facts.view)}">${say('brandDiscard')}</a>`;
  const publish = html`<button class="btn primary" form="brand">${say('brandPublish')}</button>`;
  return accountPage(look, {
    title: say('menuSettings'),
    documentTitle: `${say('menuPaymentPage')} · ${say('menuSettings')}`,
    actions: html`${facts.published && html`<span class="small quiet">${facts.published}</span>`}${discard}${publish}`,
    main: html`${facts.notice}
<div class="brandform"><div>
${brandForm(look, facts)}
<div class="bar on-phone">${publish}${discard}</div>
</div>
${previewPart(look, facts.view)}
${facts.ownDomain}</div>
<script type="module" nonce="${look.nonce}" src="${facts.script}"></script>`,
  });
};

function brandForm(look: AccountLook, facts: BrandPageFacts): Html {
  const { say } = look;
  const { brand, merchant, form } = facts;
  const isOn = (name: string, stored: boolean): boolean => (form ? form.getAll(name).at(-1) === 'on' : stored);
  const text = (field: TextField, extra: { readonly placeholder?: string } = {}): Html =>
    textPart(look, facts, field, extra);
  const seller =
    form?.get('seller-info') ??
    { true: 'on', false: 'off' }[String(merchant.pageSettings['displaySellerInfo'])] ??
    'auto';
  return html`<form class="form" id="brand" method="post" action="${paymentPagePath}" enctype="multipart/form-data" data-bytes-max="${filesBytesMax}" data-too-large="${say('brandFilesTooLarge')}"${proving(look)}${form === null && html` data-prove-if="${provenFields.join(' ')}"`}>${accountField(look)}
${text('shop-name', { placeholder: merchant.name })}
<fieldset><legend>${say('brandLogo')}</legend>
<div class="choices">${filePart(look, facts, 'logo')}${filePart(look, facts, 'logo-dark')}</div>
${switchPart('name-shown', say('brandNameShown'), isOn('name-shown', !brand.isNameHidden))}</fieldset>
<fieldset><legend>${say('brandColour')}</legend>
${colourPart(look, facts, 'accent')}
${foldPart(facts, say('brandMoreColours'), ['page', 'text', 'background'], html`${colourPart(look, facts, 'page')}${colourPart(look, facts, 'text')}${filePart(look, facts, 'background')}`)}</fieldset>
<fieldset><legend>${say('brandLetters')}</legend>
${fontPart(look, facts)}
${foldPart(facts, say('brandOwnFont'), ['font-file'], filePart(look, facts, 'font-file'))}</fieldset>
<fieldset><legend>${say('brandWords')}</legend>
${text('support-email', { placeholder: 'help@shop.example' })}
<div class="field"><label for="seller-info">${say('brandSeller')}</label><span class="select"><select class="input" id="seller-info" name="seller-info">${(['auto', 'on', 'off'] as const).map((each) => html`<option value="${each}"${each === seller && html` selected`}>${say(`brandSeller_${each}`)}</option>`)}</select></span></div>
${look.may('seeCustomers') && switchPart('buyer-info', say('brandBuyer'), isOn('buyer-info', merchant.pageSettings['displayBuyerInfo'] === true))}
${look.sendsEmail && switchPart('receipts', say('brandReceipts'), isOn('receipts', wantsReceipts(merchant)))}
${foldPart(facts, say('brandLegal'), ['legal-line', 'legal-notice', 'privacy', 'terms', 'tax-id'], html`${text('legal-line')}${text('legal-notice', web)}${text('privacy', web)}${text('terms', web)}${text('tax-id')}`)}
${foldPart(facts, say('brandWayBack'), ['return-url', 'cancel-url'], html`${text('return-url', web)}${text('cancel-url', web)}`)}
${proofField(look)}</fieldset>
</form>`;
}

const web = { placeholder: 'https://' };

/** Open where something in it was refused. */
const foldPart = (facts: BrandPageFacts, title: string, fields: readonly BrandField[], body: Html): Html => {
  const isOpen = fields.some((field) => facts.form !== null && facts.notes.has(field));
  return html`<details class="fold-part"${isOpen && html` open`}><summary>${icon('down')}${title}</summary><div class="fold-body">${body}</div></details>`;
};

const switchPart = (name: string, label: string, isOn: boolean): Html =>
  html`<label class="switch"><input type="hidden" name="${name}" value="off"><input type="checkbox" role="switch" name="${name}" value="on"${isOn && html` checked`}>${label}</label>`;

function textPart(
  look: AccountLook,
  facts: BrandPageFacts,
  field: TextField,
  { placeholder }: { readonly placeholder?: string },
): Html {
  const name = textFields[field];
  const { kind, most } = pageSettingForms[name];
  const stored = facts.merchant.pageSettings[name];
  const value = facts.form?.get(field) ?? (typeof stored === 'string' ? stored : '');
  const type = { words: 'text', email: 'email', webAddress: 'url' }[kind];
  return html`<div class="field"><label for="${field}">${look.say(`brandText_${name}`)}</label><input class="input" id="${field}" name="${field}" type="${type}" value="${value}" maxlength="${most}" autocomplete="off"${placeholder !== undefined && html` placeholder="${placeholder}"`} aria-describedby="help-${field} note-${field}"><p class="help" id="help-${field}">${look.say(`brandTextHelp_${name}`)}</p>${noteOf(facts.notes, field)}</div>`;
}

function colourPart(look: AccountLook, facts: BrandPageFacts, field: ColourField): Html {
  const stored = facts.brand[colourFields[field]];
  const value = facts.form?.get(field) ?? stored ?? '';
  const label = look.say(`brandColour_${field}`);
  const picked = /^#[0-9a-f]{6}$/i.test(value) ? value : (stored ?? ourAccent);
  return html`<div class="field"><label for="${field}">${label}</label><div class="color"><input type="color" class="needs-script" data-picks="${field}" value="${picked}" aria-label="${look.say('brandPick', { name: label })}"><input class="input mono" id="${field}" name="${field}" value="${value}"${field === 'accent' && html` placeholder="${ourAccent}"`} maxlength="20" autocomplete="off" spellcheck="false" aria-describedby="help-${field} note-${field}"></div><p class="help" id="help-${field}">${look.say(`brandColourHelp_${field}`)}</p>${noteOf(facts.notes, field)}</div>`;
}

function fontPart(look: AccountLook, { brand, form, notes }: BrandPageFacts): Html {
  const sayOnPage = sayIn(look.language);
  const chosen = form?.get('font') ?? brand.font;
  return html`<div class="field"><label for="font">${look.say('brandFont')}</label><span class="select"><select class="input" id="font" name="font" aria-describedby="note-font">${brandFonts.map((font) => html`<option value="${font}"${font === chosen && html` selected`}>${sayOnPage(fontNames[font])}</option>`)}</select></span>${noteOf(notes, 'font')}</div>`;
}

const fontTypes = '.woff2,font/woff2';
const imageTypes = 'image/png,image/jpeg,image/webp';

function filePart(look: AccountLook, facts: BrandPageFacts, field: FileField): Html {
  const { say } = look;
  const isFont = field === 'font-file';
  const stored = facts.brand[fileFields[field]];
  const shown = stored !== null && !isFont && html`<img src="${brandFileFolder}/${stored}" alt="">`;
  return html`<div class="upload"><label class="drop${field === 'logo-dark' && ' on-dark'}">${shown || icon(stored === null ? 'upload' : 'check')}<span><b>${say(`brandFile_${field}`)}</b><br><span data-name>${say(stored === null ? `brandFileHelp_${field}` : 'brandFileThere')}</span></span><input type="file" name="${field}" accept="${isFont ? fontTypes : imageTypes}" data-bytes-max="${isFont ? fontBytesMax : imageBytesMax}" data-too-large="${say(isFont ? 'problem_brand_font_too_large' : 'problem_brand_image_too_large')}" aria-describedby="note-${field}"></label>
${stored !== null && html`<label class="check"><input type="checkbox" name="${field}-remove" value="yes"><span>${say('brandFileRemove', { name: say(`brandFile_${field}`) })}</span></label>`}${noteOf(facts.notes, field)}</div>`;
}
