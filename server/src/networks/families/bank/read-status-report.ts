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

type About = Pick<FileAnswer, 'about' | 'messageId' | 'paymentInfoId' | 'instructionId' | 'endToEndId'>;

export function* readStatusReport(texts: Iterable<string>, limits: BankFileLimits): Generator<readonly BankEvent[]> {
  let events: BankEvent[] = [];
  let version: string | null = null;
  let header: XmlRecord | undefined;
  let isFound = false;
  let messageId: string | null = null;
  let paymentInfoId: string | null = null;

  const say = (about: About, record: XmlRecord, name: string): void => {
    const status = textAt(record, name);
    if (status === null) return;
    const meaning = (Object.hasOwn(meanings, status) ? meanings[status] : undefined) ?? 'under-way';
    const reasons = all(record, 'StsRsnInf').map((reason) => ({
      code: textAt(reason, 'Rsn/Cd') ?? textAt(reason, 'Rsn/Prtry'),
      texts: all(reason, 'AddtlInf').flatMap(({ text }) => text.trim() || []),
    }));
    const { about: what, instructionId, endToEndId } = about;
    events.push({
      kind: 'answer',
      answer: {
        about: what,
        messageId,
        paymentInfoId: about.paymentInfoId,
        instructionId,
        endToEndId,
        status,
        meaning,
        reasons,
      },
    });
  };
  /** The batch itself is said by what stands in it beside its payments. */
  let batch: XmlRecord | null = null;
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
        paymentInfoId = null;
        ofBatch.empty();
      },
      record(container, record, weight) {
        if (record.name === 'GrpHdr') header = record;
        if (record.name === 'OrgnlGrpInfAndSts') {
          messageId = meant(textAt(record, 'OrgnlMsgId'));
          say(
            { about: 'file', messageId, paymentInfoId: null, instructionId: null, endToEndId: null },
            record,
            'GrpSts',
          );
        }
        if (container !== 'batch') return;
        if (record.name === 'OrgnlPmtInfId') paymentInfoId = meant(record.text);
        if (record.name === 'TxInfAndSts') {
          const instructionId = meant(textAt(record, 'OrgnlInstrId'));
          const endToEndId = meant(textAt(record, 'OrgnlEndToEndId'));
          say({ about: 'payment', messageId, paymentInfoId, instructionId, endToEndId }, record, 'TxSts');
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
        if (container === 'batch' && batch)
          say({ about: 'batch', messageId, paymentInfoId, instructionId: null, endToEndId: null }, batch, 'PmtInfSts');
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
  events.push({ kind: 'message', message: { kind: 'pain.002', version, id, createdAt, page: null } });
  yield events;
}
