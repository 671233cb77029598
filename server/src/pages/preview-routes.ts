/** `/{lang}/checkout/preview/{state}`: what customers see, for merchants. It shows samples only and can do nothing. */
import { pageRoute, type Route } from '../http/route.ts';
import type { Clock } from '../lib/clock.ts';
import { checkoutPage } from './checkout-page.ts';
import { html } from './html.ts';
import { browserLanguage } from './page-language.ts';
import { createLook, type PageLook, pageReply } from './page-layout.ts';
import { plainPage } from './plain-page.ts';
import { isSampleState, sampleCheckout, sampleStates } from './sample-checkouts.ts';
import { isPageLanguage } from './texts/page-texts.ts';

export const previewRoutes = (deps: Pick<PageLook, 'isSandbox' | 'files'> & { readonly clock: Clock }): Route[] => [
  pageRoute({
    methods: ['GET'],
    path: '/:lang/checkout/preview/:state',
    handle({ params, headers }) {
      const { lang = '', state = '' } = params;
      const look = createLook(isPageLanguage(lang) ? lang : browserLanguage(headers['accept-language']), deps);
      if (!isSampleState(state)) {
        const others = html`<ul>${sampleStates.map((name) => html`<li><a href="/${look.language}/checkout/preview/${name}">${name}</a></li>`)}</ul>`;
        return pageReply(404, look, plainPage(look, 'invalidTitle', 'preview', others));
      }
      const now = deps.clock.now();
      const checkout = sampleCheckout(state, now, look.language);
      return pageReply(200, look, checkoutPage(look, checkout, { now, notice: look.say('preview') }));
    },
  }),
];
