// A browser that keeps a file stays on its page, which was true before. So the next one is shown, once it has the file.

import { visit } from './pages.mjs';

/** What is no file, such as a sentence why not, is shown as after any other form. */
export async function keepFile(
  /** @type {HTMLFormElement} */ form,
  /** @type {HTMLElement | null} */ button,
  /** @type {(reply: Response) => Promise<void>} */ show,
) {
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form, button)));
  const reply = await fetch(form.action, { method: 'POST', headers: { accept: 'application/json' }, body });
  const name = /filename="([^"]*)"/.exec(reply.headers.get('content-disposition') ?? '')?.[1];
  if (!reply.ok || name === undefined) return show(reply);
  const link = document.createElement('a');
  Object.assign(link, { href: URL.createObjectURL(await reply.blob()), download: name });
  link.click();
  await visit(new URL(form.dataset.afterFile ?? '', location.href).href);
}
