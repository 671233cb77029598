// Keys and what they open: the palette, in which one searches, the list of keys, rows of a list, pages of the menu. Single keys
// do nothing while somebody types, holds another key, or has switched them off.

import { visit } from './pages.mjs';

const debounceMs = 120;
const secondKeyMs = 1_500;

/** From its template, at the first time. */
function dialogOf(id) {
  const template = document.querySelector(`template#${id}`);
  if (!template) return null;
  const known = document.querySelector(`dialog[data-of="${id}"]`);
  if (known) return known;
  const dialog = document.importNode(template.content, true).querySelector('dialog');
  dialog.dataset.of = id;
  document.body.append(dialog);
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog || target.closest('a')) dialog.close();
  });
  if (id === 'palette') preparePalette(dialog);
  return dialog;
}

function open(id) {
  const dialog = dialogOf(id);
  if (!dialog) return false;
  if (!dialog.open) dialog.showModal();
  dialog.querySelector('input')?.select();
  return true;
}

function preparePalette(dialog) {
  const [form, input] = [dialog.querySelector('form'), dialog.querySelector('input')];
  const [hits, status] = [dialog.querySelector('.hits'), dialog.querySelector('[role=status]')];
  const links = () => [...hits.querySelectorAll('a')];
  const address = () => `${form.action}?q=${encodeURIComponent(input.value.trim())}`;
  let stop = null;
  let timer = null;
  let looking = { for: null, done: null };

  async function look(wanted) {
    stop?.abort();
    stop = new AbortController();
    const response = await fetch(wanted, { cache: 'no-store', signal: stop.signal });
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('#found');
    // Signed out, most likely: the page itself says so.
    if (!fresh || response.redirected) return location.assign(wanted);
    status.textContent = input.value === '' ? '' : fresh.dataset.said;
    hits.replaceChildren(...fresh.childNodes);
    hits.scrollTop = 0;
  }
  /** Until what is shown is what the field says. A look that was given up, or a network that is away: the next one asks again. */
  function lookNow() {
    clearTimeout(timer);
    const wanted = address();
    if (looking.for !== wanted) looking = { for: wanted, done: look(wanted) };
    return looking.done.catch(() => {
      if (looking.for === wanted) looking.for = null;
    });
  }

  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(lookNow, debounceMs);
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    await lookNow();
    const [first] = input.value.trim() === '' ? [] : links();
    dialog.close();
    void visit(first?.href ?? address());
  });
  async function moveBy(step) {
    if (document.activeElement === input) await lookNow();
    const all = [input, ...links()];
    const at = Math.max(all.indexOf(document.activeElement), 0);
    all[(at + step + all.length) % all.length].focus();
  }
  dialog.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      void moveBy(step);
    } else if (event.target !== input && event.key.length === 1 && !event.ctrlKey && !event.metaKey) input.focus();
  });
  // What was found a while ago may have changed.
  dialog.addEventListener('close', () => {
    looking = { for: null, done: null };
    input.value = '';
    hits.replaceChildren();
  });
  new MutationObserver(() => dialog.open && lookNow()).observe(dialog, { attributeFilter: ['open'] });
}

/** The first link of every row that is shown. */
const rows = () =>
  [...document.querySelectorAll('main .list tbody tr, main .asks > li, main .hits li')]
    .map((row) => row.querySelector('a[href]'))
    .filter((link) => link?.offsetParent);

function moveBy(step) {
  const all = rows();
  const at = all.findIndex((link) => link.closest('tr, li').contains(document.activeElement));
  const next = at === -1 ? (step > 0 ? 0 : all.length - 1) : at + step;
  all[next]?.focus();
  return all[next] !== undefined;
}

let isGoing = false;
let forgetting = null;

function go(key) {
  isGoing = false;
  const link = document.querySelector(`#menu [data-go="${CSS.escape(key)}"]`);
  if (link) void visit(link.href);
  return link !== null;
}

const singles = {
  '/': () => open('palette'),
  '?': () => open('keys'),
  j: () => moveBy(1),
  k: () => moveBy(-1),
  n: () => {
    const address = document.querySelector('.app')?.dataset.new;
    if (address) void visit(new URL(address, location.href).href);
    return address !== undefined;
  },
  g: () => {
    isGoing = true;
    clearTimeout(forgetting);
    forgetting = setTimeout(() => {
      isGoing = false;
    }, secondKeyMs);
    return true;
  },
};

function pressed(event) {
  const { key, ctrlKey, metaKey, altKey, target } = event;
  if (event.defaultPrevented || event.isComposing) return;
  const isPalette = (ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k';
  if (isPalette) {
    if (open('palette')) event.preventDefault();
    return;
  }
  const isTyping = target.closest?.('input, textarea, select, [contenteditable]');
  const isOff = document.querySelector('.app')?.dataset.keys === 'off' || document.querySelector('dialog[open]');
  if (ctrlKey || metaKey || altKey || isTyping || isOff) return;
  const isDone = isGoing ? go(key) : Object.hasOwn(singles, key) && singles[key]();
  if (isDone) event.preventDefault();
}

export function useKeys() {
  document.addEventListener('keydown', pressed);
  document.addEventListener('click', (event) => {
    const { target, button, ctrlKey, metaKey, shiftKey, altKey } = event;
    if (!target.closest?.('[data-find]') || button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return;
    if (open('palette')) event.preventDefault();
  });
}
