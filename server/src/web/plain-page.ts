/** A page with a headline and a sentence: for links that lead nowhere and for shops that gave no way back. */
import { type Html, html } from './html.ts';
import { type PageLook, pageLayout } from './page-layout.ts';
import type { TextKey } from './texts/page-texts.ts';

export const plainPage = (look: PageLook, title: TextKey, text: TextKey, more: Html | false = false): Html =>
  pageLayout(look, {
    title: look.say(title),
    main: html`<div class="card plain-page"><h1>${look.say(title)}</h1>
<p>${look.say(text)}</p>
${more}</div>`,
  });
