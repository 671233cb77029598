/** Reads a payment file of any writer: pain.001.001.03 and .09. It says what stands there; what of it is good is judged later. */
import { type Bearer, bearerCodes, readCents } from './bank-entry.ts';
import { childrenOf, NotXml, nodeAt, readXml, textAt, type XmlNode } from './read-xml.ts';

export type ReadTransaction = {
  readonly instructionId: string | null;
  readonly endToEndId: string | null;
  /** Null: no amount can be read there. */
  readonly units: bigint | null;
  readonly currency: string | null;
  readonly payeeName: string | null;
  readonly payeeIban: string | null;
  /** An account that has no IBAN. */
  readonly payeeAccount: string | null;
  readonly payeeBic: string | null;
  readonly payeeTown: string | null;
  readonly payeeCountry: string | null;
  readonly text: string;
  readonly reference: string | null;
  readonly bearer: Bearer | null;
  readonly isInstant: boolean;
  readonly isSepa: boolean;
};

export type ReadGroup = {
  readonly id: string | null;
  readonly method: string | null;
  readonly isBatched: boolean;
  readonly count: string | null;
  readonly controlSum: bigint | null;
  readonly requestedDay: string | null;
  readonly account: string | null;
  readonly transactions: readonly ReadTransaction[];
};

export type ReadPaymentFile = {
  /** `pain.001.001.09` */
  readonly messageName: string;
  readonly messageId: string | null;
  readonly count: string | null;
  readonly controlSum: bigint | null;
  readonly groups: readonly ReadGroup[];
};

export const readableMessages: readonly string[] = ['pain.001.001.03', 'pain.001.001.09'];

/** Throws `NotXml`, for what no bank would even look at. */
export function readPaymentFile(bytes: Uint8Array): ReadPaymentFile {
  const document = readXml(bytes);
  const messageName = document.namespace.split(':').at(-1) ?? '';
  const root = nodeAt(document, 'CstmrCdtTrfInitn');
  if (!readableMessages.includes(messageName) || root === null)
    throw new NotXml(`This bank takes ${readableMessages.join(' and ')}.`);
  const header = nodeAt(root, 'GrpHdr');
  return {
    messageName,
    messageId: textAt(header, 'MsgId'),
    count: textAt(header, 'NbOfTxs'),
    controlSum: centsAt(header, 'CtrlSum'),
    groups: childrenOf(root, 'PmtInf').map((each) => readGroup(each, messageName)),
  };
}

const centsAt = (node: XmlNode | null, name: string): bigint | null => {
  const text = textAt(node, name);
  return text === null ? null : readCents(text);
};

function readGroup(node: XmlNode, messageName: string): ReadGroup {
  const isOlder = messageName === 'pain.001.001.03';
  // The newer one has a choice of a day and of a moment.
  const requested = isOlder
    ? textAt(node, 'ReqdExctnDt')
    : (textAt(node, 'ReqdExctnDt', 'Dt') ?? textAt(node, 'ReqdExctnDt', 'DtTm'));
  return {
    id: textAt(node, 'PmtInfId'),
    method: textAt(node, 'PmtMtd'),
    // Where nothing is said, German banks book the sum.
    isBatched: !['false', '0'].includes(textAt(node, 'BtchBookg') ?? 'true'),
    count: textAt(node, 'NbOfTxs'),
    controlSum: centsAt(node, 'CtrlSum'),
    requestedDay: requested?.slice(0, 10) ?? null,
    account: textAt(node, 'DbtrAcct', 'Id', 'IBAN'),
    transactions: childrenOf(node, 'CdtTrfTxInf').map((each) => readTransaction(each, node)),
  };
}

/** What a transaction does not say of itself, its group says of all. */
function readTransaction(node: XmlNode, group: XmlNode): ReadTransaction {
  const amount = nodeAt(node, 'Amt', 'InstdAmt');
  const ofBoth = (...way: readonly string[]): string | null => textAt(node, ...way) ?? textAt(group, ...way);
  const agent = nodeAt(node, 'CdtrAgt', 'FinInstnId');
  const address = nodeAt(node, 'Cdtr', 'PstlAdr');
  const remittance = nodeAt(node, 'RmtInf');
  const bearerCode = ofBoth('ChrgBr');
  const bearer = (Object.keys(bearerCodes) as Bearer[]).find((each) => bearerCodes[each] === bearerCode);
  return {
    instructionId: textAt(node, 'PmtId', 'InstrId'),
    endToEndId: textAt(node, 'PmtId', 'EndToEndId'),
    units: amount === null ? null : readCents(amount.text.trim()),
    currency: amount?.attributes['Ccy'] ?? null,
    payeeName: textAt(node, 'Cdtr', 'Nm'),
    payeeIban: textAt(node, 'CdtrAcct', 'Id', 'IBAN'),
    payeeAccount: textAt(node, 'CdtrAcct', 'Id', 'Othr', 'Id'),
    payeeBic: textAt(agent, 'BICFI') ?? textAt(agent, 'BIC'),
    payeeTown: textAt(address, 'TwnNm'),
    payeeCountry: textAt(address, 'Ctry'),
    text: childrenOf(remittance, 'Ustrd')
      .map((each) => each.text.trim())
      .join(' '),
    reference: textAt(remittance, 'Strd', 'CdtrRefInf', 'Ref'),
    bearer: bearer ?? null,
    isInstant: ofBoth('PmtTpInf', 'LclInstrm', 'Cd') === 'INST',
    isSepa: ofBoth('PmtTpInf', 'SvcLvl', 'Cd') === 'SEPA',
  };
}
