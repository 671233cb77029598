/** One button: a parked job runs again. */
import { type Html, html } from '../web/html.ts';
import type { OperatorLook } from './operator-look.ts';

export const retryForm = ({ path }: OperatorLook, jobId: string, back: string = path): Html =>
  html`<form method="post" action="/operator/jobs/${jobId}/retry"><input type="hidden" name="back" value="${back}"><button class="btn">Run again</button></form>`;
