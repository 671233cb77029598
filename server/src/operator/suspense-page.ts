/** Money that arrived and named no checkout: for whom it was, that it is the operator's own, or back to where it came from. */
import { dayText } from '../account/frame/day-text.ts';
import { transactionText } from '../account/frame/money-words.ts';
import { holderWords } from '../account/money/order-words.ts';
import { selectField, textField } from '../account/settings/settings-parts.ts';
import type { ToldBooking } from '../bank-files/document-list-store.ts';
import type { AssetCatalog } from '../catalog/asset-catalog.ts';
import { findNetwork, printedAddress } from '../catalog/network-catalog.ts';
import type { Connector } from '../networks/port/connector.ts';
import { goesBackToPayer } from '../networks/port/definition.ts';
import type { Movement } from '../payments/movement-store.ts';
import type { CrumbAdoption } from '../watching/crumb-adoption-store.ts';
import type { LikelyCheckout } from '../watching/likely-checkout.ts';
import type { UnmatchedAdoption } from '../watching/unmatched-adoption-store.ts';
import type { CrumbSum } from '../watching/unmatched-crumb-store.ts';
import type { UnmatchedReturn } from '../watching/unmatched-return-store.ts';
import { isOwn, type UnmatchedPayment } from '../watching/unmatched-store.ts';
import { type Html, type HtmlValue, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import { adoptionPart, type WaitingAdoptionFacts, waitingAdoptionPart } from './adoption-parts.ts';
import { bookingLink } from './booking-link.ts';
import { crumbsPart, type WaitingCrumbsFacts, waitingCrumbsPart } from './crumbs-page.ts';
import { memoText } from './memo-text.ts';
import { movementsPart } from './movement-page.ts';
import { operatorPage } from './operator-layout.ts';
import type { OperatorLook } from './operator-look.ts';
import { emptyPart, houseMoment, part, stateMark, tableIn, unitsOf } from './operator-parts.ts';
import { doneNote, signedForm, staffForm } from './staff-form.ts';

export const suspensePath = '/operator/suspense';
export const returnsPath = `${suspensePath}/returns`;
export const memoTypes = ['text', 'id', 'hash', 'return'] as const;

export type WordDeps = { readonly assets: AssetCatalog; readonly connectors: ReadonlyMap<string, Connector> };

export type SuspenseFacts = {
  readonly payments: readonly UnmatchedPayment[];
  readonly crumbs: readonly CrumbSum[];
  /** Orders to take such as our own that wait for a second signature. */
  readonly crumbOrders: readonly WaitingCrumbsFacts[];
  /** Ids of those that shall go back, or be the operator's own, once a second one has signed it. */
  readonly returning: ReadonlySet<string>;
  readonly next: string | null;
  readonly did: string | null;
  /** What moved, and nobody can explain. */
  readonly movements: readonly Movement[];
};

const doneWords: Readonly<Record<string, string>> = {
  assigned: 'The payment is assigned; what it was meant for is looked at again at once.',
  returned: 'The payment is on its way back.',
  waiting: 'The payment goes back once somebody else of the staff approves it.',
  own: 'The payment is our own now.',
  'own-waiting': 'The payment is our own once somebody else of the staff approves it.',
  'own-refused': 'The payment is not our own. It can be assigned, sent back, or asked for anew.',
  'small-own': 'The small payments are our own now.',
  'small-own-waiting': 'The small payments are our own once somebody else of the staff approves it.',
  'small-own-refused': 'The small payments are not our own.',
  explained: 'The movement is explained, and booked as what it was.',
  refused: 'The payment does not go back. It can be assigned, or sent back anew.',
};

const networkName = (id: string): string => findNetwork(id)?.name ?? id;

export function suspensePage(deps: WordDeps, look: OperatorLook, facts: SuspenseFacts): Html {
  const { assets } = deps;
  const rows = facts.payments.map((payment) => {
    const { id, network, sender, seenAt } = payment;
    return html`<tr><th scope="row"><a href="${suspensePath}/${id}">${unitsOf(assets, payment)}</a><span class="sub">${networkName(network)} · ${memoText(payment)}</span></th><td class="wrap">${stateText(payment, facts.returning.has(id))}</td><td class="desk wrap breaks mono small">${sender === null ? 'unknown' : printedAddress(network, sender)}</td><td class="n desk">${houseMoment(seenAt)}</td></tr>`;
  });
  const head = html`<th scope="col">Payment</th><th scope="col">State</th><th scope="col" class="desk">From</th><th scope="col" class="n desk">Seen</th>`;
  return operatorPage(look, {
    title: 'Suspense',
    lead: 'Money that arrived and named no checkout, because the memo was forgotten or is wrong; and money that moved without a word why.',
    main: html`${doneNote(doneWords[facts.did ?? ''] ?? null)}${waitingCrumbsPart(deps, look, facts.crumbOrders)}
${part('payments', 'Nobody asked for it', rows.length === 0 ? emptyPart('Nothing waits here. What arrives without a checkout would.') : tableIn('payments', head, rows))}
${facts.next !== null && html`<p class="bar pager"><a class="btn" href="${suspensePath}?cursor=${facts.next}" rel="next">Later ones${icon('right')}</a></p>`}
${facts.movements.length > 0 && movementsPart(assets, facts.movements)}
${facts.crumbs.length > 0 && crumbsPart(deps, facts.crumbs)}`,
  });
}

/** How it is found: on a network by its transaction, at a bank by what the statement says. */
function arrivalRows(deps: WordDeps, look: OperatorLook, { payment, told }: UnmatchedFacts): Html {
  const { network, txHash, sender, memo, trace } = payment;
  const row = (name: string, value: HtmlValue): Html =>
    html`<div><dt>${name}</dt><dd class="breaks">${value}</dd></div>`;
  const code = (text: string): Html => html`<span class="mono">${text}</span>`;
  const { knownAs } = findNetwork(network) ?? {};
  if (!knownAs)
    return html`${row('From', code(sender ?? 'unknown'))}${row('Memo', code(memo ?? 'none'))}${row('Transaction', transactionText(deps, network, txHash))}`;
  const { day, payer, bankReference, endToEndId } = knownAs.booking(trace);
  const account = payer.account ?? (payer.name === null ? (sender ?? 'unknown') : null);
  const paidBy = [payer.name !== null && html`<bdi>${payer.name}</bdi>`, account !== null && code(account)].filter(
    (part) => part !== false,
  );
  return html`${day !== null && row('Booked on', dayText({ language: 'en' }, day))}${row(
    'Paid by',
    paidBy.map((part, at) => html`${at > 0 && ', '}${part}`),
  )}${row('As it was told', memo === null ? 'nothing' : html`<bdi>${memo}</bdi>`)}${bankReference !== null && row('Bank’s reference', code(bankReference))}${endToEndId !== null && row(knownAs.sentName.en, code(endToEndId))}${told && row('Told in', bookingLink(look, told))}`;
}

function stateText(payment: UnmatchedPayment, isToApprove: boolean): Html {
  const { returnId, returnFailure } = payment;
  if (isOwn(payment)) return stateMark('paid', 'our own money');
  if (returnId !== null) return stateMark('wait', 'on its way back');
  if (isToApprove) return stateMark('decide', 'waits for a second signature');
  return returnFailure === null ? stateMark('decide', 'waits') : stateMark('fail', 'did not go back');
}

export type UnmatchedFacts = {
  readonly payment: UnmatchedPayment;
  /** The order to send it back that waits for a second signature. */
  readonly waiting: (UnmatchedReturn & { readonly asker: Html; readonly isOwn: boolean }) | null;
  /** Likewise, that it is the operator's own. */
  readonly waitingAdoption: WaitingAdoptionFacts | null;
  /** By which it is, by itself or with others. */
  readonly adoption: UnmatchedAdoption | CrumbAdoption | null;
  readonly areTwoNeeded: boolean;
  /** Where a statement tells of it; null: nothing was told in files. */
  readonly told: ToldBooking | null;
  /** For whom it may have been meant; none are looked for where nothing can be done any more. */
  readonly likely: readonly LikelyCheckout[];
  /** Null: it can be assigned, taken or sent back. */
  readonly problem: string | null;
  readonly form: URLSearchParams;
  readonly refusal: Html | false;
};

export function unmatchedPage(deps: WordDeps, look: OperatorLook, facts: UnmatchedFacts): Html {
  const { payment, waiting, waitingAdoption, adoption, problem, refusal, form, areTwoNeeded } = facts;
  const { network, seenAt, returnFailure } = payment;
  const canAct = problem === null && look.staffMay('suspense');
  return operatorPage(look, {
    title: unitsOf(deps.assets, payment),
    crumb: html`<a href="${suspensePath}">Suspense</a>`,
    lead: stateText(payment, waiting !== null || waitingAdoption !== null),
    main: html`${refusal}${waiting ? waitingPart(deps, look, payment, waiting) : waitingAdoption ? waitingAdoptionPart(look, unitsOf(deps.assets, payment), waitingAdoption) : problem !== null && html`<p class="notice wait">${icon('info')}<span>${problem}</span></p>`}
${returnFailure !== null && html`<p class="notice fail">${icon('alert')}<span>It did not go back: ${returnFailure}</span></p>`}
<dl class="kv"><div><dt>Network</dt><dd>${networkName(network)}</dd></div>${arrivalRows(deps, look, facts)}<div><dt>Seen</dt><dd>${houseMoment(seenAt)}</dd></div>${adoption && html`<div><dt>Our own since</dt><dd>${houseMoment(adoption.decidedAt ?? adoption.requestedAt)}</dd></div><div><dt>Why</dt><dd class="breaks">${adoption.reason}</dd></div>`}</dl>
${canAct && assignPart(deps, look, facts)}
${canAct && adoptionPart(look, { id: payment.id, reason: form.get('reason') ?? '', areTwoNeeded })}
${canAct && returnPart(deps, look, facts)}`,
  });
}

function waitingPart(
  { assets }: WordDeps,
  look: OperatorLook,
  { network, asset }: UnmatchedPayment,
  { id, units, address, memo, holder, asker, isOwn, requestedAt }: NonNullable<UnmatchedFacts['waiting']>,
): Html {
  const path = `${returnsPath}/${id}`;
  const goal = html`<span class="mono breaks">${printedAddress(network, address)}</span>${holder !== null && ` of ${holderWords(holder)}`}${memo !== null && html`, memo <span class="mono breaks">${memo}</span>`}`;
  return html`<ul class="asks"><li class="decide" id="r-${id}">${icon('decide')}<div><b>Send back ${unitsOf(assets, { asset, units })}</b><p>To ${goal}</p><p class="small quiet">Asked for by ${asker} · ${houseMoment(requestedAt)}${isOwn && ' · somebody else approves it'}</p></div>${look.staffMay('suspense') && html`<div class="bar">${!isOwn && signedForm(look, { action: `${path}/approve`, button: 'Approve', kind: 'primary', isSmall: true })}${staffForm(look, { action: `${path}/refuse`, button: isOwn ? 'Take back' : 'Refuse', isSmall: true })}</div>`}</li></ul>`;
}

const assignPart = (deps: WordDeps, look: OperatorLook, { payment, likely, form }: UnmatchedFacts): Html =>
  part(
    'assign',
    'It was meant for',
    html`${likely.length > 0 && likelyPart(deps, payment, likely)}${signedForm(look, {
      action: `${suspensePath}/${payment.id}/assign`,
      kind: 'primary',
      button: 'Assign it',
      body: textField({
        name: 'checkout',
        label: 'Id of the checkout or deposit',
        value: form.get('checkout') ?? '',
        help: `It must have been committed on ${networkName(payment.network)}. The payment counts from the moment when it arrived.`,
        attributes: html`required maxlength="40"`,
      }),
    })}`,
  );

function likelyPart({ assets }: WordDeps, { id, asset }: UnmatchedPayment, likely: readonly LikelyCheckout[]): Html {
  const why = ({ hasAmount, hasName }: LikelyCheckout): string =>
    hasAmount && hasName ? 'same amount and name' : hasAmount ? 'same amount' : 'same name';
  const rows = likely.map(
    (each) =>
      html`<tr><th scope="row"><a class="mono" href="${suspensePath}/${id}?checkout=${each.id}#assign">${each.id}</a><span class="sub">${each.merchantName}</span></th><td class="wrap">${why(each)}</td><td class="n">${unitsOf(assets, { asset, units: each.missingUnits > 0n ? each.missingUnits : each.dueUnits })}</td><td class="n desk">${houseMoment(each.committedAt)}</td></tr>`,
  );
  const head = html`<th scope="col">Perhaps</th><th scope="col">Because of</th><th scope="col" class="n">Missing</th><th scope="col" class="n desk">Chosen</th>`;
  return html`${tableIn('likely', head, rows)}<p class="help">Anybody can pay any amount under any name: ask whoever says it is theirs for more than that.</p>`;
}

function returnPart(deps: WordDeps, look: OperatorLook, { payment, form, areTwoNeeded }: UnmatchedFacts): Html {
  const given = (name: string): string => form.get(name) ?? '';
  const { sender, network } = payment;
  const known = deps.connectors.get(network)?.network;
  const hasMemos = known?.hasMemos === true;
  const whereTo = goesBackToPayer(known)
    ? html`<p class="help">It goes back to the account that it came from.</p>`
    : textField({
        name: 'address',
        label: 'To this address',
        value: given('address'),
        help:
          sender === null
            ? 'The network does not say where it came from.'
            : 'Empty: to where it came from. If that is an exchange, it needs a memo of its customer.',
        attributes: html`maxlength="200"`,
      });
  const memoFields =
    hasMemos &&
    html`${textField({ name: 'memo', label: 'Memo', value: given('memo'), attributes: html`maxlength="64"` })}
${selectField(
  { name: 'memo-type', label: 'Kind of the memo', value: given('memo-type') || 'text' },
  memoTypes.map((type) => [type, type]),
)}`;
  return part(
    'return',
    'Send it back',
    signedForm(look, {
      action: `${suspensePath}/${payment.id}/return`,
      button: areTwoNeeded ? 'Sign and ask to send it back' : 'Send it back',
      kind: 'danger',
      body: html`${whereTo}
${memoFields}
${textField({ name: 'fee', label: 'Kept back for the network’s fee', value: given('fee') || '0', help: '0: you bear it.', attributes: html`inputmode="decimal" maxlength="40"` })}`,
    }),
  );
}
