/**
 * Networks that are told in documents, as banks are: somebody brings a file, and it is accepted whole or refused whole. The
 * connector understands files; the service keeps what is accepted and gives it back in the order in which it was accepted.
 *
 * An accepted document is what a block is elsewhere: its `position` is the height of all that it confirms.
 */
import type { ToldProblem } from '../../lib/errors.ts';

/**
 * JSON, because it is stored. Only the connector that made it understands it; but where it tells whole days, `to` is the last of
 * them for people to read.
 */
export type Told = { readonly [key: string]: unknown };

export type AcceptedDocument = {
  readonly position: number; // 1, 2, 3 … on its network, without gaps
  /** Of its bytes, in hexadecimal: by it a document that is brought again is known. */
  readonly digest: string;
  /** When what is in it was booked, as the bank says: the day's end, if it says no more than a day. */
  readonly time: Date;
  readonly told: Told;
};

export type NamedDocument = AcceptedDocument & { readonly name: string };

/** One booking of a document, or one answer. */
export type DocumentRecord = {
  readonly position: number; // of its document
  readonly number: number; // within it: 1, 2, 3 …
  /** Unique on the network. What was told in another document under the same identity is not kept a second time. */
  readonly identity: string;
  readonly told: Told;
};

/** Everything up to and including this record. Number 0: none of that document's records; -1: nor the document, if it has none. */
export type DocumentPlace = { readonly position: number; readonly number: number };

/** What was accepted after a place, as much of it as was asked for. */
export type DocumentPiece = {
  /** Every document that this piece ends within or passes, in order. */
  readonly documents: readonly AcceptedDocument[];
  readonly records: readonly DocumentRecord[];
  /** The place to go on from: where the piece ends. */
  readonly end: DocumentPlace;
  /** Whether the piece ends with a whole document. Its balance can be compared with the books then, and not before. */
  readonly isWhole: boolean;
  /** The position of the newest document there is. */
  readonly newest: number;
};

/** How a file becomes documents. */
export type DocumentReader = {
  /** Reads all of a file. Throws `DocumentRefused` for a file that must not be accepted; then nothing changes. */
  read(
    bytes: Uint8Array,
    known: KnownDocuments,
    by?: {
      /** A person brings it who has the machine: it may also be what that person vouches for. */
      readonly isVouched?: boolean;
    },
  ): Promise<readonly ReadDocument[]>;
};

/** What is told, by its names. `sequence`: the number that a bank gave it. */
export type ToldValues = { readonly isCrediting: boolean; readonly sequence?: string };

/**
 * What is accepted already. It does not change while a file is read: one file of a network is imported at a time. Of a hundred
 * thousand documents those that are asked for are found without reading the others.
 */
export type KnownDocuments = {
  /** The newest document of which `told.kind` is one of these, and which tells these values besides, if any are given. */
  newest(kinds: readonly string[], telling?: ToldValues): Promise<AcceptedDocument | null>;
  /** Of those of these kinds that credit the one that tells of the last day (`told.to`), whenever it came. */
  lastCrediting(kinds: readonly string[]): Promise<AcceptedDocument | null>;
  /** The last one that a person vouches for (`told.isCorrection`). */
  lastCorrection(): Promise<AcceptedDocument | null>;
  /** All those of these kinds that credit and tell up to this day, in their order. */
  creditedTo(day: string, kinds: readonly string[]): Promise<readonly AcceptedDocument[]>;
  /** All those of these kinds that credit nothing and tell of a later day than this, or of any if it is null. */
  shownAfter(day: string | null, kinds: readonly string[]): Promise<readonly NamedDocument[]>;
  /** Those of which `told.content` is one of these. */
  alike(contents: readonly string[]): Promise<readonly AcceptedDocument[]>;
  /** Those with one of these names (`ReadDocument.name`). */
  named(names: readonly string[]): Promise<readonly NamedDocument[]>;
  /** How many records have these likenesses (`ReadRecord.likeness`), by likeness; those of which there is none are left out. */
  counts(likenesses: readonly string[]): Promise<ReadonlyMap<string, number>>;
};

/** A document that may be accepted, before it has a position. One that is known by its digest is passed over. */
export type ReadDocument = {
  /** By what people know it, e.g. the number of a statement. */
  readonly name: string;
  readonly digest: string;
  readonly time: Date;
  /** `kind`: by which `KnownDocuments.newest` finds it. `isCrediting`: false where the books have nothing of it. */
  readonly told: Told & { readonly kind: string; readonly isCrediting?: boolean };
  /** The id of the payment file of ours that it answers; null or left out: it answers none. */
  readonly answers?: string | null;
  /** The balance that it ends with, in units of the asset's scale, for people; null or left out: it tells none. */
  readonly closingUnits?: bigint | null;
  /**
   * Read as a stream: a statement may have a hundred thousand. May be asked for more than once, and best in the order of
   * the documents; of two documents of a file only one is read at a time.
   */
  records(): AsyncIterable<ReadRecord>;
};

export type ReadRecord = Pick<DocumentRecord, 'identity' | 'told'> & {
  /** Null: it is not counted. */
  readonly likeness: string | null;
  /** What it says about the balance, in units of the asset's scale; for the summary that a person sees. */
  readonly units: bigint;
  readonly kind: string; // what it is, for the same summary
  /** Whose it is and what was written with it, for people; null or left out: nothing was. */
  readonly note?: string | null;
};

/** A file is not accepted, whole, and nothing is changed by it. `problem` says what is wrong and what would be right. */
export class DocumentRefused extends Error {
  readonly problem: ToldProblem;
  /** Nothing is wrong with it, but another must come first: it may be accepted after that one. */
  readonly isEarly: boolean;

  constructor(problem: ToldProblem, { isEarly = false }: { readonly isEarly?: boolean } = {}) {
    super(problem.sentence);
    this.name = 'DocumentRefused';
    this.problem = problem;
    this.isEarly = isEarly;
  }
}
