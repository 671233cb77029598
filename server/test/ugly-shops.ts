/** Shops with no eye for colours, and the pictures that they put behind their texts. */
import sharp from 'sharp';
import { type BrandFileKind, changeBrandFile, type LookChange } from '../src/merchants/change-brand.ts';
import type { Gateway } from './gateway.ts';

export const uglyShops = [
  { accentColour: '#ffff00', pageColour: '#ff00ff', textColour: '#00ff00', font: 'slab' },
  { accentColour: '#777777', pageColour: '#777777', textColour: '#777777', font: 'mono' },
  { accentColour: '#000000', pageColour: '#000000', textColour: '#000000', font: 'serif' },
  { accentColour: '#ffffff', pageColour: '#0000ff', textColour: '#ff0000', font: 'rounded' },
] as const satisfies LookChange[];

export const nameOf = (shop: LookChange): string => Object.values(shop).join(' ');

export async function hangPictures(gateway: Gateway, merchantId: string): Promise<void> {
  const create = { width: 600, height: 400, channels: 3, background: '#888888' } as const;
  const picture = await sharp({ create }).png().toBuffer();
  for (const kind of ['logo', 'background'] satisfies BrandFileKind[])
    await changeBrandFile(gateway, merchantId, kind, picture, 'operator');
}

/** A bar of one colour, and nothing around it. */
export async function hangLogo(
  gateway: Gateway,
  merchantId: string,
  background: string,
  { width = 200, kind = 'logo' }: { readonly width?: number; readonly kind?: 'logo' | 'logoDark' } = {},
): Promise<void> {
  const bar = await sharp({ create: { width: 100, height: 30, channels: 3, background } })
    .png()
    .toBuffer();
  const nothing = { width, height: 100, channels: 4, background: '#00000000' } as const;
  const picture = await sharp({ create: nothing })
    .composite([{ input: bar }])
    .png()
    .toBuffer();
  await changeBrandFile(gateway, merchantId, kind, picture, 'operator');
}
