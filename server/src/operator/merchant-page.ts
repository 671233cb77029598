/** One account, as the operator sees it: what was agreed, who owns it, whether it works. */
import { textField } from '../account/settings/settings-parts.ts';
import type { AssetCatalog } from '../catalog/asset-catalog.ts';
import { findNetwork, printedAddress } from '../catalog/network-catalog.ts';
import type { Merchant } from '../merchants/merchant.ts';
import type { OpenInvitation } from '../people/one-time-link-store.ts';
import type { Member } from '../people/person-store.ts';
import type { HeldBackOrder } from '../refunds/cancel-held-back.ts';
import { type Html, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import { merchantsPath, stateOf } from './merchants-page.ts';
import { operatorPage } from './operator-layout.ts';
import type { OperatorLook } from './operator-look.ts';
import { emptyPart, houseMoment, part, stateMark, tableIn, unitsOf } from './operator-parts.ts';
import { doneNote, plainForm, staffForm } from './staff-form.ts';

export type MerchantFacts = {
  readonly merchant: Merchant;
  readonly members: readonly Member[];
  /** Whom the staff invited to own it, as long as nobody does. */
  readonly toOwn: readonly OpenInvitation[];
  readonly credited: string | null;
  /** What it keeps, and what everybody may with whom nothing else was agreed. */
  readonly stored: { readonly bytes: number; readonly usualMegabytes: number };
  /** What waits to leave, while it is suspended. */
  readonly heldBack: readonly HeldBackOrder[];
  readonly assets: AssetCatalog;
  readonly usualFees: { readonly percent: string; readonly minimumUsd: string };
  /** A page of the account that somebody was led to; null: none. */
  readonly wanted: string | null;
  readonly problem: Html | false;
  readonly did: string | null;
};

const doneWords: Readonly<Record<string, string>> = {
  opened: 'The account is open. Its owner gets a link by e-mail.',
  invited: 'The link is on its way by e-mail.',
  'taken-back': 'The invitation is taken back.',
  fees: 'The fees are changed, for quotes from now on.',
  room: 'How much it may keep is changed, from this second on.',
  suspended: 'The account is suspended. Its people read why.',
  canceled: 'It is taken back: the money is available in the account again, and its people read that you did it.',
  resumed: 'The account works again. What waited is sent now.',
};

export function merchantPage(look: OperatorLook, facts: MerchantFacts): Html {
  const { merchant, members, credited, wanted, problem, did } = facts;
  const owners = members.filter(({ role }) => role === 'owner').length;
  const here = `${merchantsPath}/${merchant.id}`;
  return operatorPage(look, {
    title: merchant.name,
    crumb: html`<a href="${merchantsPath}">Merchants</a>`,
    lead: stateOf({ suspendedAt: merchant.suspended?.at ?? null, owners }),
    actions:
      look.staffMay('lookAtMerchants') &&
      wanted === null &&
      plainForm(look, { action: `${here}/look`, button: html`${icon('eye')}Look at`, isSmall: true }),
    main: html`${problem}${doneNote(doneWords[did ?? ''] ?? null)}${wanted !== null && look.staffMay('lookAtMerchants') && wantedPart(look, here, wanted)}
${merchant.suspended && html`<p class="notice fail">${icon('alert')}<span>Suspended since ${houseMoment(merchant.suspended.at)}: ${merchant.suspended.why}</span></p>`}
<dl class="kv"><div><dt>Id</dt><dd class="mono">${merchant.id}</dd></div><div><dt>E-mail</dt><dd>${(look.staffMay('lookAtMerchants') && merchant.email) || '–'}</dd></div><div><dt>Account currency</dt><dd>${merchant.accountCurrency}</dd></div><div><dt>Credited today</dt><dd>${credited ?? '–'}</dd></div><div><dt>Keeps here</dt><dd>${storedText(facts)}</dd></div></dl>
${peoplePart(look, facts, owners)}
${look.staffMay('merchants') && feesPart(look, facts)}
${look.staffMay('merchants') && roomPart(look, facts)}
${facts.heldBack.length > 0 && heldBackPart(look, facts)}
${look.staffMay('merchants') && suspendPart(look, merchant)}`,
  });
}

const storedText = ({ merchant, stored: { bytes, usualMegabytes } }: MerchantFacts): Html => {
  const megabytesMax = merchant.storedMegabytesMax ?? usualMegabytes;
  const text = `${Math.ceil(bytes / 1024 / 1024)} of ${megabytesMax} MB`;
  return bytes < megabytesMax * 1024 * 1024 * 0.9
    ? html`${text}`
    : html`${stateMark('wait', `${text}: give it more room below, or ask what it sends`)}`;
};

/** Nobody comes into an account by a link: the press of a button is what its people read about. */
const wantedPart = (look: OperatorLook, here: string, wanted: string): Html =>
  html`<div class="notice wait" id="wanted">${icon('eye')}<span>What you looked for is in this account. That you look at it is written into its audit log.</span>${plainForm(look, { action: `${here}/look`, button: 'Look at it', kind: 'primary', isSmall: true, body: html`<input type="hidden" name="to" value="${wanted}">` })}</div>`;

function invitedPart(look: OperatorLook, { merchant, toOwn }: MerchantFacts): Html {
  const rows = toOwn.map(({ id, email, goodFrom, expiresAt, mailFailedAt }) => {
    const takeBack = staffForm(look, {
      action: `${merchantsPath}/${merchant.id}/take-back`,
      button: html`Take back<span class="unseen"> the invitation of ${email}</span>`,
      isSmall: true,
      body: html`<input type="hidden" name="invitation" value="${id}">`,
    });
    return html`<tr><th scope="row">${email}${mailFailedAt && html`<span class="sub">${stateMark('fail', 'The e-mail could not be sent')}</span>`}</th><td>${houseMoment(goodFrom)}</td><td class="desk">${houseMoment(expiresAt)}</td><td class="n">${takeBack}</td></tr>`;
  });
  const head = html`<th scope="col">Invited to own it</th><th scope="col">Good from</th><th scope="col" class="desk">Until</th><td></td>`;
  return tableIn('invited', head, rows);
}

function peoplePart(look: OperatorLook, facts: MerchantFacts, owners: number): Html {
  const { merchant, members, toOwn } = facts;
  const rows = members.map(
    ({ name, email, role, hasSecondFactor, seenAt }) =>
      html`<tr><th scope="row">${name}${look.staffMay('lookAtMerchants') && html`<span class="sub">${email}</span>`}</th><td>${look.say(`role_${role}`)}</td><td class="desk">${hasSecondFactor ? 'yes' : 'no'}</td><td class="n desk">${seenAt ? houseMoment(seenAt) : 'never'}</td></tr>`,
  );
  const head = html`<th scope="col">Name</th><th scope="col">Role</th><th scope="col" class="desk">Second factor</th><th scope="col" class="n desk">Seen</th>`;
  const invitation =
    owners === 0 &&
    look.staffMay('merchants') &&
    staffForm(look, {
      action: `${merchantsPath}/${merchant.id}/invite`,
      button: 'Invite an owner',
      body: textField({
        name: 'email',
        label: 'E-mail address',
        value: '',
        help: 'Nobody owns this account yet. Earlier links to it for the same address stop working. If it has keys or a balance, the link is good a day later, and all who move money and the address of the account are told.',
        attributes: html`type="email" required maxlength="254"`,
      }),
    });
  return part(
    'people',
    'People',
    html`${rows.length === 0 ? emptyPart('Nobody belongs to this account yet.') : tableIn('people', head, rows)}${owners === 0 && toOwn.length > 0 && look.staffMay('merchants') && invitedPart(look, facts)}${invitation}`,
  );
}

const feesPart = (look: OperatorLook, { merchant, usualFees }: MerchantFacts): Html =>
  part(
    'fees',
    'Fees',
    staffForm(look, {
      action: `${merchantsPath}/${merchant.id}/fees`,
      button: 'Save the fees',
      body: html`${textField({ name: 'percent', label: 'Of what is credited', value: merchant.feePercent ?? '', unit: '%', help: `Empty: as usual, ${usualFees.percent} %.`, attributes: html`inputmode="decimal" maxlength="20"` })}
${textField({ name: 'minimum', label: 'At least', value: merchant.feeMinimumUsd ?? '', unit: 'USD', help: `Empty: as usual, ${usualFees.minimumUsd} USD.`, attributes: html`inputmode="decimal" maxlength="20"` })}`,
    }),
  );

const roomPart = (look: OperatorLook, { merchant, stored }: MerchantFacts): Html =>
  part(
    'room',
    'Room',
    staffForm(look, {
      action: `${merchantsPath}/${merchant.id}/room`,
      button: 'Save the room',
      body: textField({
        name: 'megabytes',
        label: 'May keep of what it posts',
        value: String(merchant.storedMegabytesMax ?? ''),
        unit: 'MB',
        help: `Checkouts, customers, beneficiaries, payment links and deposits. Empty: as everybody, ${stored.usualMegabytes} MB (MERCHANT_STORED_MB). Nothing that is there is deleted.`,
        attributes: html`inputmode="numeric" maxlength="8"`,
      }),
    }),
  );

const waitWords: Readonly<Record<HeldBackOrder['waitsFor'], string>> = {
  account: '',
  time: ', until its destination is usable',
  approval: ', not approved yet',
  payer: ', to who has its link',
};

function heldBackPart(look: OperatorLook, { merchant, heldBack, assets }: MerchantFacts): Html {
  const rows = heldBack.map((order) => {
    const { id, network, address, purpose, waitsFor, requestedAt } = order;
    const cancel =
      look.staffMay('merchants') &&
      staffForm(look, {
        action: `${merchantsPath}/${merchant.id}/cancel`,
        button: html`Take back<span class="unseen"> ${id}</span>`,
        isSmall: true,
        body: html`<input type="hidden" name="order" value="${id}">`,
      });
    return html`<tr><th scope="row">${unitsOf(assets, order)}<span class="sub">${purpose} ${id}${waitWords[waitsFor]}</span></th><td class="desk">${findNetwork(network)?.name ?? network}</td><td class="mono wrap">${(look.staffMay('lookAtMerchants') && address && printedAddress(network, address)) || '–'}</td><td class="n desk">${houseMoment(requestedAt)}</td><td class="n">${cancel}</td></tr>`;
  });
  const head = html`<th scope="col">What</th><th scope="col" class="desk">Network</th><th scope="col">To</th><th scope="col" class="n desk">Asked for</th><td></td>`;
  return part('held-back', 'Waits to leave', tableIn('held-back', head, rows));
}

const suspendPart = (look: OperatorLook, { id, suspended }: Merchant): Html =>
  part(
    'suspend',
    suspended ? 'Let it work again' : 'Suspend',
    suspended
      ? html`<p>What was asked for before, and waits, is sent then. Take back first what a thief may have asked for.</p>${staffForm(look, { action: `${merchantsPath}/${id}/resume`, button: 'Let it work again', kind: 'primary' })}`
      : html`<p>Nothing is charged and nothing leaves. Payments that arrive are credited all the same, and webhooks are delivered. Customers read on open payment pages that they shall send nothing.</p>${staffForm(
          look,
          {
            action: `${merchantsPath}/${id}/suspend`,
            kind: 'danger',
            button: 'Suspend the account',
            body: textField({
              name: 'why',
              label: 'Why, in a sentence',
              value: '',
              help: 'The people of the account read it.',
              attributes: html`required maxlength="300"`,
            }),
          },
        )}`,
  );
