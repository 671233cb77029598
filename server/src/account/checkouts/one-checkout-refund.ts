/**
 * Asking for a refund: what is filled in, what it would cost, and the order itself. Whoever has a passkey has a script too,
 * so the cost is shown in the form as it is filled in; a code is typed on a page of its own, below what it is for.
 */
import type { RefundBody } from '@quittance/contract/refund';
import { findAsset } from '../../catalog/asset-catalog.ts';
import { findNetwork, homeNetwork } from '../../catalog/network-catalog.ts';
import type { GatewayError } from '../../lib/errors.ts';
import { formatUnits } from '../../money/amount.ts';
import { goesBackToPayer } from '../../networks/port/definition.ts';
import type { EstimatedRefund } from '../../refunds/estimate-refund.ts';
import type { RequestRefundDeps } from '../../refunds/request-refund.ts';
import { type Html, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import { plainCoinDigits } from '../../web/number-text.ts';
import { accountPage, problemNotice } from '../frame/account-layout.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { addressText, holderRow, pairRow } from '../frame/money-words.ts';
import { accountField, orderProof, signing } from '../sign-in/sign-in-parts.ts';
import { unitsText } from './checkout-words.ts';
import type { CheckoutView, OfferedRefund } from './one-checkout-facts.ts';

/** Who gives back small amounts only does so where the account says which are. */
export const mayRefund = (look: AccountLook): boolean => {
  const grant = look.signedIn?.grant('refund');
  return grant === 'proof' || (grant === 'smallProof' && hasSupportLimit(look)) || onlyPrepares(look);
};

export const hasSupportLimit = ({ signedIn }: AccountLook): boolean =>
  (signedIn?.merchant?.supportLimit ?? null) !== null;

const onlyPrepares = (look: AccountLook): boolean => look.signedIn?.grant('refund') === 'prepare';

const hasPasskey = (look: AccountLook): boolean => (look.signedIn?.person.passkeys ?? 0) > 0;

const pathOf = (checkoutId: string): string => `/account/checkouts/${checkoutId}/refund`;

/** At banks, money goes back to the account that it came from. */
export const isBackToPayer = (network: string): boolean => goesBackToPayer(findNetwork(network));

// An exchange on Stellar needs a memo besides: the page at the link asks for both.
const takesAddress = (network: string): boolean => network !== homeNetwork.id && !isBackToPayer(network);

/** Where the payer wants money back on this network; null: nobody has said so. */
export const leftFor = ({ leftAddress }: Pick<CheckoutView, 'leftAddress'>, network: string): string | null =>
  takesAddress(network) && leftAddress?.network === network ? leftAddress.address : null;

/**
 * How much is filled in with all that can be sent: the passkey signs a number. So is where to, if the payer has said so
 * before anything had come: later nobody could leave an address on the page.
 */
export function refundForm(
  deps: RequestRefundDeps,
  look: AccountLook,
  view: Pick<CheckoutView, 'dossier' | 'leftAddress'>,
  priced: OfferedRefund,
): Html {
  const { say } = look;
  const { asset: assetId, network, context, fillUnits } = priced;
  const asset = findAsset(deps.assets, assetId);
  const code = asset?.assetCode ?? assetId;
  const key = `${network}-${code}`;
  const isPrepared = onlyPrepares(look);
  const isSentHere = isPrepared || hasPasskey(look);
  const path = pathOf(view.dossier.checkout.id);
  const left = leftFor(view, network);
  const opening = isSentHere
    ? html`<form class="form" method="post" action="${path}" data-cost="${path}"${!isPrepared && signing(look)}>${accountField(look)}`
    : html`<form class="form" method="get" action="${path}" data-cost="${path}">`;
  return html`${opening}<input type="hidden" name="context" value="${context}"><input type="hidden" name="asset" value="${assetId}"><input type="hidden" name="network" value="${network}">
<div class="field"><label for="amount-${key}">${say('refundAmount', { code })}</label><input class="input mono" id="amount-${key}" name="amount" required maxlength="60" inputmode="decimal" value="${plainCoinDigits(formatUnits(fillUnits, asset?.ledgerScale ?? 0), code)}" aria-describedby="amount-help-${key}"><p class="help" id="amount-help-${key}">${say('refundAtMost', { amount: unitsText(deps, look, priced) })}</p></div>
${takesAddress(network) && html`<div class="field"><label for="address-${key}">${say('refundAddress')}</label><input class="input mono" id="address-${key}" name="address" maxlength="2048" autocomplete="off" spellcheck="false"${left !== null && html` value="${left}"`} aria-describedby="address-help-${key}"><p class="help" id="address-help-${key}">${left !== null && html`${say('refundAddressLeft')} `}${say('refundAddressHelp')}</p></div>`}
${feePart(look, priced)}
<div class="cost" aria-live="polite"></div>
${isSentHere && !isPrepared && orderProof(look)}
${isSentHere ? sendBar(look, code, isPrepared, path) : html`<div class="bar"><button class="btn primary">${say('refundGoOn')}</button><span class="small quiet">${say('refundGoOnMeans')}</span></div>`}</form>`;
}

/** A bank takes no fee for it. */
function feePart({ say }: AccountLook, { context, network }: OfferedRefund): Html {
  const isTheirs = html`<input type="hidden" name="fee" value="customer">`;
  if (isBackToPayer(network)) return isTheirs;
  if (context !== 'COMPLETED_CHECKOUT') return html`${isTheirs}<p class="help">${say('feeComesOff')}</p>`;
  return html`<fieldset class="rows"><legend>${say('refundFee')}</legend><label class="choice"><input type="radio" name="fee" value="customer" checked><b>${say('feePaidBy_customer')}</b><span>${say('feeComesOff')}</span></label><label class="choice"><input type="radio" name="fee" value="merchant"><b>${say('feePaidBy_merchant')}</b><span>${say('feeComesOn')}</span></label></fieldset>`;
}

const sendBar = (look: AccountLook, code: string, isPrepared: boolean, path: string): Html =>
  html`<div class="bar"><button class="btn primary">${look.say(isPrepared ? 'refundAskButton' : 'refundButton', { code })}</button><span class="small quiet">${look.say(isPrepared ? 'refundOthersApprove' : 'asksForPasskey')}</span><button class="btn without-script" formmethod="get" formaction="${path}">${look.say('refundCost')}</button></div>`;

/** What it would cost, or why it cannot be done. A script takes this part out of the page below. */
export const costPart = (
  deps: RequestRefundDeps,
  look: AccountLook,
  estimate: EstimatedRefund | null,
  problem: GatewayError | null,
): Html =>
  html`<div id="cost">${problemNotice(look, problem)}${estimate !== null && costRows(deps, look, estimate)}</div>`;

function costRows(deps: RequestRefundDeps, look: AccountLook, estimate: EstimatedRefund): Html {
  const { say } = look;
  const { asset, network, address, holder, feePaidBy, feeUnits, sentUnits, balanceUnits } = estimate;
  const text = (units: bigint): string => unitsText(deps, look, { asset, units });
  return html`<dl class="kv">${pairRow(say('factTo'), address === null ? say('refundToLink') : addressText(network, address))}${holderRow(look, holder)}${pairRow(say('factNetwork'), findNetwork(network)?.name ?? network)}${!(feeUnits === 0n && isBackToPayer(network)) && pairRow(say('factNetworkFee'), say(`refundFeeOf_${feePaidBy}`, { amount: text(feeUnits) }))}${balanceUnits > 0n && pairRow(say('refundFromBalance'), text(balanceUnits))}${pairRow(say('factArrives'), text(sentUnits), 'sum')}</dl>${balanceUnits > 0n && !look.may('seeBalances') && html`<p class="small">${say('refundBalanceUnknown')}</p>`}`;
}

export function refundReviewPage(
  deps: RequestRefundDeps,
  look: AccountLook,
  checkoutId: string,
  { asked, estimate, problem }: ReviewedRefund,
): Html {
  const { say } = look;
  const isPrepared = onlyPrepares(look);
  const code = (estimate && findAsset(deps.assets, estimate.asset)?.assetCode) ?? '';
  const fields = Object.entries(asked).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return accountPage(look, {
    title: say('refundReview'),
    crumb: html`<a href="/account/checkouts">${say('checkouts')}</a> <span class="quiet">/ <a href="/account/checkouts/${checkoutId}">${checkoutId}</a></span>`,
    main: html`<div class="stack">${costPart(deps, look, estimate, problem)}
<p class="small quiet">${say('refundCostMeans')}</p>
${estimate !== null && html`<form class="form" method="post" action="${pathOf(checkoutId)}"${!isPrepared && signing(look)}>${accountField(look)}${fields}${!isPrepared && orderProof(look)}<div class="bar"><button class="btn primary">${say(isPrepared ? 'refundAskButton' : 'refundButton', { code })}</button></div></form>`}
<p><a class="btn quiet" href="/account/checkouts/${checkoutId}">${icon('left')}${say('toCheckout')}</a></p></div>`,
  });
}

export type ReviewedRefund = {
  /** As it was filled in. */
  readonly asked: Readonly<Record<string, string>>;
  readonly estimate: EstimatedRefund | null;
  readonly problem: GatewayError | null;
};

/** What a form about a refund has, and what the API calls it. */
export const refundFields = {
  context: 'context',
  amount: 'amount',
  asset: 'asset',
  network: 'network',
  address: 'address',
  fee: 'feePaidBy',
} as const satisfies Readonly<Record<string, keyof RefundBody>>;
