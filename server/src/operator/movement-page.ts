/** Money that moved without a word why: what is known of it, and where somebody says what it was. */
import { selectField, textField } from '../account/settings/settings-parts.ts';
import type { ToldBooking } from '../bank-files/document-list-store.ts';
import type { AssetCatalog } from '../catalog/asset-catalog.ts';
import { findNetwork } from '../catalog/network-catalog.ts';
import type { Movement } from '../payments/movement-store.ts';
import type { MovementMeaning } from '../watching/assign-movement.ts';
import { type Html, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import { bookingLink } from './booking-link.ts';
import { houseSearchPath, operatorPage } from './operator-layout.ts';
import type { OperatorLook } from './operator-look.ts';
import { houseMoment, linkTo, part, stateMark, tableIn, unitsOf } from './operator-parts.ts';
import { signedForm } from './staff-form.ts';

export const movementsPath = '/operator/suspense/movements';

const networkName = (id: string): string => findNetwork(id)?.name ?? id;

const kindWords: Readonly<Record<Movement['kind'], string>> = {
  FEE: 'a fee',
  INTEREST: 'interest',
  OWN_MONEY: 'a transfer of our own',
  UNKNOWN: 'nobody knows',
  REVERSAL: 'a payment taken back',
};

export const meaningWords: Readonly<Record<MovementMeaning['as'], string>> = {
  FEE: 'A fee of the network or bank',
  INTEREST: 'Interest',
  OWN_MONEY: 'A transfer of our own, in or out',
  PAYOUT: 'Payouts of ours, perhaps with a fee',
  REVERSAL: 'A payment that was taken back',
};

/** What is open of each: more than its payment brought, or all of it. */
export function movementsPart(assets: AssetCatalog, movements: readonly Movement[]): Html {
  const rows = movements.map(
    ({ id, network, kind, asset, openUnits: units, note, seenAt }) =>
      html`<tr><th scope="row"><a href="${movementsPath}/${id}">${unitsOf(assets, { asset, units })}</a><span class="sub">${networkName(network)} · ${kindWords[kind]}</span></th><td class="wrap breaks">${note ?? ''}</td><td class="n desk">${houseMoment(seenAt)}</td></tr>`,
  );
  const head = html`<th scope="col">Movement</th><th scope="col">As it was told</th><th scope="col" class="n desk">Seen</th>`;
  return part('movements', 'Moved, and nobody knows why', tableIn('movements', head, rows));
}

export type MovementFacts = {
  readonly movement: Movement;
  /** Where a statement tells of it; null: nothing was told in files. */
  readonly told: ToldBooking | null;
  /** Likewise, of the payment that it takes back. */
  readonly toldPayment: ToldBooking | null;
  readonly form: URLSearchParams;
  readonly refusal: Html | false;
};

/** Whose it is leads there; and when it came, where the statement tells of it. */
function paymentText(look: OperatorLook, booking: ToldBooking): Html {
  const { ownerId, unmatchedId } = booking;
  const owner =
    ownerId !== null
      ? linkTo(look, `${houseSearchPath}?q=${ownerId}`, ownerId, 'mono')
      : unmatchedId !== null && linkTo(look, `/operator/suspense/${unmatchedId}`, 'what matched nobody');
  return html`${owner}${owner && ', '}${bookingLink(look, booking)}`;
}

export function movementPage(
  assets: AssetCatalog,
  look: OperatorLook,
  { movement, told, toldPayment, form, refusal }: MovementFacts,
): Html {
  const { id, network, kind, key, asset, units, openUnits, txHash, txIndex, note, about, block, seenAt } = movement;
  const isOpen = openUnits !== 0n;
  return operatorPage(look, {
    title: unitsOf(assets, { asset, units: isOpen ? openUnits : units }),
    crumb: html`<a href="/operator/suspense">Suspense</a>`,
    lead: isOpen ? stateMark('fail', 'nobody can explain it') : stateMark('paid', 'explained'),
    main: html`${refusal}
<dl class="kv"><div><dt>Network</dt><dd>${networkName(network)}</dd></div><div><dt>It was told as</dt><dd>${kindWords[kind]}</dd></div>${told ? html`<div><dt>Told in</dt><dd class="breaks">${bookingLink(look, told)}</dd></div>` : html`<div><dt>Called</dt><dd class="mono breaks">${key}</dd></div>`}${toldPayment ? html`<div><dt>Of the payment</dt><dd class="breaks">${paymentText(look, toldPayment)}</dd></div>` : txHash !== null && html`<div><dt>Of the payment</dt><dd class="mono breaks">${txHash}:${txIndex}</dd></div>`}${about.length > 0 && html`<div><dt>It names the payouts</dt><dd class="mono breaks">${about.join(', ')}</dd></div>`}<div><dt>In all</dt><dd>${unitsOf(assets, { asset, units })}</dd></div><div><dt>Note</dt><dd class="wrap breaks">${note ?? 'none'}</dd></div>${told === null && html`<div><dt>In</dt><dd class="mono breaks">${block.hash}</dd></div>`}<div><dt>Seen</dt><dd>${houseMoment(seenAt)}</dd></div></dl>
${
  isOpen &&
  look.staffMay('suspense') &&
  part(
    'assign',
    'It was',
    html`<p class="notice wait">${icon('info')}<span>It is in the operator’s suspense, and no money of your own can be taken out against it.</span></p>${signedForm(
      look,
      {
        action: `${movementsPath}/${id}/assign`,
        kind: 'primary',
        button: 'Book it so',
        body: html`${selectField({ name: 'as', label: 'What it was', value: form.get('as') ?? (about.length > 0 ? 'PAYOUT' : 'FEE') }, Object.entries(meaningWords))}
${textField({ name: 'of', label: 'Of what', value: form.get('of') ?? about.join(', '), help: 'Of payouts, their ids; what left beyond them stays open, and is a fee. Of a payment that was taken back, the id of its checkout or deposit, or of what waits under Suspense. Else nothing.', attributes: html`maxlength="2000"` })}`,
      },
    )}`,
  )
}`,
  });
}
