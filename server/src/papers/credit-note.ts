/**
 * Credit notes: what takes back an issued invoice, or the receipt where there is only that. One is due for what a refund gave
 * back of what was credited, and for the rest when the chain took a payment back; people write others by hand, which move no
 * money. All of them together take back no more than the paper.
 *
 * Others build on: `creditByHand`, `creditedOf`, `isTakenBack`.
 */
import { findAsset } from '../catalog/asset-catalog.ts';
import { sentAs } from '../catalog/sent-as.ts';
import type { CheckoutDossier, Settlement } from '../checkouts/checkout.ts';
import { arrivedUnits, type Refund } from '../checkouts/refund.ts';
import { present } from '../lib/assert.ts';
import { dayOf } from '../lib/local-day.ts';
import {
  compare,
  type Decimal,
  decimal,
  divideUnits,
  formatFixed,
  fromUnits,
  minimum,
  minus,
  sum,
  toUnits,
  zero,
} from '../money/decimal.ts';
import { networkName } from '../payment-page/public-payment.ts';
import { formatPayment } from '../pricing/quote.ts';
import { transactionLink } from '../web/transaction-link.ts';
import { creditSums } from './credit-split.ts';
import type { CreditReason, FactDeps, FactPayment, PaperFacts } from './paper-facts.ts';
import type { StoredPaper } from './paper-store.ts';
import { refundedShare } from './refunded-share.ts';

export const notesOn = (papers: readonly StoredPaper[], { id }: Pick<StoredPaper, 'id'>): StoredPaper[] =>
  papers.filter(({ correctsId }) => correctsId === id);

const totalOf = ({ facts }: StoredPaper): Decimal => decimal(facts.total);

/** What notes took back of it. `papers`: of its checkout. */
export const creditedOf = (papers: readonly StoredPaper[], paper: StoredPaper): Decimal =>
  sum(notesOn(papers, paper), totalOf);

/** What is left of it, with the decimals of its currency. */
export const restOf = (papers: readonly StoredPaper[], paper: StoredPaper): string =>
  formatFixed(minus(totalOf(paper), creditedOf(papers, paper)), paper.facts.decimals);

/**
 * Whether notes took everything back that was paid: of an invoice those on it, of a receipt also those on the invoice about the
 * same settlement.
 */
export const isTakenBack = (papers: readonly StoredPaper[], paper: StoredPaper): boolean =>
  papers
    .filter(({ kind, generation }) => kind !== 'creditNote' && generation === paper.generation)
    .some((each) => compare(creditedOf(papers, each), totalOf(each)) >= 0);

/** What is corrected of a settlement: its invoice, else its receipt. */
export const correctable = (papers: readonly StoredPaper[], generation: number): StoredPaper | undefined =>
  (['invoice', 'receipt'] as const)
    .map((kind) => papers.find((paper) => paper.kind === kind && paper.generation === generation))
    .find((paper) => paper !== undefined);

export type DueNote = {
  readonly corrects: StoredPaper;
  readonly cause: string;
  readonly amount: string;
  readonly reason: CreditReason;
  readonly paidAt: Date;
  readonly payments: readonly FactPayment[];
};

/** The next note that is due, by what is stored; null: none is. */
export function nextNote(deps: FactDeps, dossier: CheckoutDossier, papers: readonly StoredPaper[]): DueNote | null {
  for (const settlement of dossier.settlements) {
    const corrects = correctable(papers, settlement.generation);
    if (!corrects) continue;
    const note =
      settlement.reversedAt === null
        ? refundNote(deps, dossier, settlement, papers, corrects)
        : reversalNote(settlement, papers, corrects);
    if (note && compare(decimal(note.amount), zero) > 0) return note;
  }
  return null;
}

function reversalNote(
  { generation, reversedAt }: Settlement,
  papers: readonly StoredPaper[],
  corrects: StoredPaper,
): DueNote {
  return {
    corrects,
    cause: `reversal:${generation}`,
    amount: restOf(papers, corrects),
    reason: { kind: 'reversal', text: null },
    paidAt: present(reversedAt, 'when it was taken back'),
    payments: [],
  };
}

/**
 * For the refunds in the order in which they ended: each takes what they give back together, less what notes of those before it
 * took. One that is less than a cent is taken with the next. What notes by hand left less of is taken only as far as it is there.
 */
function refundNote(
  deps: FactDeps,
  dossier: CheckoutDossier,
  settlement: Settlement,
  papers: readonly StoredPaper[],
  corrects: StoredPaper,
): DueNote | null {
  const { facts, generation } = corrects;
  const notes = notesOn(papers, corrects);
  const isNoted = (refund: Refund): boolean => notes.some(({ cause }) => causesOf(refund, generation).includes(cause));
  const sent = dossier.refunds
    .filter(({ place, covers }) => place === 'sent' && covers.length > 0)
    .toSorted((a, b) => (a.endedAt?.getTime() ?? 0) - (b.endedAt?.getTime() ?? 0) || (a.id < b.id ? -1 : 1));
  const before = sum(
    notes.filter(({ cause }) => cause.startsWith('refund:')),
    totalOf,
  );
  const rest = decimal(restOf(papers, corrects));
  const together = sent.filter(isNoted);
  for (const refund of sent.filter((each) => !isNoted(each))) {
    together.push(refund);
    const amount = minimum(minus(givenBack(dossier, settlement, together, facts), before), rest);
    if (compare(amount, zero) <= 0) continue;
    const isTaken = papers.some(({ cause }) => cause === `refund:${refund.id}`);
    return {
      corrects,
      cause: present(causesOf(refund, generation)[isTaken ? 1 : 0], 'a cause'),
      amount: formatFixed(amount, facts.decimals),
      reason: { kind: 'refund', text: null },
      paidAt: refund.endedAt ?? refund.requestedAt,
      payments: [sentBack(deps, dossier, refund)],
    };
  }
  return null;
}

/** What of the paper these refunds give back, to the cent. */
function givenBack(
  dossier: CheckoutDossier,
  settlement: Settlement,
  refunds: readonly Refund[],
  { total, decimals }: PaperFacts,
): Decimal {
  const { numerator, denominator } = refundedShare(dossier, settlement, refunds);
  const whole = toUnits(decimal(total), decimals, 'half-up');
  return fromUnits(divideUnits(whole * numerator, denominator, 'half-up'), decimals);
}

/** A refund of what a second settlement credited again corrects the papers of both. */
const causesOf = ({ id }: Refund, generation: number): string[] => [`refund:${id}`, `refund:${id}:${generation}`];

/** Whether it was issued because of this refund. */
export const isForRefund = ({ cause }: StoredPaper, refundId: string): boolean =>
  cause === `refund:${refundId}` || cause.startsWith(`refund:${refundId}:`);

function sentBack({ assets, connectors }: FactDeps, { commitments }: CheckoutDossier, refund: Refund): FactPayment {
  const { network, txHash } = refund;
  const asset = present(findAsset(assets, refund.asset), `asset ${refund.asset}`);
  const commitment = commitments.findLast((each) => each.network === network && each.asset === refund.asset);
  const assetCode = commitment?.quote.paymentCode ?? asset.assetCode;
  return {
    amount: formatPayment(arrivedUnits(refund), { paymentCode: assetCode, railScale: asset.ledgerScale }),
    assetCode,
    network,
    networkName: networkName(network),
    rate: null,
    txHash: sentAs(network, txHash) ?? '',
    href: txHash === null ? null : transactionLink(connectors, network, txHash),
    worth: null,
  };
}

/** What the note says: who and in what is the corrected paper's; when and where is its own. */
export function noteFacts(due: Omit<DueNote, 'cause'>, papers: readonly StoredPaper[], timeZone: string): PaperFacts {
  const { corrects, amount, reason, paidAt, payments } = due;
  const { facts } = corrects;
  return {
    ...facts,
    ...creditSums(facts, formatFixed(creditedOf(papers, corrects), facts.decimals), amount),
    kind: 'creditNote',
    paidAt: paidAt.toISOString(),
    timeZone,
    asked: null,
    payments,
    excess: [],
    returned: [],
    corrects: {
      paperId: corrects.id,
      kind: facts.kind === 'receipt' ? 'receipt' : 'invoice',
      number: corrects.number,
      day: dayOf(facts.timeZone, corrects.issuedAt),
      reason,
    },
  };
}
