/** A new transfer: where to and how much; then, before anything is sent, what is left, who approves and when it leaves. */
import type { WalletRecord } from '@quittance/contract/wallet';
import { findCurrency } from '../../catalog/currency-catalog.ts';
import { findNetwork } from '../../catalog/network-catalog.ts';
import type { TargetAccount } from '../../counterparties/target-account.ts';
import { isPaidByFile } from '../../finding/bank-needs.ts';
import type { GatewayError } from '../../lib/errors.ts';
import type { Merchant } from '../../merchants/merchant.ts';
import { formatUnits } from '../../money/amount.ts';
import { type Decimal, decimal, divide, formatDecimal } from '../../money/decimal.ts';
import type { EstimatedTransfer } from '../../wallets/estimate-transfer.ts';
import type { ReadOrder } from '../../wallets/read-transfer-order.ts';
import { feeUnitsOf } from '../../wallets/transfer.ts';
import { type Html, type HtmlValue, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import { numberFormat } from '../../web/intl-formats.ts';
import { listed } from '../../web/number-text.ts';
import { unitsText } from '../checkouts/checkout-words.ts';
import { accountPage, problemNotice } from '../frame/account-layout.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { momentText } from '../frame/moment-text.ts';
import {
  addressName,
  addressText,
  amountText,
  holderRow,
  isAtBank,
  lessText,
  networkFeeRow,
  networkName,
  networkRow,
  pairRow,
  railPart,
  shortened,
  worthRow,
  worthText,
} from '../frame/money-words.ts';
import { accountField, orderProof, signing } from '../sign-in/sign-in-parts.ts';
import { newDepositButton } from './balances-page.ts';
import type { MoneyDeps } from './money-deps.ts';
import { holderWords } from './order-words.ts';
import { destinationsPath, newTransferPath, transfersPath } from './transfers-page.ts';

/** As it was filled in. `to`: the id of a destination, or `other`: then the address is in the fields. */
export const orderFields = ['to', 'network', 'address', 'memo', 'memoType', 'asset', 'amount'] as const;
export type AskedOrder = Readonly<Record<(typeof orderFields)[number], string>>;

/** Where the money goes, as it was shown. */
export const goalText = ({ method, destination }: ReadOrder): string =>
  [
    method.connector.network.id,
    destination.address,
    destination.memoType ?? '',
    destination.memo ?? '',
    destination.holder ? holderWords(destination.holder) : '',
  ]
    .join(' ')
    .trimEnd();

export const otherAddress = 'other';
export const reviewPath = `${transfersPath}/review`;
const memoKinds = ['text', 'id', 'hash', 'return'] as const;

const crumb = ({ say }: AccountLook): Html =>
  html`<a href="${transfersPath}">${say('transfers')}</a> <span class="quiet">/ ${say('newTransfer')}</span>`;

export type NewTransferFacts = {
  readonly asked: AskedOrder;
  readonly destinations: readonly TargetAccount[];
  readonly wallets: readonly WalletRecord[];
  /** On which money can be sent, by id. */
  readonly networks: readonly string[];
  readonly waitMinutes: number;
  readonly problem: GatewayError | null;
};

export function newTransferPage(look: AccountLook, facts: NewTransferFacts): Html {
  const { say } = look;
  return accountPage(look, {
    title: say('newTransfer'),
    crumb: crumb(look),
    main: html`${problemNotice(look, facts.problem)}${facts.wallets.length === 0 ? html`<div class="empty">${icon('wallet')}<p>${say('nothingToSend')}</p>${newDepositButton(look)}</div>` : orderForm(look, facts)}`,
  });
}

function orderForm(look: AccountLook, { asked, destinations, wallets, networks, waitMinutes }: NewTransferFacts): Html {
  const { say } = look;
  // A bank asks whose account it is: that is known of destinations only.
  const chains = networks.filter((id) => !isAtBank(id));
  const bank = networks.find(isAtBank);
  const isOther = chains.length > 0 && (asked.to === otherAddress || destinations.length === 0);
  const chosen = destinations.find(({ id }) => id === asked.to) ?? (isOther ? undefined : destinations[0]);
  // A bank takes what is on its account and nothing else.
  const ofBank = chosen && isAtBank(chosen.network) ? (findNetwork(chosen.network)?.assets ?? []) : [];
  const isTaken = ({ assetCode }: WalletRecord): boolean => ofBank.some((each) => each.assetCode === assetCode);
  const wanted = asked.asset || (wallets.find(isTaken)?.assetId ?? '');
  const option = (value: string, text: string, isChosen: boolean): Html =>
    html`<option value="${value}"${isChosen && html` selected`}>${text}</option>`;
  const wait =
    waitMinutes > 0 &&
    html`<span class="small quiet">${say('destinationsWait', { time: durationText(look, waitMinutes) })}</span>`;
  return html`<form class="form to-choice" method="get" action="${reviewPath}">
<fieldset class="rows"><legend>${say('whereTo')}</legend>${destinations.map(
    (account) =>
      html`<label class="choice"><input type="radio" name="to" value="${account.id}"${account === chosen && html` checked`}><b>${account.label}</b><span>${destinationLine(look, account)}</span></label>`,
  )}${chains.length > 0 && html`<label class="choice"><input type="radio" name="to" value="${otherAddress}"${chosen === undefined && html` checked`}><b>${say('otherAddress')}</b><span>${say('otherAddressMeans')}</span></label>`}</fieldset>
${look.signedIn?.grant('moveMoney') === 'proof' && html`<div class="bar"><a class="small" href="${destinationsPath}/new${bank !== undefined && `?network=${bank}`}">${say(bank === undefined ? 'addDestination' : 'addAccountAtBank')}</a>${wait}</div>`}
${bank !== undefined && html`<p class="help">${say('bankByDestination')}</p>`}
${
  chains.length > 0 &&
  html`<div class="when-other stack"><div class="field"><label for="network">${say('transferNetwork')}</label><span class="select"><select class="input" id="network" name="network">${chains.map((id) => option(id, networkName(id), id === asked.network))}</select></span></div>
<div class="field"><label for="address">${say('transferAddress')}</label><input class="input mono" id="address" name="address" maxlength="2048" autocomplete="off" spellcheck="false" value="${asked.address}"></div>
${memoFields(look, asked)}</div>`
}
<div class="field"><label for="asset">${say('transferAsset')}</label><span class="select"><select class="input" id="asset" name="asset">${wallets.map(({ assetId, assetCode, available }) => option(assetId, say('transferAssetOption', { code: assetCode, amount: amountText(look, available, assetCode) }), assetId === wanted || assetCode === wanted))}</select></span></div>
<div class="field"><label for="amount">${say('transferAmount')}</label><input class="input mono" id="amount" name="amount" required maxlength="60" inputmode="decimal" autocomplete="off" value="${asked.amount}" aria-describedby="amount-help"><p class="help" id="amount-help">${say('transferAmountHelp')}</p></div>
<div class="bar"><button class="btn primary">${say('reviewTransfer')}</button><a class="btn quiet" href="${transfersPath}">${say('back')}</a></div></form>`;
}

export const memoFields = ({ say }: AccountLook, { memo, memoType }: Pick<AskedOrder, 'memo' | 'memoType'>): Html =>
  html`<div class="field"><label for="memo">${say('transferMemo')}</label><input class="input mono" id="memo" name="memo" maxlength="200" autocomplete="off" spellcheck="false" value="${memo}"></div>
<div class="field"><label for="memoType">${say('transferMemoKind')}</label><span class="select"><select class="input" id="memoType" name="memoType">${memoKinds.map((kind) => html`<option value="${kind}"${kind === memoType && html` selected`}>${say(`memoKind_${kind}`)}</option>`)}</select></span></div>`;

const destinationLine = (look: AccountLook, { address, network, memo, usableFrom }: TargetAccount): Html =>
  html`${isAtBank(network) ? addressText(network, address) : html`<span class="mono">${shortened(address)}</span>`} · ${networkName(network)}${memo !== null && `, ${look.say('factMemo')} ${memo}`}${usableFrom > look.now && html` · ${look.say('destinationUsable')} ${look.say.html('usableFrom', { when: momentText(look, usableFrom) })}`}`;

/** `24 hours`, `30 minutes`. */
export function durationText({ language }: AccountLook, minutes: number): string {
  const [amount, unit] = minutes % 60 === 0 ? [minutes / 60, 'hour'] : [minutes, 'minute'];
  return numberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(amount);
}

export type ReviewFacts = {
  readonly asked: AskedOrder;
  readonly estimated: EstimatedTransfer;
  readonly merchant: Merchant;
  /** Who may approve it, other than whoever asks. */
  readonly approvers: readonly string[];
  readonly hasApprovingKey: boolean;
  readonly isPreparing: boolean;
  /** What is left, in the account currency; null: there is no rate. */
  readonly leftWorth: string | null;
};

export function reviewPage(deps: MoneyDeps, look: AccountLook, facts: ReviewFacts): Html {
  const { say } = look;
  const { asked, estimated, isPreparing } = facts;
  const { read, quote, availableUnits, waiting } = estimated;
  const { asset, connector } = read.method;
  const feeUnits = feeUnitsOf(quote);
  const text = (units: bigint): string => unitsText(deps, look, { asset: asset.id, units });
  const left = availableUnits - read.units - feeUnits;
  const amount = text(read.units);
  const isToApprove = isPreparing || estimated.isToApprove;
  const hasPasskey = (look.signedIn?.person.passkeys ?? 0) > 0;
  const fields = [...orderFields.map((name) => [name, asked[name]]), ['goal', goalText(read)]].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  const back = `${newTransferPath}?${new URLSearchParams({ ...asked }).toString()}`;
  return accountPage(look, {
    title: say('reviewTitle', { amount }),
    crumb: crumb(look),
    main: html`<div class="work"><div class="stack">
<dl class="kv">${read.account && pairRow(say('factTo'), html`<b>${read.account.label}</b>`)}${pairRow(addressName(look, connector.network.id, read.destination.address), addressText(connector.network.id, read.destination.address))}${holderRow(look, read.destination.holder)}${read.destination.memo !== null && pairRow(say('factMemo'), html`<span class="mono breaks">${read.destination.memo}</span>`)}${networkRow(look, connector.network.id)}${pairRow(say('factArrives'), amount)}${worthRow(deps, look, { asset: asset.id, units: read.units })}${networkFeeRow(look, connector.network.id, quote.networkFeeUnits, text(quote.networkFeeUnits))}${quote.serviceFeeUnits > 0n && pairRow(say('factServiceFee'), text(quote.serviceFeeUnits))}${pairRow(say('factTotal'), text(read.units + feeUnits), 'sum')}</dl>
${approvalNotice(look, facts, isToApprove)}
${left < 0n ? html`<p class="notice fail" role="alert">${icon('alert')}<span>${say('leftTooLittle')}</span></p>` : html`<p class="notice">${icon('clock')}<span>${whenItLeaves(deps, look, estimated, isToApprove)}</span></p>`}
${waiting.waiting !== undefined && html`<p class="notice wait">${icon('wait')}<span>${say('leftMustWait', { amount: amountText(look, waiting.waiting.amount, asset.assetCode) })}</span></p>`}
${
  left < 0n
    ? html`<p><a class="btn" href="${back}">${icon('left')}${say('back')}</a></p>`
    : html`<form class="form" method="post" action="${newTransferPath}"${!isPreparing && signing(look)}>${accountField(look)}${fields}<input type="hidden" name="fee" value="${formatUnits(feeUnits, asset.ledgerScale)}">${!isPreparing && orderProof(look)}
<div class="bar"><button class="btn primary">${!isPreparing && icon('finger')}${say(isPreparing ? 'askTransfer' : 'signTransfer', { amount })}</button><a class="btn quiet" href="${back}">${say('back')}</a></div>${!isPreparing && html`<p class="small quiet">${say(!hasPasskey ? 'reviewCode' : isAtBank(connector.network.id) ? 'reviewSignedBank' : 'reviewSigned')}</p>`}</form>`
}</div>
<div class="rail">${railPart(
      say('whatIsLeft'),
      html`${pairRow(say('leftAvailable'), text(availableUnits))}${pairRow(say('transferAmount'), lessText(amount))}${pairRow(say('swapFee'), lessText(text(feeUnits)))}${pairRow(say('leftSum', { code: asset.assetCode }), left < 0n ? '–' : text(left), 'sum')}${facts.leftWorth !== null && left >= 0n && pairRow(say('leftWorth'), worthText(look, facts.leftWorth, facts.merchant.accountCurrency))}`,
    )}${limitsPart(look, estimated)}</div></div>`,
  });
}

function approvalNotice(look: AccountLook, facts: ReviewFacts, isToApprove: boolean): Html | false {
  const { say, language } = look;
  const { approvers, estimated, isPreparing, hasApprovingKey } = facts;
  if (!isToApprove) return false;
  const { limit } = estimated;
  if (approvers.length === 0 && !hasApprovingKey)
    return html`<p class="notice fail">${icon('users')}<span>${say('nobodyApproves')}</span></p>`;
  const names = listed(language, approvers);
  const who =
    approvers.length === 0
      ? say('keyApproves')
      : say(approvers.length === 1 ? 'mustApprove' : 'mustApproveAny', { names });
  const why = isPreparing
    ? say('mustApproveRole')
    : limit && say('mustApproveWhy', { limit: limitText(look, limit.limit, limit.currency) });
  return html`<p class="notice">${icon('users')}<span><b>${who}</b> ${why}</span></p>`;
}

/** By the clock and not by when the page was asked for: what is usable now became so a moment after that. */
function whenItLeaves(
  { clock }: MoneyDeps,
  look: AccountLook,
  { quote, read }: EstimatedTransfer,
  isToApprove: boolean,
): HtmlValue {
  const { say } = look;
  const isNew = quote.usableFrom > clock.now();
  const when = momentText(look, quote.usableFrom);
  const atBank = isPaidByFile(read.method.connector.network.id) && say('leavesByBank');
  if (isNew) return html`${say.html(isToApprove ? 'leavesApprovedLater' : 'leavesLater', { when })} ${atBank}`;
  return isToApprove ? html`${say('leavesApproved')} ${atBank}` : atBank || say('leavesNow');
}

/** Rounded down: what is left of a limit is never more than is said. */
const limitText = (look: AccountLook, value: Decimal, currency: string): string =>
  worthText(look, formatDecimal(divide(value, decimal('1'), findCurrency(currency)?.decimals ?? 2, 'down')), currency);

function limitsPart(look: AccountLook, { limit }: EstimatedTransfer): Html {
  const { say } = look;
  const rows = limit
    ? html`${pairRow(say('approvalAbove'), limitText(look, limit.limit, limit.currency))}${limit.remaining && pairRow(say('approvalLeft'), limitText(look, limit.remaining, limit.currency))}`
    : html`<p class="small quiet">${say('noApprovalLimit')}</p>`;
  return limit
    ? railPart(say('limits'), rows)
    : html`<section class="part"><div class="part-head"><h2>${say('limits')}</h2></div>${rows}</section>`;
}
