/** The operator's own money: what is held, owed and ours; what was asked to be taken out; where to bring more in. */
import { transactionText } from '../account/frame/money-words.ts';
import { selectField, textField } from '../account/settings/settings-parts.ts';
import type { AssetCatalog } from '../catalog/asset-catalog.ts';
import { findNetwork } from '../catalog/network-catalog.ts';
import { formatUnits } from '../money/amount.ts';
import type { Connector } from '../networks/port/connector.ts';
import type { NetworkDefinition } from '../networks/port/definition.ts';
import type { StoredPayout } from '../sending/payout-store.ts';
import type { Withdrawal } from '../wallets/withdrawal-store.ts';
import { type Html, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import { coinDigits } from '../web/number-text.ts';
import type { HandWords } from './hand-words.ts';
import type { HouseMoney } from './money-facts.ts';
import { operatorPage } from './operator-layout.ts';
import type { OperatorLook } from './operator-look.ts';
import { emptyPart, houseMoment, part, stateMark, tableIn, unitsOf } from './operator-parts.ts';
import { doneNote, linkOnce, signedForm, staffForm } from './staff-form.ts';
import { suspensePath } from './suspense-page.ts';

export const moneyPath = '/operator/money';
export const withdrawPath = `${moneyPath}/withdraw`;
export const withdrawalsPath = `${moneyPath}/withdrawals`;
export const bringInPath = `${moneyPath}/bring-in`;

export type WithdrawalWords = {
  readonly payouts: ReadonlyMap<string, StoredPayout>;
  /** Of people, by actor. */
  readonly hands: HandWords;
  readonly own: string;
};

export type MoneyFacts = WithdrawalWords & {
  readonly money: HouseMoney;
  readonly waiting: readonly Withdrawal[];
  readonly decided: readonly Withdrawal[];
  readonly problem: Html | false;
  readonly did: string | null;
};

type WordDeps = { readonly assets: AssetCatalog; readonly connectors: ReadonlyMap<string, Connector> };

const doneWords: Readonly<Record<string, string>> = {
  sent: 'The withdrawal is on its way.',
  waiting: 'The withdrawal waits until somebody else of the staff approves it.',
  approved: 'The withdrawal is approved, and on its way.',
  refused: 'The withdrawal is refused. Nothing is sent.',
};

const networkName = (id: string): string => findNetwork(id)?.name ?? id;

export function moneyPage(deps: WordDeps, look: OperatorLook, facts: MoneyFacts): Html {
  const { money, waiting, decided, problem, did } = facts;
  const mayMove = look.staffMay('money');
  return operatorPage(look, {
    title: 'Money',
    lead: agreement(money),
    actions:
      mayMove &&
      html`<a class="btn" href="${bringInPath}">${icon('plus')}Bring in</a><a class="btn primary" href="${withdrawPath}">${icon('send')}Withdraw</a>`,
    main: html`${problem}${doneNote(doneWords[did ?? ''] ?? null)}
${waiting.length > 0 && waitingPart(deps, look, facts)}
${differencesPart(deps, money)}
${assetsPart(money)}
${decided.length > 0 && decidedPart(deps, facts)}`,
  });
}

function agreement({ counted, differing }: HouseMoney): Html {
  if (counted.length === 0) return stateMark('wait', 'Nothing was counted yet.');
  return differing.length === 0
    ? stateMark('paid', 'Books and networks agree.')
    : stateMark('fail', 'Books and networks do not agree.');
}

function differencesPart({ assets }: WordDeps, { differing }: HouseMoney): Html | false {
  const rows = differing.map(
    ({ network, asset, held, booked, difference, checkedAt }) =>
      html`<tr><th scope="row">${networkName(network)}</th><td class="n">${unitsOf(assets, { asset, units: held })}</td><td class="n">${unitsOf(assets, { asset, units: booked })}</td><td class="n">${unitsOf(assets, { asset, units: difference })}</td><td class="n desk">${houseMoment(checkedAt)}</td></tr>`,
  );
  const head = html`<th scope="col">Network</th><th scope="col" class="n">Holds</th><th scope="col" class="n">Books say</th><th scope="col" class="n">Differ by</th><th scope="col" class="n desk">Counted</th>`;
  return (
    rows.length > 0 &&
    part(
      'differences',
      'Where they differ',
      html`${tableIn('differences', head, rows)}<p class="small quiet">What a network holds beyond the books can be taken over with <span class="mono">npx quittance ledger adopt</span>, by who knows where it came from.</p>`,
    )
  );
}

function assetsPart({ assets: all }: HouseMoney): Html {
  const rows = all.map(({ asset, held, owed, owing, suspense, own, fx, free }) => {
    const text = (units: bigint): string => coinDigits('en', formatUnits(units, asset.ledgerScale), asset.assetCode);
    const others = [
      ['Owed', owed],
      ['Owed to us', owing],
      ['Suspense', suspense],
      ['Ours', own],
      ['Fx', fx],
    ] as const;
    const known = others.filter(([, units]) => units !== 0n);
    return html`<tr><th scope="row">${asset.assetCode}<span class="sub">${asset.name}</span><span class="sub">Held <span class="nowrap">${text(held)}</span></span>${known.map(([name, units]) => html`<span class="sub cramped">${name} <span class="nowrap">${text(units)}</span></span>`)}</th><td class="n desk">${text(held)}</td>${others.map(([, units]) => html`<td class="n desk roomy">${text(units)}</td>`)}<td class="n">${text(free)}</td></tr>`;
  });
  const head = html`<th scope="col">Asset</th><th scope="col" class="n desk">Held</th><th scope="col" class="n desk roomy">Owed</th><th scope="col" class="n desk roomy">Owed to us</th><th scope="col" class="n desk roomy">Suspense</th><th scope="col" class="n desk roomy">Ours</th><th scope="col" class="n desk roomy">Fx</th><th scope="col" class="n">May leave</th>`;
  return part(
    'assets',
    'By asset',
    html`${rows.length === 0 ? emptyPart('Nothing is held yet. What is brought in or paid stands here.') : tableIn('assets', head, rows)}<p class="small quiet">Ours: what was brought in and earned, less what networks took. Fx: what conversions bought or sold. What may leave is ours, and neither owed nor promised to merchants.</p>`,
  );
}

const goalText = ({ network, address, memo }: Withdrawal): Html =>
  html`${networkName(network)}, <span class="mono breaks">${address}</span>${memo !== null && html`, memo <span class="mono breaks">${memo}</span>`}`;

function waitingPart(deps: WordDeps, look: OperatorLook, { waiting, ...words }: MoneyFacts): Html {
  const items = waiting.map((each) => waitingItem(deps, look, each, words));
  return part('waiting', 'Waits for a second signature', html`<ul class="asks">${items}</ul>`);
}

function waitingItem({ assets }: WordDeps, look: OperatorLook, each: Withdrawal, words: WithdrawalWords): Html {
  const isOwn = each.requestedBy === words.own;
  const path = `${withdrawalsPath}/${each.id}`;
  const sum = unitsOf(assets, each);
  return html`<li class="decide" id="w-${each.id}">${icon('decide')}<div><b>Withdrawal of ${sum}</b><p>To ${goalText(each)}</p><p class="small quiet">Asked for by ${words.hands.askerOf(each.requestedBy)} · ${houseMoment(each.requestedAt)}${isOwn && ' · somebody else approves it'}</p></div>${look.staffMay('money') && html`<div class="bar">${!isOwn && signedForm(look, { action: `${path}/approve`, button: html`Approve<span class="unseen"> ${sum}</span>`, kind: 'primary', isSmall: true })}${staffForm(look, { action: `${path}/refuse`, button: html`${isOwn ? 'Take back' : 'Refuse'}<span class="unseen"> ${sum}</span>`, isSmall: true })}</div>`}</li>`;
}

function decidedPart({ assets }: WordDeps, { decided, payouts, hands }: MoneyFacts): Html {
  const rows = decided.map(
    (each) =>
      html`<tr><th scope="row" class="wrap"><a href="${withdrawalsPath}/${each.id}">${unitsOf(assets, each)}</a><span class="sub">${goalText(each)}</span></th><td>${outcome(each, payouts.get(each.id))}</td><td class="desk wrap">${handsText(each, hands)}</td><td class="n desk">${houseMoment(each.requestedAt)}</td></tr>`,
  );
  const head = html`<th scope="col">Withdrawal</th><th scope="col">State</th><th scope="col" class="desk">By</th><th scope="col" class="n desk">Asked for</th>`;
  return part('withdrawals', 'Withdrawals', tableIn('withdrawals', head, rows));
}

const handsText = ({ requestedBy, decidedBy, state }: Withdrawal, { nameOf }: HandWords): string =>
  decidedBy === null
    ? nameOf(requestedBy)
    : `${nameOf(requestedBy)}, ${state === 'REFUSED' ? 'refused' : 'approved'} by ${nameOf(decidedBy)}`;

export function withdrawalPage(deps: WordDeps, look: OperatorLook, each: Withdrawal, words: WithdrawalWords): Html {
  const payout = words.payouts.get(each.id);
  const isWaiting = each.state === 'AWAITING_APPROVAL';
  return operatorPage(look, {
    title: `Withdrawal of ${unitsOf(deps.assets, each)}`,
    crumb: html`<a href="${moneyPath}">Money</a>`,
    lead: isWaiting ? stateMark('decide', 'waits for a second signature') : outcome(each, payout),
    main: html`${isWaiting && html`<ul class="asks">${waitingItem(deps, look, each, words)}</ul>`}
<dl class="kv"><div><dt>Id</dt><dd class="mono">${each.id}</dd></div><div><dt>Network</dt><dd>${networkName(each.network)}</dd></div><div><dt>To</dt><dd class="mono breaks">${each.address}</dd></div>${each.memo !== null && html`<div><dt>Memo</dt><dd class="mono breaks">${each.memo}</dd></div>`}<div><dt>By</dt><dd>${handsText(each, words.hands)}</dd></div><div><dt>Asked for</dt><dd>${houseMoment(each.requestedAt)}</dd></div>${each.decidedAt && html`<div><dt>Decided</dt><dd>${houseMoment(each.decidedAt)}</dd></div>`}${payout?.txHash && html`<div><dt>${findNetwork(each.network)?.knownAs?.sentName.en ?? 'Transaction'}</dt><dd>${transactionText(deps, each.network, payout.txHash)}</dd></div>`}</dl>`,
  });
}

function outcome({ state }: Withdrawal, payout: StoredPayout | undefined): Html {
  if (state === 'REFUSED') return stateMark('fail', 'refused');
  if (payout?.state === 'DONE') return stateMark('paid', 'sent');
  return payout?.state === 'FAILED' ? stateMark('fail', payout.failure ?? 'failed') : stateMark('wait', 'on its way');
}

export type WithdrawFacts = {
  readonly networks: readonly NetworkDefinition[];
  /** At banks the operator moves its own money itself. */
  readonly banks: readonly string[];
  readonly money: HouseMoney;
  readonly form: URLSearchParams;
  readonly areTwoNeeded: boolean;
  readonly problem: Html | false;
};

export function withdrawPage({ assets }: WordDeps, look: OperatorLook, facts: WithdrawFacts): Html {
  const given = (name: string): string => facts.form.get(name) ?? '';
  const networks = facts.networks.map(({ id, name }) => [id, name] as const);
  const sendable = facts.networks.flatMap(({ assets: own, tokens = [] }) => [...own, ...tokens]);
  const held = facts.money.assets
    .filter(({ free, asset }) => free > 0n && sendable.some(({ assetCode }) => assetCode === asset.assetCode))
    .map(
      ({ asset, free }) =>
        [asset.id, `${asset.assetCode} · at most ${unitsOf(assets, { asset: asset.id, units: free })}`] as const,
    );
  return operatorPage(look, {
    title: 'Withdraw',
    crumb: html`<a href="${moneyPath}">Money</a>`,
    lead: facts.areTwoNeeded
      ? 'Your passkey signs this very order; then somebody else of the staff approves it with theirs.'
      : 'Your passkey signs this very order, and it is sent at once: nobody else of the staff could approve it.',
    main: html`${facts.problem}${
      held.length === 0
        ? emptyPart('Nothing is yours to take out: what is held belongs to merchants or is promised to them.')
        : signedForm(look, {
            action: withdrawPath,
            kind: 'primary',
            button: facts.areTwoNeeded ? 'Sign and ask' : 'Sign and send',
            body: html`${selectField({ name: 'asset', label: 'Asset', value: given('asset') }, held)}
${textField({ name: 'amount', label: 'Amount', value: given('amount'), attributes: html`inputmode="decimal" required maxlength="40"` })}
${selectField({ name: 'network', label: 'On the network', value: given('network') }, networks)}
${textField({ name: 'address', label: 'To this address', value: given('address'), attributes: html`required maxlength="200" spellcheck="false"` })}
${textField({ name: 'memo', label: 'Memo', value: given('memo'), help: 'Only where the receiver asks for one.', attributes: html`maxlength="64"` })}
${selectField({ name: 'memo-type', label: 'Kind of the memo', value: given('memo-type') || 'text' }, [
  ['text', 'text'],
  ['id', 'id'],
  ['hash', 'hash'],
  ['return', 'return'],
])}`,
          })
    }${facts.banks.length > 0 && html`<p class="small quiet">What is yours at the bank (${facts.banks.join(', ')}) you move in the bank’s portal. When a statement shows that it has left, say under <a href="${suspensePath}">Suspense</a> that it was a transfer of your own.</p>`}`,
  });
}

export function bringInPage(
  look: OperatorLook,
  {
    networks,
    form,
    problem,
  }: { readonly networks: readonly string[]; readonly form: URLSearchParams; readonly problem: Html | false },
): Html {
  const given = (name: string): string => form.get(name) ?? '';
  return operatorPage(look, {
    title: 'Bring in',
    crumb: html`<a href="${moneyPath}">Money</a>`,
    lead: 'What arrives there is booked as your own.',
    main: html`${problem}${staffForm(look, {
      action: bringInPath,
      kind: 'primary',
      button: 'Make an address or a reference',
      body: html`${selectField(
        { name: 'network', label: 'Network', value: given('network') },
        networks.map((id) => [id, networkName(id)]),
      )}
${textField({ name: 'amount', label: 'Amount', value: given('amount'), help: 'Only where a target is an invoice for one amount, as on Lightning.', attributes: html`inputmode="decimal" maxlength="40"` })}`,
    })}`,
  });
}

export const broughtInPage = (
  look: OperatorLook,
  { name, accountNumbers, accountOf }: NetworkDefinition,
  { address, memo }: { readonly address: string; readonly memo: string | null },
): Html => {
  const { holder, bic } = accountOf?.(address) ?? { holder: null, bic: null };
  const memoName = accountNumbers ? 'With this reference:' : 'With this memo:';
  return operatorPage(look, {
    title: `Bring in on ${name}`,
    crumb: html`<a href="${moneyPath}">Money</a>`,
    main: html`<p>Send only your own money there: it is booked as yours.</p>
${holder !== null && html`<p>To the account of:</p>${linkOnce(look, holder)}`}${accountNumbers && html`<p>${accountNumbers.isIban(address) ? 'IBAN' : 'Account'}:</p>`}${linkOnce(look, address)}
${bic !== null && html`<p>BIC:</p>${linkOnce(look, bic)}`}${memo !== null && html`<p>${memoName}</p>${linkOnce(look, memo)}`}
<p><a class="btn" href="${moneyPath}">${icon('left')}Done</a></p>`,
  });
};
