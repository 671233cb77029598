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
    ><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${darkRuns(modules)}"/></svg>`;
}

/** One rectangle per run of dark modules in a row. */
const darkRuns = (modules: readonly (readonly boolean[])[]): string =>
  modules
    .flatMap((row, y) =>
      row.map((isDark, x) => {
        if (!isDark || row[x - 1]) return '';
        const end = row.indexOf(false, x);
        const width = (end === -1 ? row.length : end) - x;
        return `M${x} ${y}h${width}v1h-${width}z`;
      }),
    )
    .join('');
