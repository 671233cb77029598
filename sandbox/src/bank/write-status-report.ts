/** What became of a payment file, as pain.002: in the version that belongs to the file's own. */
import { zonedMoment } from '@quittance/server/lib/local-day';
import { formatCents, sumOf } from './bank-entry.ts';
import type { BankLedger } from './bank-ledger.ts';
import { bankStyles } from './bank-styles.ts';
import type { Fault } from './judge-payment-file.ts';
import type { Order, PaymentFile } from './payment-order.ts';
import { sentenceOf } from './reason-codes.ts';
import { bankTimeZone } from './target-calendar.ts';
import { type Verification, verifyPayee } from './verify-payee.ts';
import { type Element, el, optional, writeXml } from './write-xml.ts';

type Told = { readonly status: string; readonly code: string | null; readonly sentence: string | null };

export function writeRejection(
  { messageId, messageName, fault }: { messageId: string; messageName: string; fault: Fault },
  now: Date,
): Buffer {
  const told: Told = { status: 'RJCT', code: fault.code, sentence: fault.sentence };
  return report(messageName, now, messageId, [
    el('OrgnlGrpInfAndSts', [
      el('OrgnlMsgId', messageId),
      el('OrgnlMsgNmId', messageName),
      ...statusElements('GrpSts', told),
    ]),
  ]);
}

export function writeStatusReport(ledger: BankLedger, messageId: string, now: Date): Buffer {
  return fileReport(ledger, messageId, now, ({ status, code }) => ({
    // The word for a payment that nobody has signed.
    status: status === 'RCVD' ? 'ACTC' : status,
    code,
    sentence: code === null ? null : sentenceOf(code),
  }));
}

/** Of every payment whether its name is that of the account. */
export function writeVerification(ledger: BankLedger, messageId: string, now: Date): Buffer {
  return fileReport(ledger, messageId, now, ({ payee }) => toldOf(verifyPayee(payee.name, payee.iban)));
}

const toldOf = (found: Verification): Told => ({
  status: found.status,
  code: null,
  sentence: found.status === 'RVMC' ? found.name : null,
});

function fileReport(ledger: BankLedger, messageId: string, now: Date, tell: (order: Order) => Told): Buffer {
  const file = ledger.files.get(messageId);
  if (!file) throw new Error(`No file is named ${messageId}.`);
  const orders = [...ledger.orders.values()].filter((each) => each.messageId === messageId);
  const groups = Map.groupBy(orders, ({ groupId }) => groupId);
  const together = (some: readonly Order[]): Told => ({
    status: statusOfAll(some.map((each) => tell(each).status)),
    code: null,
    sentence: null,
  });
  return report(file.messageName, now, messageId, [
    el('OrgnlGrpInfAndSts', [
      el('OrgnlMsgId', messageId),
      el('OrgnlMsgNmId', file.messageName),
      el('OrgnlNbOfTxs', String(file.count)),
      el('OrgnlCtrlSum', formatCents(file.controlSum)),
      ...statusElements('GrpSts', together(orders)),
    ]),
    ...[...groups].map(([groupId, some]) =>
      el('OrgnlPmtInfAndSts', [
        el('OrgnlPmtInfId', groupId),
        el('OrgnlNbOfTxs', String(some.length)),
        el('OrgnlCtrlSum', formatCents(sumOf(some))),
        ...statusElements('PmtInfSts', together(some)),
        ...some.map((order) => transactionElement(order, tell(order), file)),
      ]),
    ),
  ]);
}

/** PART: some of them and not the others. A verification says so with a word of its own. */
function statusOfAll(statuses: readonly string[]): string {
  const [first = 'RCVD'] = statuses;
  if (statuses.every((each) => each === first)) return first;
  if (statuses.some((each) => each.startsWith('RV'))) return 'RVCM';
  return statuses.includes('RJCT') ? 'PART' : 'ACSP';
}

function transactionElement(order: Order, told: Told, { messageName }: PaymentFile): Element {
  const isOlder = messageName === 'pain.001.001.03';
  const name = [el('Nm', order.payee.name)];
  return el('TxInfAndSts', [
    el('StsId', order.id),
    optional('OrgnlInstrId', order.instructionId),
    el('OrgnlEndToEndId', order.endToEndId),
    ...statusElements('TxSts', told),
    el('OrgnlTxRef', [
      el('Amt', [el('InstdAmt', formatCents(order.units), { Ccy: order.currency })]),
      el('ReqdExctnDt', isOlder ? order.requestedDay : [el('Dt', order.requestedDay)]),
      order.payee.name !== '' && el('Cdtr', isOlder ? name : [el('Pty', name)]),
      order.payee.iban !== null && el('CdtrAcct', [el('Id', [el('IBAN', order.payee.iban)])]),
    ]),
  ]);
}

function statusElements(name: string, { status, code, sentence }: Told): Element[] {
  const reason =
    code === null && sentence === null
      ? []
      : [
          el('StsRsnInf', [
            code !== null && el('Rsn', [el('Cd', code)]),
            sentence !== null && el('AddtlInf', sentence.slice(0, 105)),
          ]),
        ];
  return [el(name, status), ...reason];
}

function report(messageName: string, now: Date, messageId: string, content: readonly Element[]): Buffer {
  const version = messageName === 'pain.001.001.03' ? '03' : '10';
  const document = el('Document', [
    el('CstmrPmtStsRpt', [
      el('GrpHdr', [
        el('MsgId', `S${now.getTime()}${messageId}`.slice(0, 35)),
        el('CreDtTm', zonedMoment(bankTimeZone, now)),
      ]),
      ...content,
    ]),
  ]);
  const style = bankStyles['plain'];
  if (!style) throw new Error('There is no plain style.');
  return writeXml(document, `urn:iso:std:iso:20022:tech:xsd:pain.002.001.${version}`, style);
}
