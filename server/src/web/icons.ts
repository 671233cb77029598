/** Our icons, inline: they need no request and have the colour of the text around. 24 pixels, strokes of 1.5. */
import { type Html, html, trustedHtml } from './html.ts';

const drawings = {
  alert: '<path d="M12 4 3.5 19.5h17zM12 10v4.5M12 17h.01"/>',
  back: '<path d="M9 6 4.5 10.5 9 15M5 10.5h9.5a5 5 0 0 1 0 9.5H11"/>',
  bolt: '<path d="M13 3.5 5.5 13.5H11l-1 7 7.5-10H12z"/>',
  check: '<path d="m5 12.5 4.5 4.5L19 7.5"/>',
  clock: '<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>',
  copy: '<rect x="8.5" y="8.5" width="11" height="11" rx="2"/><path d="M15.5 5.5v-1h-11v11h1"/>',
  down: '<path d="m6.5 9.5 5.5 5.5 5.5-5.5"/>',
  download: '<path d="M12 4v11M7.5 11l4.5 4.5 4.5-4.5M5 19.5h14"/>',
  eye: '<path d="M3 12c2-4 5-6 9-6s7 2 9 6c-2 4-5 6-9 6s-7-2-9-6z"/><circle cx="12" cy="12" r="2.5"/>',
  globe: '<circle cx="12" cy="12" r="8.5"/><path d="M3.5 12h17M12 3.5c5 5.5 5 11.5 0 17M12 3.5c-5 5.5-5 11.5 0 17"/>',
  help: '<circle cx="12" cy="12" r="8.5"/><path d="M9.7 9.5a2.4 2.4 0 1 1 3.4 2.2c-.7.4-1.1.9-1.1 1.8M12 16.5h.01"/>',
  info: '<circle cx="12" cy="12" r="8.5"/><path d="M12 11.5V16M12 8h.01"/>',
  left: '<path d="M14.5 6.5 9 12l5.5 5.5"/>',
  link: '<path d="M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1"/>',
  lock: '<rect x="5.5" y="10.5" width="13" height="9" rx="2"/><path d="M8.5 10.5V8a3.5 3.5 0 0 1 7 0v2.5"/>',
  mail: '<rect x="3.5" y="5.5" width="17" height="13" rx="2"/><path d="m4 7.5 8 6 8-6"/>',
  print: '<path d="M7 9V4h10v5M7 16H4V9h16v7h-3M7 13.5h10V20H7z"/>',
  receipt: '<path d="M6 3.5v17l2-1.4 2 1.4 2-1.4 2 1.4 2-1.4 2 1.4v-17zM9 8h6M9 12h6"/>',
  refresh: '<path d="M19 7v4.5h-4.5M18.5 11.5A7 7 0 1 0 19 14"/>',
  wallet:
    '<path d="M4 7.5C4 6 5 5 6.5 5H17v3M4 7.5C4 8 4.5 8 5.5 8H20v11H6c-1.2 0-2-.8-2-2z"/><path d="M16 13.5h.01"/>',
  x: '<path d="m6 6 12 12M18 6 6 18"/>',
  zoom: '<path d="M4.5 9V4.5H9M15 4.5h4.5V9M19.5 15v4.5H15M9 19.5H4.5V15"/>',
  chart: '<path d="M4 20h16M7 16v-5M12 16V6M17 16v-8"/>',
  code: '<path d="m8.5 7.5-4.5 4.5 4.5 4.5M15.5 7.5l4.5 4.5-4.5 4.5M13.5 5l-3 14"/>',
  filter: '<path d="M4 6.5h16M7 12h10M10 17.5h4"/>',
  finger:
    '<path d="M6 11a6 6 0 0 1 11.5-2.3M18 12c0 3-.2 5-1 7M9 20c.7-2 1-4.5 1-7.5a2 2 0 0 1 4 0c0 3-.2 5.5-1 8M6.2 14c0 1.5-.2 2.8-.7 4"/>',
  gear: '<path d="M4 7h9M17 7h3M4 17h3M11 17h9"/><circle cx="15" cy="7" r="2"/><circle cx="9" cy="17" r="2"/>',
  hook: '<circle cx="6" cy="16.5" r="2.5"/><circle cx="18" cy="16.5" r="2.5"/><circle cx="12" cy="6.5" r="2.5"/><path d="m10.8 8.7-3.5 5.6M8.5 16.5h7M13.2 8.7l3.5 5.6"/>',
  home: '<path d="M4 11 12 4l8 7v8.5h-5.5V14h-5v5.5H4z"/>',
  inbox: '<path d="M4 13.5 6.5 5h11l2.5 8.5V19H4zM4 13.5h4.5l1.2 2.5h4.6l1.2-2.5H20"/>',
  key: '<circle cx="8" cy="15.5" r="3.75"/><path d="m10.7 12.8 8.3-8.3M15.5 8l2.5 2.5"/>',
  menu: '<path d="M4 7.5h16M4 12h16M4 16.5h16"/>',
  out: '<path d="M13 5h6v6M19 5l-8.5 8.5M16.5 14v5H5V7.5h5"/>',
  paper: '<path d="M6.5 3.5h7l4 4v13h-11zM13.5 3.5v4h4M9.5 12h5M9.5 15.5h5"/>',
  phone: '<rect x="7" y="3.5" width="10" height="17" rx="2.5"/><path d="M11 17.5h2"/>',
  plus: '<path d="M12 5v14M5 12h14"/>',
  right: '<path d="m9.5 6.5 5.5 5.5-5.5 5.5"/>',
  search: '<circle cx="11" cy="11" r="6"/><path d="m15.5 15.5 4.5 4.5"/>',
  send: '<path d="M7 17 17 7M9 7h8v8"/>',
  server:
    '<rect x="4" y="5" width="16" height="6" rx="1.5"/><rect x="4" y="13" width="16" height="6" rx="1.5"/><path d="M7.5 8h.01M7.5 16h.01"/>',
  swap: '<path d="M5 9h13l-3.5-3.5M19 15H6l3.5 3.5"/>',
  updown: '<path d="m8 9.5 4-4 4 4M8 14.5l4 4 4-4"/>',
  upload: '<path d="M12 16V5M7.5 9 12 4.5 16.5 9M5 19.5h14"/>',
  users:
    '<circle cx="9" cy="8.5" r="3.25"/><path d="M3 19c.6-3.4 2.9-5 6-5s5.4 1.6 6 5M15.5 5.6a3.25 3.25 0 0 1 0 5.8M17.5 14.4c2 .7 3.1 2.2 3.5 4.6"/>',
  quittance: '<path stroke-width="2" d="M6.5 3.5h11v17l-2.2-1.6-2.2 1.6-2.2-1.6-2.2 1.6-2.2-1.6zM9.5 10l2 2 3.5-3.8"/>',
  // Marks of states: their shapes can be told apart without any colour.
  paid: '<path fill="currentColor" stroke="none" fill-rule="evenodd" d="M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm-1.4 14.3L6.3 12l1.5-1.5 2.8 2.8 5.6-5.6 1.5 1.5z"/>',
  wait: '<circle cx="12" cy="12" r="8.75" stroke-width="2.5"/><path fill="currentColor" stroke="none" d="M12 6.5a5.5 5.5 0 0 1 0 11z"/>',
  decide:
    '<path fill="currentColor" stroke="none" fill-rule="evenodd" d="M12 1 23 12 12 23 1 12zm-1.2 5.8h2.4v6.4h-2.4zm0 8h2.4v2.4h-2.4z"/>',
  fail: '<path fill="currentColor" stroke="none" fill-rule="evenodd" d="M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm4.4 13-1.4 1.4-3-3-3 3L7.6 15l3-3-3-3L9 7.6l3 3 3-3L16.4 9l-3 3z"/>',
  none: '<circle cx="12" cy="12" r="8.75" stroke-width="2.5" stroke-dasharray="4 3"/>',
} as const;

export type IconName = keyof typeof drawings;

export const icon = (name: IconName): Html =>
  html`<svg class="i${(name === 'left' || name === 'right') && ' turns'}" viewBox="0 0 24 24" aria-hidden="true">${trustedHtml(drawings[name])}</svg>`;
