/**
 * A button that is pasted into any page: a link to the page of what is paid for, or a form that goes straight to a checkout.
 * Without a script, and with its looks inside, so that it needs nothing of the page; `.pay-button` shows the same here.
 */

import type { PaymentLink } from '../../payment-links/payment-link.ts';
import { linkPrice } from '../../payment-page/link-page.ts';
import { html } from '../../web/html.ts';
import { priceText } from '../../web/number-text.ts';
import type { AccountLook } from '../frame/account-look.ts';

const looks =
  'display:inline-block;padding:12px 20px;border:0;border-radius:8px;background:#3440bf;color:#fff;font:600 16px/1.25 system-ui,sans-serif;text-decoration:none;cursor:pointer';

export const payButtonText = ({ say, language }: AccountLook, { asks, currency }: PaymentLink): string =>
  asks.kind === 'fixed'
    ? say('payButtonFixed', { amount: priceText(language, linkPrice(currency, asks.amount), currency) })
    : say('payButtonOpen');

export const payButtonCode = (url: string, text: string, kind: 'link' | 'form'): string =>
  (kind === 'link'
    ? html`<a href="${url}" style="${looks}">${text}</a>`
    : html`<form action="${url}" method="post"><button style="${looks}">${text}</button></form>`
  ).toString();
