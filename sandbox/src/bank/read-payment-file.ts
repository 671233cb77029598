/**
 * What a bank is asked to pay: pain.001 in any version and of any writer, by the names of its elements. A bank counts and adds
 * up for itself, and refuses the whole file where that does not agree with what it says.
 */
import { SaxesParser } from 'saxes';

export type PaymentOrderFile = {
  readonly version: string; // pain.001.001.09
  readonly id: string;
  readonly initiator: string;
  readonly batches: readonly PaymentBatch[];
};

export type PaymentBatch = {
  readonly id: string;
  /** The statement shows one booking for all of it. */
  readonly isBookedTogether: boolean;
  readonly executionDay: string;
  readonly payer: BankParty;
  readonly orders: readonly PaymentOrder[];
};

export type BankParty = {
  readonly name: string;
  /** An IBAN, or another number. */
  readonly account: string;
  readonly bic: string | null;
};

export type PaymentOrder = {
  readonly instructionId: string | null;
  readonly endToEndId: string;
  /** In the smallest unit of the currency. */
  readonly units: bigint;
  readonly currency: string;
  readonly isSepa: boolean;
  readonly isInstant: boolean;
  /** SLEV, DEBT, SHAR or CRED. */
  readonly charges: string | null;
  readonly payee: BankParty;
  readonly intermediaryBic: string | null;
  readonly text: string | null;
  readonly reference: string | null;
};

/** The whole file is refused. `code`: ISO 20022's for the reason, as a pain.002 tells it. */
export class PaymentFileRefused extends Error {
  readonly code: 'FF01' | 'AM10' | 'AM12' | 'AM18' | 'DU01';
  /** Of the message, if it could be read so far. */
  readonly messageId: string | null;

  constructor(code: PaymentFileRefused['code'], message: string, messageId: string | null = null) {
    super(message);
    this.name = 'PaymentFileRefused';
    this.code = code;
    this.messageId = messageId;
  }
}

export function readPaymentFile(xml: string): PaymentOrderFile {
  const document = parse(xml);
  const version = /pain\.001\.\d{3}\.\d{2}$/.exec(document.namespace)?.[0];
  const message = at(document, 'CstmrCdtTrfInitn');
  if (!message || version === undefined) throw new PaymentFileRefused('FF01', 'This is no pain.001.');
  const id = needed(message, 'GrpHdr/MsgId');
  const batches = all(message, 'PmtInf').map(batchOf);
  const orders = batches.flatMap((batch) => batch.orders);
  const refused = (code: PaymentFileRefused['code'], why: string) => new PaymentFileRefused(code, why, id);
  if (orders.length === 0) throw refused('FF01', 'There is nothing to pay in it.');
  for (const [node, some] of [
    [at(message, 'GrpHdr'), orders],
    ...all(message, 'PmtInf').map((node, place) => [node, batches[place]?.orders ?? []] as const),
  ] as const) {
    const [count, sum] = [text(node, 'NbOfTxs'), text(node, 'CtrlSum')];
    if (count !== null && count !== String(some.length))
      throw refused('AM18', `It says ${count} and has ${some.length}.`);
    if (sum !== null && exactly(sum) !== sumOf(some)) throw refused('AM10', `It says ${sum}, which is another sum.`);
  }
  const ids = orders.map(({ endToEndId }) => endToEndId).filter((each) => each !== 'NOTPROVIDED');
  if (new Set(ids).size < ids.length) throw refused('DU01', 'Two orders have the same EndToEndId.');
  return { version, id, initiator: text(message, 'GrpHdr/InitgPty/Nm') ?? '', batches };
}

function batchOf(batch: Node): PaymentBatch {
  return {
    id: needed(batch, 'PmtInfId'),
    isBookedTogether: /^(true|1)$/.test(text(batch, 'BtchBookg') ?? ''),
    executionDay: (
      text(batch, 'ReqdExctnDt/Dt') ??
      text(batch, 'ReqdExctnDt/DtTm') ??
      needed(batch, 'ReqdExctnDt')
    ).slice(0, 10),
    payer: partyOf(batch, 'Dbtr'),
    orders: all(batch, 'CdtTrfTxInf').map((order) => orderOf(batch, order)),
  };
}

function orderOf(batch: Node, order: Node): PaymentOrder {
  const amount = at(order, 'Amt/InstdAmt');
  const currency = amount?.currency ?? '';
  if (!/^[A-Z]{3}$/.test(currency)) throw new PaymentFileRefused('FF01', 'An amount has no currency.');
  const typed = (path: string): string | null => text(order, `PmtTpInf/${path}`) ?? text(batch, `PmtTpInf/${path}`);
  return {
    instructionId: text(order, 'PmtId/InstrId'),
    endToEndId: needed(order, 'PmtId/EndToEndId'),
    units: unitsOf(amount?.text.trim() ?? '', currency),
    currency,
    isSepa: typed('SvcLvl/Cd') === 'SEPA',
    isInstant: typed('LclInstrm/Cd') === 'INST',
    charges: text(order, 'ChrgBr') ?? text(batch, 'ChrgBr'),
    payee: partyOf(order, 'Cdtr'),
    intermediaryBic: bicOf(order, 'IntrmyAgt1'),
    text:
      all(at(order, 'RmtInf'), 'Ustrd')
        .map((each) => each.text.trim())
        .join(' ') || null,
    reference: text(order, 'RmtInf/Strd/CdtrRefInf/Ref'),
  };
}

const partyOf = (node: Node, role: 'Dbtr' | 'Cdtr'): BankParty => ({
  name: needed(node, `${role}/Nm`),
  account: text(node, `${role}Acct/Id/IBAN`) ?? needed(node, `${role}Acct/Id/Othr/Id`),
  bic: bicOf(node, `${role}Agt`),
});

const bicOf = (node: Node, agent: string): string | null =>
  text(node, `${agent}/FinInstnId/BICFI`) ?? text(node, `${agent}/FinInstnId/BIC`);

const decimalsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;

/** Amounts have at most five decimals in ISO 20022: in units of 10^-5 they can be compared. */
const exactPlaces = 5;

function exactly(amount: string): bigint | null {
  const [, whole, part = ''] = /^0*(\d{1,18})(?:\.(\d{1,5}))?$/.exec(amount) ?? [];
  return whole === undefined ? null : BigInt(whole + part.padEnd(exactPlaces, '0'));
}

function unitsOf(amount: string, currency: string): bigint {
  const exact = exactly(amount);
  const step = 10n ** BigInt(exactPlaces - decimalsOf(currency));
  if (exact === null || exact <= 0n || exact % step !== 0n)
    throw new PaymentFileRefused('AM12', `${amount} ${currency} is no amount.`);
  return exact / step;
}

/** Of all currencies together, as ISO 20022 wants it. */
const sumOf = (orders: readonly PaymentOrder[]): bigint =>
  orders.reduce((sum, { units, currency }) => sum + units * 10n ** BigInt(exactPlaces - decimalsOf(currency)), 0n);

type Node = {
  readonly name: string;
  readonly namespace: string;
  /** Of an amount; of everything else, empty. */
  readonly currency: string;
  readonly children: Node[];
  text: string;
};

function parse(xml: string): Node {
  const root: Node = { name: '', namespace: '', currency: '', children: [], text: '' };
  const open = [root];
  const parser = new SaxesParser({ position: false, xmlns: true as const });
  parser.on('error', (error) => {
    throw new PaymentFileRefused('FF01', error.message);
  });
  parser.on('doctype', () => {
    throw new PaymentFileRefused('FF01', 'A payment file has no DTD.');
  });
  parser.on('opentag', ({ local, uri, attributes }) => {
    const node: Node = {
      name: local,
      namespace: uri,
      currency: attributes['Ccy']?.value ?? '',
      children: [],
      text: '',
    };
    open.at(-1)?.children.push(node);
    open.push(node);
  });
  parser.on('text', (text) => {
    const node = open.at(-1);
    if (node) node.text += text;
  });
  parser.on('closetag', () => open.pop());
  parser.write(xml).close();
  return root.children[0] ?? root;
}

const at = (node: Node | undefined, path: string): Node | undefined =>
  path.split('/').reduce<Node | undefined>((here, name) => here?.children.find((each) => each.name === name), node);

const all = (node: Node | undefined, name: string): Node[] => node?.children.filter((each) => each.name === name) ?? [];

const text = (node: Node | undefined, path: string): string | null => at(node, path)?.text.trim() || null;

function needed(node: Node, path: string): string {
  const found = text(node, path);
  if (found === null) throw new PaymentFileRefused('FF01', `${path} is missing in ${node.name}.`);
  return found;
}
