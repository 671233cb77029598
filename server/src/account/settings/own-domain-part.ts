/** The shop's own domain: connecting one, how to set it up, what was found there, what the two domains do, its keys. */
import type { Query } from '../../db/database.ts';
import type { Secret } from '../../lib/secret.ts';
import {
  type BrandBehaviour,
  type BrandDomain,
  brandBehaviours,
  findBrandDomain,
  listBrandingKeys,
} from '../../merchants/brand-domain-store.ts';
import type { DomainCheck } from '../../merchants/check-brand-domain.ts';
import { type Html, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import { copyField, partOf, storedForm } from '../developers/developer-parts.ts';
import { accountPage } from '../frame/account-layout.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { agoText } from '../frame/ago-text.ts';
import { momentText } from '../frame/moment-text.ts';
import { accountField, proofField, proving } from '../sign-in/sign-in-parts.ts';
import { paymentPagePath, textField } from './settings-parts.ts';

export const ownDomainPath = `${paymentPagePath}/domain`;

export type DomainFacts = {
  readonly domain: BrandDomain | null;
  readonly keys: readonly { readonly id: string; readonly createdAt: Date }[];
  /** The service's own host. */
  readonly ourHost: string;
  /** What was looked at just now; null: nothing. */
  readonly check: DomainCheck | null;
  /** What was sent and refused, and why. */
  readonly refused: { readonly form: URLSearchParams; readonly sentence: string } | null;
};

export async function findDomainFacts(
  { db, publicUrl }: { readonly db: Query; readonly publicUrl: string },
  merchantId: string,
): Promise<DomainFacts> {
  const [domain, keys] = await Promise.all([findBrandDomain(db, merchantId), listBrandingKeys(db, merchantId)]);
  return { domain: domain ?? null, keys, ourHost: new URL(publicUrl).host, check: null, refused: null };
}

export const ownDomainPart = (look: AccountLook, facts: DomainFacts): Html => {
  const { say } = look;
  const body = facts.domain === null ? connectPart(look, facts) : connectedPart(look, facts, facts.domain);
  return html`<div id="own-domain">${partOf('own-domain', say('domainTitle'), html`<p class="lead">${say('domainLead')}</p>${body}`)}</div>`;
};

const formPart = (look: AccountLook, action: string, body: Html): Html =>
  html`<form class="form close" method="post" action="${ownDomainPath}${action}"${proving(look)}>${accountField(look)}${body}</form>`;

const problemPart = ({ refused }: DomainFacts): Html | false =>
  refused !== null && html`<p class="error" role="alert">${icon('alert')}<span>${refused.sentence}</span></p>`;

const connectPart = (look: AccountLook, facts: DomainFacts): Html => {
  const { say } = look;
  const given = facts.refused?.form;
  const chosen = given?.get('behaviour') ?? 'both';
  return formPart(
    look,
    '',
    html`${textField({ name: 'domain', label: say('domainName'), value: given?.get('domain') ?? '', help: say('domainNameHelp'), attributes: html`required maxlength="253" placeholder="pay.shop.example" spellcheck="false"` })}${problemPart(facts)}
${behaviourPart(look, chosen, { own: say('domainYours'), ours: facts.ourHost })}
${proofField(look)}
<button class="btn">${icon('link')}${say('domainConnect')}</button>`,
  );
};

const behaviourPart = (
  { say }: AccountLook,
  chosen: string,
  names: { readonly own: string; readonly ours: string },
): Html =>
  html`<fieldset class="rows"><legend>${say('domainBehaviour')}</legend>${brandOrder.map(
    (behaviour) =>
      html`<label class="choice"><input type="radio" name="behaviour" value="${behaviour}"${behaviour === chosen && html` checked`}><b>${say(`behaviour_${behaviour}`)}</b><span>${say(`behaviourMeans_${behaviour}`, names)}</span></label>`,
  )}</fieldset>`;

/** The usual first. */
const brandOrder: readonly BrandBehaviour[] = ['both', 'redirect', 'block', 'own-domain'];

export const readBehaviour = (text: string | null): BrandBehaviour | undefined =>
  brandBehaviours.find((each) => each === text);

const connectedPart = (look: AccountLook, facts: DomainFacts, domain: BrandDomain): Html => {
  const { say, now } = look;
  const given = facts.refused?.form;
  const framers = given?.get('framed-by') ?? domain.framedBy.join(' ');
  return html`<dl class="kv"><div><dt>${say('domainName')}</dt><dd class="mono">${domain.domain}</dd></div><div><dt>${say('domainState')}</dt><dd>${
    domain.seenAt
      ? html`<span class="state paid">${icon('paid')}<span>${say.html('domainSeen', { ago: agoText(look, domain.seenAt, now) })}</span></span>`
      : html`<span class="state wait">${icon('wait')}<span>${say('domainUnseen')}</span></span>`
  }</dd></div></dl>
${checkPart(look, facts, domain)}
${formPart(
  look,
  '/behaviour',
  html`${behaviourPart(look, given?.get('behaviour') ?? domain.behaviour, { own: domain.domain, ours: facts.ourHost })}
${textField({ name: 'framed-by', label: say('domainFramers'), value: framers, help: say('domainFramersHelp'), attributes: html`maxlength="3000" spellcheck="false"` })}${problemPart(facts)}
${proofField(look)}
<button class="btn">${say('domainSave')}</button>`,
)}
${setUpPart(look, domain)}
${keysPart(look, facts, domain)}
${removePart(look, domain)}`;
};

const checkPart = (look: AccountLook, { check }: DomainFacts, { domain }: BrandDomain): Html => {
  const { say } = look;
  const isGood = check?.is === 'works';
  return html`<div id="check">${
    check !== null &&
    html`<div class="notice ${isGood ? 'paid' : 'decide'}" role="status">${icon(isGood ? 'check' : 'decide')}<div><p>${say(`domainFound_${check.is}`, { domain })}</p>${check.addresses.length > 0 && html`<p class="small">${say('domainAddresses')} <span class="mono breaks">${check.addresses.join(', ')}</span></p>`}${check.detail !== '' && html`<p class="small">${say('domainDetail')} <q lang="en">${check.detail}</q></p>`}</div></div>`
  }
<form class="form close" method="post" action="${ownDomainPath}/check#check">${accountField(look)}<button class="btn">${icon('refresh')}${say('domainCheck')}</button></form></div>`;
};

const setUpPart = (look: AccountLook, { domain, seenAt }: BrandDomain): Html => {
  const { say } = look;
  return html`<details class="fold-part"${seenAt === null && html` open`}><summary>${icon('down')}${say('domainSetUp')}</summary><ol class="set-up">
<li><p>${say('domainStepName')}</p>
<div class="scroll" tabindex="0" role="region" aria-label="${say('domainRecord')}"><table class="table"><thead><tr><th scope="col">${say('domainRecordType')}</th><th scope="col">${say('domainRecordName')}</th><th scope="col">${say('domainRecordValue')}</th></tr></thead><tbody><tr><td class="mono">A, AAAA</td><td class="mono">${domain}</td><td class="wrap">${say('domainRecordMachine')}</td></tr></tbody></table></div>
${copyField(look, say('domainRecordName'), domain)}</li>
<li><p>${say('domainStepStart')}</p><code class="code">BRANDING_KEY=… docker compose up --detach</code></li>
<li><p>${say('domainStepCheck')}</p></li>
</ol></details>`;
};

const keysPart = (look: AccountLook, { keys }: DomainFacts, { domain, behaviour }: BrandDomain): Html => {
  const { say } = look;
  const rows = keys.map(
    ({ id, createdAt }) =>
      html`<li><span class="mono">${id}</span><small>${momentText(look, createdAt)}</small><form class="sum" method="post" action="${ownDomainPath}/revoke"${proving(look)}>${accountField(look)}<input type="hidden" name="key" value="${id}">${proofField(look)}<button class="btn quiet danger" aria-label="${say('domainKeyRevokeThis', { key: id })}">${say('keyRevoke')}</button></form></li>`,
  );
  return html`<details class="fold-part"><summary>${icon('down')}${say('domainKeys', { count: keys.length })}</summary><div class="fold-body"><p class="help">${say('domainKeysHelp')}</p>
${keys.length > 0 && html`<ul class="line-list">${rows}</ul>`}
${formPart(look, '', html`<input type="hidden" name="domain" value="${domain}"><input type="hidden" name="behaviour" value="${behaviour}">${proofField(look)}<button class="btn">${icon('key')}${say('domainKeyNew')}</button>`)}</div></details>`;
};

const removePart = (look: AccountLook, { domain }: BrandDomain): Html => {
  const { say } = look;
  return html`<details class="fold-part"><summary>${icon('down')}${say('domainRemove')}</summary><div class="fold-body"><p>${say('domainRemoveText', { domain })}</p>${formPart(look, '/remove', html`${proofField(look)}<button class="btn danger">${say('domainRemoveDo', { domain })}</button>`)}</div></details>`;
};

/** The only page with the key. It is not kept anywhere that could be looked at again. */
export const brandingKeyPage = (
  look: AccountLook,
  { key, domain }: { readonly key: Secret; readonly domain: BrandDomain },
): Html => {
  const { say } = look;
  return accountPage(look, {
    title: say('domainKeyMade', { domain: domain.domain }),
    crumb: html`<a href="${paymentPagePath}">${say('menuSettings')}: ${say('menuPaymentPage')}</a>`,
    main: html`<div class="form"><p class="notice decide" role="status">${icon('key')}<span>${say('domainKeyText')}</span></p>
${copyField(look, say('domainKey'), key.reveal())}
${copyField(look, say('domainCommand'), `BRANDING_KEY=${key.reveal()} docker compose up --detach`)}</div>
${storedForm(look, paymentPagePath, 'domainKeyDone')}`,
  });
};
