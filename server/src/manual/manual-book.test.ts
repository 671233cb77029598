import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Endpoint, endpoints } from '@quittance/contract/endpoints';
import { events } from '@quittance/contract/events';
import { isForwarded } from '../site/forwarded-paths.ts';
import { createTold } from './answered-sentence.ts';
import { plainSentencesIn, readApiSentences, sentencesIn } from './api-sentences.ts';
import { manualBook, withAddresses } from './manual-book.ts';
import { renderMarkdown } from './manual-markdown.ts';
import { manualParts, startFile } from './manual-pages.ts';
import { createSearch } from './manual-search.ts';
import { sdkCalls } from './sdk-calls.ts';

const book = manualBook();

test('every file of docs/ but the decisions is a page of the manual', () => {
  const files = globSync('**/*.md', { cwd: new URL('../../../docs/', import.meta.url) });
  const listed = [startFile, ...manualParts.flatMap(({ files: of }) => of)];
  assert.deepEqual(files.filter((file) => !file.startsWith('decisions/')).toSorted(), listed.toSorted());
});

test('every link between pages leads somewhere, to its heading too, and every page has a title', () => {
  const shown = new Map([...book.pages].map(([path, { markdown }]) => [path, renderMarkdown(markdown)]));
  const outside = new Set(['/api/v1/openapi.json']);
  const wrong: string[] = [];
  for (const [path, { body }] of shown) {
    for (const [, link = ''] of body.toString().matchAll(/ (?:href|src)="([^"]+)"/g)) {
      if (/^https?:/.test(link) || outside.has(link)) continue;
      const [target = '', anchor] = link.split('#');
      const page = shown.get(target === '' ? path : target);
      const isThere = page?.headings.some((heading) => anchor === undefined || heading.anchor === anchor);
      if (!isThere && !target.startsWith('/docs/pictures/')) wrong.push(`${path}: ${link}`);
    }
  }
  assert.deepEqual(wrong, []);
  assert.deepEqual(
    [...book.pages.values()].filter(({ title }) => title === 'Untitled').map(({ path }) => path),
    [],
  );
});

test('links to files of the repository become pages, or are named without a link', () => {
  const page = withAddresses(
    '[a](../operations.md#settings) [b](README.md) [c](../decisions/0001-x.md) ![d](../pictures/x.svg) [e](https://e.example)',
    'shops/woocommerce.md',
  );
  assert.equal(
    page,
    '[a](/docs/operations#settings) [b](/docs/shops) c ![d](/docs/pictures/x.svg) [e](https://e.example)',
  );
});

test('every endpoint and every event is there, with an example in every language', () => {
  for (const { id, method, path } of Object.values(endpoints) as Endpoint[]) {
    const markdown = book.pages.get(`/docs/api/${id}`)?.markdown ?? '';
    assert.ok(markdown.includes(`\`${method} ${path}\``), id);
    const languages = Array.from(markdown.matchAll(/^```(\w+)\n/gm), ([, language]) => language);
    assert.deepEqual(languages.slice(0, 4), ['sh', 'js', 'php', 'ruby'], id);
  }
  const told = book.pages.get('/docs/api/events')?.markdown ?? '';
  for (const { type } of events) assert.ok(told.includes(`\n## ${type}\n`), type);
  assert.deepEqual(
    Object.keys(sdkCalls).filter((id) => !Object.hasOwn(endpoints, id)),
    [],
  );
});

test('every sentence with a name that the API can answer is on the page of errors', () => {
  const page = book.pages.get('/docs/errors')?.markdown ?? '';
  const folder = new URL('../', import.meta.url);
  const slices = ['auth', 'checkouts', 'counterparties', 'deposits', 'refunds', 'reports', 'settlements', 'wallets'];
  const sources = slices.flatMap((slice) => globSync(`${slice}/*.ts`, { cwd: folder }));
  const codes = /\b(?:new GatewayError\(\{\s*code: |told\(\s*|tryLater\(\s*)'([a-z]+(?:_[a-z]+)+)'/g;
  // What only people are told, and a name whose failure has sentences with names of their own.
  const others = [
    ...['support_limit_none', 'support_limit', 'needs_passkey', 'no_receipt_to_send', 'fee_rose'],
    ...[
      'no_trusted_email',
      'not_suspended',
      'destination_changed',
      'withdrawal_decided',
      'not_own_money',
      'no_own_fee',
    ],
    ...['too_long_for_pdf', 'camt_needs_currency', 'camt_needs_rates', 'new_asker', 'no_venue', 'cannot_send'],
    ...['must_wait', 'no_payment_method', 'ambiguous_refund'],
  ];
  const named = sources
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap((path) =>
      Array.from(readFileSync(new URL(path, folder), 'utf8').matchAll(codes), ([, code = '']) => code),
    );
  assert.ok(named.length > 80);
  assert.deepEqual(
    [...new Set(named)].filter((code) => !page.includes(`\`${code}\``) && !others.includes(code)),
    [],
  );
});

test('a sentence is found with its status, its name and what it fills in', () => {
  const source = `
    export const a = (state: string) => new GatewayError({ code: 'too_late', httpStatus: 409, message: \`It is \${state}: \` + 'no.' });
    export const b = () => tryLater('not_now', 'Not now, please.', 30, 422);
    const check = () => [told('no_name', isX ? 'A name is needed.' : \`\${JSON.stringify(given.label)} is no name.\`)];
    export const c = (id: string) => notFound('thing', id);
    throw invalidRequest([told('one_only', 'Only one at once.')]);`;
  assert.deepEqual(
    sentencesIn(source).map(({ status, name, sentence, isForNow }) => [status, name, sentence, isForNow]),
    [
      [409, 'too_late', 'It is {state}: no.', false],
      [422, 'not_now', 'Not now, please.', true],
      [400, 'no_name', 'A name is needed.', false],
      [400, 'no_name', '{label} is no name.', false],
      [404, 'not_found', 'There is no thing with the id {id}.', false],
      [400, 'one_only', 'Only one at once.', false],
    ],
  );
  assert.deepEqual(
    plainSentencesIn("// It's no sentence.\nreturn [`${path} must be a list.`, 'x.ts', 'two words'];", 400).map(
      ({ sentence }) => sentence,
    ),
    ['{path} must be a list.'],
  );
  const makers = `
    const busy = (code: string, message: string) => tryLater(code, message, 30, 409);
    const waits = (why: string): GatewayError => busy('it_waits', why);
    const refuse = (why: string) => new SendRefused(payout.id, why);
    throw waits('Come back later, please.');
    throw busy('too_many', 'Too many at once.');
    throw refuse(\`There is no account \${id} there.\`);
    throw elsewhere([told('not_there', 'It is not there any more.')]);`;
  const imported = { elsewhere: { name: null, sentence: 0, status: 422 } };
  assert.deepEqual(
    sentencesIn(makers, imported).map(({ status, name, sentence, isForNow }) => [status, name, sentence, isForNow]),
    [
      [409, 'it_waits', 'Come back later, please.', true],
      [409, 'too_many', 'Too many at once.', true],
      [422, null, 'There is no account {id} there.', false],
      [422, 'not_there', 'It is not there any more.', false],
    ],
  );
  const all = readApiSentences().map(({ sentence }) => sentence);
  for (const sentence of [
    '{path} must be a list, but is {given}.',
    'This endpoint needs digest authentication.',
    '{event type} has followed this event, so it is not sent again. Redeliver {id} instead.',
    'This is no address.',
    'There is no account {id} on Stellar: it must be opened first.',
    'The invoice must be for {amount} {code}, which is what would be sent.',
  ])
    assert.ok(all.includes(sentence), sentence);
  const passing = readApiSentences().filter(({ name }) => name === 'method_no_rate');
  assert.deepEqual(
    passing.map(({ status, isForNow }) => [status, isForNow]),
    [
      [422, false],
      [503, true],
    ],
  );
});

test('an answer is told if its sentences are on the page, with its status', () => {
  const isTold = createTold([
    { name: null, status: 400, sentence: 'This is no {thing}.', isForNow: false },
    { name: null, status: 400, sentence: 'It begins with {letters}{until}.', isForNow: false },
    { name: null, status: 503, sentence: '{asset} on {network}: {sentence}', isForNow: false },
    { name: null, status: 400, sentence: '{problem}', isForNow: false },
  ]);
  assert.ok(isTold(400, 'This is no address.'));
  assert.ok(isTold(400, 'This is no address. It begins with bc1.'));
  assert.ok(isTold(503, 'Bitcoin on Bitcoin: This is no price: none.'));
  for (const [status, answered] of [
    [409, 'This is no address.'],
    [400, 'This is no address'],
    [400, 'This is no address. Nor is that.'],
    [503, 'Bitcoin on Bitcoin: who knows.'],
    [400, 'Anything else.'],
  ] as const)
    assert.ok(!isTold(status, answered), answered);
});

test('search finds titles first, then headings, then texts; endpoints and errors too', () => {
  const search = createSearch(book, readApiSentences());
  assert.equal(search('glossary')[0]?.path, '/docs/glossary');
  assert.equal(search('create customer')[0]?.path, '/docs/api/createCustomer');
  assert.equal(search('CHECKOUT_REVERSED')[0]?.path, '/docs/api/events#checkout_reversed');
  assert.match(search('signature does not match the request')[0]?.path ?? '', /^\/docs\/errors#status-401/);
  for (const answered of [
    'There is no checkout with the id "abcdefghijkl".',
    'At most 0.0008547 BTC can be refunded.',
    'charge.lineItems must have at least 1 entry.',
  ])
    assert.match(search(answered)[0]?.path ?? '', /^\/docs\/errors#status-4/, answered);
  const [hit] = search('larger than 256');
  assert.match(hit?.excerpt ?? '', /256 KiB/i);
  assert.deepEqual(search('xyzzy'), []);
  assert.deepEqual(search('  ()[]* '), []);
});

test('a shop’s own domain has no manual', () => {
  for (const path of ['/docs', '/docs/api/time', '/docs.md', '/docs/pictures/x.svg', '/llms.txt'])
    assert.ok(!isForwarded(path), path);
});
