/**
 * What a receipt, an invoice or a credit note says, in the words and numbers of a language: drawn from what was stored when it
 * was issued. The page and the PDF are both made from this alone, so that they cannot say different things.
 */
import { decimal, formatFixed, sum } from '../money/decimal.ts';
import { notesOn } from '../papers/credit-note.ts';
import type { EInvoice } from '../papers/e-invoice.ts';
import { eInvoiceOf } from '../papers/paper-e-invoice.ts';
import type { CreditReason, FactPayment, FactSum, PaperFacts, PaperKind } from '../papers/paper-facts.ts';
import { isByRefund, paperMark } from '../papers/paper-mark.ts';
import { cutAfter, itemLines, type PaperLine, sumLines } from '../papers/paper-rows.ts';
import type { StoredPaper } from '../papers/paper-store.ts';
import { addressText, buyerLines } from '../payment-page/buyer-lines.ts';
import type { FoundPage } from '../payment-page/find-page.ts';
import { orderFacts } from '../payment-page/page-setting.ts';
import type { PublicCheckout } from '../payment-page/public-checkout.ts';
import { worthyText } from '../payment-page/receipt-rows.ts';
import { paidName, sentName } from '../payment-page/transaction-name.ts';
import { coinText, paperDate, paperDay, paperDayOf, priceText, rateText } from '../web/number-text.ts';
import type { PageLook } from '../web/page-layout.ts';
import { paperPath } from '../web/paper-path.ts';
import type { TextKey } from '../web/texts/page-texts.ts';
import { sellerLines, type UntaxedWords, untaxedWords } from './seller-words.ts';

export type Party = { readonly title: string; readonly lines: readonly string[] };

export type PaperPayment = {
  readonly amount: string;
  readonly networkName: string;
  readonly rate: string | null;
  /** What that is called by which people know it. */
  readonly txName: string;
  /** Empty: they know it by nothing. */
  readonly txHash: string;
  readonly href: string | null;
};

/** A fact that leads to another paper has its path. */
export type PaperFact = readonly [name: string, value: string, href?: string];

export type Paper = {
  readonly kind: PaperKind;
  /** Of the checkout. */
  readonly id: string;
  /** Its own. */
  readonly paperId: string;
  /** By which its links find it; null: it is what stands, and needs none. */
  readonly linkId: string | null;
  readonly number: string;
  readonly issuedAt: Date;
  readonly title: string;
  readonly shopName: string;
  /** Written over everything else: that this is only a test. */
  readonly warning: string | null;
  readonly facts: readonly PaperFact[];
  readonly parties: readonly Party[];
  /** The same for machines. Null: there is none, or the reader is not shown the buyer, who is named in it. */
  readonly eInvoice: EInvoice | null;
  /** The buyer is left out until the reader has shown to be the buyer. */
  readonly isBuyerVeiled: boolean;
  /** With which the reader did so; null: there was no need, or it was not done. */
  readonly buyerKey: string | null;
  /** Whether the order has a page of ours, to which the paper leads back. */
  readonly hasPage: boolean;
  readonly lines: readonly PaperLine[];
  /** Between the items and the total: the net amount, the taxes and the difference by rounding. */
  readonly sums: readonly PaperLine[];
  readonly total: PaperLine;
  readonly note: string | null;
  /** The stamp. What was paid and then given back has papers too, which say so. Null: a credit note that moved no money. */
  readonly mark: { readonly text: string; readonly isPaid: boolean } | null;
  /** Over the payments: what was paid, or sent back. */
  readonly paymentsTitle: string;
  readonly payments: readonly PaperPayment[];
  /** What of it was too much, and what of that was sent back. */
  readonly excess: readonly (readonly [name: string, value: string])[];
} & Pick<PublicCheckout, 'legalLine' | 'legalLinks'>;

/** The parts of a found page that a paper is drawn with: whatever the shop has set today about its pages. */
type Found = Pick<FoundPage, 'look'> & {
  readonly shown: Pick<PublicCheckout, 'legalLinks'>;
  readonly surroundings: { readonly merchant: Pick<FoundPage['surroundings']['merchant'], 'pageSettings'> };
  readonly dossier: { readonly checkout: Pick<FoundPage['dossier']['checkout'], 'payload' | 'state'> };
};

/** `papers`: all of the checkout. `buyerKey`: one that was found to be right. `isStanding`: it is about the settlement that is. */
export function paperOf(
  stored: StoredPaper,
  papers: readonly StoredPaper[],
  found: Found,
  {
    buyerKey = null,
    isStanding = true,
    hasPage = true,
  }: { readonly buyerKey?: string | null; readonly isStanding?: boolean; readonly hasPage?: boolean } = {},
): Paper {
  const { look } = found;
  const { say, language } = look;
  const { facts, kind, number } = stored;
  const price = (amount: string): string => priceText(language, amount, facts.currency);
  const untaxed = untaxedWords(look, facts);
  const mark = paperMark(papers, stored, found.dossier.checkout.state === 'REFUNDED');
  const isBuyerNamed = buyerWish(found) ?? buyerKey !== null;
  return {
    kind,
    id: facts.checkoutId,
    paperId: stored.id,
    linkId: kind === 'creditNote' || !isStanding ? stored.id : null,
    number,
    issuedAt: stored.issuedAt,
    title: say(kind),
    shopName: facts.seller.tradingName ?? facts.seller.name,
    warning: facts.isSandbox ? say('sandbox') : null,
    facts: [
      [say('paperNumber'), number],
      [say('issuedOn'), paperDay(language, stored.issuedAt, facts.timeZone)],
      ...correctionFacts(look, facts, buyerKey),
      ...orderFacts(say, { orderReference: facts.orderReference, id: facts.checkoutId }),
      ...dateFacts(look, facts),
      ...noteFacts(look, stored, papers, buyerKey),
    ],
    parties: partiesOf(look, facts, isBuyerNamed),
    eInvoice: isBuyerNamed && kind !== 'receipt' ? eInvoiceOf(stored).invoice : null,
    isBuyerVeiled: facts.buyer !== null && buyerKey === null && buyerWish(found) === undefined,
    buyerKey,
    hasPage,
    lines: itemLines(look, facts, untaxed?.isMarked),
    sums: sumLines(look, facts),
    total: { label: say('total'), detail: null, amount: price(facts.total) },
    note: wordsOf(look, stored, { untaxed, isRefunded: mark === 'REFUNDED' }),
    mark: mark === null ? noteMark(look, stored) : { text: say(markWords[mark]), isPaid: mark === 'PAID' },
    paymentsTitle: say(kind === 'creditNote' ? 'refunded' : 'paidWith'),
    payments: facts.payments.map((payment) => paymentOf(look, payment, facts)),
    excess: [...named(look, 'tooMuch', facts.excess, facts), ...named(look, 'refunded', facts.returned, facts)],
    legalLine: facts.seller.legalLine,
    legalLinks: found.shown.legalLinks,
  };
}

/** A receipt says when it was paid to the minute, as the mail and the slip do; an invoice names the day. */
function dateFacts({ say, language }: PageLook, { kind, paidAt, timeZone }: PaperFacts): PaperFact[] {
  if (kind === 'creditNote') return [];
  const moment = new Date(paidAt);
  const text = kind === 'receipt' ? paperDate(language, moment, timeZone) : paperDay(language, moment, timeZone);
  return [[say('paidWhen'), text]];
}

const reasonWords: Readonly<Record<CreditReason['kind'], TextKey>> = {
  refund: 'creditForRefund',
  reversal: 'creditForReversal',
  hand: 'creditByHand',
};

function correctionFacts({ say, language }: PageLook, facts: PaperFacts, buyerKey: string | null): PaperFact[] {
  const { corrects, checkoutId } = facts;
  if (corrects === null) return [];
  const { kind, number, day, paperId, reason } = corrects;
  const value = say('paperOfDay', { paper: say(kind), number, day: paperDayOf(language, day) });
  return [
    [say('corrects'), value, paperPath(language, { kind, id: checkoutId, buyerKey, paperId })],
    [say('creditReason'), reason.text ?? say(reasonWords[reason.kind])],
  ];
}

const notesShown = 20;

/** The credit notes about it: each by its number, with what it takes back. Of many, the last ones together. */
function noteFacts(
  { say, language }: PageLook,
  stored: StoredPaper,
  papers: readonly StoredPaper[],
  buyerKey: string | null,
): PaperFact[] {
  const { currency, decimals } = stored.facts;
  const { shown, rest } = cutAfter(notesOn(papers, stored), notesShown);
  const inMoney = (amount: string): string => `(${priceText(language, amount, currency)})`;
  const left = sum(rest, ({ facts }) => decimal(facts.total));
  return [
    ...shown.map(
      ({ id: paperId, number, facts, checkoutId }): PaperFact => [
        say('creditNote'),
        `${number} ${inMoney(facts.total)}`,
        paperPath(language, { kind: 'creditNote', id: checkoutId, buyerKey, paperId }),
      ],
    ),
    ...(rest.length === 0
      ? []
      : [
          [
            say('creditNote'),
            `${say('furtherRows', { count: rest.length })} ${inMoney(formatFixed(left, decimals))}`,
          ] as const,
        ]),
  ];
}

const markWords = { PAID: 'paid', REFUNDED: 'refunded', CANCELLED: 'takenBack' } as const satisfies Record<
  string,
  TextKey
>;

/** Of a credit note: that money was sent. */
const noteMark = ({ say }: PageLook, note: StoredPaper): Paper['mark'] =>
  isByRefund(note) ? { text: say('refunded'), isPaid: false } : null;

function wordsOf(
  look: PageLook,
  { facts }: StoredPaper,
  { untaxed, isRefunded }: { readonly untaxed: UntaxedWords | null; readonly isRefunded: boolean },
): string | null {
  const { say, language } = look;
  const inMoney = (amount: string): string => priceText(language, amount, facts.currency);
  const words = [
    untaxed && (untaxed.isOfSome ? `* ${untaxed.text}` : untaxed.text),
    facts.asked === null ? null : say('acceptedText', { paid: inMoney(facts.total), total: inMoney(facts.asked) }),
    isRefunded ? say('refundedText') : null,
    facts.corrects?.reason.kind === 'hand' ? say('creditMovesNoMoney') : null,
  ].filter((each) => each !== null);
  return words.length === 0 ? null : words.join(' ');
}

/**
 * What the shop says about showing the buyer to whoever has the link of the payment: true, the page and the invoice do;
 * false, neither ever does; undefined, only the buyer sees it.
 */
function buyerWish({ surroundings: { merchant }, dossier }: Found): boolean | undefined {
  const wishes = [
    dossier.checkout.payload.pageSettings?.['displayBuyerInfo'],
    merchant.pageSettings['displayBuyerInfo'],
  ];
  return wishes.find((wish) => typeof wish === 'boolean');
}

/** An invoice names both sides, the buyer as the shop wishes. A receipt, which everybody with the link gets, has no buyer. */
function partiesOf(look: PageLook, { seller, buyer }: PaperFacts, isBuyerNamed: boolean): Party[] {
  const { say } = look;
  const named =
    buyer === null || !isBuyerNamed ? [] : buyerLines(buyer).flatMap((line) => addressText(look, line).split(/\r?\n/));
  return [
    { title: say('seller'), lines: sellerLines(look, seller) },
    { title: say('buyer'), lines: named },
  ].filter(({ lines }) => lines.length > 0);
}

function paymentOf(
  look: PageLook,
  payment: FactPayment,
  { payments, asked, kind, currency }: PaperFacts,
): PaperPayment {
  const { language } = look;
  const { amount, assetCode, worth, rate, network, networkName, txHash, href } = payment;
  // The worth of the only payment is the total, which need not be said again.
  const isAtOnce = payments.length === 1 && asked === null && kind !== 'creditNote';
  return {
    amount: isAtOnce
      ? coinText(language, amount, assetCode)
      : worthyText({ language }, { amount, assetCode, price: worth }, currency),
    networkName,
    rate: rate === null ? null : rateText(language, rate),
    txName: (kind === 'creditNote' ? sentName : paidName)(look, network),
    txHash,
    href,
  };
}

const named = (look: PageLook, name: TextKey, sums: readonly FactSum[], { currency }: PaperFacts): [string, string][] =>
  sums.map((sum) => [look.say(name), worthyText(look, sum, currency)]);
