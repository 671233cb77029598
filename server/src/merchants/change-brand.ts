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
export type BrandFileKind = BrandImageKind | 'fontFile';

export const changeLook = (deps: Deps, merchantId: string, change: LookChange, actor: Actor): Promise<Brand> =>
  applyChange(deps, merchantId, change, actor);

/** Null takes the file away. */
export async function changeBrandFile(
  deps: Deps,
  merchantId: string,
  kind: BrandFileKind,
  upload: Buffer | null,
  actor: Actor,
): Promise<Brand> {
  const file = upload === null ? null : await brandFile(kind, upload);
  return applyChange(deps, merchantId, { [kind]: file?.name ?? null }, actor, async (tx) => {
    if (file) await insertBrandFile(tx, merchantId, file, deps.clock.now());
  });
}

async function brandFile(kind: BrandFileKind, upload: Buffer): Promise<BrandFile> {
  const isFont = kind === 'fontFile';
  const body = isFont ? checkBrandFont(upload) : await encodeBrandImage(kind, upload);
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 32);
  return isFont
    ? { name: `${hash}.woff2`, contentType: 'font/woff2', body }
    : { name: `${hash}.webp`, contentType: 'image/webp', body };
}

async function applyChange(
  { db, clock }: Deps,
  merchantId: string,
  change: Partial<Brand>,
  actor: Actor,
  before: (tx: Tx) => Promise<void> = async () => undefined,
): Promise<Brand> {
  const now = clock.now();
  return db.begin(async (tx) => {
    if (!(await lockMerchant(tx, merchantId))) throw notFound('merchant', merchantId);
    await before(tx);
    const brand: Brand = { ...((await findBrand(tx, merchantId)) ?? plainBrand), ...change };
    await saveBrand(tx, merchantId, brand, now);
    await deleteUnusedBrandFiles(tx, merchantId);
    await insertAudit(tx, { merchantId, at: now, actor, action: 'brand.changed', detail: { ...change } });
    return brand;
  });
}
