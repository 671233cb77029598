/**
 * Where whoever reads a status mail stops such mails, and starts them again: the link in it, which is its own proof. To look
 * at the page stops nothing, because programs that check mail for bad links look at it, too. Mail programs stop them with
 * one request and no page (RFC 8058).
 */
import { findMailAddress, saveStopped } from '../counterparties/mail-address-store.ts';
import { readMailToken, stopMailsPath } from '../counterparties/mail-token.ts';
import type { Db } from '../db/database.ts';
import { type PageContext, type PageReply, pageRoute, type Route } from '../http/route.ts';
import type { Clock } from '../lib/clock.ts';
import type { Encryption } from '../lib/encryption.ts';
import type { BrandDomains } from '../merchants/brand-domains.ts';
import { html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import { pageBrand } from '../web/page-brand.ts';
import { pageLanguage } from '../web/page-language.ts';
import { createLook, type PageLook, pageReply } from '../web/page-layout.ts';
import { deadLinkPage, invalidPath, sheetPage } from '../web/plain-page.ts';
import { brandPlacement } from './brand-placement.ts';
import { domainOf, type ShopLookDeps } from './find-page.ts';
import { trustLine } from './order-section.ts';
import { accountText, legalLinks, pageSetting } from './page-setting.ts';
import type { PageMerchant } from './public-checkout.ts';

export type StopMailsDeps = ShopLookDeps & {
  readonly db: Db;
  readonly clock: Clock;
  readonly encryption: Encryption;
  readonly domains: BrandDomains;
};

/**
 * Mail programs may send their one field in either form that a browser knows (RFC 8058): here as multipart/form-data. Read line by
 * line, once: the lines that name it, an empty one, and what is in it, which is not the last line.
 */
export function hasOneClickPart(body: string): boolean {
  const lines = body.split(/\r?\n/);
  let isNamed = false;
  return lines.some((line, at) => {
    const isOver = line === '';
    if (isOver && isNamed && lines[at + 1]?.toLowerCase() === 'one-click' && at + 2 < lines.length) return true;
    isNamed = !isOver && (isNamed || /name="?List-Unsubscribe"?/i.test(line));
    return false;
  });
}

/** What the page says has just happened; null: it was only opened. */
type Done = 'stopped' | 'started' | null;

export function stopMailsRoutes(deps: StopMailsDeps): Route[] {
  function lookOf(context: PageContext): PageLook {
    const language = pageLanguage({
      inPath: context.params['lang'] ?? 'en',
      ofCheckout: context.params['lang'] ?? 'en',
      chosen: context.query['language'],
      acceptLanguage: context.headers['accept-language'],
    });
    return createLook(language, { ...deps, domain: domainOf(context) });
  }

  function missing(context: PageContext): PageReply {
    const look = lookOf(context);
    return pageReply(404, look, deadLinkPage(look, 'invalidTitle', invalidPath));
  }

  async function answer(context: PageContext): Promise<PageReply> {
    const token = context.params['token'] ?? '';
    const key = readMailToken(deps.encryption, token);
    const merchant = key && (await deps.merchantOf(key.merchantId));
    if (!key || !merchant) return missing(context);
    // At our own domain it always works: mail programs follow no redirect, and a shop's domain does not last for ever.
    if (context.shopDomain && context.shopDomain.merchantId !== key.merchantId) return missing(context);
    const isBranded = brandPlacement(deps.domains, context.shopDomain, key.merchantId) === 'branded';
    const done = context.method === 'POST' ? await carryOut(context.rawBody.toString('utf8'), key) : null;
    const { stoppedAt } = await findMailAddress(deps.db, key);
    const brand = isBranded ? await deps.brandOf(key.merchantId) : undefined;
    const look = { ...lookOf(context), brand: pageBrand(brand) };
    return pageReply(200, look, mailsPage(look, merchant, { token, isStopped: stoppedAt !== null, done }));
  }

  async function carryOut(body: string, key: Parameters<typeof saveStopped>[1]): Promise<Done> {
    const form = new URLSearchParams(body);
    const isOneClick = form.get('List-Unsubscribe') === 'One-Click' || hasOneClickPart(body);
    const isStart = form.get('mails') === 'start';
    const isStop = form.get('mails') === 'stop' || isOneClick;
    if (!isStart && !isStop) return null;
    await saveStopped(deps.db, key, isStart ? null : deps.clock.now());
    return isStart ? 'started' : 'stopped';
  }

  const path = '/:lang/checkout/mails/:token';
  return [
    pageRoute({ methods: ['GET'], path, handle: answer }),
    pageRoute({ methods: ['POST'], path, handle: answer }),
  ];
}

function mailsPage(
  look: PageLook,
  merchant: PageMerchant,
  { token, isStopped, done }: { readonly token: string; readonly isStopped: boolean; readonly done: Done },
) {
  const { say, language } = look;
  const shopName = pageSetting({ payload: {} }, merchant, 'shopName') ?? merchant.name;
  const told = isStopped ? say('mailsStopped', { shop: shopName }) : done === 'started' && say('mailsStarted');
  return sheetPage(look, {
    title: say('stopMailsTitle'),
    shopName,
    inLanguage: (other) => stopMailsPath(other, token),
    ownPath: stopMailsPath(language, token),
    sheet: html`${told && html`<p class="notice paid" role="status">${icon('check')}<span>${told}</span></p>`}
${!isStopped && html`<p>${say('stopMailsText', { shop: shopName })}</p>`}
<p class="quiet">${say('stopMailsKept')}</p>
<form class="stack" method="post" action="${stopMailsPath(language, token)}"><div class="dock"><button class="btn${!isStopped && html` primary`} wide" name="mails" value="${isStopped ? 'start' : 'stop'}">${say(isStopped ? 'startMailsButton' : 'stopMailsButton')}</button></div></form>`,
    foot: trustLine(look, {
      shopName,
      legalLine: accountText(merchant, 'legalLine'),
      legalLinks: legalLinks(merchant),
    }),
  });
}
