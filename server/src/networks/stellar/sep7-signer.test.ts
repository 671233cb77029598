import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '../../lib/secret.ts';
import { createSep7Signer, sep7SigningKey } from './sep7-signer.ts';

const uriSigningSeed = new Secret('SBPOVRVKTTV7W3IOX2FJPSMPCJ5L2WU2YKTP3HCLYPXNI5MDIGREVNYC');

test('a link is signed as in the example of SEP-7', () => {
  const sign = createSep7Signer({ uriSigningSeed, originDomain: 'someDomain.com' });
  const link =
    'web+stellar:pay?destination=GCALNQQBXAPZ2WIRSDDBMSTAKCUH5SG6U76YBFLQLIXJTF7FE5AX7AOO&amount=120.1234567' +
    '&memo=skdjfasf&memo_type=MEMO_TEXT&msg=pay%20me%20with%20lumens';
  const signature =
    'tbsLtlK%2FfouvRWk2UWFP47yHYeI1g1NEC%2FfEQvuXG6V8P%2BbeLxplYbOVtTk1g94Wp97cHZ3pVJy%2FtZNYobl3Cw%3D%3D';
  assert.equal(sign?.(link), `${link}&origin_domain=someDomain.com&signature=${signature}`);
});

test('without a key, or without a domain to look it up, nothing is signed', () => {
  assert.equal(createSep7Signer({ originDomain: 'pay.example' }), undefined);
  assert.equal(createSep7Signer({ uriSigningSeed }), undefined);
  assert.equal(sep7SigningKey({}), null);
  assert.match(sep7SigningKey({ uriSigningSeed }) ?? '', /^G[A-Z2-7]{55}$/);
});
