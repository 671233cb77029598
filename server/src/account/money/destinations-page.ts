/** Destinations: where money may go, under names of the account's own; and a new one, which a passkey signs. */
import { beneficiaryName } from '../../counterparties/beneficiary-fields.ts';
import type { Beneficiary } from '../../counterparties/beneficiary-store.ts';
import type { TargetAccount } from '../../counterparties/target-account.ts';
import type { GatewayError } from '../../lib/errors.ts';
import { type Html, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import { pagerOf } from '../developers/developer-parts.ts';
import { accountPage, problemNotice } from '../frame/account-layout.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { momentText } from '../frame/moment-text.ts';
import { addressText, doneNotice, isAtBank, networkName } from '../frame/money-words.ts';
import { accountField, orderProof, proofField, proving, signing } from '../sign-in/sign-in-parts.ts';
import { durationText, memoFields } from './new-transfer-page.ts';
import { destinationsPath, newTransferPath, transfersPath } from './transfers-page.ts';

export const newDestinationPath = `${destinationsPath}/new`;

const mayChange = ({ signedIn }: AccountLook): boolean => signedIn?.grant('moveMoney') === 'proof';

export type DestinationsFacts = {
  readonly accounts: readonly TargetAccount[];
  readonly beneficiaries: ReadonlyMap<string, Beneficiary>;
  readonly next: string | null;
  readonly isFirst: boolean;
  readonly added: TargetAccount | null;
  readonly isRemovedNow: boolean;
};

export function destinationsPage(look: AccountLook, facts: DestinationsFacts): Html {
  const { say } = look;
  const { accounts, added } = facts;
  const isNew =
    mayChange(look) &&
    html`<a class="btn primary" href="${newDestinationPath}">${icon('plus')}${say('addDestination')}</a>`;
  return accountPage(look, {
    title: say('destinations'),
    crumb: html`<a href="${transfersPath}">${say('transfers')}</a> <span class="quiet">/ ${say('destinations')}</span>`,
    actions: accounts.length > 0 && isNew,
    main: html`${added && doneNotice(say.html('destinationDid_added', { when: usableText(look, added) }))}${facts.isRemovedNow && doneNotice(say('destinationDid_removed'))}
<p class="lead">${say('destinationsLead')}</p>
${accounts.length === 0 ? html`<div class="empty">${icon('send')}<p>${say('noDestinations')}</p>${isNew}</div>` : table(look, facts)}
${pagerOf(look, destinationsPath, facts)}`,
  });
}

const usableText = (look: AccountLook, { usableFrom }: TargetAccount): Html | string =>
  usableFrom > look.now ? look.say.html('usableFrom', { when: momentText(look, usableFrom) }) : look.say('usableNow');

function table(look: AccountLook, { accounts, beneficiaries }: DestinationsFacts): Html {
  const { say } = look;
  const row = (account: TargetAccount): Html => {
    const beneficiary = beneficiaries.get(account.beneficiaryId ?? '');
    const memo = account.memo !== null && html`<br><small class="quiet">${say('factMemo')} ${account.memo}</small>`;
    return html`<tr><th scope="row" class="wrap">${account.label}<span class="sub">${networkName(account.network)} · ${usableText(look, account)}</span><span class="sub">${addressText(account.network, account.address)}</span>${beneficiary && html`<span class="sub cramped">${beneficiaryName(beneficiary)}</span>`}</th><td class="wrap desk">${addressText(account.network, account.address)}${account.bic !== null && html`<br><small class="quiet">BIC ${account.bic}</small>`}${memo}</td><td class="desk">${networkName(account.network)}</td><td class="desk roomy wrap">${beneficiary ? beneficiaryName(beneficiary) : html`<span class="quiet">–</span>`}</td><td class="desk">${usableText(look, account)}</td><td class="n">${look.may('moveMoney') && rowActions(look, account)}</td></tr>`;
  };
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${say('destinations')}"><table class="table list"><thead><tr><th scope="col">${say('destinationLabel')}</th><th scope="col" class="desk">${say('whereTo')}</th><th scope="col" class="desk">${say('factNetwork')}</th><th scope="col" class="desk roomy">${say('destinationBeneficiary')}</th><th scope="col" class="desk">${say('destinationUsable')}</th><th scope="col"><span class="unseen">${say('actions')}</span></th></tr></thead><tbody>${accounts.map(row)}</tbody></table></div>`;
}

const rowActions = (look: AccountLook, { id, label }: TargetAccount): Html =>
  html`<span class="bar tight"><a class="btn small" href="${newTransferPath}?to=${id}" aria-label="${look.say('newTransfer')}: ${label}">${icon('send')}</a>${mayChange(look) && html`<form class="inline" method="post" action="${destinationsPath}/${id}/remove"${proving(look)}>${accountField(look)}${proofField(look)}<button class="btn small danger" aria-label="${look.say('removeDestination')}: ${label}">${look.say('removeDestination')}</button></form>`}</span>`;

/** As it was filled in. */
export const destinationFields = [
  ...(['label', 'network', 'address', 'memo', 'memoType', 'bic'] as const),
  ...(['beneficiary', 'holder', 'company', 'firstname', 'lastname'] as const),
  ...(['street', 'postCode', 'town', 'country'] as const),
] as const;
export type AskedDestination = Readonly<Record<(typeof destinationFields)[number], string>>;

export const newBeneficiary = 'new';

export type NewDestinationFacts = {
  readonly asked: AskedDestination;
  readonly networks: readonly string[];
  readonly beneficiaries: readonly Beneficiary[];
  readonly waitMinutes: number;
  readonly problem: GatewayError | null;
};

export function newDestinationPage(look: AccountLook, facts: NewDestinationFacts): Html {
  const { say } = look;
  const hasPasskey = (look.signedIn?.person.passkeys ?? 0) > 0;
  const refusal = !mayChange(look) ? 'destinationOthers' : !hasPasskey ? 'destinationNeedsPasskey' : null;
  return accountPage(look, {
    title: say('newDestination'),
    crumb: html`<a href="${transfersPath}">${say('transfers')}</a> <span class="quiet">/</span> <a href="${destinationsPath}">${say('destinations')}</a>`,
    main: html`${problemNotice(look, facts.problem)}${refusal !== null ? html`<p class="notice">${icon('info')}<span>${say(refusal)}</span></p>` : destinationForm(look, facts)}`,
  });
}

function destinationForm(
  look: AccountLook,
  { asked, networks, beneficiaries, waitMinutes }: NewDestinationFacts,
): Html {
  const { say } = look;
  const field = (name: (typeof destinationFields)[number], text: string, most = 100): Html =>
    html`<div class="field"><label for="${name}">${text}</label><input class="input" id="${name}" name="${name}" maxlength="${most}" autocomplete="off" value="${asked[name]}"></div>`;
  const hasBanks = networks.some(isAtBank);
  const option = (value: string, text: string, given = asked.beneficiary): Html =>
    html`<option value="${value}"${value === given && html` selected`}>${text}</option>`;
  const known = (given: string): Html[] => beneficiaries.map((each) => option(each.id, beneficiaryName(each), given));
  const holder = asked.holder || asked.beneficiary || newBeneficiary;
  return html`<p class="lead">${say('newDestinationLead')}${waitMinutes > 0 && ` ${say('destinationsWait', { time: durationText(look, waitMinutes) })}`}</p>
<form class="form part" method="post" action="${destinationsPath}"${signing(look)}>${accountField(look)}
<div class="field"><label for="label">${say('destinationLabel')}</label><input class="input" id="label" name="label" required maxlength="60" autocomplete="off" value="${asked.label}" aria-describedby="label-help"><p class="help" id="label-help">${say('destinationLabelHelp')}</p></div>
<div class="field"><label for="network">${say('transferNetwork')}</label><span class="select"><select class="input" id="network" name="network">${networks.map((id) => html`<option value="${id}"${isAtBank(id) && html` data-bank`}${id === asked.network && html` selected`}>${networkName(id)}</option>`)}</select></span></div>
<div class="field"><label for="address"><span class="when-chain">${say('factAddress')}</span>${hasBanks && html`<span class="when-bank">${say('destinationAccount')}</span>`}</label><input class="input mono" id="address" name="address" required maxlength="2048" autocomplete="off" spellcheck="false" value="${asked.address}"></div>
<div class="form when-chain">${memoFields(look, asked)}</div>
${hasBanks && html`<div class="field when-bank"><label for="bic">${say('destinationBic')}</label><input class="input mono" id="bic" name="bic" maxlength="11" autocomplete="off" spellcheck="false" value="${asked.bic}"></div>`}
<div class="field when-chain"><label for="beneficiary">${say('beneficiaryOf')}</label><span class="select"><select class="input" id="beneficiary" name="beneficiary">${option('', say('beneficiaryNone'))}${option(newBeneficiary, say('beneficiaryNew'))}${known(asked.beneficiary)}</select></span></div>
${hasBanks && html`<div class="field when-bank"><label for="holder">${say('destinationHolder')}</label><span class="select"><select class="input" id="holder" name="holder" aria-describedby="holder-help">${option(newBeneficiary, say('beneficiaryNew'), holder)}${known(holder)}</select></span><p class="help" id="holder-help">${say('destinationHolderHelp')}</p></div>`}
<div class="form when-new">${field('company', say('beneficiaryCompany'))}${field('firstname', say('beneficiaryFirstname'))}${field('lastname', say('beneficiaryLastname'))}${hasBanks && html`<div class="form when-bank">${field('street', say('field_adr1'))}${field('postCode', say('field_zip'))}${field('town', say('field_city'))}${field('country', say('field_countrycode'), 2)}</div>`}</div>
${orderProof(look)}
<div class="bar"><button class="btn primary">${icon('finger')}${say('saveDestination')}</button><a class="btn quiet" href="${destinationsPath}">${say('back')}</a></div></form>`;
}
