/** On the page of what nobody asked for: that it is the operator's own, or that this waits for a second one. */
import { textField } from '../account/settings/settings-parts.ts';
import type { UnmatchedAdoption } from '../watching/unmatched-adoption-store.ts';
import { type Html, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import type { OperatorLook } from './operator-look.ts';
import { houseMoment, part } from './operator-parts.ts';
import { signedForm, staffForm } from './staff-form.ts';

const suspense = '/operator/suspense';
export const adoptionsPath = `${suspense}/adoptions`;

/** `isOwn`: whoever looks asked for it. */
export type WaitingAdoptionFacts = UnmatchedAdoption & { readonly asker: Html; readonly isOwn: boolean };

export function waitingAdoptionPart(look: OperatorLook, amount: string, adoption: WaitingAdoptionFacts): Html {
  const { id, reason, asker, isOwn, requestedAt } = adoption;
  const path = `${adoptionsPath}/${id}`;
  return html`<ul class="asks"><li class="decide" id="c-${id}">${icon('decide')}<div><b>Take ${amount} as our own</b><p class="breaks">${reason}</p><p class="small quiet">Asked for by ${asker} · ${houseMoment(requestedAt)}${isOwn && ' · somebody else approves it'}</p></div>${look.staffMay('suspense') && html`<div class="bar">${!isOwn && signedForm(look, { action: `${path}/approve`, button: 'Approve', kind: 'primary', isSmall: true })}${staffForm(look, { action: `${path}/refuse`, button: isOwn ? 'Take back' : 'Refuse', isSmall: true })}</div>`}</li></ul>`;
}

export const adoptionPart = (
  look: OperatorLook,
  { id, reason, areTwoNeeded }: { readonly id: string; readonly reason: string; readonly areTwoNeeded: boolean },
): Html =>
  part(
    'own',
    'It is our own',
    signedForm(look, {
      action: `${suspense}/${id}/own`,
      button: areTwoNeeded ? 'Sign and ask to take it as our own' : 'Take it as our own',
      kind: 'danger',
      body: textField({
        name: 'reason',
        label: 'Why it is ours',
        value: reason,
        help: 'Such as a top-up from our other account, a tax refund or a supplier’s credit. It cannot be assigned or sent back afterwards.',
        attributes: html`required maxlength="200"`,
      }),
    }),
  );
