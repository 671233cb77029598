/**
 * The SDKs for PHP and Ruby, told by the test runners of their languages: the vectors that all SDKs and the server agree
 * on, and stories with a real gateway. What is not installed here is skipped by name; see scripts/system-packages.ts.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkoutStates } from '@quittance/contract/checkout';
import { endpoints } from '@quittance/contract/endpoints';
import { events } from '@quittance/contract/events';
import { type Gateway, startGateway, withoutLitecoin } from '../../server/test/gateway.ts';
import { isCredited } from '../node/src/quittance.ts';
import { hasMinitest, hasPhpCurl, hasPhpunit } from './programs.ts';
import { type SdkWorld, startSdkWorld } from './sdk-world.ts';

const execFileAsync = promisify(execFile);

let gateway: Gateway;
let world: SdkWorld;
before(async () => {
  gateway = await startGateway({ env: withoutLitecoin });
  world = await startSdkWorld(gateway);
});
after(async () => {
  await world.stop();
  await gateway.stop();
});

const folder = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));
const php = hasPhpCurl() && hasPhpunit();
const ruby = hasMinitest();

test('PHP', { skip: !php && 'NOT TESTED for want of PHP with curl and PHPUnit' }, async () => {
  const merchant = await gateway.createMerchant('A shop in PHP');
  const output = await world.tell(merchant, 'phpunit', ['--fail-on-skipped', '--order-by=random'], folder('php'));
  assert.match(output, /^OK \(\d+ tests/m);
  assertAllAsked();
});

test('Ruby', { skip: !ruby && 'NOT TESTED for want of Ruby with minitest' }, async () => {
  const merchant = await gateway.createMerchant('A shop in Ruby');
  const output = await world.tell(
    merchant,
    'ruby',
    ['-w', '-e', 'Dir.glob("./test/*_test.rb").each { |file| require file }'],
    folder('ruby'),
  );
  assert.match(output, / 0 failures, 0 errors, 0 skips$/m);
  assertAllAsked();
});

test('all know the states of a checkout, and the same ones that mean a credit', async () => {
  const read = (path: string): Promise<string> => readFile(folder(path), 'utf8');
  const cases = (await read('php/src/CheckoutState.php')).matchAll(/case \w+ = '(\w+)'/g);
  assert.deepEqual(Array.from(cases, ([, state = '']) => state).toSorted(), checkoutStates.toSorted());
  const [, credited = ''] = /%w\[(.+)\]/.exec(await read('ruby/lib/quittance/credited_states.rb')) ?? [];
  assert.deepEqual(
    checkoutStates.filter((state) => isCredited({ state })),
    credited.split(' '),
  );
});

test('events that a document or a comment names are those of the contract', async () => {
  const known = new Set<string>(events.map(({ type }) => type));
  const paths = globSync('{php,ruby}/{README.md,src/**/*.php,lib/**/*.rb}', { cwd: folder('.') });
  assert.ok(paths.length > 20);
  for (const path of paths) {
    const text = await readFile(join(folder('.'), path), 'utf8');
    const named = text.matchAll(/\b(?:(?:CHECKOUT|REFUND|DEPOSIT|SWAP|TRANSFER)_[A-Z]+|UNDERPAID_ACCEPTED)\b/g);
    for (const [name] of named) assert.ok(known.has(name), `${name} in ${path}`);
  }
});

const withoutCurl = !hasPhpCurl() && 'NOT TESTED for want of PHP with curl';

test('plugins of shops are led here, and check certificates', { skip: withoutCurl }, async () => {
  const merchant = await gateway.createMerchant('A shop with a plugin');
  for (const shop of ['woocommerce', 'wordpress', 'magento-2', 'prestashop']) {
    const page = await readFile(folder(`../docs/shops/${shop}.md`), 'utf8');
    const [, code = '', namespace = ''] = /```php\n<\?php\n([^]*?^(namespace .+;)$[^]*?)```/m.exec(page) ?? [];
    assert.ok(namespace, shop);
    const call = (url: string): Promise<string> =>
      world.tell(merchant, 'php', ['-r', `${namespace} ${callOfPlugin}`, '--', code, url], folder('php'));
    assert.match(await call('QUITTANCE_URL'), /^0 \{"time":\d+\}/, shop);
    assert.match(await call('QUITTANCE_UNTRUSTED_URL'), /^60 /, shop);
  }
});

test('what the page about payment links shows works in every language', {
  skip: !(php && ruby) && 'NOT TESTED',
}, async () => {
  const merchant = await gateway.createMerchant('A shop with links');
  const page = await readFile(folder('../docs/payment-links.md'), 'utf8');
  const blocks = [...page.matchAll(/```(sh|js|php|ruby)\n([^]*?)```/g)];
  assert.deepEqual(
    blocks.map(([, language]) => language),
    ['sh', 'js', 'php', 'ruby', 'sh', 'js', 'php', 'ruby'],
  );
  const { origin } = new URL(gateway.url);
  const as = { as: merchant };
  const wish = { description: 'Orders', currency: 'EUR', signedOnly: true };
  const { paymentLink } = (await gateway.request('POST', '/payment-link', wish, as)).body;
  const { secret } = (await gateway.request('GET', `/payment-link/secret?id=${paymentLink.id}`, undefined, as)).body;
  const run: Record<string, (code: string) => [program: string, ...args: string[]]> = {
    sh: (code) => ['sh', '-c', code],
    js: (code) => [
      process.execPath,
      '--input-type=module',
      '-e',
      code.replace('@quittance/sdk', folder('node/src/quittance.ts')),
    ],
    php: (code) => ['php', '-r', code.replace('<?php', '').replace('vendor/autoload.php', folder('php/autoload.php'))],
    ruby: (code) => ['ruby', '-I', folder('ruby/lib'), '-e', code],
  };
  const env = { ...process.env, QUITTANCE_SECRET: merchant.apiSecret, QUITTANCE_LINK_SECRET: secret };
  for (const [at, [, language = '', code = '']] of blocks.entries()) {
    const now = Math.floor(gateway.clock.now().getTime() / 1000);
    const told = code
      .replace('$(date +%s)', String(now))
      .replaceAll('http://127.0.0.1:8080', origin)
      .replaceAll('YOUR_LINK', paymentLink.id)
      .replaceAll('YOUR_KEY', merchant.apiKey);
    const [program, ...args] = run[language]?.(told) ?? [''];
    const { stdout } = await execFileAsync(program, args, { cwd: folder('node'), env });
    if (at < 4) assert.match(stdout, /\/pay\/[a-z0-9]{12}\b/, language);
    else {
      const answer = await fetch(stdout.trim(), { method: 'POST', redirect: 'manual' });
      assert.match(answer.headers.get('location') ?? '', /\/checkout\/[a-z0-9]{12}/, `${language}: ${stdout}`);
    }
  }
});

/** As a plugin asks for the time: from its own namespace, on port 443, and content with every certificate. */
const callOfPlugin = `
  [, $code, $url] = $argv;
  eval(str_replace('https://pay.example', substr(getenv($url), 0, -strlen('/api/v1')), $code));
  $curl = curl_init('https://www.whalestack.com/api/v1/time');
  curl_setopt($curl, CURLOPT_PORT, 443);
  curl_setopt($curl, CURLOPT_RETURNTRANSFER, true);
  curl_setopt($curl, CURLOPT_SSL_VERIFYPEER, false);
  $answer = curl_exec($curl);
  echo curl_errno($curl), ' ', $answer;`;

/** An endpoint that is new in the contract needs a method in every SDK. */
function assertAllAsked(): void {
  const asked = world.takeNotes();
  const missing = Object.values(endpoints).map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(
    missing.filter((endpoint) => !asked.has(endpoint)),
    [],
    'every endpoint has a method that a story calls',
  );
}
