/**
 * How the mails of a shop look. Its logo travels inside the message: a linked one would tell whoever serves it when the
 * mail is read, and most mail programs do not load it before the reader allows that.
 */
import type { Query } from '../db/database.ts';
import { type LogoTone, logoTone, type SmallImage, smallPngOfBrandImage } from '../merchants/brand-image.ts';
import { findBrand, findBrandFile } from '../merchants/brand-store.ts';
import { defaultBrand, type PageBrand, pageBrand } from '../web/page-brand.ts';

export type MailLogo = SmallImage & { readonly tone: LogoTone };

export type MailLook = {
  readonly brand: PageBrand;
  readonly logo: MailLogo | null;
};

export const plainMailLook: MailLook = { brand: defaultBrand, logo: null };

/** Twice as large as it is shown, for sharp screens. */
const logoPixels = { width: 400, height: 96 };

export async function findMailLook(query: Query, merchantId: string): Promise<MailLook> {
  const brand = await findBrand(query, merchantId);
  if (!brand) return plainMailLook;
  const file = brand.logo === null ? undefined : await findBrandFile(query, brand.logo, merchantId);
  if (!file) return { brand: pageBrand(brand), logo: null };
  const [image, tone] = await Promise.all([smallPngOfBrandImage(file.body, logoPixels), logoTone(file.body)]);
  return { brand: pageBrand(brand), logo: { ...image, tone } };
}
