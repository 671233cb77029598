/**
 * The frame of every mail to a payer: the shop's plane with its logo and name, a sheet, and below it who the shop is.
 * Nothing in it is loaded from anywhere: the logo is a part of the message. Without it, and without any style, it still
 * reads from top to bottom.
 */

import type { SmallLogo } from '../merchants/brand-image.ts';
import type { LegalLinks } from '../payment-page/page-setting.ts';
import { initialOf } from '../web/ground.ts';
import { type Html, type HtmlValue, html, trustedHtml } from '../web/html.ts';
import { fontStack } from '../web/page-brand.ts';
import { ourName } from '../web/plain-page.ts';
import { textOn } from '../web/readable-colour.ts';
import { type PageLanguage, sayIn } from '../web/texts/page-texts.ts';
import type { MailLook } from './find-mail-look.ts';
import { mailColours } from './mail-colours.ts';
import { darkRules, link, type MailStyle, notice, smallPrint } from './mail-parts.ts';
import { wordsOfShop } from './one-line.ts';
import type { Email } from './send-email.ts';

export type MailShop = {
  readonly shopName: string;
  readonly helpEmail: string | null;
  readonly legalLine: string | null;
  readonly legalLinks: LegalLinks;
};

export type MailContent = {
  readonly language: PageLanguage;
  readonly look: MailLook;
  readonly shop: MailShop;
  readonly subject: string;
  /** What lists of messages show behind the subject. */
  readonly glance: string;
  readonly isSandbox: boolean;
  readonly sheet: (style: MailStyle) => Html;
  /** The message to the shop that a payer begins who needs help: a `mailto:` link. Null: the shop gives no address. */
  readonly helpUrl: string | null;
  readonly reason: string;
  /** How whoever reads it gets no more of these. Left out: somebody asked for this one. */
  readonly stop?: { readonly text: string; readonly url: string };
};

/** For `helpUrl`: only with a subject, where there is no checkout to say more about. */
export const helpMail = ({ helpEmail }: MailShop, subject: string): string | null =>
  helpEmail === null ? null : `mailto:${helpEmail}?subject=${encodeURIComponent(subject)}`;

const systemFont = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const logoCid = 'logo';

export function mailFrame(content: MailContent): Pick<Email, 'html' | 'images' | 'shop'> {
  const { language, look, shop, subject, glance } = content;
  const say = sayIn(language);
  const direction = say('direction');
  const { light, dark } = mailColours(look.brand, look.logo !== null);
  const isToTheLeft = direction === 'rtl';
  const style: MailStyle = {
    colours: light,
    font: fontStack(look.brand.font) ?? systemFont,
    start: isToTheLeft ? 'right' : 'left',
    end: isToTheLeft ? 'left' : 'right',
  };
  const table = html`role="presentation" cellpadding="0" cellspacing="0" border="0"`;
  const document = html`<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${subject}</title>
<style>:root{color-scheme:light dark;supported-color-schemes:light dark}${trustedHtml(darkRules(dark))}</style>
</head>
<body class="paper" style="margin:0;padding:0;background:${light.paper}">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${glance}</div>
<div role="main" aria-label="${subject}">
<table ${table} width="100%" lang="${language}" dir="${direction}" class="paper" bgcolor="${light.paper}" style="background:${light.paper}"><tr><td align="center" style="padding:24px 12px">
<!--[if mso]><table ${table} width="560"><tr><td><![endif]-->
<table ${table} width="100%" style="max-width:560px;margin:0 auto;border-collapse:separate">
<tr><td class="band" align="${style.start}" bgcolor="${light.band}" style="padding:18px 24px;border-bottom:1px solid ${light.line};border-radius:16px 16px 0 0;background:${light.band}">${band(style, look, shop)}</td></tr>
<tr><td class="sheet" align="${style.start}" bgcolor="${light.sheet}" style="padding:24px;border-radius:0 0 16px 16px;background:${light.sheet};text-align:${style.start}">
${content.isSandbox && html`${notice(style, say('sandbox'))}<div style="height:20px;line-height:20px;font-size:1px">&nbsp;</div>`}
${content.sheet(style)}
</td></tr>
<tr><td align="${style.start}" style="padding:8px 24px 0;text-align:${style.start}">${foot(style, content)}</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</div>
</body>
</html>
`;
  const logo = look.logo && { cid: logoCid, name: 'logo.png', png: look.logo.png };
  return {
    html: document.toString(),
    images: logo ? [logo] : [],
    shop: { name: shop.shopName, replyTo: shop.helpEmail },
  };
}

/** As on the page: a logo or the first letter, and the name, unless the logo is the name. */
function band(style: MailStyle, { brand, logo }: MailLook, { shopName }: MailShop): Html {
  const { colours, font, start } = style;
  const name = wordsOfShop(shopName);
  const isNameInLogo = logo !== null && brand.isNameHidden;
  const written = `font-family:${font};font-size:20px;line-height:1.3;font-weight:600;color:${colours.onBand}`;
  const mark =
    logo === null
      ? html`<td class="on-band" width="38" height="38" align="center" valign="middle" style="width:38px;height:38px;border:1px solid ${colours.onBand};border-radius:10px;${written}" aria-hidden="true">${initialOf(name)}</td>`
      : html`<td valign="middle"${plateOf(logo, colours.band)}><img src="cid:${logoCid}" alt="${isNameInLogo ? name : ''}" width="${Math.ceil(logo.width / 2)}" height="${Math.ceil(logo.height / 2)}" style="display:block;border:0;${written}"></td>`;
  const isBelow = logo !== null && logo.width / 2 + name.length * letterWidth > phoneRoom;
  const beside = isBelow ? 'padding-top:10px' : `padding-${start}:12px`;
  const nameCell = html`<td class="on-band" align="${start}" valign="middle" style="${beside};text-align:${start};${written};overflow-wrap:anywhere">${name}</td>`;
  const markTable = html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="border-collapse:separate"><tr>${mark}${!isBelow && !isNameInLogo && nameCell}</tr></table>`;
  return html`${markTable}${isBelow && !isNameInLogo && html`<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>${nameCell}</tr></table>`}`;
}

/** Beside a wide logo there is no room for a long name on a phone: about so much for each letter. */
const letterWidth = 11;
const phoneRoom = 250;

/** A dark logo on a dark plane stands on white, and a light one on a light plane on black. */
function plateOf({ tone }: SmallLogo, plane: string): Html | false {
  const isDarkPlane = textOn(plane) === '#ffffff';
  const plate = tone === 'dark' && isDarkPlane ? '#ffffff' : tone === 'light' && !isDarkPlane ? '#1b1a17' : null;
  return plate !== null && html` bgcolor="${plate}" style="padding:6px 10px;border-radius:6px;background:${plate}"`;
}

const legalNames = ['legalNotice', 'privacy', 'terms'] as const;

const legalPages = (links: LegalLinks): [name: (typeof legalNames)[number], url: string][] =>
  legalNames.flatMap((name) => (links[name] === null ? [] : [[name, links[name]] satisfies [typeof name, string]]));

function foot(style: MailStyle, { language, shop, helpUrl, reason, stop }: MailContent): Html {
  const say = sayIn(language);
  const { helpEmail, legalLine, legalLinks, shopName } = shop;
  const shopLine: HtmlValue[] = [
    wordsOfShop(legalLine ?? shopName),
    ...legalPages(legalLinks).map(([name, url]) => html` · ${link(style, url, say(name))}`),
  ];
  return html`${helpEmail !== null && helpUrl !== null && smallPrint(style, html`${say('needHelp')} ${link(style, helpUrl, helpEmail)}`)}
${smallPrint(style, html`${reason}${stop && html` ${link(style, stop.url, stop.text)}`}`)}
${smallPrint(style, html`${shopLine} · ${say('paymentBy', { service: ourName })}`)}`;
}

/** The same for the form without markup. */
export function footLines({
  language,
  shop,
  reason,
  stop,
}: Pick<MailContent, 'language' | 'shop' | 'reason' | 'stop'>): string[] {
  const say = sayIn(language);
  const { helpEmail, legalLine, legalLinks, shopName } = shop;
  return [
    ...(helpEmail === null ? [] : [`${say('needHelp')} ${helpEmail}`]),
    reason,
    ...(stop ? [`${say('labelled', { name: stop.text })} ${stop.url}`] : []),
    '',
    `${wordsOfShop(legalLine ?? shopName)} · ${say('paymentBy', { service: ourName })}`,
    ...legalPages(legalLinks).map(([name, url]) => `${say('labelled', { name: say(name) })} ${url}`),
  ];
}
