/**
 * Reads pain.001 back, of any writer, and holds ours against the order and number of elements that ISO 20022 writes down for
 * pain.001.001.03 and .09. Elements that we never write are not in the table: they would be noticed as unknown.
 */
type Node = { readonly name: string; readonly marks: string; readonly text: string; readonly children: Node[] };

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

function parse(xml: string): Node {
  const root: Node = { name: '', marks: '', text: '', children: [] };
  const open: Node[] = [root];
  for (const [, tag = '', text = ''] of xml.replace(/^<\?.*?\?>\s*/, '').matchAll(/<([^>]+)>([^<]*)/g)) {
    if (tag.startsWith('/')) {
      if (open.pop()?.name !== tag.slice(1)) throw new Error(`</${tag.slice(1)}> closes another element`);
      continue;
    }
    const plain = text.replaceAll(/&(\w+);/g, (_, name: string) => entities[name] ?? '?');
    const [name = ''] = tag.split(' ');
    const node: Node = { name, marks: tag.slice(name.length).trim(), text: plain, children: [] };
    open.at(-1)?.children.push(node);
    open.push(node);
  }
  if (open.length !== 1) throw new Error('an element is not closed');
  return root.children[0] ?? root;
}

/** By element: what is in it, in this order. `?` may be missing, `+` is there at least once, `|` is between either of two. */
const order: Readonly<Record<string, string>> = {
  Document: 'CstmrCdtTrfInitn',
  CstmrCdtTrfInitn: 'GrpHdr PmtInf+',
  GrpHdr: 'MsgId CreDtTm NbOfTxs CtrlSum? InitgPty',
  PmtInf:
    'PmtInfId PmtMtd BtchBookg? NbOfTxs? CtrlSum? PmtTpInf? ReqdExctnDt Dbtr DbtrAcct DbtrAgt ChrgBr? CdtTrfTxInf+',
  PmtTpInf: 'SvcLvl? LclInstrm?',
  SvcLvl: 'Cd',
  LclInstrm: 'Cd',
  CdtTrfTxInf: 'PmtId Amt IntrmyAgt1? CdtrAgt? Cdtr? CdtrAcct? RmtInf?',
  PmtId: 'InstrId? EndToEndId',
  Amt: 'InstdAmt',
  InitgPty: 'Nm',
  Dbtr: 'Nm PstlAdr?',
  Cdtr: 'Nm PstlAdr?',
  PstlAdr: 'StrtNm? BldgNb? PstCd? TwnNm Ctry',
  DbtrAcct: 'Id',
  CdtrAcct: 'Id',
  'DbtrAcct/Id': 'IBAN',
  'CdtrAcct/Id': 'IBAN|Othr',
  Othr: 'Id',
  DbtrAgt: 'FinInstnId',
  CdtrAgt: 'FinInstnId',
  IntrmyAgt1: 'FinInstnId',
  RmtInf: 'Ustrd|Strd',
  Strd: 'CdtrRefInf',
  CdtrRefInf: 'Tp Ref',
  Tp: 'CdOrPrtry Issr?',
  CdOrPrtry: 'Cd',
};
const ofVersion: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'pain.001.001.03': { FinInstnId: 'BIC|Othr' },
  'pain.001.001.09': { FinInstnId: 'BICFI|Othr', ReqdExctnDt: 'Dt' },
};

const latin = "[a-zA-Z0-9/\\-?:().,'+ ]";
const amount = /^(?!0+\.?0*$)\d{1,9}(\.\d{1,5})?$/;
const id = /^(?!\/)(?!.*\/\/)[a-zA-Z0-9/\-?:().,'+]{1,35}(?<!\/)$/;
/** What stands in elements without others in them. */
const forms: Readonly<Record<string, RegExp>> = {
  MsgId: id,
  PmtInfId: id,
  InstrId: id,
  EndToEndId: id,
  CreDtTm: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
  ReqdExctnDt: /^\d{4}-\d\d-\d\d$/,
  Dt: /^\d{4}-\d\d-\d\d$/,
  NbOfTxs: /^[1-9]\d{0,14}$/,
  CtrlSum: /^\d{1,13}(\.\d{1,5})?$/,
  InstdAmt: amount,
  PmtMtd: /^TRF$/,
  BtchBookg: /^(true|false)$/,
  ChrgBr: /^(SLEV|DEBT|SHAR|CRED)$/,
  Nm: new RegExp(`^${latin}{1,70}$`),
  StrtNm: new RegExp(`^${latin}{1,70}$`),
  BldgNb: new RegExp(`^${latin}{1,16}$`),
  PstCd: new RegExp(`^${latin}{1,16}$`),
  TwnNm: new RegExp(`^${latin}{1,35}$`),
  Ctry: /^[A-Z]{2}$/,
  IBAN: /^[A-Z]{2}\d\d[A-Z0-9]{1,30}$/,
  BIC: /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/,
  BICFI: /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/,
  Id: /^[a-zA-Z0-9]{1,34}$/,
  Cd: /^[A-Z]{4}$/,
  Ustrd: new RegExp(`^${latin}{1,140}$`),
  Ref: /^RF\d\d[A-Z0-9]{1,21}$/,
  Issr: /^ISO$/,
};

export function paymentFileProblems(xml: string): string[] {
  const problems: string[] = [];
  const version = /xmlns="urn:iso:std:iso:20022:tech:xsd:([^"]+)"/.exec(xml)?.[1] ?? '';
  const rules = ofVersion[version];
  if (!rules) return [`${version} is no message that we write`];
  if (!xml.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n<Document ')) problems.push('another beginning');
  if (/[^\x20-\x7e\n]/.test(xml)) problems.push('other characters than those of SEPA');
  const look = (node: Node, parent: string): void => {
    const inside = rules[node.name] ?? order[`${parent}/${node.name}`] ?? order[node.name];
    if (node.children.length === 0) {
      const form = forms[node.name];
      if (form === undefined) problems.push(`${node.name} is empty, or unknown`);
      else if (!form.test(node.text)) problems.push(`${node.name} is ${node.text}`);
    } else if (inside === undefined) problems.push(`${node.name} has something in it`);
    else {
      const names = node.children.map(({ name }) => `${name} `).join('');
      const wanted = inside.split(' ').map((each) => each.replace(/^([\w|]+)([?+]?)$/, '(?:(?:$1) )$2'));
      if (!new RegExp(`^${wanted.join('')}$`).test(names))
        problems.push(`${node.name} has ${names}instead of ${inside}`);
    }
    if (node.name === 'InstdAmt' && !/^Ccy="[A-Z]{3}"$/.test(node.marks)) problems.push(`an amount of ${node.marks}`);
    for (const child of node.children) look(child, node.name);
  };
  look(parse(xml), '');
  return problems;
}

/** What both ours and another writer's file say, in one form. */
export type ReadPaymentFile = {
  readonly id: string;
  readonly count: string;
  readonly sum: string;
  readonly initiator: string;
  readonly batches: readonly {
    readonly count: string;
    readonly sum: string;
    readonly together: string;
    readonly service: string;
    readonly instrument: string;
    readonly day: string;
    readonly payer: readonly string[];
    readonly charges: string;
    readonly payments: readonly {
      readonly id: string;
      readonly amount: string;
      readonly payee: readonly string[];
      readonly intermediary: string;
      readonly text: string;
      readonly reference: string;
    }[];
  }[];
};

export function readBackPaymentFile(xml: string): ReadPaymentFile {
  const at = (node: Node | undefined, path: string): Node | undefined =>
    path.split('/').reduce<Node | undefined>((here, name) => here?.children.find((each) => each.name === name), node);
  const text = (node: Node | undefined, ...paths: readonly string[]): string =>
    paths.map((path) => at(node, path)?.text.trim() ?? '').find((each) => each !== '') ?? '';
  const all = (node: Node | undefined, name: string): Node[] =>
    node?.children.filter((each) => each.name === name) ?? [];
  const agent = (node: Node | undefined, name: string): string =>
    text(node, `${name}/FinInstnId/BICFI`, `${name}/FinInstnId/BIC`, `${name}/FinInstnId/Othr/Id`);
  const message = parse(xml).children[0];
  const party = (node: Node | undefined, name: string): string[] => [
    text(node, `${name}/Nm`),
    text(node, `${name}Acct/Id/IBAN`, `${name}Acct/Id/Othr/Id`),
    agent(node, `${name}Agt`),
    ...['StrtNm', 'BldgNb', 'PstCd', 'TwnNm', 'Ctry'].map((part) => text(node, `${name}/PstlAdr/${part}`)),
  ];
  return {
    id: text(message, 'GrpHdr/MsgId'),
    count: text(message, 'GrpHdr/NbOfTxs'),
    sum: text(message, 'GrpHdr/CtrlSum'),
    initiator: text(message, 'GrpHdr/InitgPty/Nm'),
    batches: all(message, 'PmtInf').map((batch) => ({
      count: text(batch, 'NbOfTxs'),
      sum: text(batch, 'CtrlSum'),
      together: text(batch, 'BtchBookg'),
      service: text(batch, 'PmtTpInf/SvcLvl/Cd'),
      instrument: text(batch, 'PmtTpInf/LclInstrm/Cd'),
      day: text(batch, 'ReqdExctnDt/Dt', 'ReqdExctnDt'),
      payer: party(batch, 'Dbtr'),
      charges: text(batch, 'ChrgBr'),
      payments: all(batch, 'CdtTrfTxInf').map((payment) => ({
        id: text(payment, 'PmtId/EndToEndId'),
        amount: `${text(payment, 'Amt/InstdAmt')} ${/"(\w+)"/.exec(at(payment, 'Amt/InstdAmt')?.marks ?? '')?.[1]}`,
        payee: party(payment, 'Cdtr'),
        intermediary: agent(payment, 'IntrmyAgt1'),
        text: text(payment, 'RmtInf/Ustrd'),
        reference: text(payment, 'RmtInf/Strd/CdtrRefInf/Ref'),
      })),
    })),
  };
}
