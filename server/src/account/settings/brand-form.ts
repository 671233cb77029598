/**
 * The form of the payment page, read: what is right, as it would be stored, and sentences about the rest. Publishing and
 * the preview read it alike, so that nobody is shown what could not be published.
 */
import { GatewayError } from '../../lib/errors.ts';
import { readColour, readFont } from '../../merchants/brand.ts';
import type { BrandImageKind } from '../../merchants/brand-image.ts';
import { type BrandFileKind, type BrandFiles, type LookChange, readBrandFile } from '../../merchants/change-brand.ts';
import type { Merchant } from '../../merchants/merchant.ts';
import { type PageTextName, pageSettingForms } from '../../merchants/page-setting-forms.ts';
import type { AccountLook } from '../frame/account-look.ts';
import type { ReadForm } from '../frame/account-request.ts';
import { problemText } from '../frame/problem-text.ts';

export const textFields = {
  'shop-name': 'shopName',
  'support-email': 'supportEmail',
  'legal-line': 'legalLine',
  'legal-notice': 'legalNoticeUrl',
  privacy: 'privacyUrl',
  terms: 'termsUrl',
  'return-url': 'returnUrl',
  'cancel-url': 'cancelUrl',
  'tax-id': 'taxId',
} as const satisfies Record<string, PageTextName>;
export type TextField = keyof typeof textFields;

/** Where customers and their messages go, and who the seller is before the law: changed after a proof. */
export const provenFields = [
  'support-email',
  'legal-notice',
  'privacy',
  'terms',
  'return-url',
  'cancel-url',
  'tax-id',
] as const satisfies readonly TextField[];

export const changesProven = ({ pageSettings }: Pick<Merchant, 'pageSettings'>, form: URLSearchParams): boolean =>
  provenFields.some((field) => {
    const given = form.get(field)?.trim();
    return given !== undefined && (given || null) !== (pageSettings[textFields[field]] ?? null);
  });

export const colourFields = { accent: 'accentColour', page: 'pageColour', text: 'textColour' } as const;
export type ColourField = keyof typeof colourFields;

export const fileFields = {
  logo: 'logo',
  'logo-dark': 'logoDark',
  background: 'background',
  'font-file': 'fontFile',
} as const satisfies Record<string, BrandFileKind>;
export type FileField = keyof typeof fileFields;

export type BrandField = TextField | ColourField | FileField | 'font';
export const brandFields = [
  ...keysOf(textFields),
  ...keysOf(colourFields),
  ...keysOf(fileFields),
  'font',
] as readonly BrandField[];

export type BrandWish = {
  readonly look: LookChange;
  readonly files: BrandFiles;
  /** Of what customers read; null takes the own choice away. */
  readonly pageSettings: Readonly<Record<string, string | boolean | null>>;
  /** A picture could not be made now: nothing is wrong with the form. */
  readonly hasToWait: GatewayError | null;
  /** What is wrong, by the field that it is about: what of it would be right. */
  readonly problems: ReadonlyMap<BrandField, string>;
};

/** A field that the form does not have stays as it is. */
export async function readBrandForm(
  look: AccountLook,
  { form, files }: ReadForm,
  encode: (kind: BrandImageKind, upload: Buffer) => Promise<Buffer>,
): Promise<BrandWish> {
  const problems = new Map<BrandField, string>();
  const texts: Record<string, string | boolean | null> = {};
  const looks: { -readonly [Name in keyof LookChange]: LookChange[Name] } = {};
  const pictures: BrandFiles = {};
  let hasToWait: GatewayError | null = null;

  async function attempt(field: BrandField, read: () => void | Promise<void>): Promise<void> {
    try {
      await read();
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      if (error.httpStatus === 503) hasToWait = error;
      problems.set(field, problemText(look, error));
    }
  }

  for (const field of keysOf(textFields)) {
    const given = form.get(field)?.trim();
    if (given === undefined) continue;
    const { pattern, kind, most } = pageSettingForms[textFields[field]];
    if (given === '' || pattern.test(given)) texts[textFields[field]] = given || null;
    else problems.set(field, look.say(`brandProblem_${kind}`, { most }));
  }
  for (const field of keysOf(colourFields)) {
    const given = form.get(field)?.trim();
    if (given !== undefined)
      await attempt(field, () => {
        looks[colourFields[field]] = given === '' ? null : readColour(given);
      });
  }
  const font = form.get('font');
  if (font !== null)
    await attempt('font', () => {
      looks.font = readFont(font);
    });
  for (const field of keysOf(fileFields)) {
    const kind = fileFields[field];
    const upload = files.get(field);
    if (form.get(`${field}-remove`) === 'yes') pictures[kind] = null;
    if (upload)
      await attempt(field, async () => {
        pictures[kind] = await readBrandFile(kind, upload, encode);
      });
  }
  const isNameShown = switchOf(form, 'name-shown');
  if (isNameShown !== null) looks.isNameHidden = !isNameShown;
  for (const { field, name, off } of switchedSettings) {
    const isOn = switchOf(form, field);
    if (isOn !== null) texts[name] = isOn || off;
  }
  const seller = form.get('seller-info');
  if (seller !== null) texts['displaySellerInfo'] = seller === 'on' ? true : seller === 'off' ? false : null;
  return { look: looks, files: pictures, pageSettings: texts, hasToWait, problems };
}

/** A box that is not ticked is not sent: a hidden field before it says that it was there. Null: it was not. */
const switchOf = (form: URLSearchParams, name: string): boolean | null => {
  const given = form.getAll(name).at(-1);
  return given === undefined ? null : given === 'on';
};

/** `off`: what is stored of a box that is not ticked. `untouched`: whether it is ticked where nothing is stored. */
const switchedSettings = [
  // As if it were never said: then only the buyer reads it.
  { field: 'buyer-info', name: 'displayBuyerInfo', off: null, untouched: false },
  { field: 'receipts', name: 'sendReceipts', off: false, untouched: true },
] as const;

/** Of what the form says, that which is other than before. */
export function changedSettings(
  { pageSettings: before }: Pick<Merchant, 'pageSettings'>,
  wished: BrandWish['pageSettings'],
): Record<string, string | boolean | null> {
  const isSame = (name: string, value: string | boolean | null): boolean => {
    const switched = switchedSettings.find((each) => each.name === name);
    if (!switched) return value === (before[name] ?? null);
    // A box says nothing of how its being off is stored.
    return Boolean(value) === Boolean(before[name] ?? switched.untouched);
  };
  return Object.fromEntries(Object.entries(wished).filter(([name, value]) => !isSame(name, value)));
}

function keysOf<T extends object>(table: T): (keyof T)[] {
  return Object.keys(table) as (keyof T)[];
}
