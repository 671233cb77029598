/** A QR code as inline SVG: no image request, sharp at any size, readable without JavaScript. */
import encodeQR from 'qr';
import { type Html, html } from './html.ts';

/** Four light modules around the code: ISO/IEC 18004 asks for them, and some readers need them. */
export const quietZone = 4;

/**
 * A code with more modules than this gets more room from the stylesheet, so that it is read in bad light too. The
 * densest have whole pixels for each module: where some are three wide and others four, cameras lose their place.
 */
const denser = [
  { over: 78, name: 'densest' },
  { over: 60, name: 'dense' },
] as const;
const densestPixels = 4;

export function qrCode(text: string, label: string): Html {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: quietZone });
  const size = modules.length;
  const density = denser.find(({ over }) => size > over)?.name;
  // Always dark on white, in dark mode too: many readers do not recognise an inverted code.
  const side = size * densestPixels;
  const measured = density === 'densest' && html` width="${side}" height="${side}"`;
  return html`<svg${density !== undefined && html` class="${density}"`}${measured} role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"
    ><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path stroke="#000" d="${darkRuns(modules)}"/></svg>`;
}

/** One stroke per row of adjacent dark modules, relative to the end of the last: half the bytes of rectangles. */
function darkRuns(modules: readonly (readonly boolean[])[]): string {
  let path = '';
  modules.forEach((row, y) => {
    let pen = 0;
    let isFirst = true;
    for (let x = row.indexOf(true); x !== -1; x = row.indexOf(true, pen)) {
      const end = row.indexOf(false, x);
      const width = (end === -1 ? row.length : end) - x;
      path += isFirst ? `M${x} ${y}.5h${width}` : `m${x - pen} 0h${width}`;
      isFirst = false;
      pen = x + width;
    }
  });
  return path;
}
