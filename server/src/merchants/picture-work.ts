/**
 * Pictures are decoded and encoded by threads, each merchant in its turn. What is made of a logo is kept for a while: its name is
 * the hash of its bytes, so it is the same for ever.
 */
import type { HeavyTask, HeavyWork } from '../lib/heavy-work.ts';
import { createKeptResults } from '../lib/kept-results.ts';
import type * as images from './brand-image.ts';
import type { BrandImageKind, PngLogo, SmallLogo } from './brand-image.ts';
import type { BrandFile } from './brand-store.ts';

export type PictureWork = {
  encode(merchantId: string, kind: BrandImageKind, upload: Buffer): Promise<Buffer>;
  pngLogo(merchantId: string, file: BrandFile): Promise<PngLogo>;
  smallLogo(merchantId: string, file: BrandFile): Promise<SmallLogo>;
};

/** Longer than a picture is decoded, which ends by itself before. */
const seconds = 30;

const task = <Name extends 'encodeBrandImage' | 'pngLogo' | 'smallLogo'>(
  run: Name,
): HeavyTask<(typeof images)[Name]> => ({
  name: 'picture',
  module: import.meta.resolve('./brand-image.ts'),
  run,
  seconds,
});

const keptBytes = 8 * 1024 * 1024;

/** Twice as large as a mail shows it, for sharp screens. */
const mailPixels = { width: 400, height: 96 };

export function createPictureWork(heavyWork: HeavyWork): PictureWork {
  const bytesOf = ({ png }: PngLogo | SmallLogo): number => png.length;
  const pngs = createKeptResults<PngLogo>({ bytesMax: keptBytes, bytesOf });
  const small = createKeptResults<SmallLogo>({ bytesMax: keptBytes, bytesOf });
  return {
    encode: (merchantId, kind, upload) => heavyWork.run(task('encodeBrandImage'), merchantId, kind, upload),
    pngLogo: (merchantId, { name, body }) => pngs.of(name, () => heavyWork.run(task('pngLogo'), merchantId, body)),
    smallLogo: (merchantId, { name, body }) =>
      small.of(name, () => heavyWork.run(task('smallLogo'), merchantId, body, mailPixels)),
  };
}
