/** Forms of the operator's area: each has a name of its own, and a proof where what it does needs one. */
import { problemText } from '../account/frame/problem-text.ts';
import { newFormName } from '../account/frame/send-once.ts';
import { orderProof, proofField, proving, signing } from '../account/sign-in/sign-in-parts.ts';
import type { GatewayError } from '../lib/errors.ts';
import { type Html, type HtmlValue, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import type { OperatorLook } from './operator-look.ts';

type StaffForm = {
  readonly action: string;
  readonly body?: HtmlValue;
  readonly button: HtmlValue;
  readonly kind?: 'primary' | 'danger' | '';
  /** Only a button, in a row of others. */
  readonly isSmall?: boolean;
  readonly hasFiles?: boolean;
  /** The answer is a file, which is kept; and this page, which is true from then on, is shown. */
  readonly afterFile?: string;
};

const formWith = (
  { now }: OperatorLook,
  { action, body = false, button, kind = '', isSmall = false, hasFiles = false, afterFile }: StaffForm,
  proof: { readonly mark: HtmlValue; readonly field: HtmlValue },
): Html =>
  html`<form class="${isSmall ? 'in-row' : 'form part-body'}" method="post" action="${action}"${hasFiles && html` enctype="multipart/form-data"`}${afterFile !== undefined && html` data-after-file="${afterFile}"`}${proof.mark}><input type="hidden" name="form" value="${newFormName(now)}">${body}
${proof.field}
${isSmall ? html`<button class="btn small ${kind}">${button}</button>` : html`<div class="bar"><button class="btn ${kind}">${button}</button></div>`}</form>`;

export const staffForm = (look: OperatorLook, form: StaffForm): Html =>
  formWith(look, form, { mark: proving(look), field: proofField(look) });

/** What is about to be done is signed by a passkey, and by nothing else: who has none is told so. */
export const signedForm = (look: OperatorLook, form: StaffForm): Html =>
  (look.signedIn?.person.passkeys ?? 0) > 0
    ? formWith(look, form, { mark: signing(look), field: orderProof(look) })
    : html`<p class="notice decide">${icon('alert')}<span>A passkey signs this. You have none: add one under <a href="/account/my-sign-in">My sign-in</a>.</span></p>`;

export const plainForm = (look: OperatorLook, form: StaffForm): Html =>
  formWith(look, form, { mark: false, field: false });

export const doneNote = (text: HtmlValue | null): Html | false =>
  text !== null && html`<p class="notice paid" role="status">${icon('check')}<span>${text}</span></p>`;

export const problemNote = (look: OperatorLook, error: GatewayError | null): Html | false =>
  error !== null &&
  html`<p class="notice fail" role="alert">${icon('alert')}<span>${problemText(look, error)}</span></p>`;

/** A link that works once, and is shown once. */
export const linkOnce = (look: OperatorLook, url: string): Html =>
  html`<div class="copyfield"><span class="value mono">${url}</span><button class="btn needs-script" type="button" data-copy="${url}" data-copied="${look.say('copied')}">${icon('copy')}${look.say('copy')}</button></div>`;
