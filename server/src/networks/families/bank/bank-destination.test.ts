import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  accountNumberProblem,
  anyAccountProblem,
  bicProblem,
  holderProblem,
  ibanProblem,
  missingBicProblem,
  sepaIbanProblem,
} from './bank-destination.ts';
import { isInEea, isInSepa, needsBic, plainIban, printedIban } from './iban.ts';
import { hasLatinLetters, latinName, latinText } from './latin-text.ts';

test('an IBAN is taken however it is typed, and printed in groups of four', () => {
  for (const typed of ['DE89370400440532013000', 'de89 3704 0044 0532 0130 00', 'DE89-3704-0044-0532-0130-00\u200b']) {
    assert.equal(ibanProblem(typed), null, typed);
    assert.equal(printedIban(typed), 'DE89 3704 0044 0532 0130 00');
    assert.equal(plainIban(typed), 'DE89370400440532013000');
  }
  assert.equal(printedIban('NO9386011117947'), 'NO93 8601 1117 947');
});

test('what is wrong with an IBAN is said in one sentence', () => {
  for (const [typed, said] of [
    ['', /is missing/],
    ['hello', /this is none/],
    ['1DE89370400440532013000', /this is none/],
    ['DE8A370400440532013000', /this is none/],
    ['DE89370400440532013000#', /this is none/],
    ['DE89370400440532013001', /check digits/],
    ['DE8937040044053201300', /another length/],
    ['XX89370400440532013000', /No country .* XX/],
    ['CH4431999123000889012', /QR-IBAN/],
  ] as const)
    assert.match(ibanProblem(typed) ?? '', said, typed);
  assert.equal(ibanProblem('BR1800360305000010009795493C1'), null);
  assert.match(sepaIbanProblem('BR1800360305000010009795493C1') ?? '', /BR cannot be paid by SEPA/);
  assert.equal(sepaIbanProblem('CH9300762011623852957'), null);
  assert.match(sepaIbanProblem('CH9300762011623852958') ?? '', /check digits/);
});

test('one wrong digit is always noticed', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 21 }), fc.integer({ min: 1, max: 9 }), (at, step) => {
      const iban = 'DE89370400440532013000';
      const other = `${iban.slice(0, at)}${(Number(iban[at]) + step) % 10}${iban.slice(at + 1)}`;
      assert.match(ibanProblem(other) ?? '', /check digits/);
    }),
  );
});

test('a BIC has eight or eleven characters, and is of the country of the account', () => {
  for (const right of ['COBADEFF', 'COBADEFFXXX', 'cobadeff xxx'])
    assert.equal(bicProblem(right, 'DE89370400440532013000'), null, right);
  for (const wrong of ['COBADEF', 'COBADEFFX', 'COBAXXFF', '12BADEFF', '1COBADEFF', 'COBADEFFXXX1'])
    assert.match(bicProblem(wrong, null) ?? '', /none/);
  assert.match(bicProblem('', null) ?? '', /missing/);
  assert.match(bicProblem('CHASUS33', 'DE89370400440532013000') ?? '', /in US, and the IBAN of an account in DE/);
  assert.equal(bicProblem('MIDLJESHXXX', 'GB29NWBK60161331926819'), null, 'Jersey has British IBANs');
});

test('inside the EEA an IBAN is enough, elsewhere a BIC is needed', () => {
  assert.deepEqual(
    ['DE', 'NO', 'CH', 'GB', 'RS', 'US'].map((country) => [country, isInEea(country), isInSepa(country)]),
    [
      ['DE', true, true],
      ['NO', true, true],
      ['CH', false, true],
      ['GB', false, true],
      ['RS', false, true],
      ['US', false, false],
    ],
  );
  assert.equal(needsBic('DE89370400440532013000'), false);
  assert.match(missingBicProblem('CH9300762011623852957', null) ?? '', /only be paid with the BIC/);
  assert.equal(missingBicProblem('CH9300762011623852957', 'UBSWCHZH'), null);
});

test('whoever holds an account has a name that a bank can compare', () => {
  for (const right of ['Ada Example', 'Łukasz Żółć', 'Δημήτρης', 'Сергей', 'O’Neill & Söhne GmbH', '3M'])
    assert.equal(holderProblem(right), null, right);
  for (const [wrong, said] of [
    ['  ', /missing/],
    ['A\nB', /one line/],
    ['Lea \u202etriW', /nobody can see/],
    ['Lea\u200b Wirt', /nobody can see/],
    ['x'.repeat(71), /at most 70/],
    ['王伟', /Latin letters/],
    ['12345', /Latin letters/],
    ['DE89 3704 0044 0532 0130 00', /no name/],
  ] as const)
    assert.match(holderProblem(wrong) ?? '', said, wrong);
});

test('names are written with the letters that every bank takes', () => {
  for (const [name, written] of [
    ['Groß & Söhne', 'Gross + Sohne'],
    ['Søren Ærø', 'Soren Aero'],
    ['Łukasz Żółć', 'Lukasz Zolc'],
    ['İpek Yıldız Şahin', 'Ipek Yildiz Sahin'],
    ['Γιώργος Παπαδόπουλος', 'Giorgos Papadopoulos'],
    ['Щербаков Юрий', 'Shterbakov Yuriy'],
    ['Κουρούνης ΟΥΡΑΝΟΣ', 'Kourounis OURANOS'],
    ['Đorđević', 'Dordevic'],
    ['Љубав Ђорђе', 'Ljubav Djordje'],
    ['“Ada” – [Shop] 100%', "'Ada' - (Shop) 100."],
    ['Company № 5', 'Company No 5'],
    ['王伟 Wang', '. Wang'],
    ['a//b', 'a/b'],
    ['  two\n lines ', 'two lines'],
    ['\u{1f600}', ''],
  ] as const)
    assert.equal(latinText(name, 70), written, name);
  assert.equal(latinName('王伟'), 'NOTPROVIDED');
  assert.equal(hasLatinLetters('王伟'), false);
});

test('a text is cut between words where that costs little, and never longer than it may be', () => {
  assert.equal(latinText('The quick brown fox jumps', 18), 'The quick brown');
  assert.equal(latinText('Donaudampfschifffahrtsgesellschaft', 10), 'Donaudampf');
  assert.equal(latinText('A Donaudampfschiff', 10), 'A Donaudam');
  assert.equal(latinText('ßßßß', 5), 'sssss');
});

test('whatever is written, only letters of the set come out, as many as fit, and the same again unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.constantFrom(25, 35, 70, 140), (text, most) => {
      const written = latinText(text, most);
      assert.match(written, /^[a-zA-Z0-9/\-?:().,'+ ]*$/);
      assert.ok(written.length <= most && written === written.trim());
      assert.equal(latinText(written, most), written);
      assert.ok(latinName(text, most).length > 0);
    }),
  );
});

test('where there are no IBANs an account is a number, and what looks like an IBAN is checked as one', () => {
  for (const right of ['1', '0012 3456-789', 'ab12', '9'.repeat(34)])
    assert.equal(accountNumberProblem(right), null, right);
  for (const [typed, said] of [
    ['', /number of the account is missing/],
    ['9'.repeat(35), /1 to 34 letters and digits/],
    ['12#4', /1 to 34 letters and digits/],
    ['#12', /1 to 34 letters and digits/],
    ['DE89370400440532013000', /looks like an IBAN/],
  ] as const)
    assert.match(accountNumberProblem(typed) ?? '', said, typed);
  assert.equal(anyAccountProblem('000123456789'), null);
  assert.equal(anyAccountProblem('DE89370400440532013000'), null);
  assert.match(anyAccountProblem('DE89370400440532013001') ?? '', /check digits/);
});

test('a name has at most 70 characters, and a text keeps its spaces', () => {
  assert.equal(holderProblem('x'.repeat(70)), null);
  assert.notEqual(holderProblem('x'.repeat(71)), null);
  assert.equal(latinText('one\ttwo\u00a0three', 70), 'one two three');
  assert.equal(latinText('exactly ten', 11), 'exactly ten');
  assert.equal(latinText('123456 890123', 9), '123456', 'two thirds of it are worth a whole word');
  assert.equal(latinText('12345 7890123', 9), '12345 789', 'less is not');
});
