/** A `TxDtls`: one payment inside an entry. */
import { type AmountTold, type BankDetail, type Batch, type Direction, meant } from './bank-statement.ts';
import { payeeOf, payerOf } from './camt-parties.ts';
import { readBookingCode, readCharges, readDirection, readShownAmount } from './camt-values.ts';
import { all, at, textAt, type XmlRecord } from './read-xml-records.ts';

/** Its amount is one of several, and which is known with the entry's currency. */
export type ToldDetail = {
  readonly amounts: readonly AmountTold[];
  readonly direction: Direction | null;
  readonly detail: Omit<BankDetail, 'units' | 'direction'>;
};

/** In this order: `Amt` since .04, `TxAmt` before it, and what was instructed where a bank writes nothing else. */
const amountPaths = ['Amt', 'AmtDtls/TxAmt/Amt', 'AmtDtls/InstdAmt/Amt'];

export function readCamtDetail(told: XmlRecord, batch: Batch | null): ToldDetail {
  const refs = at(told, 'Refs');
  const ref = (name: string): string | null => meant(textAt(refs, name));
  const mark = textAt(told, 'CdtDbtInd');
  const returned = at(told, 'RtrInf');
  const structured = all(at(told, 'RmtInf'), 'Strd');
  const textsIn = (owner: XmlRecord | undefined, name: string): string[] =>
    all(owner, name).flatMap(({ text }) => text.trim() || []);
  return {
    amounts: amountPaths.flatMap((path) => readShownAmount(at(told, path)) ?? []),
    direction: mark === null ? null : readDirection(mark),
    detail: {
      servicerRef: ref('AcctSvcrRef'),
      txId: ref('TxId'),
      uetr: ref('UETR')?.toLowerCase() ?? null,
      endToEndId: ref('EndToEndId'),
      instructionId: ref('InstrId'),
      messageId: ref('MsgId') ?? batch?.messageId ?? null,
      paymentInfoId: ref('PmtInfId') ?? batch?.paymentInfoId ?? null,
      mandateId: ref('MndtId'),
      code: at(told, 'BkTxCd') ? readBookingCode(at(told, 'BkTxCd')) : null,
      charges: readCharges(told),
      instructed: readShownAmount(at(told, 'AmtDtls/InstdAmt/Amt')),
      returned: returned
        ? {
            reason: textAt(returned, 'Rsn/Cd') ?? textAt(returned, 'Rsn/Prtry'),
            texts: textsIn(returned, 'AddtlInf'),
            originalCode: at(returned, 'OrgnlBkTxCd') ? readBookingCode(at(returned, 'OrgnlBkTxCd')) : null,
          }
        : null,
      references: structured.flatMap((each) => textAt(each, 'CdtrRefInf/Ref') ?? []),
      texts: [
        ...textsIn(at(told, 'RmtInf'), 'Ustrd'),
        ...structured.flatMap((each) => [
          ...all(each, 'RfrdDocInf').flatMap((document) => textAt(document, 'Nb') ?? []),
          ...textsIn(each, 'AddtlRmtInf'),
        ]),
        ...textsIn(told, 'AddtlTxInf'),
      ],
      payer: payerOf(told),
      payee: payeeOf(told),
    },
  };
}

export function readBatch(told: XmlRecord): Batch {
  const count = textAt(told, 'NbOfTxs');
  return {
    messageId: meant(textAt(told, 'MsgId')),
    paymentInfoId: meant(textAt(told, 'PmtInfId')),
    count: count !== null && /^\d{1,9}$/.test(count) ? Number(count) : null,
  };
}
