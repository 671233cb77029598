/** What a merchant decides about the looks of its pages. Every change is checked, and written to the audit log. */

import { createHash } from 'node:crypto';
import type { Db, Tx } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import type { Clock } from '../lib/clock.ts';
import { notFound } from '../lib/errors.ts';
import { type Brand, plainBrand } from './brand.ts';
import { checkBrandFont } from './brand-font.ts';
import { type BrandImageKind, encodeBrandImage } from './brand-image.ts';
import { type BrandFile, deleteUnusedBrandFiles, findBrand, insertBrandFile, saveBrand } from './brand-store.ts';
import { insertAudit, lockMerchant } from './merchant-store.ts';

type Deps = { readonly db: Db; readonly clock: Clock };

export type LookChange = Partial<Pick<Brand, 'accentColour' | 'pageColour' | 'textColour' | 'font' | 'isNameHidden'>>;
export const brandFileKinds = ['logo', 'logoDark', 'background', 'fontFile'] as const;
export type BrandFileKind = (typeof brandFileKinds)[number];
/** Null takes the file away. */
export type BrandFiles = Partial<Record<BrandFileKind, BrandFile | null>>;

export const changeLook = ({ db, clock }: Deps, merchantId: string, look: LookChange, actor: Actor): Promise<Brand> =>
  db.begin((tx) => applyBrandChange(tx, { merchantId, actor, now: clock.now() }, { look, files: {} }));

/** At the command line, where nobody else waits for the process. Null takes the file away. */
export async function changeBrandFile(
  { db, clock }: Deps,
  merchantId: string,
  kind: BrandFileKind,
  upload: Buffer | null,
  actor: Actor,
): Promise<Brand> {
  const files = { [kind]: upload === null ? null : await readBrandFile(kind, upload, encodeBrandImage) };
  return db.begin((tx) => applyBrandChange(tx, { merchantId, actor, now: clock.now() }, { look: {}, files }));
}

/** As it is stored and shown. Throws what would be taken instead. */
export async function readBrandFile(
  kind: BrandFileKind,
  upload: Buffer,
  encode: typeof encodeBrandImage,
): Promise<BrandFile> {
  const isFont = kind === 'fontFile';
  const body = isFont ? checkBrandFont(upload) : await encode(kind satisfies BrandImageKind, upload);
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 32);
  return isFont
    ? { name: `${hash}.woff2`, contentType: 'font/woff2', body }
    : { name: `${hash}.webp`, contentType: 'image/webp', body };
}

/** Looks and files at once. The log says what is other than before; nothing is written where nothing is. */
export async function applyBrandChange(
  tx: Tx,
  { merchantId, actor, now }: { readonly merchantId: string; readonly actor: Actor; readonly now: Date },
  { look, files }: { readonly look: LookChange; readonly files: BrandFiles },
): Promise<Brand> {
  if (!(await lockMerchant(tx, merchantId))) throw notFound('merchant', merchantId);
  const before = (await findBrand(tx, merchantId)) ?? plainBrand;
  const named = Object.entries(files).map(([kind, file]) => [kind, file?.name ?? null]);
  const wished: Partial<Brand> = { ...look, ...Object.fromEntries(named) };
  const detail = Object.fromEntries(
    Object.entries(wished).filter(([name, value]) => value !== before[name as keyof Brand]),
  );
  if (Object.keys(detail).length === 0) return before;
  const brand: Brand = { ...before, ...wished };
  for (const file of Object.values(files)) if (file) await insertBrandFile(tx, merchantId, file, now);
  await saveBrand(tx, merchantId, brand, now);
  await deleteUnusedBrandFiles(tx, merchantId);
  await insertAudit(tx, { merchantId, at: now, actor, action: 'brand.changed', detail });
  return brand;
}
