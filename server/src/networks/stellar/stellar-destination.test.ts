import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stellarAddressProblem } from './stellar-destination.ts';

const own = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
const account = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
const muxed = 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK';

const problem = (address: string, memo: string | null = null, memoType: string | null = null) =>
  stellarAddressProblem({ address, memo, memoType }, [own]);

test('an account and a muxed account are addresses; what is misspelt, ours or of another kind is none', () => {
  assert.equal(problem(account), null);
  assert.equal(problem(muxed), null);
  const bad = [
    `${account.slice(0, -1)}A`,
    account.toLowerCase(),
    muxed.slice(0, -1),
    own,
    'CA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUWDA',
    'SDJHRQF4GCMIIKAAAQ6IHY42X73FQFLHUULAPSKKD4DFDM7UXWWCRHBE',
    'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    'alice*example.com',
  ];
  for (const address of bad) assert.match(problem(address) ?? '', /^[A-Z].*\.$/, address);
});

test('memos are what the protocol can hold', () => {
  const good = [
    ['twenty-eight bytes: exactly!', 'text'],
    ['0', 'id'],
    ['18446744073709551615', 'id'],
    ['ab'.repeat(32), 'hash'],
    ['AB'.repeat(32), 'return'],
  ] as const;
  for (const [memo, type] of good) assert.equal(problem(account, memo, type), null, memo);
  const bad = [
    ['twenty-nine bytes: not at all', 'text'],
    ['\u00e4'.repeat(15), 'text'],
    ['', 'text'],
    ['18446744073709551616', 'id'],
    ['-1', 'id'],
    ['ab', 'hash'],
    ['xy'.repeat(32), 'return'],
    ['hello', null],
    ['hello', 'MEMO_TEXT'],
  ] as const;
  for (const [memo, type] of bad) assert.match(problem(account, memo, type) ?? '', /^[A-Z].*\.$/, memo);
  assert.match(problem(muxed, '1', 'id') ?? '', /takes no memo/);
});
