// The page of the brand: what the form says is shown beside it before it is published. The server reads and draws it; this
// only sends the form into a fresh frame, and takes the notes on its fields out of it.

/** @param {string} selector @returns {any} */
const one = (selector) => document.querySelector(selector);

// Asked for each time: another page may have taken the place of the one that loaded this.
/** @returns {HTMLFormElement} */
const form = () => one('#brand');
/** @returns {HTMLButtonElement} */
const button = () => one('#show-preview');
/** @returns {HTMLElement} */
const device = () => one('.device');
const restMs = 250;
let count = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** A fresh frame each time: going back would otherwise go through all previews. The old one stays until it is there. */
function show() {
  if (!form()) return;
  if (uploads().some((field) => !field.checkValidity())) return;
  const before = [...device().querySelectorAll('iframe')];
  const shown = before.at(-1);
  if (!shown) return;
  const next = /** @type {HTMLIFrameElement} */ (shown.cloneNode());
  next.removeAttribute('src');
  count += 1;
  next.name = `preview-${count}`;
  next.classList.add('coming');
  device().append(next);
  next.addEventListener('load', () => {
    const page = next.contentDocument;
    if (page?.URL === 'about:blank') return;
    // An error of the browser says nothing about the brand: what was shown stays.
    if (!page) return next.remove();
    next.contentWindow?.scrollTo(0, shown.contentWindow?.scrollY ?? 0);
    for (const each of before) each.remove();
    next.classList.remove('coming');
    takeNotes(page);
  });
  button().formTarget = next.name;
  form().requestSubmit(button());
}

/** @param {Document} page */
function takeNotes(page) {
  const notes = /** @type {HTMLTemplateElement | null} */ (page.querySelector('#brand-notes'));
  for (const note of notes?.content.children ?? []) {
    const place = document.getElementById(note.id);
    if (place && place.innerHTML !== note.innerHTML) place.replaceChildren(...note.cloneNode(true).childNodes);
  }
}

/** @returns {HTMLInputElement[]} */
const uploads = () => [...form().querySelectorAll('input')].filter(({ type }) => type === 'file');

/** Told at once: what is too large would be sent for nothing. @param {HTMLInputElement} field */
function chosen(field) {
  const file = field.files?.[0];
  const name = field.parentElement?.querySelector('[data-name]');
  if (name && file) name.textContent = file.name;
  const isTooLarge = file !== undefined && file.size > Number(field.dataset.bytesMax);
  field.setCustomValidity(isTooLarge ? (field.dataset.tooLarge ?? '') : '');
  const all = uploads().reduce((sum, { files }) => sum + (files?.[0]?.size ?? 0), 0);
  if (!isTooLarge && all > Number(form().dataset.bytesMax)) field.setCustomValidity(form().dataset.tooLarge ?? '');
  field.reportValidity();
}

/** @param {HTMLInputElement} field */
function typed(field) {
  if (field.type === 'file') chosen(field);
  if (field.dataset.picks !== undefined) one(`#${field.dataset.picks}`).value = field.value;
  const picker = one(`[data-picks="${field.id}"]`);
  if (picker && /^#[0-9a-f]{6}$/i.test(field.value)) picker.value = field.value;
}

for (const kind of ['input', 'change'])
  document.addEventListener(kind, (event) => {
    const field = /** @type {HTMLInputElement} */ (event.target);
    if (!field.form || field.form !== form() || field.name === 'width') return;
    if (kind === 'input' || field.type === 'file') typed(field);
    clearTimeout(timer);
    timer = setTimeout(show, restMs);
  });

// Somebody may have typed before this was here.
const isTyped = (/** @type {HTMLInputElement} */ { type, value, defaultValue }) =>
  type !== 'file' && value !== defaultValue;
if ([...(form()?.querySelectorAll('input') ?? [])].some(isTyped)) show();
