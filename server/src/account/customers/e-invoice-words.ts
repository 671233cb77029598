/** Why an invoice has no part that machines read, in words, with the way to where most of it is set. */
import { eInvoiceOf } from '../../papers/paper-e-invoice.ts';
import type { StoredPaper } from '../../papers/paper-store.ts';
import { type Html, html } from '../../web/html.ts';
import { listed } from '../../web/number-text.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { businessPath } from '../settings/settings-parts.ts';

/** False: it has one. */
export function eInvoiceNote({ say, language, may }: AccountLook, paper: StoredPaper): Html | false {
  const { lacks } = eInvoiceOf(paper);
  const reasons = listed(
    language,
    lacks.map((lack) => say(`eInvoiceLack_${lack}`)),
  );
  return (
    lacks.length > 0 &&
    html`<p class="small quiet" id="e-invoice">${say('eInvoiceLacks', { reasons })}${may('business') && html` <a href="${businessPath}">${say('menuBusiness')}</a>`}</p>`
  );
}
