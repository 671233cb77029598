// What the payment page can do better with JavaScript. Without it, everything on the page works as well: this file only
// copies, counts down, and fetches the page again when the server says that something has changed. It has no texts and
// does no arithmetic with money: both come with the page.

const $ = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const live = $('#live');

/** Said once, by screen readers, without moving the focus. */
function announce(text) {
  const status = $('#announce');
  status.textContent = '';
  setTimeout(() => {
    status.textContent = text;
  }, 50);
}

// Copying

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Pages without https have no clipboard: a selection can still be copied.
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'unseen';
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand('copy');
    area.remove();
    return isCopied;
  }
}

async function copyFrom(button) {
  const isCopied = await copy(button.dataset.copy);
  announce(isCopied ? button.dataset.copied : button.dataset.failed);
  button.focus();
  button.classList.toggle('copied-now', isCopied);
  setTimeout(() => button.classList.remove('copied-now'), 2000);
}

document.addEventListener('click', ({ target }) => {
  const button = target.closest('button');
  if (!button) return;
  if ('copy' in button.dataset) void copyFrom(button);
  else if ('print' in button.dataset) print();
  else if ('stay' in button.dataset) stay();
  else if ('chain' in button.dataset) void payByWallet(button);
  else if ('signing' in button.dataset) void payByFreighter(button);
});

// A wallet in the browser (EIP-1193)

async function payByWallet({ dataset }) {
  const { ethereum } = window;
  announce(dataset.asked);
  try {
    const [from] = await ethereum.request({ method: 'eth_requestAccounts' });
    await ethereum.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: dataset.chain }] });
    const transaction = { from, to: dataset.to, value: dataset.value };
    if (dataset.data) transaction.data = dataset.data;
    await ethereum.request({ method: 'eth_sendTransaction', params: [transaction] });
  } catch {
    announce(dataset.refused);
  }
}

// Freighter, which takes its orders as messages and only signs: the server makes the transaction and hands it in

function askFreighter(request) {
  const messageId = Date.now() + Math.random();
  return new Promise((resolve) => {
    const listen = ({ source, data }) => {
      // `messagedId` is how Freighter spells it.
      if (source !== window || data?.source !== 'FREIGHTER_EXTERNAL_MSG_RESPONSE' || data.messagedId !== messageId)
        return;
      removeEventListener('message', listen);
      resolve(data);
    };
    addEventListener('message', listen);
    postMessage({ source: 'FREIGHTER_EXTERNAL_MSG_REQUEST', messageId, ...request }, location.origin);
  });
}

async function lookForFreighter() {
  const part = $('[data-freighter]');
  if (part?.hidden && (await askFreighter({ type: 'REQUEST_CONNECTION_STATUS' })).isConnected) part.hidden = false;
}

async function payByFreighter({ dataset }) {
  const post = async (form) => {
    const response = await fetch(dataset.signing, { method: 'POST', body: new URLSearchParams(form) });
    if (!response.ok) throw new Error(String(response.status));
    return response.json();
  };
  announce(dataset.asked);
  try {
    const { publicKey } = await askFreighter({ type: 'REQUEST_ACCESS' });
    const { transaction, passphrase } = await post({ account: publicKey });
    const { signedTransaction } = await askFreighter({
      type: 'SUBMIT_TRANSACTION',
      transactionXdr: transaction,
      networkPassphrase: passphrase,
      accountToSign: publicKey,
    });
    await post({ signed: signedTransaction });
  } catch {
    announce(dataset.refused);
  }
}

// The clock: the server's, whatever this device believes

let serverAhead = 0;
const serverNow = () => Date.now() + serverAhead;
const readClock = () => {
  if (live) serverAhead = Date.parse(live.dataset.now) - Date.now();
};

const announcedAt = new Set();

function tick() {
  const clock = $('.clock');
  if (clock) {
    const seconds = Math.max(0, Math.ceil((Date.parse(clock.dataset.until) - serverNow()) / 1000));
    clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    clock.classList.toggle('soon', seconds <= 300);
    for (const minutes of [10, 5, 1]) {
      const isDue = seconds <= minutes * 60 && seconds > minutes * 60 - 5 && !announcedAt.has(minutes);
      if (!isDue) continue;
      announcedAt.add(minutes);
      announce(clock.getAttribute(`data-at-${minutes}`));
    }
  }
  countDown();
}

// Back to the shop, once, and only for those who were here when the payment completed or came right after

let secondsToGo = null;
const backKey = () => `back ${$('#going-back').dataset.back}`;

function startCountdown() {
  const line = $('#going-back');
  if (!line) {
    secondsToGo = null;
    return;
  }
  const isFresh = serverNow() - Date.parse(line.dataset.since) < 120_000;
  if (secondsToGo !== null || !isFresh || sessionStorage.getItem(backKey())) return;
  secondsToGo = all('[data-second]', line).length;
  line.hidden = false;
}

function countDown() {
  const line = $('#going-back');
  if (secondsToGo === null || !line) return;
  line.hidden = false;
  for (const each of all('[data-second]', line)) each.hidden = Number(each.dataset.second) !== secondsToGo;
  if (secondsToGo === 0) {
    stay();
    location.assign(line.dataset.back);
  } else secondsToGo -= 1;
}

/** Whoever uses the page is not taken from it meanwhile: with a keyboard the way to the button may be long. */
function beginAnew() {
  const line = $('#going-back');
  if (secondsToGo !== null && line) secondsToGo = all('[data-second]', line).length;
}

function stay() {
  const line = $('#going-back');
  sessionStorage.setItem(backKey(), '1');
  secondsToGo = null;
  // The button that was pressed goes away, and the focus must not go with it.
  if (line.contains(document.activeElement)) $('#leave a')?.focus();
  line.hidden = true;
}

// What needs a script, shown; times, in the customer's own zone

function enhance() {
  for (const button of all('[data-copy], [data-print]')) button.hidden = false;
  for (const part of all('[data-wallet]')) part.hidden = !window.ethereum?.request;
  void lookForFreighter();
  for (const time of all('time[data-local]')) {
    const options = time.dataset.local === 'time' ? { timeStyle: 'short' } : { dateStyle: 'long', timeStyle: 'short' };
    time.textContent = new Intl.DateTimeFormat(document.documentElement.lang, options).format(new Date(time.dateTime));
  }
  startCountdown();
}

// Keeping the page fresh: every part with an id is kept if the server would render it the same, so that the focus, an
// open drawer and a half-typed address stay

const rendered = new WeakMap();
const containers = new Set(['live', 'column']);
const remember = (parent) => {
  for (const part of parent.children) {
    if (containers.has(part.id)) remember(part);
    else rendered.set(part, part.outerHTML);
  }
};

/** An open drawer, a chosen code and whatever was typed, in a part that has changed all the same. */
function keepInput(known, replacement) {
  if (known.open) replacement.open = true;
  for (const input of all('input[id]', known)) {
    const fresh = $(`#${input.id}`, replacement);
    if (fresh && input.type === 'radio') fresh.checked = input.checked;
    else if (fresh && input.value !== input.defaultValue) fresh.value = input.value;
  }
}

function update(parent, fresh) {
  const old = new Map([...parent.children].map((part) => [part.id, part]));
  const wanted = [...fresh.children].map((part) => {
    const known = old.get(part.id);
    if (known && containers.has(part.id)) {
      update(known, part);
      return known;
    }
    const text = part.outerHTML;
    if (known && rendered.get(known) === text) return known;
    const replacement = document.importNode(part, true);
    rendered.set(replacement, text);
    if (known) keepInput(known, replacement);
    return replacement;
  });
  for (const part of [...parent.children]) if (!wanted.includes(part)) part.remove();
  wanted.forEach((part, at) => {
    if (parent.children[at] !== part) parent.insertBefore(part, parent.children[at] ?? null);
  });
}

let isFetching = false;
let isStale = false;

async function refresh() {
  isStale = true;
  if (isFetching) return;
  isFetching = true;
  try {
    while (isStale) {
      isStale = false;
      const response = await fetch(location.href, { cache: 'no-store' });
      if (!response.ok) throw new Error(String(response.status));
      // The shop's style is here already; another one has the nonce of its own reply and would be refused.
      const text = (await response.text()).replace(/<style[^]*?<\/style>/, '');
      const page = new DOMParser().parseFromString(text, 'text/html');
      show($('#live', page));
    }
    setOffline(false);
  } catch {
    setOffline(true);
    setTimeout(refresh, 5000);
  } finally {
    isFetching = false;
  }
}

function show(fresh) {
  if (!fresh) return;
  const focusedId = document.activeElement?.id;
  const before = $('#state')?.dataset.announce;
  update(live, fresh);
  Object.assign(live.dataset, fresh.dataset);
  readClock();
  enhance();
  tick();
  if (focusedId && document.activeElement?.id !== focusedId) document.getElementById(focusedId)?.focus();
  const after = $('#state')?.dataset.announce;
  if (after && after !== before) {
    announce(after);
    announcedAt.clear();
  }
  connect();
}

function setOffline(isOffline) {
  const text = isOffline ? live.dataset.offline : '';
  if (live.classList.toggle('offline', isOffline)) announce(text);
  let note = $('#offline');
  if (isOffline && !note) {
    note = document.createElement('p');
    note.id = 'offline';
    note.className = 'notice';
    note.textContent = text;
    live.before(note);
  } else if (!isOffline) note?.remove();
}

/** A hidden page closes its stream: browsers allow six per host, and a forgotten tab needs none. */
let source = null;
let connectedTo = '';
let poll = null;

function connect() {
  const { events } = live.dataset;
  if (!events || document.hidden) return disconnect();
  if (events === connectedTo) return;
  disconnect();
  connectedTo = events;
  if (!window.EventSource) return startPolling();
  source = new EventSource(events);
  // A proxy that collects what it should pass on says nothing at all.
  const patience = setTimeout(startPolling, 4000);
  let failures = 0;
  source.addEventListener('message', ({ data }) => {
    clearTimeout(patience);
    failures = 0;
    stopPolling();
    if (data !== live.dataset.version) void refresh();
  });
  source.addEventListener('error', () => {
    failures += 1;
    if (failures > 2 || source?.readyState === EventSource.CLOSED) startPolling();
  });
}

function disconnect() {
  source?.close();
  source = null;
  connectedTo = '';
  stopPolling();
}

function startPolling() {
  poll ??= setInterval(async () => {
    try {
      const response = await fetch(live.dataset.poll, { cache: 'no-store' });
      if (response.ok && (await response.text()) !== live.dataset.version) await refresh();
    } catch {
      setOffline(true);
      await refresh();
    }
  }, 5000);
}

function stopPolling() {
  clearInterval(poll);
  poll = null;
}

// Begin

document.documentElement.classList.add('js');
if (live) {
  remember(live);
  readClock();
  enhance();
  tick();
  setInterval(tick, 1000);
  for (const use of ['keydown', 'pointerdown']) addEventListener(use, beginAnew);
  connect();
  const lookAgain = () => {
    if (!document.hidden && live.dataset.events) void refresh();
    connect();
  };
  document.addEventListener('visibilitychange', lookAgain);
  addEventListener('online', lookAgain);
  addEventListener('offline', () => live.dataset.events && setOffline(true));
  addEventListener('pageshow', ({ persisted }) => persisted && lookAgain());
}
// There is only one way to pay, so there is nothing to choose.
$('form[data-submit]')?.requestSubmit();
