/** Rules that every text keeps, whoever writes it: plural forms, room on a button, marks, and one word for one thing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { payerTexts } from '../../networks/families/bank/bank-payer-texts.ts';
import { withoutLink } from '../../networks/stellar/stellar-payer.ts';
import { type MessagePart, parseMessage } from './message-format.ts';
import { languageCodes, type PageLanguage, pageLanguages, type TextKey } from './page-texts.ts';

/** The texts that networks bring along. */
const networkTexts = (language: PageLanguage): [string, string][] => {
  const [muxed, withMemo] = [withoutLink('G', '1', 'M'), withoutLink('G', '1', null)];
  const ofStellar = [
    ...muxed.fields.flatMap(({ name, shortName }) => [name, shortName]),
    ...[muxed.addressOnly.hint, withMemo.addressOnly.hint].filter((hint) => hint !== null),
  ];
  return [
    ...ofStellar.map((words): [string, string] => [`Stellar: ${words.en}`, words[language]]),
    ...Object.values(payerTexts).map((words): [string, string] => [`bank: ${words.en}`, words[language]]),
  ];
};

const textsOf = (language: PageLanguage): [string, string][] => [
  ...Object.entries(pageLanguages[language]),
  ...networkTexts(language),
];

type Plural = Extract<MessagePart, { kind: 'plural' }>;

const pluralsIn = (parts: readonly MessagePart[]): Plural[] =>
  parts.flatMap((part) => (part.kind === 'plural' ? [part, ...[...part.forms.values()].flatMap(pluralsIn)] : []));

test('every plural has the forms that whole numbers take in its language, and no others', () => {
  for (const language of languageCodes) {
    const rules = new Intl.PluralRules(language);
    const needed = new Set(['other', ...Array.from({ length: 201 }, (_, number) => rules.select(number))]);
    for (const [key, text] of textsOf(language))
      for (const { forms } of pluralsIn(parseMessage(text)))
        assert.deepEqual([...forms.keys()].toSorted(), [...needed].toSorted(), `${language} ${key}`);
  }
});

/** What people read, one text per plural form; whatever is filled in is a word. */
function readings(parts: readonly MessagePart[]): string[] {
  let read = [''];
  for (const part of parts) {
    const next =
      part.kind === 'text'
        ? [part.text]
        : part.kind === 'plural'
          ? [...part.forms.values()].flatMap(readings)
          : [part.kind === 'value' ? 'USD Coin' : '10'];
    read = read.flatMap((before) => next.map((after) => before + after));
  }
  return read;
}

const readingsOf = (language: PageLanguage): [string, string][] =>
  textsOf(language).flatMap(([key, text]) =>
    readings(parseMessage(text)).map((reading): [string, string] => [key, reading]),
  );

/** In letters, on a phone of 360 pixels: three copy buttons side by side, up to four steps, a wide button. */
const roomFor: Partial<Record<TextKey, number>> = {
  copyAddress: 9,
  copyAmount: 9,
  copyMemo: 9,
  copyLink: 9,
  copyInvoice: 12,
  stepSeen: 14,
  stepConfirming: 14,
  stepConfirmingNow: 14,
  stepCreditingNow: 14,
  stepConverting: 14,
  stepCredited: 14,
  qrForWallet: 20,
  qrForExchange: 20,
  save: 20,
  close: 20,
  tryAgain: 20,
  receipt: 24,
  invoice: 24,
  print: 24,
  printInvoice: 24,
  receiptPdf: 24,
  invoicePdf: 24,
  excessSendLink: 24,
  askShop: 24,
  payWith: 30,
  openWallet: 30,
  newQuote: 30,
  backToShop: 30,
  backToPayment: 30,
  refundCheck: 30,
  refundSend: 30,
  sandboxPay: 30,
  sandboxMine: 30,
  browserWallet: 36,
};

test('a button has room for its text', () => {
  for (const language of languageCodes)
    for (const [key, reading] of readingsOf(language))
      assert.ok(reading.length <= (roomFor[key as TextKey] ?? Infinity), `${language} ${key} is too long: ${reading}`);
});

const endOf = (text: string): string => (/[.?!:؟]$/u.exec(text)?.[0] ?? '').replace('؟', '?');

test('a sentence ends as it does in English', () => {
  for (const language of languageCodes) {
    const english = textsOf('en');
    for (const [at, [key, text]] of textsOf(language).entries())
      assert.equal(endOf(text), endOf(english[at]?.[1] ?? ''), `${language} ${key}: ${text}`);
  }
});

const isSpanishMarkMissing = (text: string): boolean =>
  text.split('?').length !== text.split('¿').length || text.split('!').length !== text.split('¡').length;

/** What a printer would mark in red. In French such marks have a space before them, and none may begin a line. */
const wrongEverywhere = /['"]|\.\.\.| {2}|^\s|\s$|\s[.,)]|\(\s/u;
const isWronglyMarked = (language: PageLanguage, text: string): boolean =>
  wrongEverywhere.test(text) ||
  (language === 'fr' ? /[^\u00a0][?!:;]/u : /\s[?!:;]/u).test(text) ||
  (language === 'es' && isSpanishMarkMissing(text)) ||
  (language === 'ar' && /[,;?]/u.test(text));

test('marks are those of the language', () => {
  for (const language of languageCodes)
    for (const [key, reading] of readingsOf(language))
      assert.ok(!isWronglyMarked(language, reading), `${language} ${key}: ${reading}`);
});

/** Words for which we have another one, and forms of address that we do not use. */
const wordsNotUsed: Record<PageLanguage, RegExp> = {
  en: /\bquote|\be-?wallet|\bbasket/iu, // price
  de: /\b(du|dich|dir|dein\w*|euch|euer\w*)\b|Beleg|Rückzahlung|Angebot|umrechn|Geldbörse/iu, // Quittung, Erstattung, Preis
  pt: /\b(contacte|contactar|ligação|introduza|telemóvel|ecrã|fatura-recibo|lhe)\b|est(á|ão|amos) a \w+r\b/iu, // Brazilian
  es: /\b(tú|tu|tus|ti|monedero|cartera|presupuesto)\b|casas? de cambio/iu, // billetera, exchange
  it: /\b(tu|tuo|tua|tuoi|tue|portafoglio|quotazione|borsa)\b/iu, // wallet, prezzo, exchange
  tr: /\b(sen|senin|sana|teklif)\b/iu,
  pl: /\b(Pan|Pani|Państwo|Państwa|wycena|wycenę|portmonetka)\b/iu, // cena, portfel
  fr: /\b(tu|ton|ta|tes|toi|wallet|devis)\b/iu, // portefeuille, prix
  ar: /والت|بورصة/u,
};

test('one thing has one word, and the reader one form of address', () => {
  for (const language of languageCodes)
    for (const [key, reading] of readingsOf(language))
      assert.doesNotMatch(reading, wordsNotUsed[language], `${language} ${key}`);
});

/** How each language says that something is booked for the shop. */
const credited = /credited|gutgeschrieben|crédité|accreditat|abonar|abonó|creditad|zaksięgowan|hesaba geç|أُضيف/iu;

test('what comes after the time is not promised to be credited in full: the shop may have it valued', () => {
  for (const language of languageCodes) {
    assert.match(pageLanguages[language].lateText, credited, `${language}: the word`);
    assert.doesNotMatch(pageLanguages[language].alreadySentText, credited, language);
  }
});

/** Who has lost a transaction is worried: one sentence says what to do and why, and one what follows. */
const twoSentences = ['replacedByOurs', 'replacedByOther', 'dropped', 'takenBackText', 'reorganised', 'wrongAsset'];

test('what went wrong with a transaction is told in two sentences', () => {
  for (const language of languageCodes)
    for (const [key, text] of textsOf(language).filter(([each]) => twoSentences.includes(each)))
      assert.equal(text.match(/[.!?؟](?=\s|$)/gu)?.length, 2, `${language} ${key}: ${text}`);
});
