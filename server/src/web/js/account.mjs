// The account's script: forms, tokens in links, copying, news, pages, keys. All else works without it; it has no texts of its own.

import { useKeys } from './keys.mjs';
import { followNews } from './news.mjs';
import { swapPages } from './pages.mjs';

/** What most pages never need is read once they do. */
const passkeys = () => import('./passkeys.mjs');
const showCosts = async () => document.querySelector('form[data-cost]') && (await import('./cost.mjs')).showCosts();

/** @param {string} url @param {URLSearchParams | FormData} [body] @param {Record<string, string>} [headers] */
const post = (url, body = new URLSearchParams(), headers = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { accept: 'application/json', ...headers },
    body: body instanceof FormData ? new URLSearchParams(/** @type {any} */ (body)) : body,
  });

/** Follows a good answer; shows the page that a bad one is. @param {Response} reply */
async function go(reply) {
  if (reply.headers.get('content-type')?.startsWith('application/json')) {
    location.assign((await reply.json()).next);
    return;
  }
  const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
  document.body.replaceWith(page.body);
  document.title = page.title;
  document.querySelector('main')?.focus();
  prepare();
}

/** @type {AbortController | undefined} */
let waiting;

/** Signs in: by the button, or from the list that the browser offers in the field. @param {HTMLFormElement} form */
async function signInWith(form, /** @type {CredentialMediationRequirement | undefined} */ mediation) {
  const url = form.dataset.passkey ?? '';
  const options = await (await post(`${url}-challenge`)).json();
  waiting?.abort();
  waiting = new AbortController();
  const answer = await (await passkeys()).usePasskey(options, mediation, waiting.signal);
  await go(await post(url, withValue(form, 'answer', answer)));
}

/** @param {HTMLFormElement} form @param {string} name @param {string} value */
function withValue(form, name, value) {
  const data = new FormData(form);
  data.set(name, value);
  return data;
}

/** Whether the last proof is too old for what the form changes. @param {HTMLFormElement} form */
function isProofDue(form) {
  const { prove: until, proveIf, ready } = form.dataset;
  if (until === undefined || ready === 'yes' || Date.now() < Date.parse(until) - 5000) return false;
  return proveIf === undefined || proveIf.split(' ').some((name) => isChanged(form.elements.namedItem(name)));
}

/** Shows who it is. @param {HTMLFormElement} form */
async function prove(form) {
  if (!isProofDue(form)) return;
  const options = await (await post('/account/sign-in/prove-challenge')).json();
  const answer = await (await passkeys()).usePasskey(options);
  const reply = await post('/account/sign-in/prove', new URLSearchParams({ answer }));
  if (!reply.ok) throw new Error('refused');
}

/** @param {Element | RadioNodeList | null} field */
const isChanged = (field) => field instanceof HTMLInputElement && field.value !== field.defaultValue;

/** @param {HTMLFormElement} form */
async function register(form) {
  await prove(form);
  const url = form.dataset.register ?? '';
  const reply = await post(`${url}-challenge`);
  if (!reply.headers.get('content-type')?.startsWith('application/json')) return go(reply);
  const made = await (await passkeys()).makePasskey(await reply.json());
  await go(await post(url, withValue(form, 'answer', made)));
}

/** The passkey signs this very order, as the form says it. @param {HTMLFormElement} form @param {HTMLElement | null} button */
async function sign(form, button) {
  const data = new FormData(form, button);
  const reply = await post(form.action, data, { 'x-ask': 'passkey' });
  if (!reply.headers.get('content-type')?.startsWith('application/json')) return go(reply);
  const field = /** @type {HTMLInputElement} */ (form.elements.namedItem('proof'));
  field.value = await (await passkeys()).usePasskey(await reply.json());
  form.requestSubmit(button);
}

document.addEventListener('submit', (event) => void submitted(event));
document.addEventListener('click', (event) => void clicked(event));
// Whoever goes back may send what is there once more.
addEventListener('pageshow', () => {
  for (const form of document.forms) delete form.dataset.sent;
});

/** @param {SubmitEvent} event */
async function submitted(event) {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const button = event.submitter;
  // Shown in a frame: nothing is changed, and this page stays.
  if (button?.hasAttribute('formtarget')) return;
  const { passkey, register: registers, sign: signs, afterFile } = form.dataset;
  const proof = /** @type {HTMLInputElement | null} */ (form.elements.namedItem('proof'));
  const isToSign = signs !== undefined && proof?.value === '';
  // A second press: the first one is on its way, and its answer has the new session.
  if (form.dataset.sent === 'yes') return event.preventDefault();
  // Asked now: while it is being sent, a form cannot be sent anew.
  const isReady = passkey === undefined && registers === undefined && !isToSign && !isProofDue(form);
  if (isReady && form.method === 'post') form.dataset.sent = 'yes';
  if (isReady && !afterFile) return;
  event.preventDefault();
  button?.setAttribute('aria-busy', 'true');
  try {
    if (passkey !== undefined) await signInWith(form, undefined);
    else if (registers !== undefined) await register(form);
    else if (isToSign) await sign(form, button);
    else if (isReady) await (await import('./keep-file.mjs')).keepFile(form, button, go);
    else {
      await prove(form);
      form.dataset.ready = 'yes';
      form.requestSubmit(button);
    }
  } catch {
    // Whoever closed the browser's own window, or had no passkey, reads how to go on.
    form.querySelector('.notice.fail')?.remove();
    const said = /** @type {HTMLTemplateElement | null} */ (document.querySelector('#passkey-failed'));
    if (said) form.prepend(said.content.cloneNode(true));
  } finally {
    button?.removeAttribute('aria-busy');
  }
}

/** @param {MouseEvent} event */
async function clicked(event) {
  const button = /** @type {HTMLElement} */ (event.target).closest?.('[data-copy]');
  if (!(button instanceof HTMLElement)) return;
  await navigator.clipboard.writeText(button.dataset.copy ?? '');
  const label = button.lastChild;
  const before = label?.textContent ?? '';
  if (label) label.textContent = button.dataset.copied ?? before;
  const announce = document.querySelector('#announce');
  if (announce) announce.textContent = button.dataset.copied ?? '';
  setTimeout(() => {
    if (label) label.textContent = before;
  }, 2000);
}

/** Where nobody has chosen a time zone yet, that of this browser is proposed, once. */
function proposeZone() {
  const field = /** @type {HTMLSelectElement | null} */ (document.querySelector('select[data-own-zone]'));
  if (!field) return;
  delete field.dataset.ownZone;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  // Browsers call some zones by another name than the server does, which knows them all.
  if (![...field.options].some(({ value }) => value === timeZone))
    field.add(new Option(timeZone.replaceAll('_', ' '), timeZone));
  field.value = timeZone;
}

/** What a fresh page needs: the token behind the # is sent on, and leaves the address bar. */
function prepare() {
  document.documentElement.classList.add('scripted');
  const form = /** @type {HTMLFormElement | null} */ (document.querySelector('form[data-token]'));
  const token = location.hash.slice(1);
  if (form && token !== '') {
    history.replaceState(null, '', location.pathname);
    /** @type {HTMLInputElement} */ (form.elements.namedItem('token')).value = token;
    form.submit();
  }
  const signIn = /** @type {HTMLFormElement | null} */ (document.querySelector('form[data-passkey$="/passkey"]'));
  if (signIn && window.PublicKeyCredential)
    void PublicKeyCredential.isConditionalMediationAvailable?.().then((isOffered) =>
      isOffered ? signInWith(signIn, 'conditional').catch(() => undefined) : undefined,
    );
  followNews();
  document.dispatchEvent(new Event('swapped'));
}
document.addEventListener('swapped', proposeZone);
document.addEventListener('swapped', () => void showCosts());
prepare();
swapPages();
useKeys();
