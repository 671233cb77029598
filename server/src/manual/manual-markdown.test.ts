import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderMarkdown } from './manual-markdown.ts';

const rendered = (markdown: string): string => renderMarkdown(markdown).body.toString();

test('what a page writes as HTML is shown and not obeyed', () => {
  const page = rendered('# A\n\nText <b onclick="x()">bold</b>\n\n<script>alert(1)</script>\n\n`<i>`');
  assert.doesNotMatch(page, /<script|<b |<i>/);
  assert.match(page, /&lt;script&gt;/);
  assert.doesNotMatch(rendered('[a](javascript:alert(1)) ![b](javascript:alert(1))'), /javascript:/);
});

test('code in several languages is one block with tabs, alone it is a block', () => {
  const blocks = ['```sh\ncurl x\n```', '```js\none\n```', '```php\ntwo\n```'];
  const page = rendered(blocks.join('\n\n'));
  assert.deepEqual(
    Array.from(page.matchAll(/<label[^>]*>([^<]+)</g), ([, name]) => name),
    ['curl', 'Node.js', 'PHP'],
  );
  assert.equal(page.match(/ checked/g)?.length, 1);
  assert.doesNotMatch(rendered(blocks[1] ?? ''), /radio/);
  assert.doesNotMatch(rendered(blocks.join('\n\nA sentence.\n\n')), /radio/);
  assert.equal(rendered([blocks[1], blocks[2], blocks[1], blocks[2]].join('\n\n')).match(/code-tabs/g)?.length, 2);
  assert.doesNotMatch(rendered(`${blocks[1]}\n\n\`\`\`json\n{}\n\`\`\``), /radio/);
});

test('a heading has an address of its own, also the second of its name', () => {
  const { headings } = renderMarkdown('# Page\n\n## To `do`: now?\n\n## Same\n\n### Same');
  assert.deepEqual(
    headings.map(({ anchor, level, text }) => [anchor, level, text]),
    [
      ['page', 1, 'Page'],
      ['to-do-now', 2, 'To do: now?'],
      ['same', 2, 'Same'],
      ['same-1', 3, 'Same'],
    ],
  );
});
