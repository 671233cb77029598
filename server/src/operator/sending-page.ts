/** Sending: all that is on its way out, by how far it is, and what does not go on and why. */
import type { PageNews } from '../account/frame/account-layout.ts';
import { findNetwork, printedAddress } from '../catalog/network-catalog.ts';
import { sentAs } from '../catalog/sent-as.ts';
import { isStuck } from '../finding/house-needs.ts';
import type { WaitingPayout } from '../sending/waiting-payout-store.ts';
import { type Html, html } from '../web/html.ts';
import type { WordDeps } from './need-sentences.ts';
import { operatorPage } from './operator-layout.ts';
import type { OperatorLook } from './operator-look.ts';
import { emptyPart, houseAgo, linkTo, part, stateMark, tableIn, unitsOf } from './operator-parts.ts';
import { type PayoutStep, payoutReason, payoutStep, payoutSteps, purposeWords } from './payout-words.ts';

export type SendingFacts = {
  readonly payouts: readonly WaitingPayout[];
  readonly isAll: boolean;
  readonly now: Date;
  /** By id. */
  readonly merchants: ReadonlyMap<string, string>;
  readonly news: PageNews;
};

export function sendingPage(deps: WordDeps, look: OperatorLook, facts: SendingFacts): Html {
  const { payouts, now, isAll } = facts;
  const stuck = payouts.filter((payout) => isStuck(payout, now));
  const steps = (Object.keys(payoutSteps) as PayoutStep[]).map((step) => ({
    step,
    own: payouts.filter((payout) => payoutStep(payout) === step && !stuck.includes(payout)),
  }));
  return operatorPage(look, {
    title: 'Sending',
    lead:
      payouts.length === 0
        ? 'Nothing is on its way out.'
        : `${isAll ? payouts.length : `The ${payouts.length} oldest`} on their way out.`,
    news: facts.news,
    main: html`${part('stuck', 'Does not go on', stuck.length === 0 ? emptyPart('Nothing is stuck.') : payoutTable(deps, look, 'stuck', stuck, facts))}
${steps.filter(({ own }) => own.length > 0).map(({ step, own }) => part(step, payoutSteps[step], payoutTable(deps, look, step, own, facts), html`<span class="more quiet">${own.length}</span>`))}`,
  });
}

function payoutTable(
  deps: WordDeps,
  look: OperatorLook,
  id: string,
  payouts: readonly WaitingPayout[],
  facts: SendingFacts,
): Html {
  const rows = payouts.map((payout) => {
    const { network, purpose, merchantId, requestedAt, address, txHash } = payout;
    const owner = facts.merchants.get(merchantId);
    const isLate = isStuck(payout, facts.now);
    // To where an account sends is in the account; the transaction would tell it.
    const isShown = owner === undefined || look.staffMay('lookAtMerchants');
    return html`<tr><th scope="row" class="wrap">${unitsOf(deps.assets, payout)}<br><small class="quiet">${purposeWords[purpose]}${owner !== undefined && html`, ${linkTo(look, `/operator/merchants/${merchantId}`, owner)}`}</small></th><td>${findNetwork(network)?.name ?? network}</td><td class="wrap">${stateMark(isLate ? 'decide' : 'wait', payoutReason(payout))}</td><td class="mono desk cut">${isShown ? printedAddress(network, address) : '–'}</td><td class="mono desk cut">${(isShown && sentAs(network, txHash)) || '–'}</td><td class="n">${houseAgo(look, requestedAt)}</td></tr>`;
  });
  const head = html`<th scope="col">What</th><th scope="col">Network</th><th scope="col">Why it is here</th><th scope="col" class="desk">To</th><th scope="col" class="desk">Transaction</th><th scope="col" class="n">Asked for</th>`;
  return tableIn(id, head, rows);
}
