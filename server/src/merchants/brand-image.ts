/**
 * A merchant's image as we show it: decoded and encoded anew, so that nothing of what was uploaded reaches a browser
 * but its pixels. Three formats are read; all other loaders of libvips are blocked, SVG and everything that is parsed by
 * larger programs among them.
 */
import type Sharp from 'sharp';
import { invalidRequest } from '../lib/errors.ts';

export type BrandImageKind = 'logo' | 'background';

const uploadBytesMax = 8 * 1024 * 1024;
/** Told by the header, before anything is decoded: a small file can claim to be a very large picture. */
const pixelsMax = 40_000_000;
const decodeSeconds = 20;

const shapes: Record<BrandImageKind, { width: number; height: number; bytesMax: number }> = {
  logo: { width: 640, height: 256, bytesMax: 64 * 1024 },
  background: { width: 1920, height: 1200, bytesMax: 300 * 1024 },
};
/** Tried one after the other until the result is small enough. */
const attempts = [
  { scale: 1, quality: 88 },
  { scale: 1, quality: 60 },
  { scale: 0.6, quality: 60 },
  { scale: 0.35, quality: 50 },
];

let loaded: Promise<typeof Sharp> | undefined;

/** On demand: a process that never sees an upload does without. */
const loadSharp = (): Promise<typeof Sharp> =>
  (loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.block({ operation: ['VipsForeignLoad'] });
    const readable = ['Png', 'Jpeg', 'Webp'].map((format) => `VipsForeignLoad${format}Buffer`);
    sharp.unblock({ operation: readable });
    sharp.cache(false);
    return sharp;
  }));

/** WebP, without the metadata: a photograph may say where it was taken. */
export async function encodeBrandImage(kind: BrandImageKind, upload: Buffer): Promise<Buffer> {
  if (upload.length > uploadBytesMax) throw invalidRequest('The image must be at most 8 MB.');
  if (!isReadable(upload))
    throw invalidRequest('The image must be a PNG, JPEG or WebP. SVG is not taken, because it can carry programs.');
  const sharp = await loadSharp();
  const { width, height, bytesMax } = shapes[kind];
  const options = { limitInputPixels: pixelsMax, failOn: 'error', sequentialRead: true } as const;
  try {
    const image = sharp(upload, options).autoOrient();
    const raw = await image
      .resize({ width, height, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .timeout({ seconds: decodeSeconds })
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { channels } = raw.info;
    for (const { scale, quality } of attempts) {
      const encoded = await sharp(raw.data, { raw: { width: raw.info.width, height: raw.info.height, channels } })
        .resize({ width: Math.ceil(raw.info.width * scale) })
        .webp({ quality })
        .toBuffer();
      if (encoded.length <= bytesMax) return encoded;
    }
  } catch (error) {
    throw unreadable(error);
  }
  throw invalidRequest('The image has too much detail to be shown on a page that must load fast. Use a simpler one.');
}

function isReadable(bytes: Buffer): boolean {
  const isPng = bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'));
  const isJpeg = bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'));
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';
  return isPng || isJpeg || isWebp;
}

/** libvips says what is wrong in its own words, which help nobody who uploads a logo. */
function unreadable(error: unknown): Error {
  const isTooLarge = error instanceof Error && /pixel limit/i.test(error.message);
  return invalidRequest(
    isTooLarge
      ? 'The image has too many pixels: it may have at most 40 million.'
      : 'The image could not be read: it is damaged or incomplete.',
  );
}
