/** What programs of others say about the numbers that we take and give, and about the codes that banking apps read. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import encodeQR from 'qr';
import { bicProblem, ibanProblem } from '../src/networks/families/bank/bank-destination.ts';
import { type EpcContent, epcCode, epcCodeProblem } from '../src/networks/families/bank/epc-code.ts';
import { isRfReference, printedRf, rfReference } from '../src/networks/families/bank/rf-reference.ts';
import { askPython, hasSegno, hasStdnum } from './foreign-python.ts';

/** Loudly, and never where everything must be there. */
function isSkipped(context: TestContext, isThere: boolean, aptPackage: string): boolean {
  if (isThere) return false;
  assert.notEqual(process.env['CI'], 'true', `${aptPackage} must be installed where CI=true`);
  context.skip(`nobody else is asked: apt-get install ${aptPackage}`);
  return true;
}

/** The same each time: of a thousand misspelt numbers one may be right by accident, and only some look further. */
const drawn = <T>(arbitrary: fc.Arbitrary<T>, numRuns: number): T[] => fc.sample(arbitrary, { numRuns, seed: 11649 });

/** As the registry of IBANs and banks publish them. */
const ibans = [
  ...['AD1200012030200359100100', 'AT611904300234573201', 'BE68539007547034', 'BG80BNBG96611020345678'],
  ...['CH9300762011623852957', 'CY17002001280000001200527600', 'CZ6508000000192000145399', 'DE89370400440532013000'],
  ...['DK5000400440116243', 'EE382200221020145685', 'ES9121000418450200051332', 'FI2112345600000785'],
  ...[
    'FR1420041010050500013M02606',
    'GB29NWBK60161331926819',
    'GI75NWBK000000007099453',
    'GR1601101250000000012300695',
  ],
  ...['HR1210010051863000160', 'HU42117730161111101800000000', 'IE29AIBK93115212345678', 'IS140159260076545510730339'],
  ...['IT60X0542811101000000123456', 'LI21088100002324013AA', 'LT121000011101001000', 'LU280019400644750000'],
  ...['LV80BANK0000435195001', 'MC5811222000010123456789030', 'MT84MALT011000012345MTLCAST001S', 'NL91ABNA0417164300'],
  ...['NO9386011117947', 'PL61109010140000071219812874', 'PT50000201231234567890154', 'RO49AAAA1B31007593840000'],
  ...['SE4550000000058398257466', 'SI56263300012039086', 'SK3112000000198742637541', 'SM86U0322509800000000270100'],
  ...['BR1800360305000010009795493C1', 'TR330006100519786457841326', 'SA0380000000608010167519'],
];
const characters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** One character is another one, or one is missing, or there twice, or two change their places. */
const misspelt = (right: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(right, fc.nat(), fc.nat(characters.length - 1), fc.constantFrom('other', 'less', 'more', 'swapped'))
    .map(([text, place, other, how]) => {
      const at = place % text.length;
      const [before, here, behind] = [text.slice(0, at), text.charAt(at), text.slice(at + 1)];
      const written = {
        other: `${before}${characters.charAt(other)}${behind}`,
        less: `${before}${behind}`,
        more: `${before}${here}${here}${behind}`,
        swapped: `${before}${behind.charAt(0)}${here}${behind.slice(1)}`,
      };
      return written[how];
    });

test('an IBAN, a BIC or a reference is right where others say so, and nowhere else', (context) => {
  if (isSkipped(context, hasStdnum(), 'python3-stdnum')) return;
  const references = fc.stringMatching(/^[a-z0-9]{12}$/).map(rfReference);
  const given = {
    ibans: [...ibans, ...drawn(misspelt(fc.constantFrom(...ibans)), 600)],
    references: [...drawn(references, 200), ...drawn(misspelt(references), 400), 'RF18539007547034', 'RF18', 'RF'],
    bics: ['COBADEFFXXX', 'COBADEFF', 'CHASUS33', 'COBADEF', 'COBADEFFXX', 'C0BADEFF', 'COBADE1F', 'cobadeff', ''],
  };
  const theirs = askPython(
    `import stdnum.iban, stdnum.iso11649, stdnum.bic
answer = {
  'ibans': [stdnum.iban.is_valid(each, check_country=False) for each in given['ibans']],
  'references': [stdnum.iso11649.is_valid(each) for each in given['references']],
  'bics': [stdnum.bic.is_valid(each) for each in given['bics']],
}`,
    given,
  ) as Record<keyof typeof given, boolean[]>;
  const ours = {
    ibans: given.ibans.map((each) => ibanProblem(each) === null),
    references: given.references.map(isRfReference),
    bics: given.bics.map((each) => bicProblem(each, null) === null),
  };
  const differing = (kind: keyof typeof given): string[] =>
    given[kind].filter((_, place) => theirs[kind][place] !== ours[kind][place]);
  for (const kind of ['ibans', 'references', 'bics'] as const) {
    assert.deepEqual(differing(kind), [], kind);
    for (const verdict of [true, false]) assert.ok(theirs[kind].includes(verdict), `${kind}: some are ${verdict}`);
  }
});

test('a code for banking apps has the lines and the size that others give it', (context) => {
  if (isSkipped(context, hasSegno(), 'python3-segno')) return;
  const letters = fc.stringMatching(/^[A-Za-zäöüßéñ0-9 .,/&-]{1,70}$/);
  const contents: fc.Arbitrary<EpcContent> = fc.record({
    name: letters.map((name) => `A${name}`.slice(0, 70).trim()),
    iban: fc.constantFrom('DE89370400440532013000', 'FR1420041010050500013M02606'),
    bic: fc.constantFrom(null, 'COBADEFFXXX'),
    amount: fc.bigInt(1n, 99_999_999_999n).map((cents) => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`),
    remittance: fc.oneof(
      fc.stringMatching(/^[a-z0-9]{12}$/).map((id) => ({ text: printedRf(rfReference(id)) })),
      fc.stringMatching(/^[a-z0-9]{12}$/).map((id) => ({ reference: rfReference(id) })),
      letters.map((text) => ({ text: `${text}.`.trim() })),
    ),
  });
  const given = drawn(contents, 80).filter((each) => epcCodeProblem(each) === null);
  assert.ok(given.length > 60);
  const theirs = askPython(
    `from segno import helpers, make_qr
answer = []
for each in given:
  asked = {**each['remittance'], 'bic': each['bic'], 'encoding': 'utf-8'}
  text = helpers._make_epc_qr_data(each['name'], each['iban'], each['amount'], **asked).decode('utf-8')
  code = helpers.make_epc_qr(each['name'], each['iban'], each['amount'], **asked)
  answer.append({'text': text, 'version': code.version, 'error': code.error})`,
    given,
  ) as { text: string; version: number; error: string }[];
  for (const [place, each] of given.entries()) {
    const { text, version, error } = theirs[place] ?? { text: '', version: 0, error: '' };
    const ours = epcCode(each);
    const [sum, said] = [ours, text].map((lines) => lines.split('\n')[7] ?? '');
    assert.equal(Number(sum?.slice(3)), Number(said?.slice(3)), 'they leave zeros out');
    assert.equal(ours.replace(`\n${sum}\n`, '\n'), text.replace(`\n${said}\n`, '\n'));
    assert.deepEqual([error, version <= 13], ['M', true]);
    const modules = encodeQR(ours, 'raw', { ecc: 'medium', border: 4 }).length - 8;
    assert.ok((modules - 17) / 4 - version <= (sum?.length ?? 0) - (said?.length ?? 0), `${modules} for ${version}`);
  }
});
