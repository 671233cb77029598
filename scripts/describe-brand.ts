/** How a merchant's pages look, and its own domain: what every command about them answers. */
import type { Db } from '@quittance/server/db/database';
import { notFound } from '@quittance/server/lib/errors';
import { plainBrand } from '@quittance/server/merchants/brand';
import { findBrandDomain, listBrandingKeys } from '@quittance/server/merchants/brand-domain-store';
import { findBrand } from '@quittance/server/merchants/brand-store';
import { findMerchant } from '@quittance/server/merchants/merchant-store';
import type { Output } from './command-line.ts';
import { factList } from './text-table.ts';

export async function describeBrand(db: Db, merchantId: string): Promise<Output> {
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
    'receipts by e-mail': setting('sendReceipts') ?? true,
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
    ? `\nThe merchant's container was not found at ${domain.domain} yet, so no customer is sent there. Start it, then run\n` +
      `npx quittance brand check ${merchantId}`
    : '';
  return { data: { merchantId, pageSettings, brand, domain: domain ?? null, brandingKeys: keys }, text: text + hint };
}
