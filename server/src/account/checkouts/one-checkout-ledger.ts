/** What was booked about a checkout and its refunds, newest first: from where, to where, how much. */
import { assetOfAccount } from '../../ledger/chart-of-accounts.ts';
import type { Line } from '../../ledger/entry.ts';
import type { PostedEntry } from '../../ledger/ledger-store.ts';
import { type Html, html } from '../../web/html.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { entryName, ledgerAccountName } from '../money/entry-words.ts';
import { shortMoment, unitsText, type WordDeps } from './checkout-words.ts';

export const ledgerPart = (deps: WordDeps, look: AccountLook, entries: readonly PostedEntry[] | null): Html | false =>
  entries !== null &&
  entries.length > 0 &&
  html`<section class="part" id="ledger"><div class="part-head"><h2>${look.say('ledger')}</h2></div><ol class="entries">${entries.map((entry) => entryItem(deps, look, entry))}</ol></section>`;

const entryItem = (deps: WordDeps, look: AccountLook, { kind, reference, postedAt, lines }: PostedEntry): Html => {
  const sorted = [...lines.filter(({ units }) => units < 0n), ...lines.filter(({ units }) => units > 0n)];
  return html`<li title="${look.say('entryReference', { reference })}"><p class="head"><b>${entryName(look, kind)}</b>${shortMoment(look, postedAt, look.now)}</p><dl class="kv">${sorted.map((line) => lineRow(deps, look, line))}</dl></li>`;
};

/** What an account loses, it gives: units are never negative here. */
function lineRow(deps: WordDeps, look: AccountLook, { account, units }: Line): Html {
  const isTo = units > 0n;
  const amount = unitsText(deps, look, { asset: assetOfAccount(account), units: isTo ? units : -units });
  return html`<div><dt>${look.say(isTo ? 'ledgerTo' : 'ledgerFrom')} ${ledgerAccountName(look, account)}</dt><dd>${amount}</dd></div>`;
}
