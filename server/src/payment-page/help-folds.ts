/** Help is one tap away in every state: the two ways and what follows for those who are new to this, and whom to ask. */
import { type Html, type HtmlValue, html } from '../web/html.ts';
import { type IconName, icon } from '../web/icons.ts';
import { checkoutPath, type Drawer } from '../web/page-language.ts';
import { elsewhere } from './ask-shop.ts';
import { orderName } from './page-setting.ts';
import { shopMail } from './shop-mail.ts';
import type { Shown } from './state-view.ts';

export type Fold = {
  readonly id: Drawer;
  readonly mark: IconName;
  readonly title: string;
  readonly content: HtmlValue;
  readonly isOpen: boolean;
};

export const fold = (id: Drawer, mark: IconName, title: string, content: HtmlValue, isOpen = false): Fold => ({
  id,
  mark,
  title,
  content,
  isOpen,
});

type HelpOptions = {
  /** What this state itself has to fold away, above the help. */
  readonly first?: readonly (Fold | false | null)[];
  /** Without JavaScript the page looks again by itself, and what was opened in it would be shut. */
  readonly reloads?: boolean;
};

export function helpFolds(
  { look, checkout }: Pick<Shown, 'look' | 'checkout'>,
  { first = [], reloads = false }: HelpOptions = {},
): Html {
  const folds = [...first, checkout.completedAt === null && newHere({ look, checkout }), needHelp({ look, checkout })];
  return html`<div class="fold" id="folds" data-parts>
${folds.map((each) => each && drawer({ look, checkout }, each, reloads))}
</div>`;
}

/**
 * Where the page reloads by itself, a drawer is opened by a link if there is no script: its address says which one is
 * open, so that the next reload does not shut it while somebody reads. It gets the focus, so it is in sight then.
 */
function drawer(
  { look, checkout }: Pick<Shown, 'look' | 'checkout'>,
  { id, isOpen, ...each }: Fold,
  reloads: boolean,
): Html {
  const isChosen = checkout.place.open === id;
  const title = html`${icon(each.mark)}${each.title}<span class="chev">${icon('down')}</span>`;
  const isLink = reloads && !isChosen && !isOpen;
  const href = checkoutPath(look.language, { ...checkout, place: { ...checkout.place, open: id } });
  return html`${isLink && html`<noscript><a class="drawer" href="${href}">${title}</a></noscript>`}
<details id="${id}"${isLink && html` class="with-script"`}${(isOpen || isChosen) && html` open`}><summary${isChosen && html` autofocus`}>${title}</summary><div class="in">${each.content}</div></details>`;
}

function newHere({ look, checkout }: Pick<Shown, 'look' | 'checkout'>): Fold {
  const { say } = look;
  const { pay, coins } = checkout;
  // Before the choice all ways are told; afterwards the chosen one.
  const byBank = pay ? [pay.offeredAs] : [...new Set(coins.map(({ offeredAs }) => offeredAs))];
  const fromBank = byBank.map(
    (offered) => offered && html`<li><b>${say('newHereBank')}</b> ${offered.howTo[look.language]}</li>\n`,
  );
  const then = html`<li><b>${say('newHereThen')}</b> ${say('newHereThenText')}</li>`;
  if (byBank.length > 0 && byBank.every((offered) => offered !== null))
    return fold('new-here', 'help', say('newHere'), html`<ul class="ways">${fromBank}${then}</ul>`);
  return fold(
    'new-here',
    'help',
    say('newHere'),
    html`<ul class="ways"><li><b>${say('newHereWallet')}</b> ${say('newHereWalletText')}</li>
<li><b>${say('newHereExchange')}</b> ${say(checkout.pay?.memo ? 'newHereExchangeMemo' : 'newHereExchangeText')}</li>
${fromBank}${then}
<li><b>${say('newHereNone')}</b> ${say('newHereNoneText')}</li></ul>`,
  );
}

function needHelp({ look, checkout }: Pick<Shown, 'look' | 'checkout'>): Fold {
  const otherCode =
    checkout.orderReference !== null &&
    html`<p class="small">${look.say('labelled', { name: look.say('paymentId') })} <span class="mono">${checkout.id}</span></p>`;
  return fold('need-help', 'mail', look.say('needHelp'), html`<p>${whomToAsk({ look, checkout })}</p>${otherCode}`);
}

function whomToAsk({ look, checkout }: Pick<Shown, 'look' | 'checkout'>): Html {
  const { helpEmail } = checkout;
  const code = orderName(checkout);
  if (helpEmail === null) return elsewhere({ look, checkout });
  const email = html`<a href="${shopMail({ look, checkout }, helpEmail, 'helpMailSubject')}">${helpEmail}</a>`;
  return look.say.html('helpWrite', { email, code });
}
