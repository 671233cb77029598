/**
 * A Stellar ledger in this process. Transactions are really signed, and are refused or applied by those rules of the
 * protocol that are written here; there is one validator, so there is nothing to agree on.
 *
 * It tests our client. It cannot show that the rules are Stellar's: they were written from the CAPs and the
 * documentation.
 */
import { createHash } from 'node:crypto';
import { FeeBumpTransaction, hash, Keypair, type Transaction, TransactionBuilder, xdr } from '@stellar/stellar-sdk';
import { type Journal, noJournal } from '../journal.ts';
import { applyTransaction, baseFee, feeBumpInvalidity, invalidity, type LedgerMoment } from './apply-transaction.ts';
import { createLedgerEntries, int64Max, type LedgerEntries, stroopsPerLumen, trustlineKey } from './ledger-entries.ts';
import {
  type AppliedTransaction,
  type ClosedLedger,
  createLedgerHistory,
  type LedgerHistory,
} from './ledger-history.ts';
import { accountOf, newAccount } from './payment-operations.ts';
import { type OuterOutcome, SubmissionRefused } from './transaction-outcome.ts';

export type JournaledLedger = {
  readonly sequence: number;
  readonly time: number;
  /** What an operation cost in it, when that was more than the minimum. */
  readonly feeRate?: number;
  readonly transactions: readonly string[];
};

export type StellarLedgerOptions = {
  readonly passphrase: string;
  readonly now: () => Date;
  readonly journal?: Journal<JournaledLedger>;
  /** The ledgers of earlier starts. */
  readonly past?: readonly JournaledLedger[];
  /** Ledgers close by themselves so often; those without transactions are not journaled. Left out: only by `close`. */
  readonly closeEveryMs?: number;
  /** Assets whose issuer is not ours to sign for: the first account holds a supply of each from the beginning. */
  readonly endowed?: readonly { readonly code: string; readonly issuer: string }[];
};

export type StellarLedger = {
  readonly passphrase: string;
  readonly entries: LedgerEntries;
  readonly history: LedgerHistory;
  /** Holds all lumens at first: its key is derived from the passphrase, as on every new Stellar network. */
  readonly root: Keypair;
  /** Throws SubmissionRefused when the transaction is not valid now. */
  submit(envelope: string): { readonly hash: string };
  isWaiting(hash: string): boolean;
  /** It was left out of so many ledgers that it is refused for some time. */
  isBanned(hash: string): boolean;
  /** The newest transaction of this account that waits for a ledger. */
  waitingOf(account: string): Transaction | FeeBumpTransaction | undefined;
  /** Takes a waiting transaction out again. */
  withdraw(hash: string): void;
  /** What an operation must offer from now on to get into a ledger: others offer more. Null: nobody does. */
  demand(feeRate: bigint | null): void;
  /** The sequence number that the account's next transaction must have. */
  nextSequence(account: string): bigint;
  close(): ClosedLedger;
  parse(envelope: string): Transaction | FeeBumpTransaction;
  stop(): void;
};

const totalLumens = 50_001_806_812n; // About what exists on the public network.
const endowment = 10n ** 16n;

/** stellar-core forgets a transaction that so many ledgers left out, and then refuses it for a while. */
const ledgersInQueueMax = 4;
const ledgersBanned = 10;

type Waiting = {
  readonly hash: string;
  readonly envelope: string;
  readonly tx: Transaction | FeeBumpTransaction;
  /** Read once, because a queue may be long, and every new transaction is compared with all of it. */
  readonly source: string;
  readonly payer: string;
  /** The ledger that was the newest when it came. */
  readonly since: number;
};

export const innerOf = (tx: Transaction | FeeBumpTransaction): Transaction =>
  tx instanceof FeeBumpTransaction ? tx.innerTransaction : tx;

const feePayerOf = (tx: Transaction | FeeBumpTransaction): string =>
  accountOf(tx instanceof FeeBumpTransaction ? tx.feeSource : tx.source).account;

/** CAP-15: a fee bump counts as one operation more. */
export const operationsPaid = (tx: Transaction | FeeBumpTransaction): bigint =>
  BigInt(innerOf(tx).operations.length + (tx instanceof FeeBumpTransaction ? 1 : 0));

const offerOf = (tx: Transaction | FeeBumpTransaction): bigint => BigInt(tx.fee) / operationsPaid(tx);

export function createStellarLedger(options: StellarLedgerOptions): StellarLedger {
  const { passphrase, now } = options;
  const journal = options.journal ?? noJournal;
  const entries = createLedgerEntries();
  const history = createLedgerHistory();
  const root = Keypair.fromRawEd25519Seed(hash(Buffer.from(passphrase)));
  let queue: Waiting[] = [];
  let offerCount = 0n;
  let demanded: bigint | null = null;
  const bannedUntil = new Map<string, number>();

  entries.accounts.set(root.publicKey(), newAccount(root.publicKey(), totalLumens * stroopsPerLumen, 0n));
  for (const { code, issuer } of options.endowed ?? []) {
    const asset = `${code}:${issuer}`;
    if (!entries.accounts.get(issuer)) entries.accounts.set(issuer, newAccount(issuer, 100n * stroopsPerLumen, 0n));
    const line = { account: root.publicKey(), asset, balance: endowment, limit: int64Max, isAuthorized: true };
    entries.trustlines.set(trustlineKey(root.publicKey(), asset), line);
  }

  const seconds = (): bigint => BigInt(Math.floor(now().getTime() / 1000));
  const moment = (sequence: number, closeTime: bigint): LedgerMoment => ({
    sequence,
    closeTime,
    nextOfferId: () => (offerCount += 1n),
  });

  function parse(envelope: string): Transaction | FeeBumpTransaction {
    return TransactionBuilder.fromXDR(envelope, passphrase);
  }

  const queueOf = (account: string): Waiting[] => queue.filter(({ source }) => source === account);

  const feesWaiting = (account: string): bigint =>
    queue.filter(({ payer }) => payer === account).reduce((sum, { tx }) => sum + BigInt(tx.fee), 0n);

  function nextSequence(account: string): bigint {
    const found = entries.accounts.get(account);
    if (!found) throw new Error(`no account ${account}`);
    return found.sequence + BigInt(queueOf(account).length) + 1n;
  }

  function submit(envelope: string): { hash: string } {
    const tx = parse(envelope);
    const inner = innerOf(tx);
    const id = Buffer.from(tx.hash()).toString('hex');
    if (queue.some((waiting) => waiting.hash === id) || history.transactionByHash.has(id)) return { hash: id };
    const { sequence, closeTime } = history.latest();
    const at = moment(sequence + 1, laterOf(seconds(), closeTime));
    const source = entries.accounts.get(accountOf(inner.source).account);
    const sequenceBefore = source && source.sequence + BigInt(queueOf(source.id).length);
    const bumped = tx instanceof FeeBumpTransaction ? { innerHash: inner.hash() } : null;
    const feesPromised = feesWaiting(feePayerOf(tx));
    // Protocol 13 (CAP-15): envelopes of the first kind are converted by those who send them, not by the network.
    if (xdr.TransactionEnvelope.fromXdr(envelope, 'base64').type === 'envelopeTypeTxV0')
      throw new SubmissionRefused({ code: 'tx_not_supported', operations: [], bumped });
    if (tx instanceof FeeBumpTransaction) {
      const refusal = feeBumpInvalidity(entries, tx, feesPromised);
      if (refusal) throw new SubmissionRefused({ ...refusal, bumped: null });
    }
    const checked = {
      isFeePaidByOther: bumped !== null,
      feesPromised,
      ...(sequenceBefore !== undefined && { sequenceBefore }),
    };
    const refusal = invalidity(entries, inner, at, checked) ?? malformation(inner, at);
    if (refusal) throw new SubmissionRefused({ ...refusal, bumped });
    queue.push({
      hash: id,
      envelope,
      tx,
      source: accountOf(inner.source).account,
      payer: feePayerOf(tx),
      since: sequence,
    });
    return { hash: id };
  }

  /**
   * What goes into the next ledger. A transaction that has become invalid is left out, at no cost to anybody; one that
   * offers less than the others waits, and is forgotten in the end.
   */
  function takeFromQueue(at: LedgerMoment): Waiting[] {
    const sequences = new Map<string, bigint>();
    const [taken, left]: [Waiting[], Waiting[]] = [[], []];
    for (const waiting of queue) {
      const inner = innerOf(waiting.tx);
      const { account } = accountOf(inner.source);
      const sequenceBefore = sequences.get(account) ?? entries.accounts.get(account)?.sequence ?? 0n;
      if (invalidity(entries, inner, at, { isFeePaidByOther: true, sequenceBefore })) continue;
      if (demanded !== null && offerOf(waiting.tx) < demanded) {
        if (at.sequence - waiting.since < ledgersInQueueMax) left.push(waiting);
        else bannedUntil.set(waiting.hash, at.sequence + ledgersBanned);
        continue;
      }
      sequences.set(account, BigInt(inner.sequence));
      taken.push(waiting);
    }
    queue = left;
    return taken;
  }

  /** Operations that can never succeed are refused at once. To find out, they are carried out and undone. */
  function malformation(tx: Transaction, at: LedgerMoment) {
    const [triedOffers, found] = [offerCount, { outcome: null as ReturnType<typeof applyTransaction> | null }];
    try {
      entries.attempt(() => {
        found.outcome = applyTransaction(entries, tx, at);
        throw new Undone();
      });
    } catch (error) {
      if (!(error instanceof Undone)) throw error;
    }
    offerCount = triedOffers;
    const isHopeless = found.outcome?.operations.some(({ horizonCode }) => hopelessCodes.has(horizonCode));
    return isHopeless ? found.outcome : null;
  }

  function chargeFee(
    { tx }: Pick<Waiting, 'tx'>,
    feeRate: bigint,
  ): { feeAccount: string; feeCharged: bigint; maxFee: string } {
    const feeAccount = feePayerOf(tx);
    const account = entries.accounts.get(feeAccount);
    const fee = feeRate * operationsPaid(tx);
    const feeCharged = account && account.balance < fee ? account.balance : fee;
    if (account) entries.accounts.set(feeAccount, { ...account, balance: account.balance - feeCharged });
    return { feeAccount, feeCharged, maxFee: tx.fee };
  }

  /** Fees of all transactions first, then one after the other (stellar-core's order). */
  function applyLedger(
    sequence: number,
    closeTime: bigint,
    transactions: readonly Pick<Waiting, 'hash' | 'envelope' | 'tx'>[],
    feeRate = baseFee,
  ): ClosedLedger {
    const at = moment(sequence, closeTime);
    const fees = transactions.map((waiting) => chargeFee(waiting, feeRate));
    const applied = transactions.map((waiting, index): AppliedTransaction => {
      const inner = innerOf(waiting.tx);
      const invalid = invalidity(entries, inner, at, { isFeePaidByOther: true });
      const bumped = waiting.tx instanceof FeeBumpTransaction ? { innerHash: inner.hash() } : null;
      const outcome: OuterOutcome = { ...(invalid ?? applyTransaction(entries, inner, at)), bumped };
      return { ...waiting, inner, outcome, ...(fees[index] as (typeof fees)[number]) };
    });
    const previousHash = history.ledgers.at(-1)?.hash ?? '0'.repeat(64);
    const digest = createHash('sha256').update(`${previousHash}/${sequence}/${closeTime}`);
    for (const { hash: each } of applied) digest.update(each);
    const ledger: ClosedLedger = {
      sequence,
      hash: digest.digest('hex'),
      previousHash,
      closeTime,
      transactionCount: applied.length,
      operationCount: applied.reduce((sum, { inner }) => sum + inner.operations.length, 0),
    };
    history.addLedger(ledger, applied);
    return ledger;
  }

  function closeNext(isJournaledEmpty: boolean): ClosedLedger {
    const last = history.latest();
    const closeTime = laterOf(seconds(), last.closeTime);
    const transactions = takeFromQueue(moment(last.sequence + 1, closeTime));
    const feeRate = demanded !== null && demanded > baseFee ? demanded : baseFee; // All pay the lowest accepted rate.
    // Written before it is applied: listeners hear of nothing that a crash could take back.
    if (isJournaledEmpty || transactions.length > 0) {
      journal.append({
        sequence: last.sequence + 1,
        time: Number(closeTime),
        transactions: transactions.map(({ envelope }) => envelope),
        ...(feeRate > baseFee && { feeRate: Number(feeRate) }),
      });
    }
    return applyLedger(last.sequence + 1, closeTime, transactions, feeRate);
  }

  applyLedger(1, 0n, []);
  for (const { sequence, time, transactions, feeRate } of options.past ?? []) {
    const parsed = transactions.map((envelope) => {
      const tx = parse(envelope);
      return { hash: Buffer.from(tx.hash()).toString('hex'), envelope, tx };
    });
    applyLedger(sequence, BigInt(time), parsed, feeRate === undefined ? baseFee : BigInt(feeRate));
  }
  // Empty ledgers that closed by themselves were not written down, but somebody may have read their numbers, and a
  // cursor beyond the next ledger would never see it. So we begin above every number that can have been used.
  if (options.closeEveryMs !== undefined) {
    const last = history.latest();
    const passed = last.sequence === 1 ? 0n : laterOf(seconds() - last.closeTime, 0n);
    const sequence = last.sequence + Number((passed * 1000n) / BigInt(options.closeEveryMs) + 2n);
    const { closeTime } = applyLedger(sequence, laterOf(seconds(), last.closeTime), []);
    journal.append({ sequence, time: Number(closeTime), transactions: [] });
  }
  const timer =
    options.closeEveryMs === undefined ? undefined : setInterval(() => closeNext(false), options.closeEveryMs);

  return {
    passphrase,
    entries,
    history,
    root,
    submit,
    nextSequence,
    parse,
    isWaiting: (id) => queue.some((waiting) => waiting.hash === id),
    isBanned: (id) => (bannedUntil.get(id) ?? 0) > history.latest().sequence,
    waitingOf: (account) => queueOf(account).at(-1)?.tx,
    withdraw(id) {
      queue = queue.filter((waiting) => waiting.hash !== id);
    },
    demand(feeRate) {
      demanded = feeRate;
    },
    close: () => closeNext(true),
    stop() {
      clearInterval(timer);
      if (timer !== undefined && queue.length > 0) closeNext(false); // What was accepted must not be lost.
      journal.close();
    },
  };
}

class Undone extends Error {}

const hopelessCodes: ReadonlySet<string> = new Set([
  ...[
    'op_malformed',
    'op_not_supported',
    'op_threshold_out_of_range',
    'op_unknown_flag',
    'op_bad_flags',
    'op_bad_signer',
  ],
  ...['op_invalid_home_domain', 'op_data_invalid_name', 'op_bad_seq'],
]);

const laterOf = (a: bigint, b: bigint): bigint => (a > b ? a : b);
