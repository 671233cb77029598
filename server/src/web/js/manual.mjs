// The manual's script: copying code, and the language that a reader has chosen. All else works without it.

const remembered = 'quittance-manual-language';

/** A browser may refuse to remember anything. @param {(store: Storage) => void} use */
function withMemory(use) {
  try {
    use(localStorage);
  } catch {
    // Then every page begins with the first tab.
  }
}

/** @param {string} language */
function choose(language) {
  /** @type {NodeListOf<HTMLInputElement>} */
  const tabs = document.querySelectorAll('.code-tabs > input');
  for (const tab of tabs) if (tab.dataset.lang === language) tab.checked = true;
}

document.documentElement.classList.add('scripted');
withMemory((store) => choose(store.getItem(remembered) ?? ''));

document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !target.matches('.code-tabs > input')) return;
  // What is above the tab must not move it away from under the pointer.
  const before = target.getBoundingClientRect().top;
  choose(target.dataset.lang ?? '');
  window.scrollBy(0, target.getBoundingClientRect().top - before);
  withMemory((store) => store.setItem(remembered, target.dataset.lang ?? ''));
});

document.addEventListener('click', (event) => void copyCode(event));

/** @param {MouseEvent} event */
async function copyCode({ target }) {
  const button = target instanceof Element ? target.closest('[data-copy-code]') : null;
  if (!(button instanceof HTMLElement)) return;
  await navigator.clipboard.writeText(button.parentElement?.querySelector('code')?.textContent ?? '');
  const label = button.lastChild;
  const announce = document.querySelector('#announce');
  if (!label || !announce) return;
  const before = label.textContent;
  label.textContent = button.dataset.copied ?? '';
  announce.textContent = button.dataset.copied ?? '';
  setTimeout(() => {
    label.textContent = before;
  }, 2000);
}
