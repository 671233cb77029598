/** A bank, a watcher, and a file of two payments by SEPA that was handed over, for tests of what becomes of them. */
import assert from 'node:assert/strict';
import { isFiling } from '../../src/networks/port/orders.ts';
import type { Observed } from '../../src/networks/port/receiving.ts';
import type { Payout, SentUpdate } from '../../src/networks/port/sending.ts';
import { openStatementBank, type StatementBankOptions } from './statement-bank.ts';
import { createWatched } from './watched-connector.ts';

const payout = (id: string, units: bigint): Payout => ({
  id,
  assetCode: 'EUR',
  units,
  address: 'DE89370400440532013000',
  memo: null,
  memoType: null,
  holder: { name: 'Zoë Müller', street: null, postCode: null, town: null, country: null, bic: null },
});

export const first = payout('k3x9ab72mq0z', 2_500n);
export const second = payout('aaaabbbbcccc', 1_000n);

export async function openOrders(options: StatementBankOptions & { readonly payouts?: readonly Payout[] } = {}) {
  const bank = openStatementBank({ opening: 1_000_000n, ...options });
  const watched = createWatched(bank.createConnector(), bank.documents.context);
  const { sender } = watched.connector;
  assert.ok(sender && isFiling(sender));
  const file = sender.files.write({
    id: 'file00000001',
    createdAt: bank.now(),
    payouts: options.payouts ?? [first, second],
  });
  for (const order of file.orders) watched.outgoing.keep(order);
  const [one = '', two = ''] = file.orders.map(({ txHash }) => txHash);
  await bank.close();
  await watched.observe();
  const fates = () => watched.outgoing.orders({ hashes: [], fileIds: ['file00000001'] }).map(({ fate }) => fate);
  return { bank, watched, files: sender.files, file, one, two, fates };
}

/** Before any document. */
export const theBeginning = {
  place: { position: 0, number: 0 },
  tip: null,
  closing: null,
  isOpened: false,
  bookedBefore: '0',
  isWithin: false,
  coveredTo: null,
  finalTo: 0,
  notFinal: [],
};

export const sentIn = (rounds: readonly Observed[]): string[] =>
  rounds.flatMap(({ sent = [] }) => sent.map(({ outcome, txHash }: SentUpdate) => `${txHash} ${outcome}`));
export const movedIn = (rounds: readonly Observed[]): string[] =>
  rounds.flatMap(({ otherMovements = [] }) => otherMovements.map(({ kind, units }) => `${kind} ${units}`));
export const backIn = (rounds: readonly Observed[]): string[] =>
  rounds.flatMap(({ comebacks = [] }) => comebacks.map(({ payoutId, units }) => `${payoutId} ${units}`));

export const answer = (
  status: string,
  about: { readonly message: string; readonly payment?: string; readonly code?: string; readonly isWhole?: boolean },
): Uint8Array =>
  Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt>
<GrpHdr><MsgId>ANSWER-${about.payment ?? about.message}-${status}${about.code ?? ''}${about.isWhole ? '-ALL' : ''}</MsgId><CreDtTm>2026-03-03T10:00:00Z</CreDtTm></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>${about.message}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>
${about.payment === undefined ? `<GrpSts>${status}</GrpSts><StsRsnInf><Rsn><Cd>${about.code ?? 'FF01'}</Cd></Rsn></StsRsnInf>` : about.isWhole ? `<GrpSts>${status}</GrpSts>` : ''}</OrgnlGrpInfAndSts>
${
  about.payment === undefined
    ? ''
    : `<OrgnlPmtInfAndSts><OrgnlPmtInfId>${about.message}</OrgnlPmtInfId><TxInfAndSts>
<OrgnlEndToEndId>${about.payment}</OrgnlEndToEndId><TxSts>${status}</TxSts>
<StsRsnInf><Rsn><Cd>${about.code ?? 'AC01'}</Cd></Rsn></StsRsnInf></TxInfAndSts></OrgnlPmtInfAndSts>`
}
</CstmrPmtStsRpt></Document>`);
