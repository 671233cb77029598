// What the payment page can do better with JavaScript. Without it, everything on the page works as well: this file only
// counts down, and fetches the page again when the server says that something has changed. It has no texts and
// does no arithmetic with money: both come with the page.

import { $, all, announce, lookForWallets } from './paying.mjs';
import { remember, swap } from './swap.mjs';

const live = $('#live');

// The clock: the server's, because that of this device may be wrong

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
    const hours = String(Math.floor(seconds / 3600));
    const isCounted = seconds <= 3600 || !('hours' in clock.dataset);
    if (isCounted) clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    else if (clock.dataset.hours !== hours) {
      // Days and hours are words, which only the server knows.
      clock.dataset.hours = hours;
      void refresh();
    }
    // Of the end of a checkout the server tells; that one way is over and another is not changes nothing there.
    if (seconds === 0 && 'followed' in clock.dataset) {
      delete clock.dataset.followed;
      void refresh();
    }
    $('.time-line rect')?.setAttribute('width', Math.min(100, (seconds * 100) / clock.dataset.whole));
    for (const minutes of [10, 5, 1]) {
      const isDue = seconds <= minutes * 60 && seconds > minutes * 60 - 5 && !announcedAt.has(minutes);
      if (!isDue) continue;
      announcedAt.add(minutes);
      announce(clock.getAttribute(`data-at-${minutes}`));
    }
  }
  countDown();
}

// Back to the shop, once, and only for those who were here when the payment completed or came right after, and who do
// nothing on the page

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
  restingAt = scrollY;
  line.hidden = false;
  showBar(true);
}

/** The bar empties while the seconds pass, and starts again with them. */
function showBar(isShown) {
  const bar = $('.backing .go');
  if (!bar) return;
  bar.hidden = true;
  void bar.offsetWidth;
  bar.hidden = !isShown;
}

function countDown() {
  const line = $('#going-back');
  if (secondsToGo === null || !line) return;
  line.hidden = false;
  for (const each of all('[data-second]', line)) each.hidden = Number(each.dataset.second) !== secondsToGo;
  if (secondsToGo === 0) {
    sessionStorage.setItem(backKey(), '1');
    secondsToGo = null;
    location.assign(line.dataset.back);
  } else secondsToGo -= 1;
}

/** Whoever reads, unfolds, selects or types is not sent away: the countdown is over, and the line says so. */
function stay({ type } = {}) {
  const line = $('#going-back');
  if (secondsToGo === null || !line) return;
  // The button itself is pressed by its click alone. The focus scrolls it into sight, and a key comes before the click:
  // were it gone by then, the link that has the focus next would be pressed.
  if (type !== 'click' && line.contains(document.activeElement)) return;
  secondsToGo = null;
  sessionStorage.setItem(backKey(), '1');
  // The button that was pressed disappears; the focus must not be lost with it.
  if (line.contains(document.activeElement)) $('#leave a')?.focus();
  for (const part of all('[data-countdown], [data-stay]', line)) part.hidden = true;
  $('[data-staying]', line).hidden = false;
  announce($('[data-staying]', line).textContent);
  showBar(false);
}

/** The page itself scrolls to a new state; further than that only a reader does. */
let restingAt = 0;
const isMovedByReader = () => Math.abs(scrollY - restingAt) > 40;

// Shows what needs a script, and times in the customer's own time zone

const showButtons = () => {
  for (const button of all('[data-copy], [data-print]')) button.hidden = false;
};

function enhance() {
  showButtons();
  void lookForWallets();
  void measureLogo();
  for (const time of all('time[data-local]')) {
    // As on the server, and as papers and the slip write it: a page has one form of time.
    const options = {
      timeStyle: 'short',
      hourCycle: 'h23',
      ...(time.dataset.local === 'date' && { dateStyle: 'long' }),
    };
    time.textContent = new Intl.DateTimeFormat(document.documentElement.lang, options).format(new Date(time.dateTime));
  }
  startCountdown();
}

/** Whether a logo is dark or light: on a plane like it it needs another. One that fills its frame has its own. */
async function measureLogo() {
  const logo = $('.shop img.logo');
  const isThere = await logo?.decode().then(
    () => true,
    () => false,
  );
  if (!isThere) return;
  const side = 24;
  const canvas = Object.assign(document.createElement('canvas'), { width: side, height: side }).getContext('2d');
  canvas.drawImage(logo, 0, 0, side, side);
  const { data } = canvas.getImageData(0, 0, side, side);
  let [light, opaque] = [0, 0];
  for (let at = 0; at < data.length; at += 4) {
    opaque += data[at + 3];
    light += data[at + 3] * (0.21 * data[at] + 0.72 * data[at + 1] + 0.07 * data[at + 2]);
  }
  const isFree = opaque < 0.9 * 255 * side * side;
  logo.classList.toggle('is-dark', isFree && light < 90 * opaque);
  logo.classList.toggle('is-light', isFree && light > 215 * opaque);
}

// Keeping the page fresh

/** What is only for pages without a script is text in this one, and would be elements in one that is parsed by it. */
const withoutStyle = (page) => {
  const [from, to] = [page.indexOf('<style'), page.indexOf('</style>')];
  return from === -1 || to < from ? page : page.slice(0, from) + page.slice(to + '</style>'.length);
};

const forgetScriptless = (page) => all('noscript', page).forEach((each) => each.remove());

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
      // The page has the shop's style already. The new one has the nonce of another reply and would be refused.
      const text = withoutStyle(await response.text());
      const page = new DOMParser().parseFromString(text, 'text/html');
      forgetScriptless(page);
      show($('#live', page), page.title);
    }
    setOffline(false);
  } catch {
    setOffline(true);
    setTimeout(refresh, 5000);
  } finally {
    isFetching = false;
  }
}

function show(fresh, title) {
  if (!fresh) return;
  const focused = document.activeElement;
  const focusedId = focused?.id;
  const before = $('#state')?.dataset.announce;
  const choiceBefore = live.dataset.choice;
  // A form of this page that is on its way is no other device.
  const isSending = $('[aria-busy]') !== null;
  swap(live, fresh);
  Object.assign(live.dataset, fresh.dataset);
  live.className = fresh.className;
  document.title = title;
  takeOwnAddress();
  readClock();
  enhance();
  tick();
  const state = $('#state');
  // A late part may be followed by another address than was chosen: that is nobody's choice.
  const isChosenElsewhere = $('#pay') !== null && live.dataset.choice !== choiceBefore && !isSending;
  if (state && state.dataset.announce !== before) {
    turnTo(state);
    if (isChosenElsewhere) showWayChanged();
  } else {
    if (focusedId && document.activeElement?.id !== focusedId) document.getElementById(focusedId)?.focus();
    if (isChosenElsewhere) turnToWayChanged(focused);
  }
  connect();
}

function showWayChanged() {
  const note = $('#way-changed');
  note.hidden = false;
  announce(note.textContent);
  return note;
}

/** What is about to be copied or scanned is another thing now: nobody may miss that. Only who types is not moved. */
function turnToWayChanged(focused) {
  const note = showWayChanged();
  closeOverlays();
  if (document.activeElement?.matches('input:not([type=radio], [type=checkbox])')) return;
  note.scrollIntoView({ block: 'center' });
  // The button that had the focus is gone.
  if (!focused?.isConnected) note.focus({ preventScroll: true });
}

/** What lies over the page: an enlarged code, the sheet about wallets. */
function closeOverlays() {
  for (const code of all('.zoom > :checked')) code.checked = false;
  $('dialog[open]')?.close();
}

/**
 * The answer to a form that was refused has the form's address, which shows no news and sends the form again at a reload.
 * And where another way can no longer be chosen, the news are another page.
 */
function takeOwnAddress() {
  const own = $('[data-page]')?.dataset.page;
  if (own && new URL(own, location).pathname !== location.pathname) history.replaceState(null, '', own);
}

/** Brings a new state into view and gives it the focus, so that a screen reader reads it out. */
function turnTo(state) {
  announcedAt.clear();
  closeOverlays();
  // What was said of the state before is no news any more.
  announce('');
  live.scrollIntoView();
  restingAt = scrollY;
  state.focus({ preventScroll: true });
}

function setOffline(isOffline) {
  const text = isOffline ? live.dataset.offline : '';
  if (isOffline && !$('#offline')) announce(text);
  let note = $('#offline');
  if (isOffline && !note) {
    note = document.createElement('p');
    note.id = 'offline';
    note.className = 'top-notes';
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
  // Some proxies hold events back: then nothing comes at all.
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
takeOwnAddress();
if (live) {
  forgetScriptless(document);
  remember(live);
  readClock();
  enhance();
  tick();
  setInterval(tick, 1000);
  // Not when a finger comes down: what it is about to press would move away under it.
  for (const use of ['keydown', 'click', 'wheel', 'touchmove']) addEventListener(use, stay, { passive: true });
  document.addEventListener('selectionchange', () => getSelection().isCollapsed || stay());
  addEventListener('scroll', () => isMovedByReader() && stay(), { passive: true });
  addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') for (const code of all('.zoom > :checked')) code.checked = false;
  });
  // On paper nothing can be unfolded.
  addEventListener('beforeprint', () => {
    for (const drawer of all('#payments, #order-fold')) drawer.open = true;
  });
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
$('form[data-submit]')?.setAttribute('aria-busy', 'true');
$('form[data-submit]')?.requestSubmit();
// Papers and the pages of refunds have a logo too, and papers can be printed.
if (!live) {
  showButtons();
  void measureLogo();
}
