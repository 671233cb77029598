/**
 * How the mails of a shop look. Its logo travels inside the message: a linked one would tell whoever serves it when the
 * mail is read, and most mail programs do not load it before the reader allows that.
 */
import type { Query } from '../db/database.ts';
import type { SmallLogo } from '../merchants/brand-image.ts';
import { findBrand, findBrandFile } from '../merchants/brand-store.ts';
import type { PictureWork } from '../merchants/picture-work.ts';
import { defaultBrand, type PageBrand, pageBrand } from '../web/page-brand.ts';

export type MailLook = {
  readonly brand: PageBrand;
  readonly logo: SmallLogo | null;
};

export const plainMailLook: MailLook = { brand: defaultBrand, logo: null };

export async function findMailLook(
  { db, pictures }: { readonly db: Query; readonly pictures: PictureWork },
  merchantId: string,
): Promise<MailLook> {
  const brand = await findBrand(db, merchantId);
  if (!brand) return plainMailLook;
  const file = brand.logo === null ? undefined : await findBrandFile(db, brand.logo, merchantId);
  if (!file) return { brand: pageBrand(brand), logo: null };
  return { brand: pageBrand(brand), logo: await pictures.smallLogo(merchantId, file) };
}
