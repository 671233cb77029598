import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needKinds } from '../../finding/need-kinds.ts';
import { type MessagePart, parseMessage } from '../../web/texts/message-format.ts';
import { languageCodes, pageLanguages } from '../../web/texts/page-texts.ts';
import { type MailTextKey, mailLanguages } from './mail-texts.ts';

const placeholders = (text: string): string[] =>
  [...new Set(Array.from(text.matchAll(/\{(\w+)(?=[},])/g), ([, name]) => name ?? ''))].toSorted();

test('every language of the account writes everything, with the same values filled in and in its direction', () => {
  assert.deepEqual(Object.keys(mailLanguages), languageCodes);
  const keys = Object.keys(mailLanguages.en) as MailTextKey[];
  assert.deepEqual(
    keys.filter((key) => key.startsWith('need_')).toSorted(),
    needKinds.map((kind) => `need_${kind}`).toSorted(),
  );
  for (const language of languageCodes) {
    const texts = mailLanguages[language];
    assert.deepEqual(Object.keys(texts), keys, language);
    assert.equal(texts.direction, pageLanguages[language].direction, language);
    for (const key of keys) {
      assert.deepEqual(placeholders(texts[key]), placeholders(mailLanguages.en[key]), `${language} ${key}`);
      assert.ok(language === 'en' || key === 'direction' || texts[key] !== mailLanguages.en[key], `${language} ${key}`);
      // A link follows.
      if (/Text$|Opening$|Change$/.test(key)) assert.match(texts[key], /:$/, `${language} ${key}`);
    }
  }
});

test('a number of things has the forms that its language has', () => {
  const plural = (parts: readonly MessagePart[]) => parts.find((part) => part.kind === 'plural');
  for (const language of languageCodes) {
    const rules = new Intl.PluralRules(language);
    const needed = new Set(['other', ...Array.from({ length: 201 }, (_, number) => rules.select(number))]);
    const forms = plural(parseMessage(mailLanguages[language].needsMore))?.forms.keys() ?? [];
    assert.deepEqual([...forms].toSorted(), [...needed].toSorted(), language);
  }
});
