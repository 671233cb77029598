/** The mailbox as the service and a person meet it: over SMTP, and at its page. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createSendEmail } from '@quittance/server/emails/send-email';
import { addMs } from '@quittance/server/lib/clock';
import { Secret } from '@quittance/server/lib/secret';
import { createTransport } from 'nodemailer';
import { openMailFolder } from './mail-folder.ts';
import { startMailbox } from './mailbox.ts';

const folder = await mkdtemp(join(tmpdir(), 'quittance-mailbox-'));
after(() => rm(folder, { recursive: true, force: true }));

const pageSecret = '0123456789abcdef0123456789abcdef';
let now = new Date('2026-03-01T12:00:00Z');
const clock = { now: () => now };
const start = () => startMailbox({ folder, password: 'open sesame', pageSecret, clock });
let mailbox = await start();
after(() => mailbox.stop());

const png = Buffer.from('iVBORw0KGgo=', 'base64');

/** As the service does it. */
async function send(mail: { to: string; subject: string; html?: string }): Promise<void> {
  now = addMs(now, 1_000);
  const sendEmail = createSendEmail({
    smtpUrl: new Secret(mailbox.smtpUrl.replace('open sesame', 'open%20sesame')),
    from: { name: 'Corner shop', address: 'pay@shop.test' },
  });
  const images = [{ cid: 'logo', name: 'logo.png', png }];
  const html = mail.html ?? '<p>Hello <img src="cid:logo" alt=""></p>';
  await sendEmail({ id: mail.subject, language: 'en', text: `Text of ${mail.subject}`, ...mail, html, images });
}

/** As any program does it: the bytes as they are. */
async function sendRaw(raw: string | Buffer, to = 'grace@example.com'): Promise<void> {
  now = addMs(now, 1_000);
  const { port } = new URL(mailbox.smtpUrl);
  const auth = { user: 'sandbox', pass: 'open sesame' };
  const transport = createTransport({ host: '127.0.0.1', port: Number(port), auth });
  await transport.sendMail({ envelope: { from: 'raw@shop.test', to: [to] }, raw });
}

const open = async (path = ''): Promise<{ status: number; body: string; headers: Headers }> => {
  const answer = await fetch(new URL(path, mailbox.pageUrl));
  return { status: answer.status, body: await answer.text(), headers: answer.headers };
};

/** The page of the newest message, and its id. */
async function openNewest(): Promise<{ id: string; body: string }> {
  const [, id = ''] = /href="message-(\d+)"/.exec((await open()).body) ?? [];
  return { id, body: (await open(`message-${id}`)).body };
}

test('what the service sends is listed, newest first, and can be read in all its forms', async () => {
  assert.match((await open()).body, /No e-mail yet/);
  await send({ to: 'ada@example.com', subject: 'First' });
  await send({ to: 'grace@example.com', subject: 'Second <b>' });
  const { body: list } = await open();
  assert.ok(list.indexOf('Second &lt;b&gt;') < list.indexOf('First'), list);
  assert.match(list, /Corner shop &lt;pay@shop\.test&gt;/);
  const { id, body } = await openNewest();
  assert.match(body, /<dd>grace@example\.com<\/dd>/);
  assert.match(body, /<iframe [^>]*src="message-\d+\.html" sandbox="allow-popups allow-popups-to-escape-sandbox"/);
  const shown = await open(`message-${id}.html`);
  assert.ok(shown.body.includes(`<img src="data:image/png;base64,${png.toString('base64')}"`), shown.body);
  assert.match((await open(`message-${id}?as=text`)).body, /Text of Second/);
  assert.match((await open(`message-${id}?as=source`)).body, /Auto-Submitted: auto-generated/);
  assert.match((await open(`message-${id}.eml`)).body, /^Auto-Submitted|\nAuto-Submitted/);
  assert.equal((await open('message-99999999')).status, 404);
});

test('an attachment is downloaded, whatever it says it is', async () => {
  await sendRaw(
    [
      'From: raw@shop.test',
      'Subject: =?utf-8?B?UmVjaG51bmcg4oKs?=',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'See the file.',
      '--b',
      'Content-Type: text/html',
      'Content-Disposition: attachment; filename="../in\'voice.html"',
      '',
      '<script>alert(1)</script>',
      '--b--',
      '',
    ].join('\r\n'),
  );
  const { id, body } = await openNewest();
  assert.match(body, /<h1>Rechnung €<\/h1>/);
  const file = await open(`message-${id}-file-0`);
  assert.match(file.body, /alert\(1\)/);
  assert.equal(file.headers.get('content-type'), 'application/octet-stream');
  assert.match(file.headers.get('content-disposition') ?? '', /^attachment; filename\*=UTF-8''[\w.%-]+$/);
  assert.match(file.headers.get('content-security-policy') ?? '', /sandbox$/);
  assert.equal((await open(`message-${id}-file-1`)).status, 404);
});

test('a list that is open learns of a new message', async () => {
  const { port } = new URL(mailbox.pageUrl);
  const told: string[] = [];
  const heard = Promise.withResolvers<void>();
  const listening = Promise.withResolvers<void>();
  const line = request({ port, host: '127.0.0.1', path: `/${pageSecret}/news` }, (answer) => {
    answer.on('data', (chunk: Buffer) => {
      told.push(chunk.toString());
      listening.resolve();
      if (told.length > 1) heard.resolve();
    });
  }).end();
  await listening.promise;
  await send({ to: 'ada@example.com', subject: 'News' });
  await heard.promise;
  line.destroy();
  const [before = '', later = ''] = told.map((each) => each.replace(/\D/g, ''));
  assert.equal(Number(later), Number(before) + 1);
});

test('neither another name of this machine, nor another page, nor a guess opens it', async () => {
  const { port } = new URL(mailbox.pageUrl);
  const ask = (headers: Record<string, string>, path = `/${pageSecret}/`, method = 'GET'): Promise<number> =>
    new Promise((resolve, reject) => {
      request({ port, host: '127.0.0.1', path, method, headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      })
        .on('error', reject)
        .end();
    });
  const host = `localhost:${port}`;
  assert.equal(await ask({ host }), 200);
  for (const wrong of ['evil.example', `evil.example:${port}`, 'localhost.evil.example', '10.0.0.1', 'a b'])
    assert.equal(await ask({ host: wrong }), 421, wrong);
  for (const path of [
    '/',
    '/0123',
    `/${pageSecret}`,
    `/${pageSecret}x/`,
    '/x/',
    '//',
    '*',
    `/x/../${pageSecret.slice(1)}/`,
  ])
    assert.equal(await ask({ host }, path), 404, path);
  assert.equal(await ask({ host, origin: 'http://evil.example' }), 403);
  assert.equal(await ask({ host, origin: 'null' }), 403);
  assert.equal(await ask({ host, origin: `http://${host}` }), 200);
  const led = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  assert.equal(await ask({ host, ...led }), 200, 'who follows a link sees it, and nobody else');
  for (const reading of [{ 'sec-fetch-mode': 'no-cors' }, { 'sec-fetch-dest': 'iframe' }, { 'sec-fetch-mode': 'cors' }])
    assert.equal(await ask({ host, ...led, ...reading }), 403, JSON.stringify(reading));
  assert.equal(await ask({ host, ...led, 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'iframe' }), 403);
  assert.equal(await ask({ host }, `/${pageSecret}/`, 'POST'), 405);
  const { headers } = await open();
  assert.equal(headers.get('access-control-allow-origin'), null);
  assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
  assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin');
  assert.equal(headers.get('referrer-policy'), 'no-referrer');
});

test('nobody sends here without the password', async () => {
  const { port } = new URL(mailbox.smtpUrl);
  const message = { from: 'a@b.test', to: 'c@d.test', text: 'x' };
  for (const auth of [undefined, { user: 'sandbox', pass: 'guessed' }])
    await assert.rejects(
      createTransport({ host: '127.0.0.1', port: Number(port), ...(auth && { auth }) }).sendMail(message),
      /authentication required|wrong password/i,
    );
});

test('hostile and broken messages are shown, and do nothing', async () => {
  const hostile = `<!doctype html><base href="http://evil.example/"><script>parent.location = 'http://evil.example'</script>
<meta http-equiv="refresh" content="0;url=http://evil.example"><img src="http://evil.example/seen.png" onerror="alert(1)">`;
  await send({ to: 'ada@example.com', subject: '"><script>alert(1)</script>', html: hostile });
  const { id, body } = await openNewest();
  assert.ok(!body.includes('<script>alert'), body);
  const policy = (await open(`message-${id}.html`)).headers.get('content-security-policy') ?? '';
  for (const rule of [
    "default-src 'none'",
    'img-src data:',
    "form-action 'none'",
    "base-uri 'none'",
    '; sandbox allow-popups',
  ])
    assert.ok(policy.includes(rule), policy);
  assert.doesNotMatch(policy, /script|allow-same-origin|allow-forms|allow-top/);
  assert.match((await open(`message-${id}?as=source`)).body, /&lt;base href=/);

  const deep = Array.from({ length: 80 }, (_, at) => [
    `Content-Type: multipart/mixed; boundary=b${at}`,
    '',
    `--b${at}`,
  ]);
  const odd = [
    'no header at all',
    '\0\x01\x02 \xff\xfe',
    `Subject: ${'x'.repeat(300_000)}\r\n\r\nlong`,
    `Subject: deep\r\n${deep.flat().join('\r\n')}\r\n\r\nend`,
    'Content-Type: multipart/mixed; boundary=never\r\n\r\nunfinished',
    'Content-Type: text/html; charset=nonsense\r\nContent-Transfer-Encoding: base64\r\n\r\n%%%%',
  ];
  for (const raw of odd) {
    await sendRaw(Buffer.from(raw, 'latin1'), 'odd@example.com');
    const newest = await openNewest();
    assert.match(newest.body, /odd@example\.com/, raw.slice(0, 40));
    assert.equal((await open(`message-${newest.id}?as=source`)).status, 200);
  }
  const listed = (await open()).body.length;
  await assert.rejects(sendRaw(Buffer.alloc(6 * 1024 * 1024, 'a')), /552/);
  assert.equal((await open()).body.length, listed, 'what is too long is refused, and the sender told');
});

test('after a restart everything is there, at the same address', async () => {
  const before = [mailbox.pageUrl, (await open()).body.match(/href="message-\d+"/g)];
  await mailbox.stop();
  mailbox = await start();
  assert.deepEqual([mailbox.pageUrl, (await open()).body.match(/href="message-\d+"/g)], before);
});

test('only the newest are kept, by number and by size', async () => {
  const small = join(folder, 'small');
  const mails = openMailFolder(small, { messages: 3, bytes: 100 });
  const keep = (subject: string, bytes: number): Promise<void> =>
    mails.keep({ from: 'a@b.test', to: ['c@d.test'], subject, at: now.toISOString() }, Buffer.alloc(bytes));
  for (const subject of ['1', '2', '3', '4']) await keep(subject, 10);
  const subjects = (): string[] => mails.list().map(({ subject }) => subject);
  assert.deepEqual(subjects(), ['4', '3', '2']);
  await keep('5', 85);
  assert.deepEqual(subjects(), ['5', '4']);
  await keep('6', 500);
  assert.deepEqual(subjects(), ['6'], 'the newest stays, however large');
  assert.equal((await readdir(small)).length, 1);
  assert.deepEqual(openMailFolder(small, { messages: 3, bytes: 100 }).list(), mails.list());
});
