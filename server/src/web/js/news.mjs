// News of the account: told that something happened, an open page fetches itself again and swaps the parts that differ. What
// somebody types, has opened or is about to sign stays as it is.

import { remember, swap } from './swap.mjs';

const page = () => document.querySelector('main[data-news]');
const content = (root) => root.querySelector('main .in-main');

const isTyped = (field) =>
  field.type === 'radio' || field.type === 'checkbox'
    ? field.checked !== field.defaultChecked
    : field.matches('select')
      ? [...field.options].some((option) => option.selected !== option.defaultSelected)
      : field.type !== 'hidden' && field.value !== field.defaultValue;

/** Drawers that can be opened again in the fresh part are not in the way, unless there is something to fill in. */
const isOpened = (drawer) => drawer.id === '' || drawer.querySelector('input, select, textarea') !== null;

function isHeld(part) {
  const within = (selector) => [...(part.matches(selector) ? [part] : []), ...part.querySelectorAll(selector)];
  const focused = document.activeElement;
  const selection = getSelection();
  return (
    within('[data-held], dialog[open], [aria-busy]').length > 0 ||
    within('details[open]').some(isOpened) ||
    within('input, select, textarea').some(isTyped) ||
    (part.contains(focused) && focused.matches('input, select, textarea')) ||
    (selection !== null && !selection.isCollapsed && selection.containsNode(part, true))
  );
}

/** Where the focus was, in the part that took the place of the old one. */
function focusAgain(focused, address) {
  if (focused === document.body || focused.isConnected) return;
  const links = address ? [...content(document).querySelectorAll('a[href]')] : [];
  const twin = links.find((link) => link.getAttribute('href') === address);
  (twin ?? document.querySelector('main'))?.focus({ preventScroll: true });
}

/** Puts what is new of a page in its place. */
export function showFresh(fresh) {
  const [main, freshMain] = [document, fresh].map((root) => root.querySelector('main'));
  if (!main || !freshMain) return;
  if (freshMain.dataset.account !== main.dataset.account) return location.reload();
  const focused = document.activeElement;
  const address = focused?.getAttribute('href');
  swap(content(document), content(fresh), isHeld);
  const said = main.dataset.announce;
  Object.assign(main.dataset, freshMain.dataset);
  document.title = fresh.title;
  const [count, freshCount] = [document, fresh].map((root) => root.querySelector('#menu-waiting'));
  if (count && freshCount) count.replaceChildren(...freshCount.childNodes);
  focusAgain(focused, address);
  document.dispatchEvent(new Event('swapped'));
  const status = document.querySelector('#announce');
  if (status && main.dataset.announce && main.dataset.announce !== said) status.textContent = main.dataset.announce;
}

let isFetching = false;
let isStale = false;

const againMs = 5_000;

/** A busy shop has news every second: whoever answers slowly is asked less often. */
const pauseAfter = (ms) => Math.min(30_000, Math.max(1_000, 10 * ms));

async function refresh() {
  isStale = true;
  if (isFetching) return;
  isFetching = true;
  while (isStale && page()) {
    isStale = false;
    const startedAt = performance.now();
    const isDone = await fetchPage().then(
      () => true,
      () => false,
    );
    if (!isDone) isStale = true;
    const pause = isDone ? pauseAfter(performance.now() - startedAt) : againMs;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  isFetching = false;
}

const place = () => location.pathname + location.search;
/** Of what is shown: whoever goes back has another one in the bar already, while its page is on its way. */
let shown = place();

async function fetchPage() {
  const address = shown;
  const response = await fetch(address, { cache: 'no-store', headers: { 'x-refresh': 'news' } });
  if (response.status >= 500 || response.status === 429) throw new Error(String(response.status));
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
  if (shown !== address || place() !== address) return;
  // Signed out, or put out of the account: the next click says so.
  if (!response.ok || !fresh.querySelector('main[data-news]')) return refused();
  showFresh(fresh);
}

/** Who may not be told any more may not be shown either what was remembered. */
function refused() {
  disconnect();
  dispatchEvent(new Event('account-refused'));
}

let source = null;
let poll = null;
let connectedTo = '';
let patience = null;

let told = '';

const heard = (version) => {
  told = version;
  if (version !== page()?.dataset.version) void refresh();
};

/** A hidden page closes its stream: browsers allow six per host, and a forgotten tab needs none. */
function connect() {
  const address = page()?.dataset.news;
  if (!address || document.hidden) return disconnect();
  // A page that was fetched before the last news has to hear them too.
  if (address === connectedTo) return told === '' ? undefined : heard(told);
  disconnect();
  connectedTo = address;
  source = new EventSource(address);
  let failures = 0;
  // Some proxies hold events back: then nothing comes at all.
  patience = setTimeout(startPolling, 4000);
  source.addEventListener('message', ({ data }) => {
    clearTimeout(patience);
    failures = 0;
    stopPolling();
    heard(data);
  });
  source.addEventListener('error', () => {
    failures += 1;
    if (failures > 2 || source?.readyState === EventSource.CLOSED) startPolling();
  });
}

function disconnect() {
  clearTimeout(patience);
  source?.close();
  source = null;
  connectedTo = '';
  told = '';
  stopPolling();
}

function startPolling() {
  const address = connectedTo;
  poll ??= setInterval(async () => {
    const response = await fetch(address, { cache: 'no-store' }).catch(() => null);
    if (response?.status === 401 || response?.status === 403) refused();
    else if (response?.ok) heard(await response.text());
  }, 5000);
}

function stopPolling() {
  clearInterval(poll);
  poll = null;
}

let isListening = false;

/** After every page that was put in the place of another. `isKnown`: it was there before, and is remembered. */
export function followNews({ isKnown = false } = {}) {
  shown = place();
  const parts = content(document);
  if (parts && !isKnown) remember(parts);
  connect();
  if (isListening) return;
  isListening = true;
  const lookAgain = () => {
    if (!document.hidden && page()) void refresh();
    connect();
  };
  document.addEventListener('visibilitychange', lookAgain);
  addEventListener('online', lookAgain);
  addEventListener('pageshow', ({ persisted }) => persisted && lookAgain());
}
