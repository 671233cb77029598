/** A customer who was deleted and of whom something is still known: for what erasing waits, and until when. */
import type { WaitedFor } from '../../checkouts/open-checkout-store.ts';
import type { DeletedCustomer } from '../../counterparties/customer-store.ts';
import { erasedAtLatest } from '../../papers/erase-customer.ts';
import { type Html, html } from '../../web/html.ts';
import { accountPage } from '../frame/account-layout.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { momentText } from '../frame/moment-text.ts';
import { customersPath } from './customers-page.ts';

export function deletedCustomerPage(look: AccountLook, deleted: DeletedCustomer, orders: readonly WaitedFor[]): Html {
  const { say } = look;
  const date = momentText(look, deleted.deletedAt);
  return accountPage(look, {
    title: say('customerDeleted'),
    crumb: html`<a href="${customersPath}">${say('customers')}</a> <span class="quiet">/ ${deleted.id}</span>`,
    main:
      orders.length === 0
        ? html`<p class="lead">${say.html('customerErasedSoon', { date })}</p>`
        : html`<p class="lead">${say.html('customerErasedOnce', { date, until: momentText(look, erasedAtLatest(deleted)) })}</p>
<dl class="kv">${orders.map(({ id, why }) => html`<div><dt><a class="mono" href="/account/checkouts/${id}">${id}</a></dt><dd>${say(`erasingWaits_${why}`)}</dd></div>`)}</dl>`,
  });
}
