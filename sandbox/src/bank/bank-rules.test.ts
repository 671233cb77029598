/** Rules of the sandbox's bank, each by examples: its calendar, its numbers, what it rejects, what it does to texts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays } from '@quittance/server/lib/local-day';
import fc from 'fast-check';
import { isValidBIC, isValidIBAN } from 'ibantools';
import { formatCents, readCents } from './bank-entry.ts';
import { customers, dollarAccount, euroAccount, ownAccountElsewhere, ownBic, strangersIban } from './bank-parties.ts';
import { hasCheckDigits, hasReferenceDigits, ibanOf } from './iban-of.ts';
import { manglings } from './mangle-text.ts';
import { readXml } from './read-xml.ts';
import { addBankingDays, bankDay, bankingDayFrom, easterSunday, isBankingDay } from './target-calendar.ts';
import { verifyPayee } from './verify-payee.ts';

test('money moves on the days of TARGET', () => {
  const easters = ['2024-03-31', '2025-04-20', '2026-04-05', '2027-03-28', '2038-04-25', '1954-04-18', '1981-04-19'];
  for (const easter of easters) assert.equal(easterSunday(Number(easter.slice(0, 4))), easter);
  const closed = ['2026-01-01', '2026-04-03', '2026-04-06', '2026-05-01', '2026-12-25', '2026-11-21', '2026-11-22'];
  for (const day of closed) assert.equal(isBankingDay(day), false, day);
  // Holidays of Germany on which money moves all the same.
  for (const day of ['2026-05-14', '2026-05-25', '2026-12-24', '2026-12-31'])
    assert.equal(isBankingDay(day), true, day);
  assert.equal(bankingDayFrom('2026-04-03'), '2026-04-07');
  assert.equal(addBankingDays('2026-12-23', 2), '2026-12-28');
  assert.equal(addBankingDays('2026-11-21', 0), '2026-11-23');
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 40_000 }), fc.integer({ min: 0, max: 9 }), (from, count) => {
      const start = addDays('2000-01-01', from);
      const end = addBankingDays(start, count);
      assert.ok(isBankingDay(end) && end >= start);
      // At most four days in a row are closed: Easter.
      assert.ok(end <= addDays(start, 5 + count * 5));
    }),
  );
});

test('the day is that of the bank, also when the clocks change', () => {
  assert.equal(bankDay(new Date('2026-11-17T23:30:00Z')), '2026-11-18');
  assert.equal(bankDay(new Date('2026-07-17T22:30:00Z')), '2026-07-18');
  assert.equal(bankDay(new Date('2026-07-17T21:30:00Z')), '2026-07-17');
});

test('every account has check digits that others find right', () => {
  const parties = [...customers, ownAccountElsewhere];
  const ibans = [...parties.map(({ iban }) => iban), euroAccount.iban, dollarAccount.iban, strangersIban];
  for (const iban of ibans.filter((each) => each !== null)) {
    assert.ok(isValidIBAN(iban), iban);
    assert.ok(hasCheckDigits(iban), iban);
  }
  for (const bic of [...parties.map(({ bic }) => bic), ownBic]) assert.ok(isValidBIC(bic ?? ''), bic ?? '');
  assert.equal(ibanOf('DE', '370400440532013000'), 'DE89370400440532013000');
  assert.equal(hasCheckDigits('DE88370400440532013000'), false);
  assert.ok(hasReferenceDigits('RF18539007547034'));
  assert.equal(hasReferenceDigits('RF19539007547034'), false);
});

test('amounts are cents, as XML may write them', () => {
  const amounts = { '1234.5': 123_450n, '0005.05': 505n, '.5': 50n, '5.': 500n, '+7': 700n, '1.23000': 123n };
  for (const [text, units] of Object.entries(amounts)) assert.equal(readCents(text), units, text);
  for (const text of ['', '.', '1.234', '-1', '1e3', '1,50', '1 0', '12345678901234567'])
    assert.equal(readCents(text), null, text);
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), (units) => assert.equal(readCents(formatCents(units)), units)),
  );
  assert.equal(formatCents(-5n), '-0.05');
});

test('a name is that of the account, nearly that, another one, or nobody knows', () => {
  const [anne, joerg] = customers;
  assert.ok(anne && joerg);
  assert.equal(verifyPayee('ANNE GRUNWALD', anne.iban).status, 'RCVC');
  assert.deepEqual(verifyPayee('Anna Grünwalt', anne.iban), { status: 'RVMC', name: 'Änne Grünwald' });
  assert.deepEqual(verifyPayee('Maximilian Grünwald', anne.iban), { status: 'RVMC', name: 'Änne Grünwald' });
  assert.equal(verifyPayee('Torben Schmidt', joerg.iban).status, 'RVNM');
  assert.equal(verifyPayee('Änne Grünwald', strangersIban).status, 'RVNA');
});

test('a reference is mangled as banks and people do it', () => {
  const reference = 'RF18 5390 0754 7034 for the order of Tuesday';
  assert.equal(manglings.cut27(reference).length, 27);
  assert.equal(manglings.cut35(reference).length, 35);
  assert.equal(manglings.upperCase('rf18 abc'), 'RF18 ABC');
  assert.equal(manglings.spaces('RF18539007547034'), 'RF18 5390 0754 7034');
  assert.equal(manglings.wrongCheckDigits('RF18539007547034'), 'RF19539007547034');
  assert.equal(manglings.wrongCheckDigits('no reference 9'), 'no reference 0');
  assert.equal(manglings.lostCharacters('RF18539007547034'), 'RF185300754734');
  assert.match(manglings.bankText('RF18'), /^SVWZ\+.* RF18$/);
  assert.equal(manglings.zeroForO('O9oI'), '090I');
});

test('what is no XML, declares entities or is written otherwise than it says is none', () => {
  const utf16 = Buffer.from('\u{feff}<?xml version="1.0" encoding="UTF-16"?><a>ß</a>', 'utf16le');
  assert.equal(readXml(utf16).text, 'ß');
  assert.equal(
    readXml(Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><x:a xmlns:x="u">ß</x:a>', 'latin1')).text,
    'ß',
  );
  assert.equal(readXml(Buffer.from('<a><![CDATA[1 < 2]]><!-- no --> &amp; 3</a>')).text, '1 < 2 & 3');
  for (const text of ['', '<a>', '<a></b>', '<a/><b/>', '<!DOCTYPE a><a/>', '<a>&b;</a>', '<a>'.repeat(100), 'MsgId'])
    assert.throws(() => readXml(Buffer.from(text)), { name: 'Error' }, text);
  assert.throws(() => readXml(Buffer.from('<a>ß</a>', 'latin1')), /not written in utf-8/);
});
