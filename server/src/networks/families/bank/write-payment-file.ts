/**
 * What the operator's bank is asked to pay, as a file that a person signs in the bank's portal: ISO 20022 pain.001, in the
 * version of today or in the one that older banks take. The same input gives the same bytes: a file that was handed out can be
 * written again and compared. Whoever asks has had `paymentProblem` say that there is none.
 */
import type { Day } from '../../../lib/local-day.ts';
import { element, type Xml, xmlDocument } from '../../../lib/xml-element.ts';
import { formatFixed, fromUnits } from '../../../money/decimal.ts';
import { plainIban } from './iban.ts';
import { latinLimits, latinName, latinText } from './latin-text.ts';
import { idProblem, paymentProblem } from './payment-problem.ts';

export type PaymentFile = {
  readonly version: PaymentFileVersion;
  readonly scheme: PaymentScheme;
  /** Ours, and never used again: by it the bank answers, and refuses the same file twice. */
  readonly id: string;
  readonly createdAt: Date;
  readonly payer: Payer;
  readonly executionDay: Day;
  readonly currency: FileCurrency;
  /** True: the statement shows one booking for all, else one for each. A bank may do the other. */
  readonly isBookedTogether: boolean;
  readonly payments: readonly BankPayment[];
};

export type PaymentFileVersion = 'pain.001.001.09' | 'pain.001.001.03';

/** Who pays the fees of the banks on the way, of SWIFT: OUR, SHA, BEN. In SEPA everybody pays their own bank. */
export type PaymentScheme =
  | { readonly kind: 'sepa'; readonly isInstant: boolean }
  | { readonly kind: 'swift'; readonly charges: 'payer' | 'shared' | 'payee' };

export type FileCurrency = { readonly code: string; readonly decimals: number };

export type Payer = {
  readonly name: string;
  readonly iban: string;
  readonly bic: string | null;
  readonly address: BankAddress | null;
};

export type BankPayment = {
  /** Ours: the bank keeps it as it is (EndToEndId), so that what comes back names it. */
  readonly id: string;
  readonly units: bigint;
  readonly holder: { readonly name: string; readonly address: BankAddress | null };
  /** Countries without IBANs have numbers, by SWIFT only. */
  readonly account: { readonly iban: string } | { readonly number: string };
  readonly bic: string | null;
  /** Of a bank in between, if the payee's bank named one. */
  readonly intermediaryBic: string | null;
  /** What the payee reads: a text, or the creditor's reference (ISO 11649) that the payee asked for. */
  readonly remittance: { readonly text: string } | { readonly reference: string } | null;
};

/** Structured: since November 2026 banks take no other. */
export type BankAddress = {
  readonly street: string | null;
  readonly house: string | null;
  readonly postcode: string | null;
  readonly town: string;
  readonly country: string;
};

/** ASCII, so it has as many bytes as characters. */
export function writePaymentFile(file: PaymentFile): string {
  assertWritable(file);
  const { version, scheme, payments, payer, id } = file;
  const isNew = version === 'pain.001.001.09';
  const count = String(payments.length);
  const sum = amountText(
    file.currency,
    payments.reduce((total, { units }) => total + units, 0n),
  );

  const agent = (bic: string | null): Xml | null =>
    element(
      'FinInstnId',
      bic === null ? element('Othr', element('Id', 'NOTPROVIDED')) : element(isNew ? 'BICFI' : 'BIC', plainIban(bic)),
    );

  const payment = (each: BankPayment): Xml | null =>
    element('CdtTrfTxInf', [
      element('PmtId', [element('InstrId', each.id), element('EndToEndId', each.id)]),
      element('Amt', element('InstdAmt', amountText(file.currency, each.units), { Ccy: file.currency.code })),
      each.intermediaryBic === null ? null : element('IntrmyAgt1', agent(each.intermediaryBic)),
      element('CdtrAgt', agent(each.bic)),
      element('Cdtr', party(each.holder)),
      element('CdtrAcct', element('Id', accountOf(each.account))),
      element('RmtInf', remittanceOf(each)),
    ]);

  return xmlDocument(
    element(
      'Document',
      element('CstmrCdtTrfInitn', [
        element('GrpHdr', [
          element('MsgId', id),
          element('CreDtTm', `${file.createdAt.toISOString().slice(0, 19)}Z`),
          element('NbOfTxs', count),
          element('CtrlSum', sum),
          element('InitgPty', element('Nm', latinName(payer.name))),
        ]),
        element('PmtInf', [
          element('PmtInfId', id),
          element('PmtMtd', 'TRF'),
          element('BtchBookg', String(file.isBookedTogether)),
          element('NbOfTxs', count),
          element('CtrlSum', sum),
          element('PmtTpInf', typeOf(scheme)),
          element('ReqdExctnDt', isNew ? element('Dt', file.executionDay) : file.executionDay),
          element('Dbtr', party(payer)),
          element('DbtrAcct', element('Id', element('IBAN', plainIban(payer.iban)))),
          element('DbtrAgt', agent(payer.bic)),
          element('ChrgBr', scheme.kind === 'sepa' ? 'SLEV' : chargeBearers[scheme.charges]),
          payments.map(payment),
        ]),
      ]),
      { xmlns: `urn:iso:std:iso:20022:tech:xsd:${version}` },
    ),
  );
}

const chargeBearers = { payer: 'DEBT', shared: 'SHAR', payee: 'CRED' } as const;

function assertWritable(file: PaymentFile): void {
  const ids = file.payments.map(({ id }) => id);
  const problem =
    idProblem(file.id) ??
    (ids.length === 0 ? 'A payment file without a payment.' : null) ??
    (new Set(ids).size < ids.length ? 'Two payments with one id.' : null) ??
    file.payments.map((each) => paymentProblem(file, each)).find((each) => each !== null)?.sentence;
  if (problem) throw new Error(`This payment file must not be written: ${problem}`);
}

const amountText = ({ decimals }: FileCurrency, units: bigint): string =>
  formatFixed(fromUnits(units, decimals), decimals);

const typeOf = (scheme: PaymentScheme): (Xml | null)[] =>
  scheme.kind === 'sepa'
    ? [element('SvcLvl', element('Cd', 'SEPA')), scheme.isInstant ? element('LclInstrm', element('Cd', 'INST')) : null]
    : [];

const party = ({ name, address }: { readonly name: string; readonly address: BankAddress | null }): (Xml | null)[] => [
  element('Nm', latinName(name)),
  address === null
    ? null
    : element('PstlAdr', [
        element('StrtNm', latinText(address.street ?? '', 70)),
        element('BldgNb', latinText(address.house ?? '', 16)),
        element('PstCd', latinText(address.postcode ?? '', 16)),
        element('TwnNm', latinText(address.town, 35)),
        element('Ctry', address.country),
      ]),
];

const accountOf = (account: BankPayment['account']): Xml | null =>
  'iban' in account
    ? element('IBAN', plainIban(account.iban))
    : element('Othr', element('Id', plainIban(account.number)));

function remittanceOf({ remittance }: BankPayment): Xml | null {
  if (remittance === null) return null;
  if ('text' in remittance) return element('Ustrd', latinText(remittance.text, latinLimits.text));
  return element(
    'Strd',
    element('CdtrRefInf', [
      element('Tp', [element('CdOrPrtry', element('Cd', 'SCOR')), element('Issr', 'ISO')]),
      element('Ref', plainIban(remittance.reference)),
    ]),
  );
}
