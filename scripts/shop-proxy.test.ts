/** The nginx lines of the pages for shops, run as they are written; only ports and files are others. */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../server/src/lib/free-port.ts';
import { findNginx } from './find-nginx.ts';

const folder = mkdtempSync(join(tmpdir(), 'quittance-nginx-'));
after(() => rmSync(folder, { recursive: true }));
const skip = findNginx() === undefined && 'NOT TESTED for want of nginx';

const pageOf = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../docs/shops/${name}`, import.meta.url)), 'utf8');
const blockOf = (page: string, language: string): string =>
  new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(page)?.[1] ?? '';

const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
  .join('\n');

/** The lines in a configuration of their own, in one process that writes nowhere else. */
function configuration(name: string, inHttp: string): string[] {
  const path = join(folder, name);
  const text = `daemon off; master_process off; pid ${path}.pid; error_log stderr;
events {}
http { access_log off; ${temporary}
${inHttp}
}`;
  writeFileSync(path, text);
  return ['-p', folder, '-e', 'stderr', '-c', path];
}

/** Makes a certificate that vouches for itself. */
function certificateFor(name: string): { key: string; cert: string; certFile: string } {
  const [keyFile, certFile] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)];
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
  const files = ['-keyout', keyFile, '-out', certFile];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, ...files], { stdio: 'ignore' });
  return { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8'), certFile };
}

function ask(port: number, path: string, ca: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const wish = { host: '127.0.0.1', port, path, ca, servername: 'www.whalestack.com' };
  get(wish, (answer) => {
    let text = '';
    answer.setEncoding('utf8').on('data', (part: string) => (text += part));
    answer.on('end', () => resolve(`${answer.statusCode} ${text}`));
  }).on('error', reject);
  return promise;
}

test('a plugin that asks its own host name reaches the installation, whose certificate is checked', {
  skip,
}, async () => {
  const page = pageOf('README.md');
  const paths = (text: string): string =>
    text.replaceAll('/etc/hosts', `${folder}/hosts`).replaceAll('/etc/ssl/private/', `${folder}/private/`);
  mkdirSync(join(folder, 'private'));
  const lines = paths(blockOf(page, 'sh')).replaceAll('/etc/ssl/plugin.pem', `${folder}/plugin.pem`);
  execFileSync('sh', ['-euc', lines], { stdio: 'ignore' });

  const { key, cert, certFile } = certificateFor('pay.example');
  const installation = createServer({ key, cert }, ({ url, headers }, response) =>
    response.end(`${headers.host}${url}`),
  ).listen(0, '127.0.0.1');
  await once(installation, 'listening');
  const { port: upstream } = installation.address() as AddressInfo;
  for (const [trusted, expected] of [
    [certFile, /^200 pay\.example\/api\/v1\/time\?x=1$/],
    [certificateFor('other.example').certFile, /^502 /],
  ] as const) {
    const port = await freePort('127.0.0.1');
    const server = paths(blockOf(page, 'nginx'))
      .replace('127.0.0.1:443', `127.0.0.1:${port}`)
      .replace('/etc/ssl/certs/ca-certificates.crt', trusted)
      .replaceAll('/etc/ssl/plugin.pem', `${folder}/plugin.pem`);
    const where = `upstream pay.example { server 127.0.0.1:${upstream}; }`; // Instead of a name server.
    const nginx = spawn(findNginx() ?? '', configuration('shop.conf', `${where}\n${server}`), { stdio: 'ignore' });
    try {
      const ca = readFileSync(join(folder, 'plugin.pem'), 'utf8');
      let answer = '';
      for (let tries = 0; answer === '' && tries < 200; tries += 1)
        answer = await ask(port, '/api/v1/time?x=1', ca).catch(() => sleep(50, ''));
      assert.match(answer, expected);
    } finally {
      nginx.kill();
      await once(nginx, 'exit');
    }
  }
  installation.close();
});

test('nginx takes the lines for the webhook of Magento', { skip }, () => {
  writeFileSync(join(folder, 'fastcgi_params'), '');
  const lines = `upstream fastcgi_backend { server 127.0.0.1:9; }
server { listen 127.0.0.1:8; ${blockOf(pageOf('magento-2.md'), 'nginx')} }`;
  const { status, stderr } = spawnSync(findNginx() ?? '', ['-t', ...configuration('magento.conf', lines)], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
});
