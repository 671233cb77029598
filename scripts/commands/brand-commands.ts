/** How a merchant's payment pages look, and the domain of its own that they can be on. */
import { readFile } from 'node:fs/promises';
import type { Db } from '@quittance/server/db/database';
import { systemClock as clock } from '@quittance/server/lib/clock';
import { notFound } from '@quittance/server/lib/errors';
import { brandFonts, plainBrand, readColour, readFont } from '@quittance/server/merchants/brand';
import {
  type BrandBehaviour,
  brandBehaviours,
  findBrandDomain,
  listBrandingKeys,
} from '@quittance/server/merchants/brand-domain-store';
import { findBrand } from '@quittance/server/merchants/brand-store';
import {
  type BrandFileKind,
  changeBrandFile,
  changeLook,
  type LookChange,
} from '@quittance/server/merchants/change-brand';
import {
  changeBrandDomain,
  createBrandingKey,
  removeBrandDomain,
  revokeBrandingKey,
} from '@quittance/server/merchants/change-brand-domain';
import { changeSettings } from '@quittance/server/merchants/change-settings';
import { findMerchant } from '@quittance/server/merchants/merchant-store';
import { createPreviewToken } from '@quittance/server/merchants/preview-token';
import { readTimeZone } from '@quittance/server/merchants/time-zone';
import { type Command, CommandError, command, type Output, UsageError } from '../command-line.ts';
import { factList } from '../text-table.ts';

const actor = 'operator';

async function describeBrand(db: Db, merchantId: string): Promise<Output> {
  const merchant = await findMerchant(db, merchantId);
  if (!merchant) throw notFound('merchant', merchantId);
  const [brand = plainBrand, domain, keys] = await Promise.all([
    findBrand(db, merchantId),
    findBrandDomain(db, merchantId),
    listBrandingKeys(db, merchantId),
  ]);
  const { pageSettings } = merchant;
  const keyIds = keys.map(({ id }) => id);
  const setting = (name: string): string | boolean | null =>
    (pageSettings[name] as string | boolean | undefined) ?? null;
  const isWaiting = domain !== undefined && domain.seenAt === null;
  const text = factList({
    merchant: merchantId,
    'shop name': setting('shopName') ?? merchant.name,
    'support e-mail': setting('supportEmail') ?? merchant.email,
    'tax id': setting('taxId'),
    'legal line': setting('legalLine'),
    'legal notice': setting('legalNoticeUrl'),
    privacy: setting('privacyUrl'),
    terms: setting('termsUrl'),
    'after paying': setting('returnUrl'),
    'after cancelling': setting('cancelUrl'),
    'time zone': setting('timeZone') ?? 'UTC',
    "customer's address shown": setting('displayBuyerInfo') ?? false,
    "shop's address shown": setting('displaySellerInfo') ?? false,
    'accent colour': brand.accentColour,
    'page colour': brand.pageColour,
    'text colour': brand.textColour,
    font: brand.fontFile === null ? brand.font : `its own, then ${brand.font}`,
    logo: brand.logo,
    'logo for the dark': brand.logoDark,
    'name beside the logo': !brand.isNameHidden,
    background: brand.background,
    domain: domain?.domain ?? null,
    behaviour: domain?.behaviour ?? null,
    'may be framed by': domain ? domain.framedBy.join(', ') || 'nobody' : null,
    'branding keys': keyIds.join(', ') || 'none',
  });
  const hint = isWaiting
    ? `\nNothing has come through ${domain.domain} yet, so no customer is sent there. Start the container, then open\n` +
      `${domain.origin}/en/checkout-invalid once.`
    : '';
  return { data: { merchantId, pageSettings, brand, domain: domain ?? null, brandingKeys: keys }, text: text + hint };
}

/** `none` removes the merchant's own choice. */
const orNone = <T>(text: string | undefined, read: (text: string) => T): T | null | undefined =>
  text === undefined ? undefined : text === 'none' ? null : read(text);

function readSwitch(name: string) {
  return (text: string): boolean => {
    if (text !== 'on' && text !== 'off') throw new UsageError(`--${name} must be on, off or none.`);
    return text === 'on';
  };
}

function readShort(name: string, [pattern, right]: readonly [pattern: RegExp, right: string]) {
  return (text: string): string => {
    if (!pattern.test(text)) throw new CommandError(`--${name} is not valid: it must be ${right}, or none.`);
    return text;
  };
}

function readBehaviour(text: string): BrandBehaviour {
  const behaviour = brandBehaviours.find((each) => each === text);
  if (!behaviour) throw new UsageError(`--behaviour must be ${brandBehaviours.join(', ')}.`);
  return behaviour;
}

/** A shop's page links to nothing else. */
const webAddress = [/^https:\/\/[^\s]{3,500}$/, 'a web address that begins with https:// and has no blanks'] as const;
const words = (most: number) => [new RegExp(`^.{1,${most}}$`, 'u'), `a line of at most ${most} letters`] as const;
const email = [/^[^\s@]{1,64}@[^\s@]{1,189}$/, 'an e-mail address such as help@shop.example'] as const;

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

const behaviours =
  'own-domain: the service shows the pages too, but without the brand. both: with it. redirect: it sends customers to\n' +
  "the merchant's domain. block: it knows nothing of the merchant's pages.";

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
        shopName: orNone(options['shop-name'], readShort('shop-name', words(100))),
        supportEmail: orNone(options['support-email'], readShort('support-email', email)),
        legalNoticeUrl: orNone(options['legal-notice'], readShort('legal-notice', webAddress)),
        privacyUrl: orNone(options.privacy, readShort('privacy', webAddress)),
        termsUrl: orNone(options.terms, readShort('terms', webAddress)),
        returnUrl: orNone(options['return-url'], readShort('return-url', webAddress)),
        cancelUrl: orNone(options['cancel-url'], readShort('cancel-url', webAddress)),
        legalLine: orNone(options['legal-line'], readShort('legal-line', words(200))),
        taxId: orNone(options['tax-id'], readShort('tax-id', words(40))),
        timeZone: orNone(options['time-zone'], readTimeZone),
        displayBuyerInfo: orNone(options['buyer-info'], readSwitch('buyer-info')),
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
  command({
    name: 'brand key',
    summary: "Make a branding key for a merchant's own domain; prints it, once.",
    details: `It is all that the container in brand-connect/ needs. Earlier keys of the domain stay valid until revoked.\n${behaviours}`,
    arguments: ['merchantId'],
    options: {
      domain: { value: 'domain', meaning: 'Where the container runs, such as pay.shop.example.', isRequired: true },
      behaviour: { value: 'behaviour', meaning: `What the two domains do: ${brandBehaviours.join(', ')} (both).` },
      service: { value: 'url', meaning: 'Where the container finds this service (PUBLIC_URL).' },
    },
    examples: ['brand key 4cq0zr1lbdk9 --domain pay.shop.example --behaviour redirect'],
    async run({ withDatabase, serviceUrl }, { merchantId }, { domain, behaviour, service }) {
      const wish = {
        domain,
        behaviour: behaviour === undefined ? undefined : readBehaviour(behaviour),
        serviceUrl: service === undefined ? await serviceUrl() : readOrigin(service),
      };
      const made = await withDatabase((db) => createBrandingKey({ db, clock }, merchantId, wish, actor));
      const data = { keyId: made.keyId, brandingKey: made.key.reveal(), domain: made.domain.domain };
      const text = factList({
        key: data.keyId,
        domain: data.domain,
        behaviour: made.domain.behaviour,
        'branding key': data.brandingKey,
      });
      return { data, text: `${text}\nKeep the key now: it is not shown again.` };
    },
  }),
  command({
    name: 'brand revoke',
    summary: 'Revoke a branding key: its container serves nothing within seconds.',
    arguments: ['merchantId', 'keyId'],
    examples: ['brand revoke 4cq0zr1lbdk9 m2x7k90qwe1z'],
    run: ({ withDatabase }, { merchantId, keyId }) =>
      withDatabase(async (db) => {
        await revokeBrandingKey({ db, clock }, merchantId, keyId, actor);
        return describeBrand(db, merchantId);
      }),
  }),
  command({
    name: 'brand domain',
    summary: "Change what a merchant's own domain and ours do, or give the domain up.",
    details: `${behaviours}\nPages may be framed on the merchant's own domain only, by itself unless others are named.`,
    arguments: ['merchantId'],
    options: {
      behaviour: { value: 'behaviour', meaning: brandBehaviours.join(', ') },
      'framed-by': { value: 'origins', meaning: 'Who may frame its pages: self, https://shop.example, …, or none.' },
      remove: { meaning: 'Give up the domain with all its keys.' },
    },
    examples: [
      'brand domain 4cq0zr1lbdk9 --behaviour block',
      'brand domain 4cq0zr1lbdk9 --framed-by self,https://shop.example',
      'brand domain 4cq0zr1lbdk9 --remove',
    ],
    async run({ withDatabase }, { merchantId }, { behaviour, 'framed-by': framers, remove }) {
      if (remove === (behaviour !== undefined || framers !== undefined))
        throw new UsageError('Name either --remove, or what to change: --behaviour, --framed-by.');
      const change = {
        behaviour: behaviour === undefined ? undefined : readBehaviour(behaviour),
        framedBy: framers === undefined ? undefined : framers === 'none' ? [] : framers.split(','),
      };
      return withDatabase(async (db) => {
        if (remove) await removeBrandDomain({ db, clock }, merchantId, actor);
        else await changeBrandDomain({ db, clock }, merchantId, change, actor);
        return describeBrand(db, merchantId);
      });
    },
  }),
];

function readOrigin(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search !== '')
    throw new CommandError(`${JSON.stringify(text)} is not the address of a service, such as https://pay.example.com.`);
  return url.origin;
}
