/** How a merchant's payment pages look. */
import { readFile } from 'node:fs/promises';
import { systemClock as clock } from '@quittance/server/lib/clock';
import { notFound } from '@quittance/server/lib/errors';
import { brandFonts, readColour, readFont } from '@quittance/server/merchants/brand';
import {
  type BrandFileKind,
  changeBrandFile,
  changeLook,
  type LookChange,
} from '@quittance/server/merchants/change-brand';
import { changeSettings } from '@quittance/server/merchants/change-settings';
import { findMerchant } from '@quittance/server/merchants/merchant-store';
import { type PageSettingForm, pageSettingForms } from '@quittance/server/merchants/page-setting-forms';
import { createPreviewToken } from '@quittance/server/merchants/preview-token';
import { readTimeZone } from '@quittance/server/merchants/time-zone';
import { type Command, CommandError, command, UsageError } from '../command-line.ts';
import { describeBrand } from '../describe-brand.ts';
import { brandDomainCommands } from './brand-domain-commands.ts';

const actor = 'operator';

/** `none` removes the merchant's own choice. */
const orNone = <T>(text: string | undefined, read: (text: string) => T): T | null | undefined =>
  text === undefined ? undefined : text === 'none' ? null : read(text);

function readSwitch(name: string) {
  return (text: string): boolean => {
    if (text !== 'on' && text !== 'off') throw new UsageError(`--${name} must be on, off or none.`);
    return text === 'on';
  };
}

function readText(option: string, { pattern, right }: PageSettingForm) {
  return (text: string): string => {
    if (!pattern.test(text)) throw new CommandError(`--${option} is not valid: it must be ${right}, or none.`);
    return text;
  };
}

const given = <T extends object>(change: T): Partial<T> =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Partial<T>;

const fileCommand = (name: string, kind: BrandFileKind, summary: string, example: string): Command =>
  command({
    name: `brand ${name}`,
    summary,
    details: 'none instead of a file takes it away.',
    arguments: ['merchantId', 'file'],
    examples: [`brand ${name} 4cq0zr1lbdk9 ${example}`, `brand ${name} 4cq0zr1lbdk9 none`],
    async run({ withDatabase }, { merchantId, file }) {
      const upload = file === 'none' ? null : await readUpload(file);
      return withDatabase(async (db) => {
        await changeBrandFile({ db, clock }, merchantId, kind, upload, actor);
        return describeBrand(db, merchantId);
      });
    },
  });

async function readUpload(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch {
    throw new CommandError(`The file ${file} cannot be read.`);
  }
}

export const brandCommands: readonly Command[] = [
  command({
    name: 'brand show',
    summary: "Show how a merchant's pages look, and its own domain.",
    arguments: ['merchantId'],
    examples: ['brand show 4cq0zr1lbdk9'],
    run: ({ withDatabase }, { merchantId }) => withDatabase((db) => describeBrand(db, merchantId)),
  }),
  command({
    name: 'brand set',
    summary: "Change how a merchant's pages look; what is not named stays.",
    details: `none gives up a choice. Colours are made readable where they are not. Fonts: ${brandFonts.join(', ')}.`,
    arguments: ['merchantId'],
    options: {
      'shop-name': { value: 'name', meaning: 'What customers see on top of every page.' },
      'support-email': { value: 'address', meaning: "The shop's address for its customers." },
      'legal-notice': { value: 'url', meaning: "The shop's legal notice, linked at the foot of its pages." },
      privacy: { value: 'url', meaning: 'Likewise, how it treats data.' },
      terms: { value: 'url', meaning: 'Likewise, its terms.' },
      'return-url': { value: 'url', meaning: 'Where customers go after paying, unless a checkout says.' },
      'cancel-url': { value: 'url', meaning: 'Where they go otherwise, and from links that lead nowhere.' },
      'buyer-info': {
        value: 'on|off',
        meaning: "Whether the customer's billing address is shown, unless a checkout says.",
      },
      receipts: { value: 'on|off', meaning: 'Whether customers are offered a receipt by e-mail (on).' },
      'seller-info': { value: 'on|off', meaning: "Whether the shop's address is shown, unless a checkout says." },
      'legal-line': { value: 'text', meaning: 'Who the shop is, at the end of its pages and on invoices.' },
      'tax-id': { value: 'id', meaning: "The shop's tax id, on invoices." },
      'time-zone': { value: 'zone', meaning: 'Of dates on receipts and invoices, such as Europe/Berlin (UTC).' },
      accent: { value: 'colour', meaning: 'Of buttons and links, such as #1d4ed8.' },
      page: { value: 'colour', meaning: 'Behind everything.' },
      text: { value: 'colour', meaning: 'Of texts.' },
      font: { value: 'name', meaning: 'A family of fonts that devices have.' },
      name: {
        value: 'on|off',
        meaning: 'Whether the shop name is written beside the logo, unless that is the name already.',
      },
    },
    examples: ['brand set 4cq0zr1lbdk9 --shop-name "Corner shop" --accent #7c2d12 --page #fdf6e3 --font serif'],
    async run({ withDatabase }, { merchantId }, options) {
      const look: LookChange = given({
        accentColour: orNone(options.accent, readColour),
        pageColour: orNone(options.page, readColour),
        textColour: orNone(options.text, readColour),
        isNameHidden: options.name === undefined ? undefined : orNone(options.name, readSwitch('name')) === false,
        font: options.font === undefined ? undefined : readFont(options.font === 'none' ? 'system' : options.font),
      }) as LookChange;
      const settings = given({
        shopName: orNone(options['shop-name'], readText('shop-name', pageSettingForms.shopName)),
        supportEmail: orNone(options['support-email'], readText('support-email', pageSettingForms.supportEmail)),
        legalNoticeUrl: orNone(options['legal-notice'], readText('legal-notice', pageSettingForms.legalNoticeUrl)),
        privacyUrl: orNone(options.privacy, readText('privacy', pageSettingForms.privacyUrl)),
        termsUrl: orNone(options.terms, readText('terms', pageSettingForms.termsUrl)),
        returnUrl: orNone(options['return-url'], readText('return-url', pageSettingForms.returnUrl)),
        cancelUrl: orNone(options['cancel-url'], readText('cancel-url', pageSettingForms.cancelUrl)),
        legalLine: orNone(options['legal-line'], readText('legal-line', pageSettingForms.legalLine)),
        taxId: orNone(options['tax-id'], readText('tax-id', pageSettingForms.taxId)),
        timeZone: orNone(options['time-zone'], readTimeZone),
        displayBuyerInfo: orNone(options['buyer-info'], readSwitch('buyer-info')),
        sendReceipts: orNone(options.receipts, readSwitch('receipts')),
        displaySellerInfo: orNone(options['seller-info'], readSwitch('seller-info')),
      });
      const count = Object.keys(look).length + Object.keys(settings).length;
      if (count === 0) throw new UsageError('Nothing to change: name at least one setting.');
      return withDatabase(async (db) => {
        const merchant = await findMerchant(db, merchantId);
        if (!merchant) throw notFound('merchant', merchantId);
        if (Object.keys(settings).length > 0) {
          const pageSettings = { ...merchant.pageSettings, ...settings };
          await changeSettings({ db, clock }, merchantId, { pageSettings }, actor);
        }
        if (Object.keys(look).length > 0) await changeLook({ db, clock }, merchantId, look, actor);
        return describeBrand(db, merchantId);
      });
    },
  }),
  fileCommand('logo', 'logo', "Set the logo of a merchant's pages: a PNG, JPEG or WebP.", 'logo.png'),
  fileCommand('logo-dark', 'logoDark', 'Set another logo for dark screens.', 'logo-white.png'),
  fileCommand('background', 'background', "Set the image behind a merchant's pages.", 'shop.jpg'),
  fileCommand('font', 'fontFile', "Set a font of the merchant's own: a WOFF2.", 'shop.woff2'),
  command({
    name: 'brand preview',
    summary: "Print a link to a preview of a merchant's pages in every state; it is good for a week.",
    arguments: ['merchantId'],
    examples: ['brand preview 4cq0zr1lbdk9'],
    async run({ withDatabase, openEncryption, serviceUrl }, { merchantId }) {
      const encryption = await openEncryption();
      const merchant = await withDatabase((db) => findMerchant(db, merchantId));
      if (!merchant) throw notFound('merchant', merchantId);
      const token = createPreviewToken(encryption, merchantId, clock.now());
      const url = `${await serviceUrl()}/en/checkout/preview?brand=${token}`;
      return { data: { url }, text: url };
    },
  }),
  ...brandDomainCommands,
];
