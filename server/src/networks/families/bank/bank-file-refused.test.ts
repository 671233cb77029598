/** Files that no bank sends, and what is still read: amounts, days, encodings. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zipSync } from 'fflate';
import { knownCurrencies } from '../../../catalog/known-currencies.ts';
import { DocumentRefused } from '../../port/documents.ts';
import { bankFileLimits } from './bank-file-limits.ts';
import type { BankEntry } from './bank-statement.ts';
import { currencyDecimals } from './currency-decimals.ts';
import { readBankAmount } from './read-bank-amount.ts';
import { readBankDay, readDayNear } from './read-bank-day.ts';
import { readBankFile } from './read-bank-file.ts';

async function entriesOf(bytes: Uint8Array): Promise<BankEntry[]> {
  const entries: BankEntry[] = [];
  for await (const { entry } of (await readBankFile(bytes)).entries()) entries.push(entry);
  return entries;
}

const refusal = async (bytes: Uint8Array | string, limits = bankFileLimits): Promise<string> => {
  try {
    const file = await readBankFile(typeof bytes === 'string' ? Buffer.from(bytes) : bytes, limits);
    for await (const _ of file.entries());
  } catch (error) {
    assert.ok(error instanceof DocumentRefused, String(error));
    return error.problem.code;
  }
  return 'nothing';
};

test('amounts are exact, have at most 18 digits and 5 decimals, and no sign', () => {
  const good: readonly [string, string, bigint][] = [
    ['000000000250.00000', 'EUR', 25_000n],
    ['9999999999999999.99', 'EUR', 999_999_999_999_999_999n],
    ['+.5', 'EUR', 50n],
    ['7.', 'JPY', 7n],
    ['7.00', 'JPY', 7n],
    ['1.234', 'KWD', 1_234n],
  ];
  for (const [text, currency, units] of good) assert.equal(readBankAmount(text, currency), units, text);
  const comma: readonly [string, bigint][] = [
    ['12,', 1_200n],
    ['12,5', 1_250n],
    [',05', 5n],
    ['500', 50_000n],
  ];
  for (const [text, units] of comma) assert.equal(readBankAmount(text, 'EUR', 'comma'), units, text);
  for (const text of [
    '',
    '.',
    '-1',
    '-0',
    '1,50',
    '1e3',
    '0x1',
    '1 000',
    '1.000001',
    '12345678901234567.89',
    '9'.repeat(400),
    '١',
  ])
    assert.throws(() => readBankAmount(text, 'EUR'), DocumentRefused, text);
  assert.throws(() => readBankAmount('1.005', 'EUR'), /more decimals than EUR, which has 2/);
});

test('decimals of currencies are those of the catalogue', () => {
  for (const { code, decimals, type } of knownCurrencies)
    if (type === 'FIAT') assert.equal(currencyDecimals(code), decimals, code);
});

test('a day is what the bank wrote', () => {
  assert.equal(readBankDay('2026-03-31T23:59:59-11:00'), '2026-03-31');
  assert.equal(readBankDay('2026-02-30'), '2026-02-28');
  assert.equal(readDayNear('1231', '2026-01-02'), '2025-12-31');
  assert.equal(readDayNear('0102', '2025-12-31'), '2026-01-02');
  for (const text of ['', '2026-13-01', '2026-00-10', '31.03.2026', '2026-3-1', '99999-01-01'])
    assert.throws(() => readBankDay(text), DocumentRefused, text);
});

/** The smallest statement, in which one thing is wrong each time. */
const statement = (entries: string, head = '', declaration = ''): string =>
  `${declaration}${head}<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M</MsgId>` +
  `</GrpHdr><Stmt><Id>S</Id><Acct><Id><IBAN>DE67500502011234567890</IBAN></Id></Acct>${entries}</Stmt></BkToCstmrStmt></Document>`;
const entry = (inside = '', amount = '<Amt Ccy="EUR">1.00</Amt>'): string =>
  `<Ntry>${amount}<CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>${inside}</Ntry>`;

test('what no bank sends is refused whole, by name', async () => {
  const bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>';
  const wrong: readonly [string, string][] = [
    ['bank_xml_doctype', statement(entry(), bomb)],
    ['bank_xml', statement(entry('<AddtlNtryInf>&a;</AddtlNtryInf>'))],
    ['bank_text_too_long', statement(entry(`<?show ${'x'.repeat(300_000)}?>`))],
    ['bank_xml', statement(entry()).slice(0, -5)],
    ['bank_xml', statement(entry('<a></b>'))],
    ['bank_xml_depth', statement(entry('<a>'.repeat(60)))],
    ['bank_text_too_long', statement(entry(`<AddtlNtryInf>${'x'.repeat(30_000)}</AddtlNtryInf>`))],
    ['bank_text_too_long', statement(entry(`<!--${'x'.repeat(300_000)}-->`))],
    ['bank_message_unknown', statement(entry(), `<!DOCTYPE ${'x'.repeat(300_000)}`)],
    ['bank_xml_elements', statement(entry(`<Chrgs>${'<Rcrd/>'.repeat(6_000)}</Chrgs>`))],
    ['bank_too_much_in_one', statement(entry('<Chrgs/>'.repeat(6_000)))],
    ['bank_amount', statement(entry('', '<Amt Ccy="EUR">-1.00</Amt>'))],
    ['bank_amount', statement(entry('', `<Amt Ccy="EUR">${'9'.repeat(19)}</Amt>`))],
    ['bank_amount_decimals', statement(entry('', '<Amt Ccy="EUR">1.005</Amt>'))],
    ['bank_currency_form', statement(entry('', '<Amt>1.00</Amt>'))],
    ['bank_lacks', statement(entry('', ''))],
    ['bank_direction', statement('<Ntry><Amt Ccy="EUR">1</Amt></Ntry>')],
    ['bank_yes_or_no', statement(entry('<RvslInd>perhaps</RvslInd>'))],
    ['bank_day', statement(entry('<BookgDt><Dt>2026-02-40</Dt></BookgDt>'))],
    ['bank_version', statement(entry()).replace('053.001.08', '053.001.14')],
    ['bank_version', statement(entry()).replace('053.001.08', '053.001.01')],
    [
      'bank_message_unknown',
      '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn/></Document>',
    ],
    ['bank_message_unknown', 'Buchungstag;Betrag\n01.01.2026;1,00'],
    ['bank_message_empty', '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"></Document>'],
    ['bank_message_missing', '<Document><![CDATA[<BkToCstmrStmt>]]></Document>'],
    ['bank_two_messages', `<a>${statement(entry())}${statement(entry())}</a>`],
    ['bank_file_empty', ''],
    ['bank_encoding', statement(entry(), '', '<?xml version="1.0" encoding="EBCDIC-CP-US"?>')],
    ['bank_encoding', statement(entry(), '', '<?xml version="1.0" encoding="constructor"?>')],
    ['bank_encoding_contradiction', statement(entry(), '', '<?xml version="1.0" encoding="UTF-16"?>')],
    ['bank_mt942', ':20:X\n:25:1\n:28C:1\n:34F:EURD0,\n'],
    ['bank_mt940_unfinished', ':20:X\n:25:1\n:28C:1\n:60F:C260101EUR1,\n'],
    ['bank_mt940_order', ':20:X\n:25:1\n:28C:1\n:61:260101C1,NTRFX\n:60F:C260101EUR1,\n:62F:C260101EUR2,\n'],
    ['bank_mt940_order', ':20:X\n:25:1\n:28C:1\n:60F:C260101EUR1,\n:60F:C260101EUR2,\n:62F:C260101EUR2,\n'],
    ['bank_mt940_unfinished', ':20:X\n:25:1\n:28C:1\n:61:260101C1,NTRFX\n'],
    [
      'bank_mt940_order',
      ':20:X\n:25:1\n:28C:1\n:60F:C260101EUR1,\n:62F:C260101EUR1,\n:61:260101C1,NTRFX\n:62F:C260101EUR2,\n',
    ],
    [
      'bank_mt940_order',
      ':20:X\n:25:1\n:28C:1\n:60F:C260101EUR1,\n:62F:C260101EUR1,\n-\n:28C:2\n:60F:C260101EUR1,\n:62F:C260101EUR1,\n',
    ],
    ['bank_mt940_line', ':20:X\n:25:1\n:28C:1\n:60F:C260101EUR1,\n:61:260101X1,NTRFX\n:62F:C260101EUR1,\n'],
    ['bank_mt940_balance', ':20:X\n:25:1\n:28C:1\n:60F:C260101EUR-1,\n'],
    ['bank_text_too_long', `:20:X\n:25:1\n:86:${'x\n'.repeat(30_000)}`],
  ];
  for (const [code, text] of wrong) assert.equal(await refusal(text), code, text.slice(0, 300));
  assert.equal(await refusal(statement(entry())), 'nothing');
});

test('what only people read, and what stands in front, may be written as a bank likes', async () => {
  const balance = (code: string, inside: string): string =>
    `<Bal><Tp><CdOrPrtry>${code}</CdOrPrtry></Tp>${inside}<Dt><Dt>2026-03-02</Dt></Dt></Bal>`;
  const owed = '<Amt Ccy="EUR">-5.00</Amt><CdtDbtInd>DBIT</CdtDbtInd>';
  const line = '<Amt Ccy="EUR">5000.00</Amt>';
  const shown = balance('<Cd>CLAV</Cd>', owed) + balance('<Prtry>Credit line</Prtry>', line);
  assert.equal(await refusal(statement(shown + entry('<ValDt><Dt>0001-01-01</Dt></ValDt>'))), 'bank_day');
  const booked = entry('<BookgDt><Dt>2026-03-02</Dt></BookgDt><ValDt><Dt>0001-01-01</Dt></ValDt>');
  const declared = `\r\n ${statement(shown + booked, '', '<?xml version="1.0" encoding="ISO-8859-1"?>')}`;
  assert.equal(await refusal(declared), 'nothing');
  assert.equal(await refusal(statement(balance('<Cd>CLBD</Cd>', owed))), 'bank_amount');
  const unmarked = statement(balance('<Cd>OPBD</Cd>', line));
  assert.equal(await refusal(unmarked), 'bank_direction');
  await assert.rejects(readBankFile(Buffer.from(unmarked)), /^DocumentRefused: A balance is marked “”;/);
});

test('two balances of one day that differ prove nothing; of several days the first opens and the last closes', async () => {
  const balance = (code: string, euros: number, day: string): string =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${euros}.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>` +
    `<Dt><Dt>2026-03-${day}</Dt></Dt></Bal>`;
  const days = [balance('CLBD', 6, '03'), balance('OPBD', 6, '03'), balance('OPBD', 5, '02'), balance('CLBD', 7, '04')];
  const told = statement(days.join('') + entry());
  const [read] = (await readBankFile(Buffer.from(told))).statements;
  assert.deepEqual([read?.opening?.units, read?.closing?.units], [500n, 700n]);
  for (const another of [balance('OPBD', 4, '02'), balance('CLBD', 8, '04')])
    assert.equal(await refusal(statement(days.join('') + another)), 'bank_balance_twice', another);
  for (const same of [balance('OPBD', 5, '02'), balance('CLBD', 7, '04'), balance('OPBD', 4, '03')])
    assert.equal(await refusal(statement(days.join('') + same)), 'nothing', same);
});

test('limits hold for the whole file', async () => {
  const limits = (changed: Partial<typeof bankFileLimits>) => ({ ...bankFileLimits, ...changed });
  const three = statement(entry().repeat(3));
  assert.equal(await refusal(three, limits({ entriesMax: 3 })), 'nothing');
  assert.equal(await refusal(three, limits({ entriesMax: 2 })), 'bank_entries_too_many');
  assert.equal(await refusal(three, limits({ bytesMax: three.length - 1 })), 'bank_file_too_large');
  assert.equal(await refusal(three, limits({ statementsMax: 0 })), 'bank_statements_too_many');
  const told = `<NtryDtls>${'<TxDtls><RmtInf><Ustrd>1234567890</Ustrd></RmtInf></TxDtls>'.repeat(2)}</NtryDtls>`;
  const heavy = statement(entry(told).repeat(3));
  assert.equal(await refusal(heavy, limits({ weightMax: 104 })), 'nothing', 'each booking by itself');
  assert.equal(await refusal(heavy, limits({ weightMax: 103 })), 'bank_too_heavy');
  const beside = statement('<Other>1234567890</Other>'.repeat(4));
  assert.equal(await refusal(beside, limits({ weightMax: 127 })), 'nothing');
  assert.equal(await refusal(beside, limits({ weightMax: 126 })), 'bank_too_heavy');
  const details = statement(entry(`<NtryDtls>${'<TxDtls/>'.repeat(4)}</NtryDtls>`));
  assert.equal(await refusal(details, limits({ detailsPerEntryMax: 3 })), 'bank_too_much_in_one');
  assert.equal(await refusal(details, limits({ entriesMax: 3 })), 'bank_entries_too_many');
});

test('a ZIP is refused that bursts, lies, hides or nests', async () => {
  const good = Buffer.from(statement(entry()));
  const zip = Buffer.from(zipSync({ 'a.xml': good }));
  const changed = (at: number, byte: number): Buffer => {
    const copy = Buffer.from(zip);
    copy[at] = byte;
    return copy;
  };
  const directory = zip.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
  assert.equal(await refusal(zip), 'nothing');
  assert.equal(await refusal(zipSync({ 'a.zip': zip })), 'bank_zip_nested');
  assert.equal(await refusal(zipSync({ 'a.zip': [zip, { level: 0 }] })), 'bank_zip_nested');
  for (const name of ['../a.xml', '/a.xml', 'a\\b.xml', 'C:a.xml', 'x/../../a.xml', 'a\n.xml'])
    assert.equal(await refusal(zipSync({ [name]: good })), 'bank_zip_name', name);
  assert.equal(await refusal(zipSync({})), 'bank_zip_empty');
  assert.equal(await refusal(changed(directory + 8, 1)), 'bank_zip_locked');
  assert.equal(await refusal(changed(directory + 10, 99)), 'bank_zip_method');
  assert.equal(await refusal(changed(directory + 16, (zip[directory + 16] ?? 0) ^ 1)), 'bank_zip_broken');
  assert.equal(await refusal(changed(directory + 24, (zip[directory + 24] ?? 0) ^ 1)), 'bank_zip_broken');
  assert.equal(await refusal(zip.subarray(0, zip.length - 5)), 'bank_zip_broken');
  const two = Buffer.from(zipSync({ 'a.xml': good, 'b.xml': good }));
  for (let at = two.indexOf('b.xml'); at !== -1; at = two.indexOf('b.xml')) two.write('a.xml', at);
  assert.equal(await refusal(two), 'bank_zip_name_twice');
  const bomb = zipSync({ 'a.xml': Buffer.alloc(3_000_000, 32) });
  assert.ok(bomb.length < 10_000);
  assert.equal(await refusal(bomb, { ...bankFileLimits, bytesMax: 2_000_000 }), 'bank_file_too_large');
  const many = Object.fromEntries(Array.from({ length: 5 }, (_, number) => [`${number}.xml`, good]));
  assert.equal(await refusal(zipSync(many), { ...bankFileLimits, membersMax: 4 }), 'bank_zip_members');
});

test('what lies beside statements in a ZIP is named, and what a system hides there is not looked at', async () => {
  const good = Buffer.from(statement(entry()));
  assert.equal(await refusal(zipSync({ 'a.xml': good, '.DS_Store': Buffer.from('x'), 'x/._a.xml': good })), 'nothing');
  for (const [beside, said] of [
    ['%PDF-1.4', /no message of a bank/],
    ['<html/>', /“html”/],
    ['', /is empty/],
  ] as const)
    await assert.rejects(readBankFile(zipSync({ 'a.xml': good, 'list.pdf': Buffer.from(beside) })), (error) => {
      assert.ok(error instanceof DocumentRefused);
      assert.match(error.message, said);
      assert.match(error.message, /“list\.pdf” in the ZIP/);
      return true;
    });
});

test('a name is the same in every encoding that banks use', async () => {
  const name = 'Žofie Müßig €';
  const text = (encoding: string): string =>
    statement(
      entry(`<NtryDtls><TxDtls><RltdPties><Dbtr><Pty><Nm>${name}</Nm></Pty></Dbtr></RltdPties></TxDtls></NtryDtls>`),
      '',
      `<?xml version="1.0" encoding="${encoding}"?>`,
    );
  const swapped = (bytes: Buffer): Buffer => bytes.swap16();
  const latin = (written: string, euro: number, caron: number): Buffer =>
    Buffer.from(
      Array.from(written, (char) => (char === '€' ? euro : char === 'Ž' ? caron : (char.codePointAt(0) ?? 0))),
    );
  const files: Readonly<Record<string, Buffer>> = {
    'utf-8': Buffer.from(text('utf-8')),
    'UTF-8 with a mark': Buffer.from(`\ufeff${text('UTF-8')}`),
    'windows-1252': latin(text('windows-1252'), 0x80, 0x8e),
    'iso-8859-1': latin(text('ISO-8859-1'), 0x80, 0x8e),
    'iso-8859-15': latin(text('ISO-8859-15'), 0xa4, 0xb4),
    'windows-1250': latin(text('windows-1250'), 0x80, 0x8e),
    'utf-16le': Buffer.from(`\ufeff${text('UTF-16')}`, 'utf16le'),
    'utf-16be': swapped(Buffer.from(`\ufeff${text('UTF-16')}`, 'utf16le')),
    'utf-16 without a mark': Buffer.from(text('UTF-16LE'), 'utf16le'),
  };
  for (const [encoding, bytes] of Object.entries(files))
    assert.equal((await entriesOf(bytes))[0]?.details[0]?.payer.name, name, encoding);
  assert.equal(await refusal(latin(text('utf-8'), 0x80, 0x8e)), 'bank_encoding_broken');
  assert.equal(await refusal(Buffer.from(`\ufeff${text('ISO-8859-1')}`)), 'bank_encoding_contradiction');
});
