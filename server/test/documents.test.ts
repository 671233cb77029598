/** What the documents say is so: settings, commands and files that they name are there, and no setting is missing. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { HDKey } from '@scure/bip32';
import { commands } from '../../scripts/command-list.ts';
import { documentedTable, settingsTable } from '../../scripts/settings-table.ts';
import { ConfigError, type Environment, examineConfig, readConfig } from '../src/config.ts';
import { newIssuerKeypair } from '../src/lib/strkey.ts';
import { settings } from '../src/settings.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(repository, path), 'utf8');
const documents = globSync('{*.md,docs/**/*.md,brand-connect/*.md,examples/**/*.md,server/src/**/*.md}', {
  cwd: repository,
});
const known = new Set([...settings.map(({ name }) => name), 'POSTGRES_PASSWORD']); // compose.yaml asks for that one.

test('every setting that is read is described, and every one that is described is read', () => {
  const asked = new Set<string>();
  // Something is given for each, so that every network is configured.
  const env = new Proxy<Environment>({}, { get: (_, name: string) => (asked.add(name), 'x') });
  assert.throws(() => readConfig(env), ConfigError);
  asked.add('DATA_DIR'); // Read by the script of `npm start`, before there is a configuration.
  assert.deepEqual([...asked].sort(), settings.map(({ name }) => name).sort());
});

test('docs/operations.md lists every setting, as `npx quittance config` does', () => {
  assert.equal(documentedTable(), settingsTable(), 'npm run settings writes it');
});

test('every setting that a document or a compose file sets exists', () => {
  for (const path of ['docs/operations.md', 'docs/add-a-network.md', 'compose.yaml']) {
    const set = Array.from(
      read(path).matchAll(/\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|MODE|ROLES|HOST|PORT)=/g),
      ([, name]) => name ?? '',
    );
    assert.deepEqual(
      set.filter((name) => !known.has(name)),
      [],
      path,
    );
  }
});

test('an installation with all settings that the manual shows would start, once its secrets are filled in', () => {
  const ofSeed = HDKey.fromMasterSeed(Buffer.alloc(32, 7));
  const [bitcoin, ethereum, base] = ["m/84'/0'/0'", "m/44'/60'/0'", "m/44'/60'/1'"].map((path) => ofSeed.derive(path));
  const [stellar, signer, issuer] = [newIssuerKeypair(), newIssuerKeypair(), newIssuerKeypair()];
  const filledIn: Environment = {
    BITCOIN_XPUB: bitcoin?.publicExtendedKey,
    BITCOIN_XPRV: bitcoin?.privateExtendedKey,
    ETHEREUM_XPUB: ethereum?.publicExtendedKey,
    ETHEREUM_XPRV: ethereum?.privateExtendedKey,
    BASE_XPUB: base?.publicExtendedKey,
    BASE_XPRV: base?.privateExtendedKey,
    BASE_WALLET_NODE_URL: 'https://node.example',
    STELLAR_ACCOUNT: stellar.accountId,
    STELLAR_SECRET: stellar.secretSeed.reveal(),
    STELLAR_URI_SIGNING_SEED: signer.secretSeed.reveal(),
    LIGHTNING_MACAROON: '0a'.repeat(40), // Instead of files that are not here.
    LIGHTNING_TLS_CERT: '',
    PIX_CERTIFICATE: '-----BEGIN CERTIFICATE-----',
    PIX_CERTIFICATE_KEY: '-----BEGIN PRIVATE KEY-----',
  };
  const shown = Array.from(
    read('docs/operations.md').matchAll(/^([A-Z][A-Z0-9_]+)=(.*?)(?:\s+#.*)?$/gm),
    ([, name = '', value = '']): [string, string] => [name, filledIn[name] ?? value],
  );
  assert.ok(shown.length > 25);
  const own = {
    DATABASE_URL: 'postgres://db/quittance',
    MASTER_KEY: '5a'.repeat(32),
    ISSUER_ACCOUNT: issuer.accountId,
  };
  assert.deepEqual(examineConfig({ ...own, ...Object.fromEntries(shown) }).problems, []);
});

test('every command in the documents can be given as it is written', () => {
  let count = 0;
  for (const path of documents) {
    const lines = read(path).replaceAll(/\n {2,}--/g, ' --');
    for (const [, said = ''] of lines.matchAll(/npx quittance ([a-z][^`#;\n]*)/g)) {
      count += 1;
      const words = said.trim().split(/\s+/);
      const command = commands.find(({ name }) => words.slice(0, name.split(' ').length).join(' ') === name);
      assert.ok(command ?? commands.some(({ name }) => name.startsWith(`${said.trim()} `)), `${path}: ${said}`);
      const options = Array.from(said.matchAll(/--([a-z-]+)/g), ([, option]) => option ?? '');
      for (const option of options)
        assert.ok(option in { ...command?.options, json: 0, help: 0 }, `${path}: npx quittance ${said}`);
    }
  }
  assert.ok(count > 30);
});

test('the check of a webhook in the README says yes to what is genuine, and no to whatever else comes', async () => {
  const [, code = ''] = /```js\n([^]*?)```/.exec(read('README.md')) ?? [];
  const { isGenuine } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    isGenuine(secret: string, body: string | Buffer, header: unknown): boolean;
  };
  const [secret, body] = ['s'.repeat(29), '{"eventType":"CHECKOUT_COMPLETED","note":"ü"}'];
  const auth = createHash('sha256')
    .update(secret + body)
    .digest('hex');
  for (const raw of [body, Buffer.from(body)]) {
    assert.equal(isGenuine(secret, raw, auth), true);
    const wrong = [
      ...[undefined, null, '', 'a', auth.slice(1), `${auth}0`, 'a'.repeat(100_000), 'ü'.repeat(64), '\u0000'],
      ...[
        [auth],
        [auth, auth],
        {},
        0,
        true,
        auth.toUpperCase(),
        auth.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      ],
    ];
    for (const header of wrong)
      assert.equal(isGenuine(secret, raw, header), false, JSON.stringify(header)?.slice(0, 80));
  }
  assert.equal(isGenuine(secret, `${body} `, auth), false);
});

test('every file that a document names is there', () => {
  const isThere = (path: string, from: string) =>
    [path, join('server/src', path), join(from, '..', path)].some((each) => existsSync(join(repository, each)));
  for (const document of documents) {
    const text = read(document).replaceAll(/```[^]*?```/g, '');
    const links = Array.from(text.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g), ([, path = '']) => path);
    const quoted = Array.from(
      text.matchAll(/`([\w-]+(?:\/[\w.-]+)+\.(?:ts|mjs|md|json|sql|yaml|sol))`/g),
      ([, path = '']) => path,
    );
    for (const path of [...links, ...quoted]) {
      // Made by the first start. Pages of the manual are followed by manual-book.test.ts.
      if (/^(data|DATA_DIR)\/|^\/docs\//.test(path)) continue;
      assert.ok(isThere(path, document), `${document} names ${path}`);
    }
  }
});

test('what a document tells npm to run is there, and its pictures are small', () => {
  const scriptsOf = (folder: string): object =>
    (JSON.parse(read(join(folder, 'package.json'))) as { scripts: object }).scripts;
  for (const document of documents) {
    const told = read(document).matchAll(/npm run ([a-z][\w:-]*)(?: --prefix \S*quittance\/(\S+))?/g);
    for (const [said, name = '', folder = ''] of told)
      assert.ok(name in scriptsOf(folder) || document.startsWith('docs/decisions/'), `${document}: ${said}`);
    for (const [, path = ''] of read(document).matchAll(/!\[[^\]]+\]\((?!https?:)([^)]+)\)/g))
      assert.ok(statSync(join(repository, document, '..', path)).size < 60_000, `${document} shows ${path}`);
  }
});

test('every metric that a document names is measured', () => {
  const sources = globSync('server/src/**/*.ts', { cwd: repository }).map(read).join('\n');
  for (const [name] of documents
    .map(read)
    .join('\n')
    .matchAll(/quittance_[a-z_]+/g))
    assert.ok(sources.includes(name), name);
});

test('every decision that a document names by its number was written down', () => {
  for (const document of documents) {
    for (const [, number] of read(document).matchAll(/decisions\/(\d{4})/g))
      assert.equal(globSync(`docs/decisions/${number}-*.md`, { cwd: repository }).length, 1, document);
  }
});
