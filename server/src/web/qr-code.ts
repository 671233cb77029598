/** A QR code as inline SVG: no image request, sharp at any size, readable without JavaScript. */
import encodeQR from 'qr';
import { type Html, html } from './html.ts';

/** Four modules of light around the code: ISO/IEC 18004 asks for them and some readers insist. */
const quietZone = 4;

export function qrCode(text: string, label: string): Html {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: quietZone });
  const size = modules.length;
  // Always dark on white, in dark mode too: many readers do not recognise an inverted code.
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"
    ><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path stroke="#000" d="${darkRuns(modules)}"/></svg>`;
}

/** One stroke per run of dark modules, each given from the end of the last: half the bytes of rectangles. */
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
