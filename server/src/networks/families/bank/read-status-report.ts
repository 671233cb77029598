/**
 * pain.002, from .03 on: what a bank says became of a payment file of ours. Only a rejection decides something: whatever
 * else it says, money has moved when a statement shows it.
 */
import type { BankFileLimits } from './bank-file-limits.ts';
import { refused } from './bank-file-refused.ts';
import { type AnswerMeaning, type BankEvent, type FileAnswer, meant } from './bank-statement.ts';
import { all, createScale, createXmlReader, textAt, type XmlRecord } from './read-xml-records.ts';

export const statusReportMessage = 'CstmrPmtStsRpt';

/** The bank asked the payee's bank whether the name is right: it is, or it is not quite, not at all, or nobody knows. */
const meanings: Readonly<Record<string, AnswerMeaning>> = {
  RJCT: 'rejected',
  PART: 'partly-rejected',
  RCVC: 'payee-verified',
  RVMC: 'payee-doubted',
  RVNM: 'payee-doubted',
  RVNA: 'payee-doubted',
  RVCM: 'payee-doubted',
};

type About = Pick<FileAnswer, 'about' | 'paymentInfoId' | 'instructionId' | 'endToEndId'>;
type Reason = FileAnswer['reasons'][number];

/**
 * What was said of the parts of a file or batch. Many banks say why at one level only: then it holds at all of them, because
 * what was refused as a duplicate (`own-bookings.ts`) must not look at another level as if it were refused for good.
 */
type Inside = { readonly codes: Set<string>; isOtherThanRejected: boolean };
const nothingInside = (): Inside => ({ codes: new Set(), isOtherThanRejected: false });

function note(inside: Inside, meaning: AnswerMeaning, reasons: readonly Reason[]): void {
  if (meaning !== 'rejected') inside.isOtherThanRejected = true;
  for (const { code } of reasons) if (code !== null && inside.codes.size < reasonsMost) inside.codes.add(code);
}

/** What one level says of another: no bank has so many reasons. */
const reasonsMost = 100;

const reasonsAt = (record: XmlRecord): readonly Reason[] =>
  all(record, 'StsRsnInf').map((reason) => ({
    code: textAt(reason, 'Rsn/Cd') ?? textAt(reason, 'Rsn/Prtry'),
    texts: all(reason, 'AddtlInf').flatMap(({ text }) => text.trim() || []),
  }));

export function* readStatusReport(texts: Iterable<string>, limits: BankFileLimits): Generator<readonly BankEvent[]> {
  let events: BankEvent[] = [];
  let version: string | null = null;
  let header: XmlRecord | undefined;
  let isFound = false;
  let messageId: string | null = null;
  let paymentInfoId: string | null = null;
  /** The file itself is said last, when all is known that was said of its parts. */
  let file: XmlRecord | null = null;
  /** The batch itself is said by what stands in it beside its payments, and after them. */
  let batch: XmlRecord | null = null;
  let inFile = nothingInside();
  let inBatch = nothingInside();

  const say = (about: About, record: XmlRecord, name: string, inside: Inside): void => {
    const status = textAt(record, name);
    if (status === null) return;
    const told = (Object.hasOwn(meanings, status) ? meanings[status] : undefined) ?? 'under-way';
    const isPart = told === 'rejected' && inside.isOtherThanRejected;
    const meaning = isPart ? 'partly-rejected' : told;
    const own = reasonsAt(record);
    const around = [about.about === 'payment' ? batch : null, file].flatMap((level) =>
      level ? [reasonsAt(level)] : [],
    );
    const known = own.length > 0 ? own : (around.find((each) => each.length > 0)?.slice(0, reasonsMost) ?? []);
    const ofParts = [...inside.codes].filter((code) => known.every((reason) => reason.code !== code));
    const reasons = meaning === 'rejected' ? [...known, ...ofParts.map((code) => ({ code, texts: [] }))] : own;
    events.push({ kind: 'answer', answer: { ...about, messageId, status, meaning, reasons } });
    const larger = { payment: [inBatch, inFile], batch: [inFile], file: [] }[about.about];
    for (const each of larger) note(each, meaning, own);
  };
  const ofBatch = createScale(limits);

  const xml = createXmlReader(
    {
      opens(container, name) {
        if (container === '') return name === statusReportMessage ? name : '';
        if (container === statusReportMessage) return name === 'OrgnlPmtInfAndSts' ? 'batch' : null;
        return null;
      },
      opened(container, attributes) {
        for (const value of Object.values(attributes))
          version = /\bpain\.002\.001\.(\d\d)\b/.exec(value.slice(0, 1_000))?.[1] ?? version;
        if (container === statusReportMessage) isFound = true;
        if (container !== 'batch') return;
        batch = { name: 'OrgnlPmtInfAndSts', currency: undefined, text: '', children: [] };
        inBatch = nothingInside();
        paymentInfoId = null;
        ofBatch.empty();
      },
      record(container, record, weight) {
        if (record.name === 'GrpHdr') header = record;
        if (record.name === 'OrgnlGrpInfAndSts') {
          messageId = meant(textAt(record, 'OrgnlMsgId'));
          file = record;
        }
        if (container !== 'batch') return;
        if (record.name === 'OrgnlPmtInfId') paymentInfoId = meant(record.text);
        if (record.name === 'TxInfAndSts') {
          const instructionId = meant(textAt(record, 'OrgnlInstrId'));
          const endToEndId = meant(textAt(record, 'OrgnlEndToEndId'));
          const about = { about: 'payment', paymentInfoId, instructionId, endToEndId } as const;
          say(about, record, 'TxSts', nothingInside());
          return;
        }
        ofBatch.add(weight);
        if (batch && batch.children.push(record) > limits.elementsPerRecordMax)
          throw refused(
            'bank_too_much_in_one',
            `A batch of the file has more than ${limits.elementsPerRecordMax} parts.`,
          );
      },
      closed(container) {
        if (container === 'batch' && batch) {
          say({ about: 'batch', paymentInfoId, instructionId: null, endToEndId: null }, batch, 'PmtInfSts', inBatch);
          batch = null;
        } else if (container === statusReportMessage && file)
          say({ about: 'file', paymentInfoId: null, instructionId: null, endToEndId: null }, file, 'GrpSts', inFile);
      },
    },
    limits,
  );

  for (const text of texts) {
    xml.write(text);
    yield events;
    events = [];
  }
  xml.end();
  if (!isFound) throw refused('bank_message_missing', 'The file has no answer of a bank in it.');
  const [id, createdAt] = [textAt(header, 'MsgId'), textAt(header, 'CreDtTm')];
  events.push({
    kind: 'message',
    message: { kind: 'pain.002', version, id, createdAt, page: null, answers: messageId },
  });
  yield events;
}
