/**
 * An account at a bank: many payers, one IBAN, and a reference that says for whom. It is told in files that somebody
 * brings. What is booked is confirmed, and final when its bank can no longer correct it without asking.
 */
import { addMs, hours } from '../../../lib/clock.ts';
import { addDays, type Day, dayOf, startOfDay } from '../../../lib/local-day.ts';
import { type Connector, NetworkError } from '../../port/connector.ts';
import { type NetworkDefinition, networkAsset } from '../../port/definition.ts';
import type { AcceptedDocument, DocumentPiece } from '../../port/documents.ts';
import { destinationProblem } from '../../port/orders.ts';
import type { Cursor, Observation, ObserveContext, Observed, OtherMovement } from '../../port/receiving.ts';
import type { SentUpdate } from '../../port/sending.ts';
import { type BankCursor, blockOf, readBankCursor, tipOf, withDocuments } from './bank-cursor.ts';
import { createFilingSender, type FilingOptions } from './bank-orders.ts';
import type { ReceivingAccount } from './bank-payer.ts';
import type { StatementKind } from './bank-statement.ts';
import { bookedUnits, statementOf } from './bank-told.ts';
import { addBankingDays, endOfBankingDays } from './banking-days.ts';
import { plainIban } from './iban.ts';
import { foldedReference } from './match-reference.ts';
import { bankDocuments } from './read-bank-documents.ts';
import { rfReference } from './rf-reference.ts';
import { type BankZones, type SortedBookings, sortBookings } from './sort-bookings.ts';
import { tracedPayer } from './traced-payer.ts';
import type { BankAddress } from './write-payment-file.ts';

export type BankOptions = BankZones & {
  readonly account: ReceivingAccount;
  /** What the bank calls the account besides. */
  readonly otherNames: readonly string[];
  readonly creditsFrom: StatementKind;
  /** The asset of the account, whose code is the currency's. */
  readonly assetCode: string;
  readonly finalAfterDays: number;
  /** Banking days after which a payment of ours that was booked does not come back any more, as a rule. */
  readonly settledAfterDays: number;
  /** How payments of ours are written. */
  readonly orders: Pick<FilingOptions, 'version' | 'scheme'> & { readonly address: BankAddress | null };
  /** What is wrong with an account that shall be paid; null: nothing. */
  addressProblem(iban: string): string | null;
  readonly now: () => Date;
};

/** Bookings that are read at once. Each may have a hundred texts that could be references. */
const recordsPerPiece = 500;

export function createBankConnector(network: NetworkDefinition, options: BankOptions): Connector {
  const { account, assetCode, creditsFrom, timeZone, earliestZone, now } = options;
  const iban = plainIban(account.iban);
  const currency = assetCode;

  /** By the settings with which it was accepted: its bookings count or not, whatever they are now. */
  const isCrediting = ({ told }: AcceptedDocument): boolean => statementOf(told)?.isCrediting === true;

  /** Reports within a day, and pages after which others come, say all only of the days before. */
  const coveredBy = (document: AcceptedDocument): Day | null => {
    const told = statementOf(document.told);
    if (!told || !isCrediting(document)) return null;
    const isWhole = (told.kind === 'camt.053' || told.kind === 'mt940') && told.isOpen !== true;
    return isWhole ? told.to : addDays(told.to, -1);
  };

  const openingOf = (document: AcceptedDocument): string | null =>
    isCrediting(document) ? (statementOf(document.told)?.opening ?? null) : null;

  /** Where a piece reaches the first balance there is; null: not in this one. */
  const opens = ({ isOpened }: BankCursor, { documents }: DocumentPiece): AcceptedDocument | null =>
    isOpened ? null : (documents.find((each) => openingOf(each) !== null) ?? null);

  const bookedUntil = (before: BankCursor, { records }: DocumentPiece, first: AcceptedDocument | null): bigint =>
    records
      .filter(({ position }) => first === null || position < first.position)
      .reduce((sum, { told }) => sum + bookedUnits(told), BigInt(before.bookedBefore));

  /**
   * What lay there before the first balance is the operator's own: without it the books would never come to one. But for
   * what was credited before without a balance, which is somebody's already.
   */
  function broughtIn(before: BankCursor, piece: DocumentPiece): readonly OtherMovement[] {
    const first = opens(before, piece);
    const units = first === null ? 0n : BigInt(openingOf(first) ?? 0) - bookedUntil(before, piece, first);
    if (first === null || units === 0n) return [];
    return [{ key: `opening ${iban}`, kind: 'OWN_MONEY', assetCode, units, block: blockOf(first), note: null }];
  }

  /**
   * Its balance proves that nothing else was booked until then; on the day on which it was made something still may be. A notice
   * proves nothing: it has none.
   */
  function provenBy(document: AcceptedDocument): Day | null {
    const day = coveredBy(document);
    if (day === null || statementOf(document.told)?.closing == null) return null;
    return document.time < startOfDay(timeZone, addDays(day, 1)) ? addDays(day, -1) : day;
  }

  function next(before: BankCursor, piece: DocumentPiece): BankCursor {
    const { documents, end, isWhole } = piece;
    const last = documents.at(-1);
    const whole = documents.filter(({ position }) => position < end.position || isWhole);
    // After a notice nobody knows what is there, whatever a statement ended with before.
    const lastCredited = whole.findLast(isCrediting);
    const closing = lastCredited ? (statementOf(lastCredited.told)?.closing ?? null) : before.closing;
    const finalBefore = addMs(now(), -hours(24 * options.finalAfterDays));
    return {
      place: end,
      tip: last ? { hash: last.digest, time: last.time.toISOString() } : before.tip,
      closing,
      isWithin: last ? !isWhole && isCrediting(last) : before.isWithin,
      isOpened: before.isOpened || opens(before, piece) !== null,
      bookedBefore: before.isOpened ? before.bookedBefore : String(bookedUntil(before, piece, opens(before, piece))),
      coveredTo: [before.coveredTo, ...whole.map(coveredBy)].reduce(later, null),
      provenTo: [before.provenTo ?? null, ...whole.map(provenBy)].reduce(later, null),
      ...withDocuments(before, documents, finalBefore),
    };
  }

  /** The newest document of which no payment of ours comes back any more, as a rule. */
  const safeHeight = ({ finalTo, notFinal }: BankCursor): number =>
    notFinal.findLast(
      ([, time]) => endOfBankingDays(timeZone, new Date(time), options.settledAfterDays) <= now(),
    )?.[0] ?? finalTo;

  /**
   * The operator declared that a file was not handed over, and statements have said all about every day on which it could
   * have been booked: they are believed, not the operator.
   */
  async function neverBooked(
    { provenTo = null }: BankCursor,
    { sent, doubted }: Pick<SortedBookings, 'sent' | 'doubted'>,
    context: ObserveContext,
  ): Promise<readonly SentUpdate[]> {
    if (provenTo === null) return [];
    const told = new Set(sent.map(({ txHash }) => txHash));
    const inDoubt = new Set([...doubted.values()].flat());
    return (await context.declaredVoid())
      .filter(({ txHash, payoutId, declaredAt }) => {
        const lastDay = addBankingDays(dayOf(timeZone, declaredAt), 1);
        return !told.has(txHash) && !inDoubt.has(payoutId) && provenTo >= lastDay;
      })
      .map(({ txHash }) => ({ txHash, outcome: 'expired', block: null, fee: { assetCode, units: 0n } }));
  }

  const sender = createFilingSender({
    ...options.orders,
    payer: { name: account.name, iban, bic: account.bic, address: options.orders.address },
    currency: { code: currency, decimals: networkAsset(network, assetCode).scale },
    timeZone,
  });

  return {
    network,
    sender,
    documents: bankDocuments({ iban, others: options.otherNames, currency, creditsFrom, timeZone, now }),

    async createTarget({ reference }) {
      return { key: foldedReference(reference), address: iban, memo: rfReference(reference), memoType: 'text' };
    },

    addressProblem({ address, memo }) {
      if (memo !== null) return `A payment by ${network.name} has no memo: leave it out.`;
      const problem = options.addressProblem(address);
      return (
        problem ?? (plainIban(address) === iban ? 'This is the account that the payment would be made from.' : null)
      );
    },

    payerOf: (trace) => tracedPayer(trace, (destination) => destinationProblem(sender, destination, assetCode)),

    async holdings({ cursor }) {
      const { closing, isWithin } = readBankCursor(cursor);
      if (isWithin) throw new NetworkError('A statement is being read: count again.', { isRetryable: true });
      // Before the first balance there is nothing to compare with; notices never have one.
      return closing === null ? [] : [{ assetCode, units: BigInt(closing) }];
    },

    async observe(stored: Cursor | null, context: ObserveContext): Promise<Observed> {
      const before = readBankCursor(stored);
      const piece = await context.documents({ after: before.place, recordsMost: recordsPerPiece });
      const cursor = next(before, piece);
      const isStillToCome = ({ day }: { readonly day: Day }): boolean =>
        before.coveredTo === null || day > before.coveredTo;
      const { doubted, ...sorted } = await sortBookings(
        piece.records,
        piece.documents,
        { assetCode, timeZone, earliestZone, isStillToCome },
        context,
      );
      const isFurther = cursor.coveredTo !== before.coveredTo;
      return {
        ...sorted,
        sent: [...sorted.sent, ...(await neverBooked(cursor, { sent: sorted.sent, doubted }, context))],
        otherMovements: [...broughtIn(before, piece), ...sorted.otherMovements],
        vanishedBlocks: [],
        vanishedArrivals: isFurther ? await notBooked(cursor.coveredTo ?? '', sorted.observations, context) : [],
        tip: tipOf(cursor),
        cursor,
        finalHeight: cursor.finalTo,
        safeHeight: safeHeight(cursor),
        isCaughtUp: piece.isWhole && piece.end.position >= piece.newest,
        blocksBehind: Math.max(0, piece.newest - piece.end.position),
      };
    },
  };
}

const later = (a: Day | null, b: Day | null): Day | null => (a === null || (b !== null && b > a) ? b : a);

/** Statements have said all about these days, and did not name them. */
async function notBooked(
  coveredTo: Day,
  observations: readonly Observation[],
  context: ObserveContext,
): Promise<Observed['vanishedArrivals']> {
  const told = new Set(observations.map(({ txHash }) => txHash));
  const waiting = await context.unconfirmed();
  return waiting
    .filter(({ txHash, trace }) => !told.has(txHash) && String(trace['day']) <= coveredTo)
    .map(({ txHash }) => ({ txHash, replacedBy: null }));
}
