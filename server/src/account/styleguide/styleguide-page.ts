/**
 * Every part of the account in every state, in light and dark: what a new page is made of. In the sandbox only, and in
 * English only: it is for who makes pages.
 */
import { type Html, html } from '../../web/html.ts';
import { accountDocument } from '../frame/account-layout.ts';
import { type AccountLook, themes } from '../frame/account-look.ts';
import { controlSamples } from './styleguide-controls.ts';
import { messageSamples } from './styleguide-messages.ts';
import { pictureSamples } from './styleguide-pictures.ts';

export const styleguidePage = (look: AccountLook, stylesheet: string): Html =>
  accountDocument(
    look,
    'Components',
    html`<main class="book" id="main" tabindex="-1">
<header><p class="small quiet">Quittance</p><h1>Components</h1>
<p class="quiet">Every part in every state. Ink on paper, hairlines, one accent; numbers of one width.</p>
<nav class="toc" aria-label="Components"><a href="#buttons">Buttons</a><a href="#fields">Fields</a><a href="#choice">Switch, segments, tabs</a><a href="#state">State</a><a href="#table">Table</a><a href="#amount">Amounts</a><a href="#copy">Copy and QR</a><a href="#progress">Progress</a><a href="#timeline">Timeline</a><a href="#notice">Notices</a><a href="#empty">Empty, loading</a><a href="#check">Checklist, files</a><a href="#chart">Charts</a><a href="#over">Above the page</a><a href="#brand">Brand colour</a><a href="#icons">Icons and coins</a></nav>
<p class="bar">${themes.map((theme) => html`<a class="btn" href="?theme=${theme}">${theme}</a>`)}</p></header>
${controlSamples()}
${messageSamples()}
${pictureSamples()}
</main>`,
    stylesheet,
  );
