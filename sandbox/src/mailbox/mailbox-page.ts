/** What a browser sees of the mailbox: the list, and one message. In English only: it is for who tries the service out. */
import { type Html, html, trustedHtml } from '@quittance/server/web/html';
import { icon } from '@quittance/server/web/icons';
import type { KeptMail } from './mail-folder.ts';
import type { ReadMail } from './read-mail.ts';

export const views = ['html', 'text', 'source'] as const;
export type View = (typeof views)[number];

const viewNames: Readonly<Record<View, string>> = { html: 'Message', text: 'Text', source: 'Source' };

type Frame = { readonly nonce: string; readonly title: string; readonly script?: Html; readonly main: Html };

/** All addresses are relative, because the secret part of the address is in none of our pages. */
const page = ({ nonce, title, script, main }: Frame): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" nonce="${nonce}" href="mailbox.css">
<link rel="icon" href="data:,">
</head>
<body>
<header class="mail-top"><p><b>Quittance</b> <span class="pill bare decide">Sandbox</span></p></header>
<main class="mailbox">
${main}
</main>
${script && html`<script nonce="${nonce}">${script}</script>`}
</body>
</html>
`;

export const mailListPage = (nonce: string, mails: readonly KeptMail[]): Html =>
  page({
    nonce,
    title: `Mailbox (${mails.length})`,
    main: html`<h1>Mailbox</h1>
<p class="quiet small">Every e-mail that this sandbox sends ends here, and nowhere else. The newest are kept.</p>
${
  mails.length === 0
    ? html`<div class="empty">${icon('mail')}<p>No e-mail yet. Ask for a link to sign in, or have a receipt sent to you on a payment page: it appears here by itself.</p></div>`
    : html`<ol class="mails">${mails.map(mailRow)}</ol>`
}`,
    // Told of the newest one when it connects, also after a restart of the sandbox.
    script: trustedHtml(`new EventSource('news').onmessage = ({ data }) => {
  if (data !== ${JSON.stringify(mails[0]?.id ?? '')}) location.reload();
};`),
  });

const mailRow = ({ id, from, to, subject, at }: KeptMail): Html => html`<li><a href="message-${id}">
<span class="who">${to.join(', ')}</span><time datetime="${at}">${whenText(at)}</time>
<b class="about">${subject === '' ? 'Without a subject' : subject}</b><span class="from quiet small">${from}</span>
</a></li>`;

/** `read`: null where it cannot be read as a message. */
export function mailPage(nonce: string, mail: KeptMail, read: ReadMail | null, source: string, wanted: View): Html {
  const offered = views.filter((view) => view === 'source' || (read !== null && read[view] !== null));
  const view = offered.includes(wanted) ? wanted : (offered[0] ?? 'source');
  const subject = mail.subject === '' ? 'Without a subject' : mail.subject;
  return page({
    nonce,
    title: `${subject} · Mailbox`,
    main: html`<p class="small"><a class="plain" href="./">${icon('left')} Mailbox</a></p>
<h1>${subject}</h1>
<dl class="kv">
<div><dt>From</dt><dd>${mail.from}</dd></div>
<div><dt>To</dt><dd>${mail.to.join(', ')}</dd></div>
<div><dt>When</dt><dd><time datetime="${mail.at}">${whenText(mail.at)}</time></dd></div>
</dl>
${
  read === null &&
  html`<p class="notice decide">${icon('alert')}<span>This cannot be read as an e-mail. Below is what was sent.</span></p>`
}
<nav class="tabs" aria-label="Forms of the message">${offered.map((each) => html`<a href="message-${mail.id}?as=${each}"${each === view && html` aria-current="page"`}>${viewNames[each]}</a>`)}</nav>
${viewed(mail.id, read, source, view)}
${read !== null && attachmentList(mail.id, read)}`,
  });
}

function viewed(id: string, read: ReadMail | null, source: string, view: View): Html {
  if (view === 'html')
    return html`<iframe class="shown" src="message-${id}.html" sandbox="allow-popups allow-popups-to-escape-sandbox" title="The message"></iframe>`;
  if (view === 'text') return html`<pre class="shown" tabindex="0">${read?.text}</pre>`;
  return html`<pre class="shown mono" tabindex="0">${source}</pre>
<p><a class="btn" href="message-${id}.eml" download>${icon('download')}Download</a></p>`;
}

const attachmentList = (id: string, { attachments }: ReadMail): Html | false =>
  attachments.length > 0 &&
  html`<h2>Attachments</h2>
<ul class="checklist">${attachments.map(({ name, type, bytes }, at) => html`<li><span>${name}<br><span class="quiet small">${type}, ${sizeText(bytes.length)}</span></span><a class="btn push" href="message-${id}-file-${at}" download>${icon('download')}Download<span class="unseen"> ${name}</span></a></li>`)}</ul>`;

/**
 * What is in the frame. Links open beside it: inside it the pages of the service would not be shown. Whatever the
 * message declares itself to be comes after this, and is read as a part of it.
 */
export const framedMail = (markup: string): string =>
  `<!doctype html><meta charset="utf-8"><base target="_blank"><title>The message</title>${markup}`;

const whenText = (at: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(at));

const sizeText = (bytes: number): string => (bytes < 1_024 ? `${bytes} bytes` : `${Math.ceil(bytes / 1_024)} KB`);
