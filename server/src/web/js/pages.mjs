// Pages of the account without a wait: a link that somebody is about to follow is fetched, and its page takes the place of
// the one that is shown; going back shows what was there, at once, and then anew. Anything that is odd is left to the browser.
// What the script remembers is gone with the window, and as soon as anybody signs out, chooses another account or is refused.

import { followNews, showFresh } from './news.mjs';

const app = (root = document) => root.querySelector('.app[data-for]');
const place = () => location.pathname + location.search;

/** For whom and of which release a page is: only what is alike may take the place of another. */
function frameOf(root) {
  const files = [...root.head.querySelectorAll('link[rel=stylesheet], script[src]')];
  const { lang, dataset } = root.documentElement;
  const addresses = files.map((file) => file.getAttribute('href') ?? file.getAttribute('src'));
  return [app(root)?.dataset.for, lang, dataset.theme, ...addresses].join(' ');
}

const fetchedMs = 5_000;
const keptMs = 30 * 60_000;
const keptMax = 20;

/** By address: pages that somebody may be about to open. */
const ahead = new Map();
/** By entry of the history: pages that were left, with what was typed and where they were scrolled to. */
const kept = new Map();

function forget() {
  ahead.clear();
  kept.clear();
}

/** A script inside of a page runs only if the browser opens it. */
const hasScript = (element) => element.querySelector('script[src]') !== null;

/** Null: odd, so the browser may open it itself. */
async function pageAt(address, signal) {
  const response = await fetch(address, { cache: 'no-store', headers: { accept: 'text/html' }, signal });
  const isHtml = response.headers.get('content-type')?.startsWith('text/html');
  if (!response.ok || response.redirected || !isHtml) return null;
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
  return app(fresh) && !hasScript(app(fresh)) && frameOf(fresh) === frameOf(document) ? fresh : null;
}

/** The account and the operator's area have frames of their own. */
const areaOf = ({ pathname }) => /^\/(account|operator)(?=\/|$)/.exec(pathname)?.[1];
const isInArea = (url) => url.origin === location.origin && areaOf(url) === areaOf(location);

/** A page that may be fetched and put here; null: the browser's. */
function addressOf(link) {
  if (!link || !app() || link.hasAttribute('download') || 'plain' in link.dataset) return null;
  const target = link.getAttribute('target');
  const url = new URL(link.getAttribute('href'), location.href);
  // Opening the set-up begins it: nobody is about to do so just because a pointer passes.
  const isOurs = isInArea(url) && !url.pathname.startsWith('/account/set-up');
  const isHere = url.pathname + url.search === place() && url.hash !== '';
  return isOurs && !isHere && (target === null || target === '_self') ? url.href : null;
}

let stop = null;
let soon = null;

function fetchAhead(address) {
  if (ahead.has(address) || navigator.connection?.saveData) return;
  stop?.abort();
  ahead.clear();
  stop = new AbortController();
  const page = pageAt(address, stop.signal);
  page.catch(() => ahead.delete(address));
  ahead.set(address, { page, at: performance.now() });
}

function taken(address) {
  const found = ahead.get(address);
  ahead.delete(address);
  return found && performance.now() - found.at < fetchedMs ? found.page : undefined;
}

let count = 0;
const newEntry = () => `${Date.now()}.${(count += 1)}`;
/** Of the history: where the browser is, and what is shown, which comes a moment later. */
let here = history.state?.page ?? newEntry();
let shown = { entry: here, place: place() };

function keepShown() {
  const [element, focused] = [app(), document.activeElement];
  if (!element || hasScript(element)) return;
  kept.delete(shown.entry);
  kept.set(shown.entry, { element, focused, title: document.title, y: scrollY, at: Date.now() });
  if (kept.size > keptMax) kept.delete(kept.keys().next().value);
}

function show({ element, title, y = 0, focused = null }) {
  app().replaceWith(element);
  document.title = title;
  shown = { entry: here, place: place() };
  const named = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (named && focused === null) named.scrollIntoView({ behavior: 'instant' });
  else scrollTo({ top: y, behavior: 'instant' });
  const heading = element.querySelector('h1');
  heading?.setAttribute('tabindex', '-1');
  (focused && element.contains(focused) ? focused : heading)?.focus({ preventScroll: true });
  const status = document.querySelector('#announce');
  if (status) status.textContent = heading?.textContent ?? '';
  followNews({ isKnown: focused !== null });
  document.dispatchEvent(new Event('swapped'));
}

let visits = 0;

/** `isBack`: the address bar is there already. */
export async function visit(address, { isBack = false, y = 0 } = {}) {
  const visiting = (visits += 1);
  const root = document.documentElement;
  root.dataset.leaving = '';
  const page = taken(address) ?? pageAt(address);
  const fresh = await page.catch(() => null);
  if (visiting !== visits) return;
  delete root.dataset.leaving;
  if (!fresh || !app() || frameOf(fresh) !== frameOf(document)) {
    forget();
    if (isBack) location.reload();
    else location.assign(address);
    return;
  }
  if (!isBack) {
    keepShown();
    history.replaceState({ page: here, y: scrollY }, '');
    here = newEntry();
    history.pushState({ page: here }, '', address);
  }
  show({ element: document.adoptNode(app(fresh)), title: fresh.title, y });
}

/** What was remembered may be old. Signed out meanwhile: the browser asks, and is led to the sign-in. */
async function renew() {
  const before = location.href;
  const fresh = await pageAt(before).catch(() => undefined);
  if (location.href !== before || fresh === undefined) return;
  if (fresh) return showFresh(fresh);
  forget();
  location.reload();
}

function wentBack({ state }) {
  if (place() === shown.place) return;
  if (!app()) return location.reload();
  keepShown();
  here = state?.page ?? newEntry();
  const known = kept.get(here);
  kept.delete(here);
  if (!known || Date.now() - known.at > keptMs) return visit(location.href, { isBack: true, y: state?.y ?? 0 });
  visits += 1;
  delete document.documentElement.dataset.leaving;
  show(known);
  return renew();
}

const linkOf = ({ target }) => target.closest?.('a[href]');

function near(event, ms) {
  clearTimeout(soon);
  const address = addressOf(linkOf(event));
  if (address && address !== location.href) soon = setTimeout(() => fetchAhead(address), ms);
}

function clicked(event) {
  const { button, ctrlKey, metaKey, shiftKey, altKey } = event;
  if (event.defaultPrevented || button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return;
  const address = addressOf(linkOf(event));
  if (!address) return;
  event.preventDefault();
  clearTimeout(soon);
  void visit(address);
}

function submitted(event) {
  const { target: form, submitter } = event;
  // What is sent into a frame, as a preview is, takes the place of nothing here, nor of a page that is on its way.
  if (event.defaultPrevented || submitter?.formTarget || form.target) return;
  if (form.method === 'post') {
    forget();
    // Its answer must not be lost to a page that is on its way.
    visits += 1;
    stop?.abort();
    // Other windows have pages of whoever is leaving.
    if (/\/account\/(sign-out|choose)$/.test(form.action)) tellOthers();
    return;
  }
  const url = new URL(form.action, location.href);
  url.search = new URLSearchParams(new FormData(form, submitter)).toString();
  if (form.method !== 'get' || !app() || !isInArea(url)) return;
  event.preventDefault();
  void visit(url.href);
}

const others = 'BroadcastChannel' in window ? new BroadcastChannel('quittance-account') : null;
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel is of this origin only.
const tellOthers = () => others?.postMessage('forget');

export function swapPages() {
  history.replaceState({ ...history.state, page: here }, '');
  document.addEventListener('pointerover', (event) => near(event, 65));
  document.addEventListener('focusin', (event) => near(event, 150));
  document.addEventListener('touchstart', (event) => near(event, 0), { passive: true });
  document.addEventListener('click', clicked);
  document.addEventListener('submit', submitted);
  addEventListener('popstate', (event) => void wentBack(event));
  addEventListener('account-refused', forget);
  others?.addEventListener('message', forget);
  // A page that the browser itself has kept: somebody may have signed out since.
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    forget();
    if (app()) void renew();
  });
}
