/**
 * A file of a bank becomes documents: one for each statement, and one for each answer to a payment file. It is accepted
 * whole or refused whole, by what is accepted already: each statement goes on from the one before it, of its own kind.
 */
import { createHash } from 'node:crypto';
import { addDays, type Day, dayOf, startOfDay } from '../../../lib/local-day.ts';
import type { AcceptedDocument, DocumentReader, KnownDocuments, ReadDocument } from '../../port/documents.ts';
import { quoted, refused } from './bank-file-refused.ts';
import { fileIdOf, isFileId } from './bank-orders.ts';
import type { StatementKind } from './bank-statement.ts';
import { answerNote, asTold, type StatementTold, statementOf, statementTold } from './bank-told.ts';
import {
  checkStatements,
  demandFollows,
  type OurAccount,
  type ProvenStatement,
  possibleOpenings,
} from './check-statement.ts';
import { goesOn, proveReport } from './continued-report.ts';
import { correctionFile, isCorrection } from './correction.ts';
import { creditLate } from './credit-late.ts';
import type { BankStatement, ReversalMeaning } from './join-pages.ts';
import { mayBeOurs } from './own-bookings.ts';
import { type BankDocument, type BankFile, readBankFile } from './read-bank-file.ts';
import { namesOfPages, statementName, storableName } from './statement-name.ts';
import { createRecordReader, type StatementPlan } from './statement-records.ts';
import { demandNotAlike, mayRepeat } from './told-again.ts';

export type ReadAccount = OurAccount & {
  /** The one kind of message that credits. All others show what is under way, or prove a balance. */
  readonly creditsFrom: StatementKind;
  /** By whose calendar the bank's days are. */
  readonly timeZone: string;
  readonly now: () => Date;
};

type Accepted = {
  readonly digest: string;
  readonly isRenamed: boolean;
  /** As what it was accepted, if it credited nothing, by the settings of that day. */
  readonly shown: AcceptedDocument | null;
};
type Found = {
  readonly statement: BankStatement;
  readonly name: string;
  readonly digest: string;
  readonly isLate?: boolean;
};

/** Those that credit last, so that what they say is the last word of the file. */
const kinds: readonly StatementKind[] = ['camt.052', 'camt.054', 'mt940', 'camt.053'];

export const bankDocuments = (account: ReadAccount): DocumentReader => ({
  async read(bytes, known, { isVouched = false } = {}) {
    const file =
      isVouched && isCorrection(bytes)
        ? await correctionFile(bytes, account, await lastCredited(account, known))
        : await readBankFile(bytes);
    const found = foundStatements(file);
    const answers = answersOf(file, account);
    const acceptedOf = await acceptedAmong([...found, ...answers], known);
    const plans: StatementPlan[] = [];
    for (const kind of kinds.toSorted((a, b) => credits(account, a) - credits(account, b))) {
      const ofKind = found.filter(({ statement }) => statement.kind === kind);
      const crediting = kind === account.creditsFrom ? ofKind : [];
      const isFresh = (each: Found): boolean => !acceptedOf(each);
      const shownAs = (each: Found): AcceptedDocument | null => acceptedOf(each)?.shown ?? null;
      const others = kinds.filter((each) => each !== kind);
      const { late, before } = await creditLate(crediting, { isFresh, shownAs }, { kind, others }, known);
      const isLate = new Set(late.map(({ statement }) => statement));
      const passed = ofKind.filter(({ statement }) => !isLate.has(statement));
      const newest = before ?? (await newestSince(kind, account, known));
      for (const each of passed.filter((one) => crediting.includes(one) && acceptedOf(one)?.isRenamed))
        demandNotAlike(each.statement, toldOf(unproven(each.statement), account), newest);
      plans.push(...(await planned([...passed.filter(isFresh), ...late], kind, newest, account, known)));
      plans.push(...passed.flatMap((each) => passedOver(each, acceptedOf(each), account)));
    }
    for (const answer of answers) acceptedOf(answer);
    const recordsOf = createRecordReader(file, known, account, plans);
    const documents = plans.map((plan): ReadDocument => {
      const { told, name, digest } = plan;
      const closingUnits = plan.statement.closing?.units ?? null;
      const time = endOf(told.to, account);
      return { name, digest, time, closingUnits, told: { ...told }, records: () => recordsOf(plan) };
    });
    return [...documents, ...answers];
  },
});

/** After what a person corrected, messages that only show something have nothing to follow on. */
async function newestSince(
  kind: StatementKind,
  { creditsFrom }: ReadAccount,
  known: KnownDocuments,
): Promise<StatementTold | null> {
  const [newest, corrected] = await Promise.all([
    known.newest([kind]),
    kind === creditsFrom ? null : known.lastCorrection(),
  ]);
  const isBefore = newest && corrected && newest.position < corrected.position;
  return isBefore ? null : statementOf(newest?.told ?? {});
}

async function lastCredited({ creditsFrom }: ReadAccount, known: KnownDocuments): Promise<StatementTold | null> {
  const last = (await known.newest([creditsFrom])) ?? (await known.newest(kinds, { isCrediting: true }));
  return statementOf(last?.told ?? {});
}

const credits = ({ creditsFrom }: ReadAccount, kind: StatementKind): number => (kind === creditsFrom ? 1 : 0);

/**
 * Which of them were accepted before. The same bytes are no harm, nor is the same statement in others, as a bank makes them
 * that writes the time into each copy or other statements beside it. Another statement under the same name is.
 */
async function acceptedAmong(
  all: readonly (Found | ReadDocument)[],
  known: KnownDocuments,
): Promise<(one: Found | ReadDocument) => Accepted | null> {
  const byName = new Map((await known.named(all.map(({ name }) => name))).map((each) => [each.name, each]));
  const contents = all.flatMap((each) => contentOf(each) ?? []);
  const alike = contents.length === 0 ? [] : await known.alike(contents);
  const byContent = new Map(alike.map((each) => [String(each.told['content']), each]));
  return (one) => {
    const { name, digest } = one;
    const named = byName.get(name);
    const content = contentOf(one);
    const same = content === null ? undefined : byContent.get(content);
    const shownOnly = (accepted: AcceptedDocument): AcceptedDocument | null =>
      isShownOnly(accepted) && (isNotice(one) || !same || isShownOnly(same)) ? accepted : null;
    if (!named) return same && !isNotice(one) ? { digest: same.digest, isRenamed: true, shown: shownOnly(same) } : null;
    if (named.digest === digest || named.digest === same?.digest)
      return { digest: named.digest, isRenamed: false, shown: shownOnly(named) };
    throw refused(
      'bank_statement_known',
      `${quoted(name)} was accepted before, and this copy of it is another: compare the two, and import only what is new.`,
      { name },
    );
  };
}

const isShownOnly = ({ told }: AcceptedDocument): boolean => statementOf(told)?.isCrediting === false;

const contentOf = (one: Found | ReadDocument): string | null => ('statement' in one ? one.statement.content : null);

/** A notice has no balance: two of one booking each may tell the same, and only their names tell them apart. */
const isNotice = (one: Found | ReadDocument): boolean => 'statement' in one && one.statement.kind === 'camt.054';

/** A statement is known by its own file, or by its places in files that have several. */
function foundStatements(file: BankFile): readonly Found[] {
  const counts = Map.groupBy(file.parts, ({ document }) => document);
  const passed = new Map<BankDocument, number>();
  const pieces = new Map<BankStatement, string[]>();
  for (const { document, statement } of file.parts) {
    const place = passed.get(document) ?? 0;
    passed.set(document, place + 1);
    const isWhole = counts.get(document)?.length === 1;
    const piece = isWhole ? document.digest : `${document.digest} ${place}`;
    pieces.set(statement, [...(pieces.get(statement) ?? []), piece]);
  }
  return file.statements.map((statement) => {
    const [only = '', ...others] = pieces.get(statement) ?? [];
    const isFile = others.length === 0 && !only.includes(' ');
    const digest = isFile ? only : sha256(JSON.stringify([only, ...others].toSorted()));
    return { statement, name: statementName(statement), digest };
  });
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

async function planned(
  fresh: readonly Found[],
  kind: StatementKind,
  newest: StatementTold | null,
  account: ReadAccount,
  known: KnownDocuments,
): Promise<readonly StatementPlan[]> {
  if (fresh.length === 0) return [];
  const isCrediting = kind === account.creditsFrom;
  const byStatement = new Map(fresh.map((each) => [each.statement, each]));
  await demandNoPages(fresh, known);
  const proofs = newest === null ? await closingsOf(kind, known) : [];
  const ordered = checkStatements([...byStatement.keys()], account, closedBy(newest), proofs);
  if (isCrediting) await checkOtherKinds(ordered, account, known);
  if (isCrediting) await demandGoesOn(ordered, known);
  let before: StatementTold | null = newest;
  const learned = await learnedMeaning(ordered, known);
  const plans: StatementPlan[] = [];
  for (const checked of ordered) {
    const found = byStatement.get(checked.statement);
    if (!found) continue;
    const { statement } = found;
    const isReport = isCrediting && kind === 'camt.052';
    const proven = isReport ? proveReport(checked, before) : checked;
    const asTold = toldOf({ ...proven, reversals: meaningOf(proven, learned, isCrediting) }, account);
    const told = found.isLate ? { ...asTold, isLate: true } : asTold;
    const isContinued = !isReport || goesOn(statement, told, before);
    const repeats = isCrediting && isContinued ? await mayRepeat(statement, told, before, known) : null;
    const toldBefore =
      isContinued || !before?.closing || told.opening === null ? null : BigInt(before.closing) - BigInt(told.opening);
    plans.push({ ...found, told, isCrediting, isContinued, repeats, toldBefore });
    before = told;
  }
  return plans;
}

const closedBy = (newest: StatementTold | null) =>
  newest && {
    units: newest.closing === null ? null : BigInt(newest.closing),
    day: newest.to,
    page: newest.page ?? null,
  };

/** What the account held, as messages of other kinds told last. */
async function closingsOf(kind: StatementKind, known: KnownDocuments): Promise<readonly bigint[]> {
  const others = await Promise.all(kinds.filter((each) => each !== kind).map((each) => known.newest([each])));
  return others.flatMap((document) => {
    const closing = statementOf(document?.told ?? {})?.closing ?? null;
    return closing === null ? [] : [BigInt(closing)];
  });
}

/** Pages that were accepted by themselves are a part of this one: all of it would tell them again. */
async function demandNoPages(fresh: readonly Found[], known: KnownDocuments): Promise<void> {
  const names = fresh.flatMap(({ statement }) => namesOfPages(statement));
  const [accepted] = names.length === 0 ? [] : await known.named(names);
  if (accepted)
    throw refused(
      'bank_page_known',
      `${quoted(accepted.name)} was accepted before by itself: import the other pages only.`,
      { name: accepted.name },
    );
}

/** Another kind of message credited before, by other settings: days that it told of would be credited again. */
async function checkOtherKinds(
  statements: readonly ProvenStatement[],
  account: ReadAccount,
  known: KnownDocuments,
): Promise<void> {
  for (const kind of kinds.filter((each) => each !== account.creditsFrom)) {
    // Since then this kind may have come on, and credited nothing; and notices come in any order.
    const told = statementOf((await known.lastCrediting([kind]))?.told ?? {});
    const again =
      told &&
      statements.map(({ statement }) => statement).find(({ firstDay }) => firstDay !== null && firstDay <= told.to);
    if (again)
      throw refused(
        'bank_kinds_overlap',
        `${quoted(again.id)} tells of days up to ${told.to}, which ${kind} has credited already: import what begins after ` +
          `that day${kind === 'camt.054' ? ', once all notices until then are here' : ''}, or let ${kind} credit again.`,
        { kind, day: told.to },
      );
  }
}

/** Where another kind credited until now, this one begins at the balance with which that ended. */
async function demandGoesOn([first]: readonly ProvenStatement[], known: KnownDocuments): Promise<void> {
  const last = statementOf((await known.newest(kinds, { isCrediting: true }))?.told ?? {});
  if (!first || last === null || last.closing === null || last.kind === first.statement.kind) return;
  demandFollows(first, { units: BigInt(last.closing), day: last.to });
}

/** Of a statement that is known already nothing is stored: its records are never asked for. */
const passedOver = (found: Found, accepted: Accepted | null, account: ReadAccount): readonly StatementPlan[] =>
  accepted === null
    ? []
    : [
        {
          ...found,
          digest: accepted.digest,
          told: toldOf(unproven(found.statement), account),
          isCrediting: false,
          isContinued: false,
          repeats: null,
          toldBefore: null,
        },
      ];

const toldOf = (proven: ProvenStatement, account: ReadAccount): StatementTold =>
  statementTold(proven, { ...account, today: dayOf(account.timeZone, account.now()) });

/** Before anybody looked at what was accepted. */
const unproven = (statement: BankStatement): ProvenStatement => ({
  statement,
  opening: statement.opening?.units ?? possibleOpenings(statement)[0]?.opening ?? null,
  reversals: statement.reversals,
});

/** A bank that says no more than a day means its end; of a day that is not over, now. */
function endOf(day: Day, { timeZone, now }: Pick<ReadAccount, 'timeZone' | 'now'>): Date {
  const end = startOfDay(timeZone, addDays(day, 1));
  return end < now() ? end : now();
}

/** How this bank marks what it takes back, where one of its statements has proven it. */
async function learnedMeaning(
  statements: readonly ProvenStatement[],
  known: KnownDocuments,
): Promise<ReversalMeaning | null> {
  if (!statements.some(({ reversals }) => reversals === 'undecided')) return null;
  const proven = statements.find(({ reversals }) => isProof(reversals));
  if (proven) return proven.reversals;
  for (const kind of ['camt.053', 'camt.052'] as const) {
    const told = statementOf((await known.newest([kind]))?.told ?? {});
    if (told && isProof(told.reversals)) return told.reversals;
  }
  return null;
}

const isProof = (meaning: ReversalMeaning): boolean => meaning === 'as-marked' || meaning === 'opposite';

/** By ISO 20022 the mark is the direction. A notice has no balance to prove it, and money would go the wrong way. */
function meaningOf(
  { statement, reversals }: ProvenStatement,
  learned: ReversalMeaning | null,
  isCrediting: boolean,
): ReversalMeaning {
  if (reversals !== 'undecided') return reversals;
  if (learned === null && isCrediting && statement.closing === null)
    throw refused(
      'bank_reversal_undecided',
      `${quoted(statement.id)} has a booking that takes another one back (RvslInd), and no balance that says in which ` +
        'direction it was booked: import the camt.053 of that day first.',
    );
  return learned ?? 'undecided';
}

function answersOf(file: BankFile, account: ReadAccount): readonly ReadDocument[] {
  return file.documents
    .filter(({ message }) => message.kind === 'pain.002')
    .map((document) => ({
      name: storableName(`pain.002 ${document.message.id ?? document.digest.slice(0, 16)}`),
      digest: document.digest,
      time: account.now(),
      told: { kind: 'pain.002' },
      answers: isFileId(document.message.answers ?? '') ? fileIdOf(document.message.answers ?? '') : null,
      async *records() {
        let number = 0;
        for await (const { document: of, answer } of file.answers())
          if (of === document)
            yield {
              identity: sha256(`answer ${document.digest} ${++number}`),
              likeness: null,
              told: asTold({ what: 'answer', answer }),
              units: 0n,
              kind: mayBeOurs(answer) ? answer.meaning : 'other-payments',
              note: answerNote(answer),
            };
      },
    }));
}
