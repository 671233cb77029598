/**
 * A shop's colours, made readable: whatever colour it gives, text in it or on it reaches the contrast that WCAG 2.2 AA
 * asks for (1.4.3). Text on the colour is black or white. For text in the colour, the colour is mixed with as much
 * black or white as needed; its hue stays.
 */
type Rgb = readonly [number, number, number];

export const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

const parse = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;
const format = (rgb: Rgb): string => `#${rgb.map((each) => Math.round(each).toString(16).padStart(2, '0')).join('')}`;

/** WCAG's relative luminance, 0 to 1. */
function luminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((each) => {
    const part = each / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(parse(one)), luminance(parse(other))].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

/**
 * The colour, or the nearest mix of it with black or white that is readable on all of the backgrounds, which are all
 * light or all dark.
 */
export function readableOn(colour: string, backgrounds: string | readonly string[], ratio = 4.5): string {
  const all = typeof backgrounds === 'string' ? [backgrounds] : backgrounds;
  const isReadable = (mixed: string): boolean => all.every((background) => contrast(mixed, background) >= ratio);
  const towards = all.every((background) => luminance(parse(background)) > 0.18) ? black : white;
  return mixedUntil(colour, towards, isReadable);
}

const black: Rgb = [0, 0, 0];
const white: Rgb = [255, 255, 255];

function mixedUntil(colour: string, towards: Rgb, isGood: (mixed: string) => boolean): string {
  for (let share = 0; share < 1; share += 0.02) {
    const mixed = format(parse(colour).map((each, at) => each + ((towards[at] ?? 0) - each) * share) as unknown as Rgb);
    if (isGood(mixed)) return mixed;
  }
  return format(towards);
}

/** So much of the one colour in the other, 0 to 1. */
export const mixed = (colour: string, other: string, share: number): string =>
  format(parse(other).map((each, at) => each + ((parse(colour)[at] ?? 0) - each) * share) as unknown as Rgb);

/** Black or white, whichever is more readable on the colour: one of them always reaches 4.5. */
export const textOn = (colour: string): string =>
  contrast('#ffffff', colour) >= contrast('#000000', colour) ? '#ffffff' : '#000000';

/**
 * Very bright and very strong colours, from yellow over green to cyan, and magenta. A strong signal yellow, orange, red
 * or blue is not neon: many shops use these colours.
 */
export function isNeon(colour: string): boolean {
  const [red, green, blue] = parse(colour);
  const most = Math.max(red, green, blue);
  const least = Math.min(red, green, blue);
  if (most < 250 || least > 50) return false;
  const turn = (from: number, to: number, sixths: number): number => (from - to) / (most - least) + sixths;
  const sixth = most === green ? turn(blue, red, 2) : most === red ? turn(green, blue, 0) : turn(red, green, 4);
  const hue = (sixth * 60 + 360) % 360;
  return (hue >= 59 && hue <= 190) || (hue >= 290 && hue <= 320);
}
