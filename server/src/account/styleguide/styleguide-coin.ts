import { type Html, html } from '../../web/html.ts';

/** The sign of an asset or a way to pay, beside its name. */
export const coin = (name: string, size?: 'small'): Html =>
  html`<img class="coin${size && ` ${size}`}" src="/images/assets/${name}.svg" alt="" width="36" height="36">`;
