/** The first page: one sentence that says whether all is well. */
import { type Html, html } from '../web/html.ts';
import { operatorPage } from './operator-layout.ts';
import type { OperatorLook } from './operator-look.ts';

export const overviewPage = (look: OperatorLook): Html => operatorPage(look, { title: 'Overview', main: html`` });
