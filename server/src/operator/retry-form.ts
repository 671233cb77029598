/** The buttons of a parked job: it runs again, or is dropped, as far as that is left to people. */
import { mayBeDropped, mayRunAgain } from '../jobs/parked-jobs.ts';
import { type Html, html } from '../web/html.ts';
import type { OperatorLook } from './operator-look.ts';

const button = (jobId: string, what: 'retry' | 'drop', text: string, back: string): Html =>
  html`<form method="post" action="/operator/jobs/${jobId}/${what}"><input type="hidden" name="back" value="${back}"><button class="btn">${text}</button></form>`;

export const parkedForms = (
  { path }: OperatorLook,
  { id, name }: { readonly id: string; readonly name: string },
  back: string = path,
): Html =>
  html`<div class="bar">${mayRunAgain(name) && button(id, 'retry', 'Run again', back)}${mayBeDropped(name) && button(id, 'drop', 'Drop', back)}</div>`;
