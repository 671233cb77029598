/** How to pay: one radio group, in groups of assets that are worth the same. With a single method there is no choice. */
import { type Html, html } from '../web/html.ts';
import type { PageLook } from '../web/page-layout.ts';
import type { PublicCheckout, PublicMethod } from './public-checkout.ts';

export function methodChoice(look: PageLook, checkout: PublicCheckout): Html {
  const { say, language } = look;
  const action = `/${language}/checkout/${checkout.id}/commit`;
  const [only, ...others] = checkout.methods;
  if (!only) return html`<p class="card warning" id="choose" role="alert">${say('noMethod')}</p>`;
  // A click and not a visit: a mail program that looks at links must not start the sixty minutes. The script clicks.
  if (others.length === 0)
    return html`<section class="card" id="choose"><form method="post" action="${action}"${checkout.state === 'CREATED' && html` data-submit`}>
<input type="hidden" name="method" value="${valueOf(only)}">
<button class="button">${say('payWith', { asset: only.assetName })}</button></form></section>`;

  const isPriced = checkout.methods.every((method) => method.amount !== null);
  const chosen = checkout.pay && valueOf(checkout.pay);
  const groups = Map.groupBy(checkout.methods, ({ group }) => group);
  return html`<section class="card" id="choose"><form method="post" action="${action}">
<fieldset class="methods"><legend><h2>${say('chooseMethod')}</h2></legend>
${!isPriced && html`<p class="quiet">${say('amountWhenChosen')}</p>`}
${Array.from(groups.values(), (methods) => methodGroup(look, methods, chosen ?? valueOf(checkout.methods[0])))}
</fieldset>
<button class="button">${say('continue')}</button></form></section>`;
}

const methodGroup = (look: PageLook, methods: readonly PublicMethod[], chosen: string): Html =>
  html`<div class="method-group" role="group" aria-label="${methods[0]?.groupName ?? ''}">${methods.map((method) =>
    methodOption(look, method, valueOf(method) === chosen),
  )}</div>`;

const methodOption = ({ say }: PageLook, method: PublicMethod, isChosen: boolean): Html =>
  html`<label class="method"><input type="radio" name="method" value="${valueOf(method)}" required${isChosen && html` checked`}>
<img src="${method.imageSrc}" alt="" width="36" height="36">
<span class="method-text"><strong>${method.assetName}</strong>
${method.amount !== null && html`<span class="method-amount">${method.amount} ${method.assetCode}</span>`}
<small>${say('assetOnNetwork', { asset: method.assetCode, network: method.networkName })}</small></span></label>`;

const valueOf = (method: Pick<PublicMethod, 'network' | 'assetId'> | undefined): string =>
  method ? `${method.network} ${method.assetId}` : '';

/** What the form sends, or what an earlier page sent as two fields. */
export function readMethod(form: URLSearchParams): { network: string; asset: string | undefined } {
  const [network, asset] = (form.get('method') ?? '').split(' ');
  return { network: network || (form.get('network') ?? ''), asset: asset ?? form.get('asset') ?? undefined };
}
