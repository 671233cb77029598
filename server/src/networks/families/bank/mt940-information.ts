/**
 * Field `:86:` of an MT940, for which every country has a form: `?20…` of German banks with keywords in it, `/EREF/…` of
 * Dutch ones, or plain text. What payers wrote stands among the bank's own marks, and may look like them: so marks count
 * in the order in which a bank writes them, and of each the first.
 */
import { meant } from './bank-statement.ts';
import { readIban } from './camt-parties.ts';

export type Information = {
  readonly code: string | null; // the three digits of German banks
  readonly endToEndId: string | null;
  readonly instructionId: string | null;
  readonly mandateId: string | null;
  readonly name: string | null;
  readonly iban: string | null;
  readonly other: string | null;
  readonly bic: string | null;
  readonly returnReason: string | null;
  readonly texts: readonly string[];
};

/** Three digits, and what parts the fields: a question mark in Germany, almost any mark in Poland. */
const fielded = /^(\d{3})([?>^+~<@|#$])(?=00|10|2\d|3[0-4]|6[0-3])/;

/**
 * A line of a text that is parted into fields, and begins like one of the message: the bank broke the text before what a payer wrote.
 * Such a line has the text's next mark in it, and none of the bank's own has one. A plus is in references as well.
 */
export function goesOnIn(lines: readonly string[], line: string): boolean {
  const mark = fielded.exec(lines.slice(0, 2).join(''))?.[2] ?? '+';
  return (
    mark !== '+' &&
    line
      .split(mark)
      .slice(1)
      .some((piece) => subfields.test(piece))
  );
}

export function readInformation(lines: readonly string[]): Information {
  const joined = lines.join('');
  const german = fielded.exec(joined);
  if (german) return readSubfields(german[1] ?? '', joined.slice(3), german[2] ?? '');
  if (/^\s*\/[A-Z]{2,4}\//.test(joined)) return readSlashes(lines);
  return { ...nothing, texts: someText(joinWrapped(lines)) };
}

const nothing: Information = {
  code: null,
  endToEndId: null,
  instructionId: null,
  mandateId: null,
  name: null,
  iban: null,
  other: null,
  bic: null,
  returnReason: null,
  texts: [],
};

const someText = (text: string): readonly string[] => (text.trim() === '' ? [] : [text.trim()]);

/** A full line goes on in the next; others are lines of their own. */
const joinWrapped = (lines: readonly string[]): string =>
  lines.map((line) => (line.length >= 60 && !line.endsWith(' ') ? line : `${line} `)).join('');

const subfields = /^(00|10|2\d|3[0-4]|6[0-3])/;

/** `?00` booking text, `?20`–`?29` and `?60`–`?63` what it is for, `?30` bank, `?31` account, `?32`, `?33` name, `?34` reason. */
function readSubfields(code: string, text: string, mark: string): Information {
  const parts: { number: number; text: string }[] = [];
  for (const piece of text.split(mark).slice(1)) {
    const [digits] = subfields.exec(piece) ?? [];
    const last = parts.at(-1);
    // Only upwards: a question mark and digits of a payer's own are text.
    if (digits !== undefined && Number(digits) > (last?.number ?? -1))
      parts.push({ number: Number(digits), text: piece.slice(2) });
    else if (last) last.text += mark + piece;
  }
  const between = (from: number, to: number): readonly string[] =>
    parts.filter(({ number }) => number >= from && number <= to).map((part) => part.text);
  const account = meant(between(31, 31)[0]);
  const words = readKeywords([...between(20, 29), ...between(60, 63)]);
  const iban = readIban(account) ?? readIban(words.get('IBAN'));
  return {
    code,
    endToEndId: meant(words.get('EREF')),
    instructionId: meant(words.get('KREF')),
    mandateId: meant(words.get('MREF')),
    name: meant(between(32, 33).join('')),
    iban,
    other: iban === null ? account : null,
    bic: meant(between(30, 30)[0]) ?? meant(words.get('BIC')),
    returnReason: meant(between(34, 34)[0]),
    texts: someText(words.get('SVWZ') ?? words.get('') ?? ''),
  };
}

const keyword = /(?:^|(?<=\s))(EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|PREF|PURP|IBAN|BIC)\+/;

/** What stands behind each keyword; before the first one, behind none. A keyword begins a subfield or follows a space. */
function readKeywords(parts: readonly string[]): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  const [before = '', ...rest] = parts.join('\n').split(keyword);
  const plain = (text: string): string => text.replaceAll('\n', '');
  if (before !== '') words.set('', plain(before));
  for (let at = 0; at < rest.length; at += 2) {
    const name = rest[at] ?? '';
    const text = plain(rest[at + 1] ?? '');
    if (words.has(name)) words.set('SVWZ', `${words.get('SVWZ') ?? ''}${name}+${text}`);
    else words.set(name, text);
  }
  return words;
}

const slashed =
  /\/(EREF|PREF|MARF|CSID|ORDP|BENM|CNTP|REMI|RTRN|NAME|IBAN|BIC|TRTP|TRCD|ISDT|ULTD|ULTB|ULTC|PURP|ID|ADDR|KREF|IREF|OCMT|CHGS|SVCL)\//;

/** By hand: a pattern for slashes at the end tries each one before them. */
function withoutSlashes(text: string): string {
  let [from, to] = [0, text.length];
  while (text[from] === '/') from += 1;
  while (to > from && text[to - 1] === '/') to -= 1;
  return text.slice(from, to);
}

/** Without a text that is marked as one, all may be: banks also put it behind words of their own. */
function readSlashes(lines: readonly string[]): Information {
  const words = new Map<string, string>();
  const [, ...rest] = lines.join('').split(slashed);
  for (let at = 0; at < rest.length; at += 2) {
    const name = rest[at] ?? '';
    const value = withoutSlashes(rest[at + 1] ?? '');
    if (!words.has(name)) words.set(name, value);
    else words.set('REMI', `${words.get('REMI') ?? ''}/${name}/${value}`);
  }
  const [account = '', bic = '', name = ''] = (words.get('CNTP') ?? '').split('/');
  const told = words.get('IBAN') || account;
  const iban = readIban(told);
  return {
    code: null,
    endToEndId: meant(words.get('EREF')),
    instructionId: meant(words.get('KREF') ?? words.get('IREF')),
    mandateId: meant(words.get('MARF')),
    name: meant(words.get('NAME')) ?? meant(name),
    iban,
    other: iban === null ? meant(told) : null,
    bic: meant(words.get('BIC')) ?? meant(bic),
    returnReason: meant(words.get('RTRN')),
    texts: someText((words.get('REMI') ?? joinWrapped(lines)).replace(/^(?:USTD|STRD\/CUR)\/+/, '')),
  };
}
