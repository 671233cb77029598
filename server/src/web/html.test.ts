import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { html, trustedHtml } from './html.ts';

test('a text cannot become markup', () => {
  const name = '<script>alert("1")</script> & `co`';
  assert.equal(
    html`<p>${name}</p>`.toString(),
    '<p>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#96;co&#96;</p>',
  );
});

test('a text cannot leave its attribute, whichever quotes it is in', () => {
  const value = `" onclick="x' onclick='y`;
  assert.equal(
    html`<a title="${value}" rel='${value}'>`.toString(),
    `<a title="&quot; onclick=&quot;x&#39; onclick=&#39;y" rel='&quot; onclick=&quot;x&#39; onclick=&#39;y'>`,
  );
});

test('an attribute without quotes is refused', () => {
  assert.throws(() => html`<a title=${'x y'}>`, /must be in quotes/);
  assert.equal(html`<a href="/x?y=${'z'}">${'1 a='}${'b'}</a>`.toString(), '<a href="/x?y=z">1 a=b</a>');
});

test('the texts of a list cannot become markup either', () => {
  assert.equal(html`<p>${['<b>', ['&']]}</p>`.toString(), '<p>&lt;b&gt;&amp;</p>');
});

test('templates and lists nest without being escaped twice', () => {
  const items = ['a & b', 'c'].map((item) => html`<li>${item}</li>`);
  assert.equal(html`<ul>${items}</ul>`.toString(), '<ul><li>a &amp; b</li><li>c</li></ul>');
});

test('what is absent prints nothing, and zero prints', () => {
  assert.equal(html`${null}${undefined}${false}${0}${''}`.toString(), '0');
});

test('only what is explicitly trusted is left as it is', () => {
  assert.equal(html`${trustedHtml('<b>')}`.toString(), '<b>');
  const lookalike = { toString: () => '<b>' } as never;
  assert.throws(() => html`${lookalike}`);
});

test('no text whatever adds a tag or a quote', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.doesNotMatch(html`${text}`.toString(), /[<>"'`]|&(?!amp;|lt;|gt;|quot;|#39;|#96;)/);
    }),
  );
});
