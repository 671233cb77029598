/**
 * A merchant's image as we show it: decoded and encoded again, so that only the pixels of what was uploaded reach a
 * browser. Three formats are read; all other loaders of libvips are blocked, also SVG and everything that larger
 * programs parse.
 */
import type Sharp from 'sharp';
import { imageDamaged, imageOfOtherKind, imageTooDetailed, imageTooLarge, imageTooManyPixels } from './brand-errors.ts';

export type BrandImageKind = 'logo' | 'logoDark' | 'background';

export const imageBytesMax = 8 * 1024 * 1024;
/** Known from the header, before anything is decoded: a small file can say that it is a very large picture. */
const pixelsMax = 40_000_000;
const decodeSeconds = 20;

const logoShape = { width: 640, height: 256, bytesMax: 64 * 1024 };
const shapes: Record<BrandImageKind, { width: number; height: number; bytesMax: number }> = {
  logo: logoShape,
  logoDark: logoShape,
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

/** Loaded when needed: a process that never gets an upload does without it. */
const loadSharp = (): Promise<typeof Sharp> =>
  (loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.block({ operation: ['VipsForeignLoad'] });
    const readable = ['Png', 'Jpeg', 'Webp'].map((format) => `VipsForeignLoad${format}Buffer`);
    sharp.unblock({ operation: readable });
    sharp.cache(false);
    sharp.concurrency(1); // Of the few threads that all work of this kind has, each picture takes one.
    return sharp;
  }));

/** WebP, without the metadata: a photograph may say where it was taken. */
export async function encodeBrandImage(kind: BrandImageKind, upload: Buffer): Promise<Buffer> {
  if (upload.length > imageBytesMax) throw imageTooLarge();
  if (!isReadable(upload)) throw imageOfOtherKind();
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
  throw imageTooDetailed();
}

/** For a PDF, which cannot show WebP. */
const pngOfBrandImage = async (encoded: Buffer): Promise<Buffer> =>
  (await loadSharp())(encoded, { limitInputPixels: pixelsMax }).timeout({ seconds: decodeSeconds }).png().toBuffer();

export type SmallImage = { readonly png: Buffer; readonly width: number; readonly height: number };

/** For a mail, where WebP is not known everywhere either, and every byte is sent to everybody. Its size in pixels. */
async function smallPngOfBrandImage(
  encoded: Buffer,
  within: { readonly width: number; readonly height: number },
): Promise<SmallImage> {
  const sharp = await loadSharp();
  const { data, info } = await sharp(encoded, { limitInputPixels: pixelsMax })
    .resize({ ...within, fit: 'inside', withoutEnlargement: true })
    .timeout({ seconds: decodeSeconds })
    .png({ palette: true })
    .toBuffer({ resolveWithObject: true });
  return { png: data, width: info.width, height: info.height };
}

/** `free`: of no one tone, or it fills its frame, and needs no plate. */
export type LogoTone = 'dark' | 'light' | 'free';

/** A logo as a PDF has it. */
export type PngLogo = { readonly png: Buffer; readonly tone: LogoTone };

export async function pngLogo(encoded: Buffer): Promise<PngLogo> {
  return { png: await pngOfBrandImage(encoded), tone: await logoTone(encoded) };
}

/** And as a mail has it. */
export type SmallLogo = SmallImage & { readonly tone: LogoTone };

export async function smallLogo(
  encoded: Buffer,
  within: { readonly width: number; readonly height: number },
): Promise<SmallLogo> {
  return { ...(await smallPngOfBrandImage(encoded, within)), tone: await logoTone(encoded) };
}

/** As the script of the page measures it: a dark logo needs a light plate on a dark plane, a light one the opposite. */
export async function logoTone(image: Buffer): Promise<LogoTone> {
  const side = 24;
  const sharp = await loadSharp();
  const data = await sharp(image, { limitInputPixels: pixelsMax })
    .resize({ width: side, height: side, fit: 'fill' })
    .toColourspace('srgb')
    .ensureAlpha()
    .timeout({ seconds: decodeSeconds })
    .raw()
    .toBuffer();
  let [light, opaque] = [0, 0];
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(at, at + 4);
    opaque += alpha;
    light += alpha * (0.21 * red + 0.72 * green + 0.07 * blue);
  }
  if (opaque >= 0.9 * 255 * side * side) return 'free';
  return light < 90 * opaque ? 'dark' : light > 215 * opaque ? 'light' : 'free';
}

function isReadable(bytes: Buffer): boolean {
  const isPng = bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'));
  const isJpeg = bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'));
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';
  return isPng || isJpeg || isWebp;
}

/** libvips describes errors in its own words, which do not help whoever uploads a logo. */
function unreadable(error: unknown): Error {
  const isTooLarge = error instanceof Error && /pixel limit/i.test(error.message);
  return isTooLarge ? imageTooManyPixels() : imageDamaged();
}
