/**
 * Issues papers: the page, the mail, the account and the job all call this, and whoever comes first does it. Under the lock of
 * the checkout, so there is one paper for each cause, however many ask at once; the number is taken in the same transaction.
 *
 * Others build on: `issuePaper`, `issueDuePapers`, `creditByHand`, `IssueDeps`, `paperOfSettlement`.
 */
import { findBuyer } from '../checkouts/buyer-store.ts';
import type { CheckoutDossier } from '../checkouts/checkout.ts';
import { standingSettlement } from '../checkouts/checkout-facts.ts';
import { findDossier, lockDossier } from '../checkouts/checkout-store.ts';
import { findContact } from '../checkouts/contact-store.ts';
import type { Db, Tx } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import type { JobCatalog } from '../jobs/job-catalog.ts';
import { present } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { findMerchant, insertAudit } from '../merchants/merchant-store.ts';
import { timeZoneOf } from '../merchants/time-zone.ts';
import { isPageLanguage, type PageLanguage } from '../web/texts/page-texts.ts';
import { type DueNote, nextNote, noteFacts } from './credit-note.ts';
import { demandCreditAmount } from './demand-credit.ts';
import { paperNotFound, reasonTooLong } from './paper-errors.ts';
import { type FactDeps, makeFacts, type PaperKind } from './paper-facts.ts';
import { seriesOf } from './paper-series.ts';
import {
  findPaper,
  insertPaper,
  lastIssuedAt,
  papersOfCheckout,
  type StoredPaper,
  takePaperTurn,
} from './paper-store.ts';

export type IssueDeps = FactDeps & { readonly db: Db; readonly clock: Clock };

export type PaidKind = 'receipt' | 'invoice';

type CheckoutName = { readonly merchantId: string; readonly checkoutId: string };

/** That of the settlement that stands. */
export const paperOfSettlement = (
  papers: readonly StoredPaper[],
  dossier: CheckoutDossier,
  kind: PaidKind,
): StoredPaper | undefined => {
  const generation = standingSettlement(dossier)?.generation;
  return papers.find((paper) => paper.kind === kind && paper.generation === generation);
};

export type Issued = {
  readonly paper: StoredPaper;
  /** All of its checkout, in the order in which they were issued: also those that correct it. */
  readonly papers: readonly StoredPaper[];
};

/**
 * The receipt or the invoice of the settlement that stands, issued now if it was not before. Null: there is none, because the
 * checkout was not paid, or because the shop did not say who the buyer is.
 */
export async function issuePaper(
  deps: IssueDeps,
  { merchantId, checkoutId, kind }: CheckoutName & { readonly kind: PaidKind },
): Promise<Issued | null> {
  const [dossier, known] = await Promise.all([
    findDossier(deps.db, merchantId, checkoutId),
    papersOfCheckout(deps.db, { merchantId, id: checkoutId }),
  ]);
  if (!dossier) return null;
  const there = paperOfSettlement(known, dossier, kind);
  if (there) return { paper: there, papers: known };
  if (!isPayable(dossier, kind)) return null;
  return deps.db.begin(async (tx) => {
    const locked = present(await lockDossier(tx, merchantId, checkoutId), 'the checkout of a paper');
    const papers = await issueLocked(deps, tx, locked, kind);
    const paper = paperOfSettlement(papers, locked, kind);
    return paper ? { paper, papers } : null;
  });
}

/** A receipt is for who has the link of our page; where the shop shows a page of its own, only a buyer gets a paper of ours. */
const isPayable = (dossier: CheckoutDossier, kind: PaidKind): boolean =>
  standingSettlement(dossier) !== undefined &&
  (kind === 'receipt' ? dossier.checkout.type === 'HOSTED' : dossier.checkout.customerId !== null);

/** The job: the invoice where there is a buyer, and the credit notes for what was refunded or taken back. */
export async function issueDuePapers(deps: IssueDeps, payload: JobCatalog['paper.issue']): Promise<void> {
  await deps.db.begin(async (tx) => {
    const dossier = await lockDossier(tx, payload.merchantId, payload.checkoutId);
    if (dossier) await issueLocked(deps, tx, dossier, null);
  });
}

/** For who has locked the checkout. `wanted`: also the receipt. Returns all papers of the checkout. */
export async function issueLocked(
  deps: IssueDeps,
  tx: Tx,
  dossier: CheckoutDossier,
  wanted: PaidKind | null,
): Promise<readonly StoredPaper[]> {
  const { checkout } = dossier;
  let papers: readonly StoredPaper[] = await papersOfCheckout(tx, checkout);
  const kinds = (['invoice', 'receipt'] as const).filter(
    (kind) =>
      (kind === 'invoice' || kind === wanted) && isPayable(dossier, kind) && !paperOfSettlement(papers, dossier, kind),
  );
  if (kinds.length === 0 && !nextNote(deps, dossier, papers)) return papers; // Nobody waits for who issues nothing.
  const turn = await takeTurn(deps, tx, checkout.merchantId);
  for (const kind of kinds) {
    const issued = await issuePaid(deps, tx, { dossier, turn, kind });
    if (issued) papers = [...papers, issued];
  }
  for (let due = nextNote(deps, dossier, papers); due; due = nextNote(deps, dossier, papers))
    papers = [...papers, await issueNote(tx, { due, papers, turn })];
  return papers;
}

/** What everything is issued by that one transaction issues for a merchant. */
type Turn = { readonly merchant: Merchant; readonly now: Date };

async function takeTurn({ clock }: IssueDeps, tx: Tx, merchantId: string): Promise<Turn> {
  await takePaperTurn(tx, merchantId);
  return { merchant: present(await findMerchant(tx, merchantId), `merchant ${merchantId}`), now: clock.now() };
}

/** Where it is counted, and when it is issued: not before the last one of its series, however the clocks of two machines differ. */
async function placeOf(
  tx: Tx,
  { merchant, now }: Turn,
  kind: PaperKind,
): Promise<{ readonly series: string; readonly issuedAt: Date }> {
  const series = seriesOf(merchant, kind, now);
  const last = await lastIssuedAt(tx, merchant.id, series);
  return { series, issuedAt: last && last > now ? last : now };
}

async function issuePaid(
  deps: IssueDeps,
  tx: Tx,
  about: { readonly dossier: CheckoutDossier; readonly turn: Turn; readonly kind: PaidKind },
): Promise<StoredPaper | null> {
  const { dossier, turn, kind } = about;
  const { checkout } = dossier;
  const { merchantId, customerId } = checkout;
  const [contact, buyer] = await Promise.all([
    findContact(tx, checkout),
    kind === 'receipt' ? null : findBuyer(tx, checkout),
  ]);
  if (kind === 'invoice' && buyer === null) return null; // Erased before it was paid: nobody is known to whom it is.
  const { generation, settledAt } = present(standingSettlement(dossier), 'the settlement that stands');
  const language: PageLanguage = [contact?.language ?? '', checkout.language].find(isPageLanguage) ?? 'en';
  const { merchant } = turn;
  const place = await placeOf(tx, turn, kind);
  const facts = makeFacts(deps, kind, { dossier, settledAt, merchant, buyer, language, now: place.issuedAt });
  return insertPaper(tx, {
    merchantId,
    id: newId(),
    kind,
    checkoutId: checkout.id,
    customerId,
    generation,
    cause: `settlement:${generation}`,
    correctsId: null,
    ...place,
    facts,
  });
}

async function issueNote(
  tx: Tx,
  about: { readonly due: DueNote; readonly papers: readonly StoredPaper[]; readonly turn: Turn },
): Promise<StoredPaper> {
  const { due, papers, turn } = about;
  const kind: PaperKind = 'creditNote';
  const { merchantId, checkoutId, customerId, generation, id: correctsId } = due.corrects;
  return insertPaper(tx, {
    merchantId,
    id: newId(),
    kind,
    checkoutId,
    customerId,
    generation,
    cause: due.cause,
    correctsId,
    ...(await placeOf(tx, turn, kind)),
    facts: noteFacts(due, papers, timeZoneOf(turn.merchant.pageSettings)),
  });
}

const reasonMax = 200;

/** What a person wants to be taken back. `amount` null: all that is left. */
export type HandNote = { readonly paperId: string; readonly amount: string | null; readonly reason: string | null };

/**
 * A credit note that somebody writes: it moves no money. What is due by refunds is issued first, so that the rest is what is
 * left. Asking again with the same `requestId` gives the same note.
 */
export async function creditByHand(
  deps: Omit<IssueDeps, 'db'> & { readonly db: Db },
  by: {
    readonly merchantId: string;
    readonly actor: Actor;
    readonly begin: Begin<StoredPaper>;
    readonly requestId: string;
  },
  { paperId, amount, reason }: HandNote,
): Promise<StoredPaper> {
  const { merchantId } = by;
  if (reason !== null && reason.length > reasonMax) throw reasonTooLong(reasonMax);
  const asked = await findPaper(deps.db, merchantId, paperId);
  if (!asked) throw paperNotFound(paperId);
  return by.begin(async (tx) => {
    const dossier = present(await lockDossier(tx, merchantId, asked.checkoutId), 'the checkout of a paper');
    const papers = await issueLocked(deps, tx, dossier, null);
    const cause = `hand:${by.requestId}`;
    const made = papers.find((paper) => paper.cause === cause);
    if (made) return made;
    const corrects = present(
      papers.find(({ id }) => id === paperId),
      'the paper',
    );
    const { facts } = corrects;
    const wanted = demandCreditAmount(papers, corrects, amount);
    const turn = await takeTurn(deps, tx, merchantId);
    const { now } = turn;
    const due: DueNote = {
      corrects,
      cause,
      amount: wanted,
      reason: { kind: 'hand', text: reason?.trim() || null },
      paidAt: now,
      payments: [],
    };
    const note = await issueNote(tx, { due, papers, turn });
    const detail = {
      id: note.number,
      corrects: corrects.number,
      amount: due.amount,
      currency: facts.currency,
    };
    await insertAudit(tx, { merchantId, at: now, actor: by.actor, action: 'paper.credited', detail });
    return note;
  });
}
