/**
 * Who may show a merchant's pages in a frame. Whoever frames a page can put something over it, so the merchant decides,
 * origin by origin, and only for the pages on its own domain.
 */
import { invalidRequest, told } from '../lib/errors.ts';

const framersMax = 10;

/** The domain itself, as the browser sees it. */
export const defaultFramers: readonly string[] = ['self'];

/** `self`, and origins such as https://shop.example; an empty list means nobody. Each is written into a header. */
export function readFramers(wanted: readonly string[]): string[] {
  const framers = [...new Set(wanted.map(readFramer))];
  if (framers.length > framersMax)
    throw invalidRequest([
      told('framers_too_many', `At most ${framersMax} places may frame the pages, but ${framers.length} are named.`, {
        most: String(framersMax),
      }),
    ]);
  return framers;
}

function readFramer(text: string): string {
  const given = text.trim();
  if (given === 'self') return given;
  const url = URL.parse(given);
  const isOrigin = url !== null && url.href === `${url.origin}/` && /^https:\/\/[^\s;,'"*]{1,260}$/.test(url.origin);
  if (!isOrigin)
    throw invalidRequest([
      told(
        'framer_wrong',
        `${JSON.stringify(given.slice(0, 80))} cannot frame the pages: it must be self or an https origin such as ` +
          'https://shop.example.',
        { what: given.slice(0, 80) },
      ),
    ]);
  return url.origin;
}
