import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { accountLanguages, sayInAccount } from './account-texts.ts';
import { englishAccountTexts } from './english-account-texts.ts';

const english: Readonly<Record<string, string>> = englishAccountTexts;

const placeholders = (text: string): string[] =>
  [...new Set(Array.from(text.matchAll(/\{(\w+)(?=[},])/g), ([, name]) => name ?? ''))].toSorted();

test('every language of the account says everything, with the same values filled in', () => {
  for (const [language, texts] of Object.entries(accountLanguages)) {
    assert.deepEqual(Object.keys(texts).toSorted(), Object.keys(english).toSorted(), language);
    for (const [key, text] of Object.entries(texts)) {
      assert.notEqual(text.trim(), '', `${language} ${key}`);
      assert.deepEqual(placeholders(text), placeholders(english[key] ?? ''), `${language} ${key}`);
    }
  }
});

test('a text has one place: no group takes the name of another', () => {
  const files = globSync('english-*-texts.ts', { cwd: import.meta.dirname });
  const named = files.flatMap((file) =>
    Array.from(readFileSync(new URL(file, import.meta.url), 'utf8').matchAll(/^  '?([\w-]+)'?:/gm), ([, key]) => key),
  );
  assert.deepEqual(
    named.filter((key, at) => named.indexOf(key) !== at),
    [],
  );
});

test('no sentence is left in English', () => {
  const sameInFrench = ['minutesText'];
  for (const [language, texts] of Object.entries(accountLanguages)) {
    const isSentence = (text: string): boolean => (text.replaceAll(/\{\w+\}/g, '').match(/\p{L}+/gu) ?? []).length > 2;
    const left = Object.entries(texts).filter(
      ([key, text]) => isSentence(text) && text === english[key] && !sameInFrench.includes(key),
    );
    if (language !== 'en') assert.deepEqual(left, [], language);
  }
});

test('every text is asked for somewhere: what no page says any more is not translated for ever', () => {
  const folders = ['account', 'people', 'emails', 'finding', 'webhooks', 'reports', 'payment-page'];
  const sources = folders
    .flatMap((folder) => globSync(`../../${folder}/{,*/}*.ts`, { cwd: import.meta.dirname }))
    .filter((path) => !path.endsWith('.test.ts') && !path.includes('/texts/'))
    .map((path) => readFileSync(new URL(path, import.meta.url), 'utf8'));
  const named = new Set(
    sources.flatMap((source) => Array.from(source.matchAll(/'([\w-]+)'/g), ([, word]) => word ?? '')),
  );
  const beginnings = new Set(
    sources.flatMap((source) => Array.from(source.matchAll(/`([a-z][\w-]*)\$\{/gi), ([, word]) => word ?? '')),
  );
  const isAskedFor = (key: string): boolean =>
    named.has(key) || [...beginnings].some((beginning) => key.startsWith(beginning));
  assert.deepEqual(
    Object.keys(english).filter((key) => !isAskedFor(key)),
    [],
  );
});

/**
 * A failure that people of an account can run into is said in their language. Whoever adds one gives it a name and nine
 * texts (decision 0066), or says here that nobody in the account ever reads it.
 */
test('every failure that a person can meet has words in every language', () => {
  const forPrograms = ['invalid_request', 'not_authenticated', 'not_allowed', 'not_ready', 'beneficiary_named'];
  const forPayers = [
    ...['network_not_offered', 'asset_not_offered', 'method_away', 'cannot_commit', 'no_trusted_email'],
    ...['payment_link_closed', 'payment_link_used_up', 'payment_link_signature_wrong', 'payment_link_reference_taken'],
    'shop_suspended',
  ];
  const forStaff = [
    ...[
      'other_difference',
      'return_decided',
      'adoption_decided',
      'small_payments_changed',
      'withdrawal_decided',
      'not_own_money',
      'no_own_fee',
      'not_suspended',
    ],
    ...['already_so', 'has_owner', 'sign_up_not_waiting', 'not_yourself_staff', 'last_operator', 'own_order'],
    'not_for_your_role',
    // Who brings a bank's files.
    ...['no_such_bank', 'bank_file_over_limit', 'bank_document_changed', 'bank_file_damaged', 'bank_file_empty'],
    'bank_answer_elsewhere',
    'bytes_not_kept',
    // Who makes payment files.
    ...[
      'no_payment_files',
      'nothing_to_pay',
      'payments_taken',
      'file_downloaded_before',
      'file_is_void',
      'file_forgotten',
    ],
    ...['payment_in_doubt', 'file_in_doubt', 'file_held', 'file_decided_in_part'],
    ...[
      'declaration_needed',
      'file_decided',
      'payment_in_file',
      'payment_booked',
      'payment_ended',
      'payment_announced',
      'reason_needed',
    ],
  ];
  // Their sentences have names of their own, or a form cannot ask for them.
  const ofSeveralSentences = ['no_venue', 'cannot_send', 'must_wait', 'ambiguous_refund'];
  const others = new Set([...forPrograms, ...forPayers, ...forStaff, ...ofSeveralSentences]);
  const codes = /\b(?:new GatewayError\(\{\s*code: |(\w+)\(\s*(?:\d{3}, )?)'([a-z]+(?:_[a-z]+)+)'/g;
  const unsaid = serverSources().flatMap(({ path, source }) =>
    Array.from(source.matchAll(codes))
      .filter(([, maker = '']) => ['', 'told', 'tryLater', ...makersIn(source)].includes(maker))
      .map(([, maker, code = '']) => (maker === 'refused' ? `brand_${code}` : code))
      .filter((code) => !Object.hasOwn(english, `problem_${code}`) && !others.has(code))
      .map((code) => `${path}: ${code}`),
  );
  assert.deepEqual(unsaid, []);
});

test('a sentence without a name is for programs, for the operator’s staff, or for forged forms', () => {
  const mayBePlain =
    /^(http|ledger|manual|watching|operator)\/|\/(read-checkout-filter|list-entries|target-account-routes|suspend-merchant)\.ts$/;
  const plain = serverSources()
    .filter(({ path, source }) => !mayBePlain.test(path) && /\binvalidRequest\(\s*['"`]/.test(source))
    .map(({ path }) => path);
  // What is chosen from a list, and what the page fills in itself.
  const onlyForged = [
    ...['account/exports/order-export.ts', 'account/home/set-up-routes.ts'],
    ...['account/settings/business-settings-routes.ts', 'merchants/brand.ts', 'merchants/time-zone.ts'],
    ...['refunds/estimate-refund.ts', 'refunds/price-refund.ts'],
  ];
  assert.deepEqual(plain.toSorted(), onlyForged);
});

const serverSources = () => {
  const folder = new URL('../../', import.meta.url);
  return globSync('**/*.ts', { cwd: folder })
    .filter((path) => !path.endsWith('.test.ts') && !path.startsWith('operator/'))
    .map((path) => ({ path, source: readFileSync(new URL(path, folder), 'utf8') }));
};

/** Functions of a file that make failures of a code they are given. */
const makersIn = (source: string): string[] =>
  Array.from(
    source.matchAll(/^const (\w+) = \((?:httpStatus: number, )?\s*code: string,/gm),
    ([, maker = '']) => maker,
  );

test('a name keeps its own direction in a sentence that is written to the left', () => {
  const told = (language: 'en' | 'ar') => sayInAccount(language)('ownMenu', { name: 'Ada (1815)' });
  assert.match(told('ar'), /\u2068Ada \(1815\)\u2069/);
  assert.doesNotMatch(told('en'), /[\u2068\u2069]/);
});
