// What a form would cost, shown in it while it is filled in. The server says it, on the page that those without a script see.

const waitMs = 400;
/** @type {WeakMap<HTMLFormElement, { asked: string, timer?: number }>} */
const known = new WeakMap();

/** @param {HTMLFormElement} form */
function addressOf(form) {
  const fields = [...new FormData(form)].filter(([name]) => !['account', 'form', 'proof', 'code'].includes(name));
  return `${form.dataset.cost}?${new URLSearchParams(/** @type {[string, string][]} */ (fields))}`;
}

/** @param {HTMLFormElement} form @param {string} address */
async function show(form, address) {
  const reply = await fetch(address, { headers: { 'x-refresh': 'cost' } }).catch(() => null);
  // Meanwhile something else may have been typed.
  if (known.get(form)?.asked !== address) return;
  const page = reply && new DOMParser().parseFromString(await reply.text(), 'text/html');
  const said = page?.querySelector('#cost');
  form.querySelector('.cost')?.replaceChildren(...(said ? said.childNodes : []));
}

/** Asks for all that can be seen and have changed. */
function ask() {
  for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll('form[data-cost]'))) {
    if (!form.checkVisibility()) continue;
    const address = addressOf(form);
    const before = known.get(form);
    if (before?.asked === address) continue;
    clearTimeout(before?.timer);
    const timer = setTimeout(() => void show(form, address), before ? waitMs : 0);
    known.set(form, { asked: address, timer });
  }
}

/** From now on, and for every page that takes the place of this one. */
export function showCosts() {
  for (const kind of ['input', 'change', 'toggle', 'swapped']) document.addEventListener(kind, ask, true);
  ask();
}
