/**
 * Reads camt.053.001.08 back, and holds it against the order and number of elements of that message, as ISO 20022 writes them
 * down. Elements that we never write are left out of the table: they would be noticed as unknown.
 */
type Node = { readonly name: string; readonly text: string; readonly children: Node[] };

function parse(xml: string): Node {
  const root: Node = { name: '', text: '', children: [] };
  const open: Node[] = [root];
  for (const [, tag = '', text = ''] of xml.replace(/^<\?.*?\?>\s*/, '').matchAll(/<([^>]+)>([^<]*)/g)) {
    if (tag.startsWith('/')) {
      if (open.pop()?.name !== tag.slice(1)) throw new Error(`</${tag.slice(1)}> closes another element`);
      continue;
    }
    const plain = text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
    const node: Node = { name: tag.split(' ')[0] ?? '', text: plain, children: [] };
    open.at(-1)?.children.push(node);
    open.push(node);
  }
  if (open.length !== 1) throw new Error('an element is not closed');
  return root.children[0] ?? root;
}

/** By element: what is in it, in this order. `?` may be missing, `*` may be there any number of times, `+` at least once. */
const order: Readonly<Record<string, string>> = {
  Document: 'BkToCstmrStmt',
  BkToCstmrStmt: 'GrpHdr Stmt+',
  GrpHdr: 'MsgId CreDtTm',
  Stmt: 'Id ElctrncSeqNb? CreDtTm? FrToDt? Acct Bal+ TxsSummry? Ntry* AddtlStmtInf?',
  FrToDt: 'FrDtTm ToDtTm',
  Acct: 'Id Tp? Ccy? Nm? Ownr? Svcr?',
  'Acct/Id': 'Othr',
  Othr: 'Id',
  Ownr: 'Nm',
  Bal: 'Tp Amt CdtDbtInd Dt',
  'Bal/Tp': 'CdOrPrtry',
  CdOrPrtry: 'Cd',
  'Bal/Dt': 'Dt',
  TxsSummry: 'TtlNtries? TtlCdtNtries? TtlDbtNtries?',
  TtlNtries: 'NbOfNtries? Sum? TtlNetNtry?',
  TtlNetNtry: 'Amt CdtDbtInd',
  TtlCdtNtries: 'NbOfNtries? Sum?',
  TtlDbtNtries: 'NbOfNtries? Sum?',
  Ntry: 'NtryRef? Amt CdtDbtInd RvslInd? Sts BookgDt? ValDt? AcctSvcrRef? BkTxCd NtryDtls* AddtlNtryInf?',
  Sts: 'Cd',
  BookgDt: 'Dt',
  ValDt: 'Dt',
  BkTxCd: 'Prtry',
  Prtry: 'Cd Issr?',
  NtryDtls: 'Btch?',
  Btch: 'NbOfTxs?',
};

/** What stands in elements without others in them. */
const forms: Readonly<Record<string, RegExp>> = {
  Amt: /^\d{1,13}(\.\d{1,5})?$/,
  Sum: /^\d{1,13}(\.\d{1,5})?$/,
  CdtDbtInd: /^(CRDT|DBIT)$/,
  MsgId: /^.{1,35}$/,
  NtryRef: /^.{1,35}$/,
  Id: /^.{1,34}$/,
  Ccy: /^[A-Z]{3}$/,
  Nm: /^.{1,140}$/,
  Dt: /^\d{4}-\d\d-\d\d$/,
  NbOfNtries: /^\d{1,15}$/,
  NbOfTxs: /^\d{1,15}$/,
  AddtlNtryInf: /^.{1,500}$/,
};

export function camtProblems(xml: string): string[] {
  const problems: string[] = [];
  const look = (node: Node, parent: string): void => {
    const inside = order[`${parent}/${node.name}`] ?? (node.children.length > 0 ? order[node.name] : undefined);
    if (node.children.length === 0) {
      if (forms[node.name]?.test(node.text) === false) problems.push(`${node.name} is ${node.text}`);
    } else if (inside === undefined) problems.push(`${node.name} has something in it`);
    else {
      const names = node.children.map(({ name }) => `${name} `).join('');
      const wanted = inside.split(' ').map((each) => each.replace(/^(\w+)([?*+]?)$/, '(?:$1 )$2'));
      if (!new RegExp(`^${wanted.join('')}$`).test(names))
        problems.push(`${node.name} has ${names}instead of ${inside}`);
    }
    for (const child of node.children) look(child, node.name);
  };
  if (!xml.includes('urn:iso:std:iso:20022:tech:xsd:camt.053.001.08')) problems.push('another message');
  look(parse(xml), '');
  return problems;
}

export type ReadStatement = {
  readonly owner: string;
  readonly currency: string;
  readonly opening: string;
  readonly closing: string;
  readonly entries: readonly { readonly code: string; readonly amount: string; readonly text: string }[];
};

export function readCamt(xml: string): ReadStatement[] {
  const at = (node: Node | undefined, path: string): Node | undefined =>
    path.split('/').reduce<Node | undefined>((here, name) => here?.children.find((each) => each.name === name), node);
  const all = (node: Node | undefined, name: string): Node[] =>
    node?.children.filter((each) => each.name === name) ?? [];
  const signed = (node: Node | undefined): string =>
    `${at(node, 'CdtDbtInd')?.text === 'DBIT' ? '-' : ''}${at(node, 'Amt')?.text ?? ''}`;
  return all(parse(xml).children[0], 'Stmt').map((statement) => {
    const balance = (code: string): string =>
      signed(all(statement, 'Bal').find((each) => at(each, 'Tp/CdOrPrtry/Cd')?.text === code));
    return {
      owner: at(statement, 'Acct/Ownr/Nm')?.text ?? '',
      currency: at(statement, 'Acct/Ccy')?.text ?? '',
      opening: balance('OPBD'),
      closing: balance('CLBD'),
      entries: all(statement, 'Ntry').map((entry) => ({
        code: at(entry, 'BkTxCd/Prtry/Cd')?.text ?? '',
        amount: signed(entry),
        text: at(entry, 'AddtlNtryInf')?.text ?? '',
      })),
    };
  });
}
