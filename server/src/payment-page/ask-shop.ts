/** Whom to ask. Where the shop gave no e-mail address: its site, its legal notice, and always the code to give there. */
import { type Html, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import { orderName } from './page-setting.ts';
import { type About, shopMail } from './shop-mail.ts';
import { cancelPath, returnPath, type Shown } from './state-view.ts';

type Asked = Pick<Shown, 'look' | 'checkout'>;

/** A message to the shop as a button, or words that lead on. */
export function askShop(shown: Asked, about: About, strength = ''): Html {
  const { helpEmail } = shown.checkout;
  if (helpEmail === null) return html`<p class="small quiet">${elsewhere(shown)}</p>`;
  return html`<a class="btn ${strength}" href="${shopMail(shown, helpEmail, about)}">${icon('mail')}${shown.look.say('askShop')}</a>`;
}

/** Where a shop without an e-mail address is found. */
export function elsewhere({ look, checkout }: Asked): Html {
  const { say } = look;
  const { canReturn, canCancel, legalLinks, payments, completedAt } = checkout;
  const code = html`<b class="mono">${orderName(checkout)}</b>`;
  // A shop thanks whoever comes by the first for the payment: that is only for those who have paid.
  const hasPaid = completedAt !== null || payments.length > 0;
  const site = hasPaid && canReturn ? returnPath(look, checkout) : canCancel ? cancelPath(look, checkout) : null;
  const links = [
    site !== null && html`<a href="${site}">${say('backToShop')}</a>`,
    legalLinks.legalNotice !== null &&
      html`<a href="${legalLinks.legalNotice}" target="_blank" rel="noopener noreferrer">${say('legalNotice')}</a>`,
  ].filter((link) => link !== false);
  return html`${say.html('helpNoMail', { code })}${links.map((link, at) => html`${at === 0 ? html`<br>` : ' · '}${link}`)}`;
}
