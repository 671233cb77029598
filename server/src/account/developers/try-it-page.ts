/** A signed request to paste into a terminal, with the id of one of the account's keys. */
import type { ListedKey } from '../../merchants/api-key-store.ts';
import { type Html, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { developerPage, keysPath, partOf, tryItPath } from './developer-parts.ts';

export type TryItFacts = {
  /** Those that may charge. */
  readonly keys: readonly ListedKey[];
  readonly chosen: ListedKey | undefined;
  readonly publicUrl: string;
  /** How the account wants its programs to authenticate. */
  readonly method: 'digest' | 'basic';
};

/** The secret is asked for and not written down: a terminal remembers what was typed. */
const signedRequest = (
  { publicUrl, apiKey }: { publicUrl: string; apiKey: string },
  { method, path, body }: { method: 'GET' | 'POST'; path: string; body: string | null },
): string =>
  [
    `read -rsp 'Secret: ' SECRET; echo`,
    `KEY=${apiKey}`,
    ...(body === null ? [] : [`BODY='${body}'`]),
    'NOW=$(date +%s)',
    `SIGNATURE=$(printf '%s' "${path}\${NOW}${method}${body === null ? '' : '${BODY}'}" \\`,
    `  | openssl dgst -sha256 -hmac "$SECRET" -hex | sed 's/.* //')`,
    `curl "${publicUrl}/api/v1${path}" \\`,
    '  -H "X-Digest-Key: $KEY" \\',
    '  -H "X-Digest-Timestamp: $NOW" \\',
    `  -H "X-Digest-Signature: $SIGNATURE"${body === null ? '' : ' \\'}`,
    ...(body === null ? [] : ['  -H "Content-Type: application/json" -d "$BODY"']),
  ].join('\n');

/** The same with the fixed value, which is the hash of key and secret. */
const basicRequest = (
  { publicUrl, apiKey }: { publicUrl: string; apiKey: string },
  { path, body }: { path: string; body: string | null },
): string =>
  [
    `read -rsp 'Secret: ' SECRET; echo`,
    `KEY=${apiKey}`,
    `BASIC=$(printf '%s' "\${KEY}:\${SECRET}" | openssl dgst -sha256 -hex | sed 's/.* //')`,
    `curl "${publicUrl}/api/v1${path}" -H "X-Basic: $BASIC"${body === null ? '' : ' \\'}`,
    ...(body === null ? [] : [`  -H "Content-Type: application/json" -d '${body}'`]),
  ].join('\n');

const charge = '{"charge":{"billingCurrency":"EUR","lineItems":[{"description":"T-shirt","netAmount":"19.99"}]}}';

export const tryItPage = (look: AccountLook, facts: TryItFacts): Html => {
  const { say } = look;
  const { chosen, publicUrl } = facts;
  if (!chosen)
    return developerPage(look, {
      name: 'menuTryIt',
      main: html`<div class="empty">${icon('code')}<p>${say('tryEmpty')}</p><a class="btn primary" href="${keysPath}/new">${icon('plus')}${say('keyNew')}</a></div>`,
    });
  const place = { publicUrl, apiKey: chosen.apiKey };
  const requestOf = facts.method === 'basic' ? basicRequest : signedRequest;
  return developerPage(look, {
    name: 'menuTryIt',
    main: html`<p class="lead">${say('tryLead')}</p>
${facts.keys.length > 1 && chooser(look, facts.keys, chosen)}
${example(look, 'first', say('tryFirst'), requestOf(place, { method: 'GET', path: '/auth-test', body: null }))}
${example(look, 'second', say('trySecond'), requestOf(place, { method: 'POST', path: '/checkout/hosted', body: charge }))}`,
  });
};

const chooser = ({ say }: AccountLook, keys: readonly ListedKey[], chosen: ListedKey): Html =>
  html`<form class="filters" method="get" action="${tryItPath}"><label for="try-key">${say('tryKey')}</label><span class="select"><select class="input" id="try-key" name="key">${keys.map(
    ({ apiKey, label }) =>
      html`<option value="${apiKey}"${apiKey === chosen.apiKey && html` selected`}>${label || say('keyUnnamed')} (${apiKey})</option>`,
  )}</select></span><button class="btn">${say('tryShow')}</button></form>`;

const example = ({ say }: AccountLook, id: string, title: string, code: string): Html =>
  partOf(
    id,
    title,
    html`<code class="code" tabindex="0" role="region" aria-label="${say('tryCode')}: ${title}">${code}</code>`,
    html`<button class="btn quiet needs-script" type="button" data-copy="${code}" data-copied="${say('copied')}">${icon('copy')}<span>${say('copy')}</span></button>`,
  );
