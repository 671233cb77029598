/** What the account holds: a row for each asset, what that is worth now; and of one asset, everything that happened. */
import type { LedgerEntryRecord, WalletRecord } from '@quittance/contract/wallet';
import { type AssetCatalog, findAsset } from '../../catalog/asset-catalog.ts';
import type { Period } from '../../reports/report-period.ts';
import { type Html, type HtmlValue, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import { coinDigits, priceHtml } from '../../web/number-text.ts';
import { shortMoment } from '../checkouts/checkout-words.ts';
import { pagerOf } from '../developers/developer-parts.ts';
import { exportButton } from '../exports/list-reply.ts';
import { accountPage } from '../frame/account-layout.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { periodText } from '../frame/day-text.ts';
import { momentText } from '../frame/moment-text.ts';
import { amountText, assetPath, fixedValue, worthText } from '../frame/money-words.ts';
import { entryName } from './entry-words.ts';

export const balancesPath = '/account/balances';
export const swapPath = `${balancesPath}/swap`;
export const depositPath = `${balancesPath}/deposit`;

export const balancesCrumb = ({ say }: AccountLook, name: string): Html =>
  html`<a href="${balancesPath}">${say('balances')}</a> <span class="quiet">/ ${name}</span>`;

export type BalanceFacts = {
  readonly wallets: readonly WalletRecord[];
  readonly totalValue: string | null;
  readonly currency: string;
};

/** What a wallet holds, in the order of the columns. */
const columns = ['available', 'pending', 'waiting', 'suspense', 'reserved', 'receivable'] as const;
type Column = (typeof columns)[number];

const held = (wallet: WalletRecord, column: Column): string =>
  column === 'waiting' ? (wallet.waiting?.amount ?? '0') : (wallet[column] ?? '0');

const isEmpty = (wallet: WalletRecord): boolean => columns.every((column) => held(wallet, column) === '0');

export function balancesPage(deps: { readonly assets: AssetCatalog }, look: AccountLook, facts: BalanceFacts): Html {
  const { say, language } = look;
  const { totalValue, currency } = facts;
  const full = facts.wallets.filter((wallet) => !isEmpty(wallet));
  const empty = facts.wallets.filter(isEmpty);
  return accountPage(look, {
    title: say('balances'),
    actions: moneyActions(look),
    main: html`${
      full.length === 0
        ? html`<div class="empty">${icon('wallet')}<p>${say('noBalances')}</p>${newDepositButton(look)}</div>`
        : html`<p class="small quiet">${say('worthNow')}</p>
${totalValue === null ? html`<p>${say('worthUnknown')}</p>` : html`<div class="amount">${priceHtml(language, fixedValue(totalValue, currency), currency)}</div>`}
<p class="small quiet">${say('worthMeans')}</p>
${walletTable(deps, look, full, facts)}`
    }
${empty.length > 0 && html`<details class="fold part"><summary class="btn">${say('emptyBalances', { count: empty.length })}</summary><ul class="line-list">${empty.map((wallet) => html`<li><a href="${balancePath(deps, wallet)}">${wallet.assetCode}</a> <small>${wallet.name}</small></li>`)}</ul></details>`}`,
  });
}

/** What brings something into an account that has nothing. */
export const newDepositButton = ({ say, may }: AccountLook): Html | false =>
  may('moveMoney') && html`<a class="btn" href="${depositPath}">${say('newDeposit')}</a>`;

/** Where each leads: the asset is chosen already where one is looked at. */
function moneyActions(look: AccountLook, asset = ''): HtmlValue {
  const { say, may } = look;
  if (!may('moveMoney')) return may('seeBalances') && html`<a class="btn" href="${depositPath}">${say('deposits')}</a>`;
  const [from, of] = asset === '' ? ['', ''] : [`?from=${asset}`, `?asset=${asset}`];
  return html`<a class="btn" href="${depositPath}${of}">${icon('download')}${say('deposits')}</a><a class="btn" href="${swapPath}${from}">${icon('swap')}${say('swap')}</a><a class="btn primary" href="/account/transfers/new${of}">${icon('send')}${say('newTransfer')}</a>`;
}

/** The page of one asset. */
export const balancePath = (
  { assets }: { readonly assets: AssetCatalog },
  { assetId, assetCode }: WalletRecord,
): string => `${balancesPath}/asset/${assetPath(assets, { id: assetId, assetCode })}`;

function coinOf({ assets }: { readonly assets: AssetCatalog }, { assetId }: WalletRecord): Html | false {
  const picture = findAsset(assets, assetId)?.imageSrc;
  return picture !== undefined && html`<img class="coin small" src="${picture}" alt="" width="18" height="18">`;
}

function walletTable(
  deps: { readonly assets: AssetCatalog },
  look: AccountLook,
  wallets: readonly WalletRecord[],
  { currency }: BalanceFacts,
): Html {
  const { say } = look;
  // A column that is empty in every row says nothing.
  const shown = columns.filter(
    (column) => column === 'available' || wallets.some((each) => held(each, column) !== '0'),
  );
  const worth = ({ value }: WalletRecord): string =>
    value === null ? say('noValue') : worthText(look, value, currency);
  const row = (wallet: WalletRecord): Html =>
    html`<tr><th scope="row"><span class="with-coin">${coinOf(deps, wallet)}<a href="${balancePath(deps, wallet)}">${wallet.assetCode}</a></span><span class="sub">${wallet.name}</span></th>${shown.map(
      (column) =>
        html`<td class="n${column !== 'available' && ' desk'}">${heldText(look, wallet, column)}${column === 'available' && html`<span class="sub">${worth(wallet)}</span>`}</td>`,
    )}<td class="n desk">${worth(wallet)}</td></tr>`;
  return html`<div class="scroll part" tabindex="0" role="region" aria-label="${say('balances')}"><table class="table list"><thead><tr><th scope="col">${say('balanceAsset')}</th>${shown.map((column) => html`<th scope="col" class="n${column !== 'available' && ' desk'}" title="${say(`balanceMeans_${column}`)}">${say(`balance_${column}`)}</th>`)}<th scope="col" class="n desk">${say('valueNow')}</th></tr></thead>
<tbody>${wallets.map(row)}</tbody></table></div>`;
}

/** Every number leads to the rows that make it up. */
function heldText(look: AccountLook, wallet: WalletRecord, column: Column): HtmlValue {
  const amount = held(wallet, column);
  if (amount === '0' && column !== 'available') return html`<span class="quiet">–</span>`;
  const text = coinDigits(look.language, amount, wallet.assetCode);
  if (column === 'suspense') return html`<a href="/account/needs-you?group=payments">${text}</a>`;
  if (column === 'reserved') return html`<a href="/account/transfers?tab=underWay">${text}</a>`;
  return text;
}

export type OneBalanceFacts = {
  readonly wallet: WalletRecord;
  readonly currency: string;
  readonly entries: readonly LedgerEntryRecord[];
  readonly next: string | null;
  readonly isFirst: boolean;
  /** Only what happened then; null: all. */
  readonly period: Period | null;
};

export function oneBalancePage(
  deps: { readonly assets: AssetCatalog },
  look: AccountLook,
  { wallet, currency, entries, next, isFirst, period }: OneBalanceFacts,
): Html {
  const { say } = look;
  const { assetCode, value, waiting } = wallet;
  const asset = assetPath(deps.assets, { id: wallet.assetId, assetCode });
  const until = waiting?.until
    ? html` ${say.html('waitingUntil', { when: momentText(look, new Date(waiting.until)) })}`
    : '';
  const rows = columns
    .filter((column) => column === 'available' || held(wallet, column) !== '0')
    .map(
      (column) =>
        html`<div><dt>${say(`balance_${column}`)}<br><small class="quiet">${say(`balanceMeans_${column}`)}${column === 'waiting' && until}</small></dt><dd>${amountText(look, held(wallet, column), assetCode)}</dd></div>`,
    );
  const path = `${balancesPath}/asset/${asset}`;
  const chip =
    period &&
    html`<a class="chip on" href="${path}"><span class="unseen">${say('filter_period')}: </span>${periodText(look, period)}<span class="unseen">, ${say('removeFilter')}</span>${icon('x')}</a>`;
  return accountPage(look, {
    title: wallet.name === assetCode ? assetCode : `${wallet.name} (${assetCode})`,
    crumb: balancesCrumb(look, assetCode),
    actions: html`${entries.length > 0 && exportButton(look, `${path}/export${period ? `?period=${period.name}` : ''}`)}${moneyActions(look, asset)}`,
    main: html`<div class="work"><section><div class="part-head"><h2 id="h-entries">${say('entries')}</h2>${chip && html`<span class="more">${chip}</span>`}</div>
${entries.length === 0 ? html`<p class="lead">${say('noEntries')}</p>` : entryTable(look, entries, wallet.assetCode)}
${pagerOf(look, path, { next, isFirst, rest: period ? `period=${period.name}` : '' })}</section>
<div class="rail"><section class="part"><div class="part-head"><h2>${say('balances')}</h2></div><dl class="kv held">${rows}<div class="sum"><dt>${say('valueNow')}</dt><dd>${value === null ? say('noValue') : worthText(look, value, currency)}</dd></div></dl></section></div></div>`,
  });
}

function entryTable(look: AccountLook, entries: readonly LedgerEntryRecord[], code: string): Html {
  const { say } = look;
  return html`<div class="scroll bleed" tabindex="0" role="region" aria-labelledby="h-entries"><table class="table list calm"><thead><tr><th scope="col">${say('entryWhat')}</th><th scope="col" class="n">${say('entryChange')}</th><th scope="col" class="n desk">${say('entryElsewhere')}</th><th scope="col" class="n desk">${say('entryTime')}</th></tr></thead>
<tbody>${entries.map((entry) => entryRow(look, entry, code))}</tbody></table></div>`;
}

function entryRow(look: AccountLook, entry: LedgerEntryRecord, code: string): Html {
  const { kind, subject, reference, timestamp, lines } = entry;
  const { say } = look;
  const name = entryName(look, kind);
  const path = subjectPath(subject);
  const time = shortMoment(look, new Date(timestamp), look.now);
  const change = lines.find(({ account }) => account === 'available')?.amount;
  const others = lines.filter(({ account }) => account !== 'available');
  const text = others.map(
    ({ account, amount }, at) =>
      html`${at > 0 && ' '}<span class="nowrap">${say(`balance_${account}`)} ${signed(look, amount, code)}${at < others.length - 1 && ','}</span>`,
  );
  return html`<tr title="${say('entryReference', { reference })}"><th scope="row">${path === null ? name : html`<a href="${path}">${name}</a>`}<span class="sub">${time}</span></th><td class="n">${change === undefined ? html`<span class="quiet">–</span>` : signed(look, change, code)}<span class="sub">${text}</span></td><td class="n desk wrap">${text}</td><td class="n desk">${time}</td></tr>`;
}

const signed = ({ language }: AccountLook, amount: string, code: string): string =>
  amount.startsWith('-') ? `−${coinDigits(language, amount.slice(1), code)}` : `+${coinDigits(language, amount, code)}`;

const places: Readonly<Record<string, string>> = {
  checkout: '/account/checkouts',
  refund: '/account/refunds',
  transfer: '/account/transfers',
  swap: swapPath,
  deposit: depositPath,
};

function subjectPath({ kind, id }: LedgerEntryRecord['subject']): string | null {
  const place = places[kind];
  return place === undefined ? null : `${place}/${encodeURIComponent(id)}`;
}
