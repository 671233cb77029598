/** Money and who moves it, in the words of the account: amounts, networks, addresses, actors. */
import { amountPattern } from '@quittance/contract/money';
import type { WalletRecord } from '@quittance/contract/wallet';
import { type AssetCatalog, type CatalogAsset, findAsset } from '../../catalog/asset-catalog.ts';
import { findCurrency } from '../../catalog/currency-catalog.ts';
import { findNetwork } from '../../catalog/network-catalog.ts';
import type { Query } from '../../db/database.ts';
import { personActor, shownActor } from '../../http/actor.ts';
import type { PageContext } from '../../http/route.ts';
import { GatewayError } from '../../lib/errors.ts';
import { compare, decimal, formatFixed } from '../../money/decimal.ts';
import type { Connector } from '../../networks/port/connector.ts';
import type { Holder } from '../../networks/port/sending.ts';
import { membersOf } from '../../people/person-store.ts';
import type { Grant } from '../../people/roles.ts';
import { worthOfUnits } from '../../wallets/read-wallets.ts';
import { inGroupsOfFour } from '../../web/address-groups.ts';
import { type Html, type HtmlValue, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import { coinText, priceText } from '../../web/number-text.ts';
import { transactionLink } from '../../web/transaction-link.ts';
import type { MoneyDeps } from '../money/money-deps.ts';
import { type Goal, holderWords } from '../money/order-words.ts';
import type { AccountLook } from './account-look.ts';

export const networkName = (id: string): string => findNetwork(id)?.name ?? id;

/** Where somebody must be known by name, and an account has a number. */
export const isAtBank = (network: string): boolean => findNetwork(network)?.accountNumbers !== undefined;

/** What stands beside `goalText`. */
export function addressName({ say }: Pick<AccountLook, 'say'>, network: string, address: string): string {
  const numbers = findNetwork(network)?.accountNumbers;
  if (!numbers) return say('factAddress');
  return numbers.isIban(address) ? 'IBAN' : say('factAccountNumber');
}

/** Accounts at banks in groups, as people compare them; what is selected and copied has no gaps. */
export const addressText = (network: string, address: string): Html =>
  isAtBank(network) ? inGroupsOfFour(address) : html`<span class="mono breaks">${address}</span>`;

/** What carries it: a bank is no network to anybody who pays by it. */
export const networkRow = ({ say }: Pick<AccountLook, 'say'>, network: string): Html =>
  pairRow(say(isAtBank(network) ? 'factPaidBy' : 'factNetwork'), networkName(network));

/** A bank takes none for most of what we send: then nobody is told of it. */
export const networkFeeRow = ({ say }: Pick<AccountLook, 'say'>, network: string, units: bigint, text: string) =>
  (units !== 0n || !isAtBank(network)) && pairRow(say(isAtBank(network) ? 'factBankFee' : 'factNetworkFee'), text);

export const amountText = ({ language }: AccountLook, amount: string, code: string): string =>
  coinText(language, amount, code);

/** A value in a currency, with all its decimals. */
export const worthText = ({ language }: AccountLook, value: string, currency: string): string =>
  priceText(language, fixedValue(value, currency), currency);

export const fixedValue = (value: string, currency: string): string =>
  formatFixed(decimal(value), findCurrency(currency)?.decimals ?? 2);

/** What is worth most comes first; what has no rate, last. */
export const byWorth = (wallets: readonly WalletRecord[]): WalletRecord[] =>
  wallets.toSorted((a, b) => compare(decimal(b.value ?? '-1'), decimal(a.value ?? '-1')));

/** Both ends, by which people compare. */
export const shortened = (text: string): string => (text.length > 24 ? `${text.slice(0, 10)}…${text.slice(-8)}` : text);

/** In an address bar: the code, or the id where another asset has the code. */
export const assetPath = (assets: AssetCatalog, { id, assetCode }: Pick<CatalogAsset, 'id' | 'assetCode'>): string =>
  encodeURIComponent(findAsset(assets, assetCode)?.id === id ? assetCode : id);

/** By actor: the names of those who belong to the account. */
export type ActorNames = ReadonlyMap<string, string>;

export async function actorNames(query: Query, merchantId: string): Promise<ActorNames> {
  const members = await membersOf(query, merchantId);
  return new Map(members.map(({ personId, name }) => [personActor(personId), name]));
}

export function actorText({ say }: Pick<AccountLook, 'say'>, names: ActorNames, actor: string): string {
  if (actor === 'operator') return say('byOperator');
  if (actor.startsWith('person:')) return names.get(actor) ?? say('askedBySomebody');
  return say('askedByKey', { key: shownActor(actor) });
}

/** What we sent, or what came where people know it by its transaction: else `bookingRows` says it. */
export function transactionText(
  { connectors }: { readonly connectors: ReadonlyMap<string, Connector> },
  network: string,
  hash: string,
): Html {
  const { knownAs, type } = findNetwork(network) ?? {};
  // What a bank calls it is looked for at the bank, so all of it is there.
  if (type === 'BANK') return html`<span class="mono breaks">${(knownAs ? knownAs.sent(hash) : hash) ?? '–'}</span>`;
  const href = transactionLink(connectors, network, hash);
  const text = html`<span class="mono breaks" title="${hash}">${shortened(hash)}</span>`;
  return href === null ? text : html`<a href="${href}" target="_blank" rel="noopener noreferrer">${text}</a>`;
}

/** What that is called, of what was sent. */
export const transactionName = ({ say, language }: Pick<AccountLook, 'say' | 'language'>, network: string): string =>
  findNetwork(network)?.knownAs?.sentName[language] ?? say('factTransaction');

export const doneNotice = (text: HtmlValue): Html =>
  html`<p class="notice paid" role="status">${icon('check')}<span>${text}</span></p>`;

export const pairRow = (name: string, value: HtmlValue, kind = ''): Html =>
  html`<div${kind !== '' && html` class="${kind}"`}><dt>${name}</dt><dd>${value}</dd></div>`;

/** What is taken away. The sign stands before the number also where lines begin on the right. */
export const lessText = (amount: string): Html => html`<bdi dir="ltr">−${amount}</bdi>`;

/** What an amount is worth now, in the currency of the account; nothing, where there is no rate. */
export function worthRow(
  { rates, assets }: Pick<MoneyDeps, 'rates' | 'assets'>,
  look: AccountLook,
  { asset: id, units }: { readonly asset: string; readonly units: bigint },
): Html | false {
  const currency = look.signedIn?.merchant?.accountCurrency;
  const asset = findAsset(assets, id);
  const worth = asset && currency !== undefined ? worthOfUnits(rates, asset, units, currency) : null;
  return worth !== null && currency !== undefined && pairRow(look.say('leftWorth'), worthText(look, worth, currency));
}

/** Whose account it is, where the network asks for that. */
export const holderRow = ({ say }: AccountLook, holder: Holder | null): Html | false =>
  holder !== null && pairRow(say('factHolder'), html`<bdi>${holderWords(holder)}</bdi>`);

/** All that decides where money goes. */
export const goalRows = (look: AccountLook, { network, address, memo, memoType, holder }: Goal): Html =>
  html`${networkRow(look, network)}${address !== null && pairRow(addressName(look, network, address), addressText(network, address))}${holderRow(look, holder)}${memo !== null && pairRow(look.say('factMemo'), html`<span class="mono breaks">${memo}</span> (${memoType})`)}`;

export const railPart = (title: string, rows: HtmlValue): Html =>
  html`<section class="part"><div class="part-head"><h2>${title}</h2></div><dl class="kv">${rows}</dl></section>`;

/** A text of the address, or nothing. */
export const askedText = ({ query }: Pick<PageContext, 'query'>, name: string): string => {
  const value = query[name];
  return typeof value === 'string' ? value.trim().slice(0, 2048) : '';
};

/** With a comma too, as half of the world writes it. Nothing typed is no amount, and told by who needs one. */
export function withPoint(text: string): string {
  const amount = text.trim().replace(',', '.');
  if (amount !== '' && !amountForm.test(amount)) throw amountUnreadable(text.trim());
  return amount;
}

const amountForm = new RegExp(amountPattern);

const amountUnreadable = (text: string): GatewayError =>
  new GatewayError({
    code: 'amount_unreadable',
    httpStatus: 400,
    message: `The amount must be a number such as 12.50, but is ${JSON.stringify(text.slice(0, 40))}.`,
  });

/** Some roles only prepare what others approve, and not everything can wait for that. */
export function demandNoPreparing(grant: Grant): void {
  if (grant === 'prepare')
    throw new GatewayError({
      code: 'cannot_prepare',
      httpStatus: 403,
      message: 'Your role can only prepare transfers and refunds for others to approve. Ask an owner or admin.',
    });
}

/** A page that shows what is wrong with what was typed; anything else is for the frame to tell. */
export async function orProblem<T>(work: () => Promise<T>): Promise<T | GatewayError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
}
