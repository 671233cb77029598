/** Addresses for money that comes without a checkout: a new one, those that are open, and one with its code. */
import { findAsset } from '../../catalog/asset-catalog.ts';
import { printedAddress } from '../../catalog/network-catalog.ts';
import type { CustomDeposit, DepositDossier, DepositPayment } from '../../deposits/custom-deposit.ts';
import { findDepositMethod, offeredAssets, paymentAmount } from '../../deposits/deposit-method.ts';
import { isAlive } from '../../deposits/payment-state.ts';
import type { GatewayError } from '../../lib/errors.ts';
import type { Merchant } from '../../merchants/merchant.ts';
import type { ShownBooking } from '../../networks/port/known-as.ts';
import { type PayerInstructions, plainInstructions } from '../../networks/port/payer-instructions.ts';
import { inGroupsOfFour } from '../../web/address-groups.ts';
import { type Html, type HtmlValue, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import { qrCode } from '../../web/qr-code.ts';
import { unitsText } from '../checkouts/checkout-words.ts';
import { copyField } from '../developers/developer-parts.ts';
import { accountPage, problemNotice } from '../frame/account-layout.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { bookingRows } from '../frame/booking-rows.ts';
import { dayText } from '../frame/day-text.ts';
import { momentText } from '../frame/moment-text.ts';
import { doneNotice, isAtBank, networkName, shortened, transactionText } from '../frame/money-words.ts';
import { accountField, proofField, proving } from '../sign-in/sign-in-parts.ts';
import { balancesCrumb, balancesPath, depositPath } from './balances-page.ts';
import type { MoneyDeps } from './money-deps.ts';

/** A network and an asset on it, as one choice. */
export const railValue = (network: string, assetId: string): string => `${network} ${assetId}`;

export type DepositForm = {
  readonly rail: string;
  readonly use: 'once' | 'many';
  readonly amount: string;
  readonly problem: GatewayError | null;
};

export function depositsPage(
  deps: MoneyDeps,
  look: AccountLook,
  merchant: Merchant,
  open: readonly DepositDossier[],
  form: DepositForm,
): Html {
  const { say, may } = look;
  return accountPage(look, {
    title: say('deposits'),
    crumb: balancesCrumb(look, say('deposits')),
    main: html`<p class="lead">${say('depositLead')}</p>${problemNotice(look, form.problem)}
<section class="part"><div class="part-head"><h2>${say('newDeposit')}</h2></div>${may('moveMoney') ? depositForm(deps, look, merchant, form) : html`<p class="lead">${say('depositOthers')}</p>`}</section>
<section class="part"><div class="part-head"><h2 id="h-open">${say('openDeposits')}</h2></div>${open.length === 0 ? html`<p class="lead">${say('noDeposits')}</p>` : openTable(look, deps, open)}</section>`,
  });
}

function depositForm(deps: MoneyDeps, look: AccountLook, merchant: Merchant, form: DepositForm): Html {
  const { say } = look;
  const rails = [...deps.connectors.values()].flatMap((connector) =>
    offeredAssets(deps.assets, connector, merchant).map(({ id, assetCode }) => ({
      value: railValue(connector.network.id, id),
      isMeant: form.rail === id || form.rail === assetCode,
      text: say('depositOption', { code: assetCode, network: connector.network.name }),
    })),
  );
  const chosen = rails.find(({ value }) => value === form.rail) ?? rails.find(({ isMeant }) => isMeant);
  const use = (value: DepositForm['use'], name: string, means: string): Html =>
    html`<label class="choice"><input type="radio" name="use" value="${value}"${form.use === value && html` checked`}><b>${name}</b><span>${means}</span></label>`;
  return html`<form class="form" method="post" action="${depositPath}"${proving(look)}>${accountField(look)}
<div class="field"><label for="rail">${say('depositRail')}</label><span class="select"><select class="input" id="rail" name="rail">${rails.map(({ value, text }) => html`<option value="${value}"${value === chosen?.value && html` selected`}>${text}</option>`)}</select></span></div>
<fieldset class="rows"><legend>${say('depositUse')}</legend>${use('once', say('depositOnce'), say('depositOnceMeans'))}${use('many', say('depositMany'), say('depositManyMeans'))}</fieldset>
<div class="field"><label for="amount">${say('depositAmount')}</label><input class="input mono" id="amount" name="amount" maxlength="60" inputmode="decimal" autocomplete="off" value="${form.amount}" aria-describedby="amount-help"><p class="help" id="amount-help">${say('depositAmountHelp')}</p></div>
${look.signedIn?.grant('moveMoney') === 'proof' && proofField(look)}
<div class="bar"><button class="btn primary">${say('depositButton')}</button></div></form>`;
}

const tones = { CREATED: 'none', PENDING: 'wait', COMPLETED: 'paid' } as const;

function stateText({ say }: AccountLook, { state, closedAt }: CustomDeposit, isPill = false): Html {
  const tone = tones[state];
  const isClosed = closedAt !== null && state === 'CREATED';
  return html`<span class="state ${tone}${isPill && ' pill'}">${icon(tone)}${say(isClosed ? 'depositIsClosed' : `depositState_${state}`)}</span>`;
}

const codeOf = (deps: MoneyDeps, asset: string): string => findAsset(deps.assets, asset)?.assetCode ?? asset;

const whereText = ({ network, address }: CustomDeposit): string =>
  isAtBank(network) ? printedAddress(network, address) : shortened(address);

function openTable(look: AccountLook, deps: MoneyDeps, open: readonly DepositDossier[]): Html {
  const { say } = look;
  const rows = open.map(
    ({ deposit }) =>
      html`<tr><th scope="row"><a href="${depositPath}/${deposit.id}">${say('depositOption', { code: codeOf(deps, deposit.asset), network: networkName(deposit.network) })}</a><span class="sub mono">${whereText(deposit)}</span></th><td class="desk mono">${whereText(deposit)}</td><td class="desk">${say(deposit.isReusable ? 'depositMany' : 'depositOnce')}</td><td>${stateText(look, deposit)}</td><td class="n desk">${momentText(look, deposit.createdAt)}</td></tr>`,
  );
  return html`<div class="scroll bleed" tabindex="0" role="region" aria-labelledby="h-open"><table class="table list"><thead><tr><th scope="col">${say('balanceAsset')}</th><th scope="col" class="desk">${say('depositWhere')}</th><th scope="col" class="desk wrap">${say('depositUse')}</th><th scope="col">${say('depositState')}</th><th scope="col" class="n desk">${say('depositMade')}</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

export type OneDepositFacts = {
  readonly dossier: DepositDossier;
  /** How its payments are found, by their ids, as far as that is not by their transaction. */
  readonly bookings: ReadonlyMap<string, ShownBooking>;
  readonly isClosedNow: boolean;
};

export function oneDepositPage(
  deps: MoneyDeps,
  look: AccountLook,
  { dossier, bookings, isClosedNow }: OneDepositFacts,
): Html {
  const { say } = look;
  const { deposit } = dossier;
  const { network, closedAt, expiresAt } = deposit;
  const code = codeOf(deps, deposit.asset);
  const name = say('depositTitle', { code, network: networkName(network) });
  const { amount, codeText, told } = payable(deps, deposit);
  return accountPage(look, {
    title: name,
    crumb: html`<a href="${balancesPath}">${say('balances')}</a> <span class="quiet">/</span> <a href="${depositPath}">${say('deposits')}</a>`,
    main: html`${isClosedNow && doneNotice(say('depositDid_closed'))}
<p>${stateText(look, deposit, true)}</p>
<div class="work part"><div class="stack">
<p class="notice decide">${icon('decide')}<span>${say('depositOnly', { code, network: networkName(network) })}</span></p>
${codeText !== null && html`<span class="qr">${qrCode(codeText, say('depositCode'))}</span>`}
<div class="form">${told.target === 'account' ? accountFields(look, told.fields) : addressFields(look, deposit, told.target)}
${amount !== null && copyField(look, say('depositExactly'), amount)}
${expiresAt !== null && html`<p class="small quiet">${say.html('depositEnds', { when: momentText(look, expiresAt) })}</p>`}</div>
${closedAt === null && look.may('moveMoney') && closeForm(look, deposit.id)}</div>
<div class="rail">${paymentsPart(deps, look, dossier, bookings)}</div></div>`,
  });
}

const addressFields = (
  look: AccountLook,
  { address, memo }: CustomDeposit,
  target: PayerInstructions['target'],
): Html => {
  const { say } = look;
  return html`${memo !== null && html`${copyField(look, say('depositMemo'), memo)}<p class="notice fail">${icon('alert')}<span>${say('depositMemoWarning')}</span></p>`}
${copyField(look, say(target === 'invoice' ? 'depositInvoice' : 'depositAddress'), address)}`;
};

/** An account at a bank is more than its number: what a banking app asks for, one by one. */
const accountFields = (look: AccountLook, fields: PayerInstructions['fields']): Html[] =>
  fields.map(
    ({ name, value, form, hint }) =>
      html`${copyField(look, name[look.language], value, form === 'code' ? inGroupsOfFour(value) : value)}${hint && html`<p class="notice fail">${icon('alert')}<span>${hint[look.language]}</span></p>`}`,
  );

/** It was offered when it was made, whatever the account has set since. */
const whateverRisk = (asset: string) => ({ highRiskAssets: [asset], riskTolerance: 'MEDIUM' as const });

/** As the payment page would show it; without an amount, the address alone. */
function payable({ assets, connectors }: MoneyDeps, deposit: CustomDeposit) {
  const connector = connectors.get(deposit.network);
  const { address, memo, expectedUnits } = deposit;
  const method = connector && findDepositMethod(assets, connector, deposit.asset, whateverRisk(deposit.asset));
  if (!connector || !method) return { amount: null, codeText: address, told: plainInstructions({ address }) };
  const amount = expectedUnits === null ? null : paymentAmount(method, expectedUnits);
  const request = { assetCode: method.asset.assetCode, amount: amount ?? '0', address, memo, joint: null };
  const told = (connector.network.payerInstructions ?? plainInstructions)(request);
  const alone = told.target === 'account' ? told.link.qrText : (told.addressOnly?.qrText ?? address);
  return { amount, codeText: amount === null ? alone : told.link.qrText, told };
}

const closeForm = (look: AccountLook, id: string): Html =>
  html`<form class="form part" method="post" action="${depositPath}/${id}/close"${proving(look)}>${accountField(look)}${look.signedIn?.grant('moveMoney') === 'proof' && proofField(look)}<div class="bar"><button class="btn">${look.say('closeDeposit')}</button></div><p class="help">${look.say('closeDepositMeans')}</p></form>`;

function paymentsPart(
  deps: MoneyDeps,
  look: AccountLook,
  { deposit, payments, unread }: DepositDossier,
  bookings: OneDepositFacts['bookings'],
): Html {
  const { say } = look;
  const shown = payments.filter(isAlive).toReversed();
  const foundBy = ({ id, network, txHash, state }: DepositPayment): Html | false => {
    const booking = bookings.get(id);
    if (!booking) return html`<small>${transactionText(deps, network, txHash)}</small>`;
    return bookingRows(look, { network, booking, reference: deposit.memo, isBooked: state !== 'SEEN' });
  };
  const arrivedOn = ({ id, state, firstSeenAt }: DepositPayment): HtmlValue => {
    const day = state === 'SEEN' ? null : (bookings.get(id)?.day ?? null);
    return day === null ? momentText(look, firstSeenAt) : html`<time datetime="${day}">${dayText(look, day)}</time>`;
  };
  const row = (payment: DepositPayment): Html =>
    html`<li><span>${unitsText(deps, look, payment)}<br>${foundBy(payment)}</span><span class="sum"><small>${payment.credit ? say('depositCredited', { amount: unitsText(deps, look, { asset: payment.asset, units: payment.credit.netUnits }) }) : say('depositWaits')}<br>${arrivedOn(payment)}</small></span></li>`;
  return html`<section class="part"><div class="part-head"><h2>${say('depositPayments')}</h2></div>${shown.length === 0 ? html`<p class="quiet">${say('noPayments')}</p>` : html`<ul class="line-list">${shown.map(row)}</ul>`}${deposit.isReusable && unread.some(({ creditedCount, waitingCount }) => creditedCount + waitingCount > 0) && html`<p class="small quiet">${say('depositShownSome')}</p>`}</section>`;
}
