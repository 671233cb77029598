/** Why a colour, a picture or a font of a brand is not taken. Each says what would be. */
import { GatewayError } from '../lib/errors.ts';

const refused = (code: string, message: string): GatewayError =>
  new GatewayError({ code: `brand_${code}`, httpStatus: 400, message });

export const noColour = (text: string): GatewayError =>
  refused('no_colour', `A colour must be like #1d4ed8: ${JSON.stringify(text.slice(0, 40))} is no colour.`);

export const domainIsOurs = (domain: string): GatewayError =>
  refused(
    'domain_ours',
    `The address ${domain} is one of this service. The domain must be one of yours: pay.shop.example.`,
  );

export const imageTooLarge = (): GatewayError => refused('image_too_large', 'The image must be at most 8 MB.');

export const imageOfOtherKind = (): GatewayError =>
  refused('image_kind', 'The image must be a PNG, JPEG or WebP. SVG is not taken, because it can carry programs.');

export const imageTooManyPixels = (): GatewayError =>
  refused('image_pixels', 'The image has too many pixels: it may have at most 40 million.');

export const imageDamaged = (): GatewayError =>
  refused('image_damaged', 'The image could not be read: it is damaged or incomplete.');

export const imageTooDetailed = (): GatewayError =>
  refused(
    'image_detail',
    'The image has too much detail to be shown on a page that must load fast. Use a simpler one.',
  );

export const fontTooLarge = (): GatewayError => refused('font_too_large', 'The font must be at most 256 KB.');

export const fontOfOtherKind = (): GatewayError => refused('font_kind', 'The font must be a WOFF2 file.');

export const fontDamaged = (): GatewayError =>
  refused('font_damaged', 'The font could not be read: it is damaged, incomplete or too large.');
