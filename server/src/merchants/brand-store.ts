/** All SQL about the looks of merchants' pages. */
import type { Query, Tx } from '../db/database.ts';
import { type Brand, readFont } from './brand.ts';

type BrandRow = {
  accent_colour: string | null;
  page_colour: string | null;
  text_colour: string | null;
  font: string;
  logo: string | null;
  logo_dark: string | null;
  background: string | null;
  font_file: string | null;
  is_name_hidden: boolean;
};

export type BrandFile = { readonly name: string; readonly contentType: string; readonly body: Buffer };

export async function findBrand(query: Query, merchantId: string): Promise<Brand | undefined> {
  const [row] = await query<BrandRow>`select * from brand where merchant_id = ${merchantId}`;
  return (
    row && {
      accentColour: row.accent_colour,
      pageColour: row.page_colour,
      textColour: row.text_colour,
      font: readFont(row.font),
      logo: row.logo,
      logoDark: row.logo_dark,
      background: row.background,
      fontFile: row.font_file,
      isNameHidden: row.is_name_hidden,
    }
  );
}

export async function saveBrand(tx: Tx, merchantId: string, brand: Brand, now: Date): Promise<void> {
  await tx`
    insert into brand (merchant_id, accent_colour, page_colour, text_colour, font, logo, logo_dark, is_name_hidden,
                       background, font_file, updated_at)
    values (${merchantId}, ${brand.accentColour}, ${brand.pageColour}, ${brand.textColour}, ${brand.font},
            ${brand.logo}, ${brand.logoDark}, ${brand.isNameHidden}, ${brand.background}, ${brand.fontFile}, ${now})
    on conflict (merchant_id) do update
       set accent_colour = excluded.accent_colour, page_colour = excluded.page_colour,
           text_colour = excluded.text_colour, font = excluded.font, logo = excluded.logo,
           logo_dark = excluded.logo_dark, is_name_hidden = excluded.is_name_hidden,
           background = excluded.background, font_file = excluded.font_file, updated_at = excluded.updated_at`;
}

export async function insertBrandFile(tx: Tx, merchantId: string, file: BrandFile, now: Date): Promise<void> {
  await tx`
    insert into brand_file (merchant_id, name, content_type, body, created_at)
    values (${merchantId}, ${file.name}, ${file.contentType}, ${file.body}, ${now})
    on conflict (merchant_id, name) do nothing`;
}

/** Deletes what the brand does not show any more. */
export async function deleteUnusedBrandFiles(tx: Tx, merchantId: string): Promise<void> {
  await tx`
    delete from brand_file
     where merchant_id = ${merchantId}
       and not exists (select from brand
                        where brand.merchant_id = brand_file.merchant_id
                          and name in (brand.logo, brand.logo_dark, brand.background, brand.font_file))`;
}

/**
 * Of any merchant, unless one is given. A file's name is the hash of its content, so it does not matter whose it is.
 */
export async function findBrandFile(
  query: Query,
  name: string,
  merchantId: string | null,
): Promise<BrandFile | undefined> {
  const [row] = await query<{ name: string; content_type: string; body: Buffer }>`
    select name, content_type, body from brand_file
     where name = ${name} and (${merchantId}::text is null or merchant_id = ${merchantId}) limit 1`;
  return row && { name: row.name, contentType: row.content_type, body: row.body };
}
