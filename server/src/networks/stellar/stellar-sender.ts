/** Money out of the account on Stellar: payments, up to a hundred in a transaction, over whichever channel is free. */
import { AllMustWait, demandWithinHeldFee } from '../held-fee.ts';
import { NetworkError } from '../port/connector.ts';
import {
  type NetworkFee,
  NotEnoughFunds,
  type OutgoingTransaction,
  type OutgoingTransfer,
  type SendContext,
  type Sender,
  SendRefused,
  type SignedTransaction,
} from '../port/sending.ts';
import { createBalanceFinder } from './find-waiting-balance.ts';
import { accountOfAddress } from './stellar-address.ts';
import { bump, type StellarTrace, signDraft } from './stellar-envelope.ts';
import { exchangeDraft, issueDraft } from './stellar-exchange.ts';
import { resultNames } from './stellar-fate.ts';
import { stellarHousekeeping } from './stellar-housekeeping.ts';
import { memoFor, paymentFor } from './stellar-payment.ts';
import {
  assertAffordable,
  feeAsset,
  feeRateMax,
  feeRateOf,
  loadSdk,
  readStanding,
  type Source,
  type Standing,
  type StellarWallet,
} from './stellar-wallet.ts';

const operationsMax = 100;
/** Recipients that a node is asked about side by side. */
const askedAtOnce = 10;
/** A ledger closes every five seconds: what ten of them left out is stuck. */
const stuckAfterMs = 60_000;
/** stellar-core takes a fee bump for one that waits in its queue only at ten times the fee. */
const bumpFactor = 10n;
/** How long nobody looks again when all is well: a dozen questions are asked each time. */
const quietMs = 60_000;

export function createStellarSender(wallet: StellarWallet, minimumUnits: ReadonlyMap<string, bigint>): Sender {
  const { api } = wallet;
  const findWaitingBalance = createBalanceFinder(wallet, minimumUnits);
  let nextLookAt = 0;

  /** The oldest that can be sent now, and whatever can travel with it: one that must wait keeps no other waiting. */
  async function prepare(transfers: readonly OutgoingTransfer[], context: SendContext): Promise<SignedTransaction> {
    const standing = await readStanding(wallet, context);
    const { free } = standing;
    if (!free) throw new NotEnoughFunds('All channel accounts are in use: a ledger must close first.');
    let waits: NotEnoughFunds | undefined;
    for (const [at, first] of transfers.entries()) {
      try {
        return first.exchange || first.isIssue
          ? await prepareAlone(first, standing, free)
          : await preparePayments(first, transfers.slice(at + 1), standing, { source: free, now: context.now });
      } catch (error) {
        if (!(error instanceof NotEnoughFunds)) throw error;
        waits ??= error;
      }
    }
    throw waits ? new AllMustWait(waits.message) : new Error('there is nothing to send');
  }

  async function prepareAlone(transfer: OutgoingTransfer, standing: Standing, source: Source) {
    const draft = transfer.exchange
      ? await exchangeDraft(wallet, standing, transfer)
      : await issueDraft(wallet, standing, transfer);
    const feeRate = feeRateOf(standing.terms);
    return signDraft(wallet, standing.tip, { ...draft, source, feeRate, transferIds: [transfer.id] });
  }

  async function preparePayments(
    first: OutgoingTransfer,
    others: readonly OutgoingTransfer[],
    standing: Standing,
    { source, now }: { readonly source: Source; readonly now: Date },
  ): Promise<SignedTransaction> {
    const { tip, terms } = standing;
    const feeRate = feeRateOf(terms);
    // Its own operation, and the fee bump as one more: what a payment alone pays for.
    const ownFee = 2n * feeRate;
    demandWithinHeldFee(first, ownFee, now);
    const purse = openPurse(wallet, standing, feeRate);
    // Before the recipient is asked about: of those that wait for money there may be many.
    purse.pay(first);
    const operations = [await paymentFor(wallet, first, terms.baseReserve)];
    const carried = [first];
    const company = companions(
      first,
      others.filter(({ heldFee }) => heldFee === undefined || heldFee.units >= ownFee),
    );
    for (let at = 0; at < company.length; at += askedAtOnce) {
      const asked = company.slice(at, at + askedAtOnce).map(async (transfer) => ({
        transfer,
        // One that is refused now is the first one day, and told so then.
        operation: await paymentFor(wallet, transfer, terms.baseReserve).catch((error: unknown) => {
          if (error instanceof SendRefused) return null;
          throw error;
        }),
      }));
      for (const { transfer, operation } of await Promise.all(asked)) {
        if (!operation || !purse.hasEnoughFor(transfer)) continue;
        purse.pay(transfer);
        operations.push(operation);
        carried.push(transfer);
      }
    }
    const memo = await memoFor(first);
    return signDraft(wallet, tip, {
      ...{ source, operations, feeRate, spends: purse.spent, transferIds: carried.map(({ id }) => id) },
      ...(memo && { memo }),
    });
  }

  async function replace(transaction: OutgoingTransaction, context: SendContext): Promise<SignedTransaction | null> {
    const trace = transaction.trace as StellarTrace;
    if (transaction.block || context.now.getTime() - transaction.signedAt.getTime() < stuckAfterMs) return null;
    const feeRate = BigInt(trace.feeRate) * bumpFactor;
    const { heldFeeUnits } = transaction;
    const isPaidFor = heldFeeUnits === undefined || feeRate * BigInt(trace.operations + 1) <= heldFeeUnits;
    if (feeRate > feeRateMax || !isPaidFor) return null;
    const tip = await api.tip();
    if (tip.closedAt.getTime() / 1000 >= trace.validUntil || (await api.transaction(trace.innerHash))) return null;
    const { FeeBumpTransaction, TransactionBuilder } = await loadSdk();
    const stuck = TransactionBuilder.fromXDR(transaction.raw, wallet.passphrase);
    if (!(stuck instanceof FeeBumpTransaction)) throw new Error(`${transaction.txHash} is no fee bump`);
    return {
      ...(await bump(wallet, stuck.innerTransaction.toXdr(), feeRate, BigInt(trace.reserves))),
      claims: transaction.claims,
      transferIds: trace.transferIds,
      trace: { ...trace, feeRate: String(feeRate) },
    };
  }

  return {
    feeAssetCode: feeAsset,
    /** So that one fee bump is paid for too. */
    async estimateFee(): Promise<NetworkFee> {
      const { feeRate, ...terms } = await api.terms();
      return { assetCode: feeAsset, units: 2n * feeRateOf({ ...terms, feeRate: feeRate * bumpFactor }) };
    },
    prepare,
    async housekeeping(context) {
      if (context.now.getTime() < nextLookAt) return [];
      const house = await stellarHousekeeping(wallet, findWaitingBalance, context);
      // Nothing to do, or not enough to do it with: neither changes from one second to the next.
      if (house !== 'busy' && house.step === null) nextLookAt = context.now.getTime() + quietMs;
      if (house === 'busy') return [];
      if (house.lacks) throw house.lacks;
      return house.step ? [house.step] : [];
    },

    async broadcast({ raw, txHash, trace }) {
      const refusal = await api.submit(raw);
      if (!refusal) return;
      // tx_bad_seq is also what a transaction is told that happened already.
      if (await api.transaction((trace as StellarTrace).innerHash)) return;
      const names = await resultNames(refusal.resultXdr);
      throw new NetworkError(`Stellar refuses ${txHash}: ${names}.`, { isRetryable: !names.includes('BadAuth') });
    },
    replace,
  };
}

/** Those that may travel with the first: the same memo, because a transaction has one, and other recipients. */
function companions(first: OutgoingTransfer, others: readonly OutgoingTransfer[]): OutgoingTransfer[] {
  const recipients = new Set([accountOfAddress(first.address)]);
  return others
    .filter(({ address, memo, memoType, exchange, isIssue }) => {
      if (exchange || isIssue) return false; // Alone in their transactions.
      const recipient = accountOfAddress(address);
      if (memo !== first.memo || memoType !== first.memoType || recipients.has(recipient)) return false;
      recipients.add(recipient);
      return true;
    })
    .slice(0, operationsMax - 1);
}

/** Counts what a transaction spends while transfers are added to it, with a fee for each and one for the fee bump. */
function openPurse({ assetNames }: StellarWallet, standing: Standing, feeRate: bigint) {
  const spent = new Map<string, bigint>();
  let operations = 1n;
  const after = ({ assetCode, units }: OutgoingTransfer, code: string): bigint =>
    (spent.get(code) ?? 0n) +
    (code === assetCode ? units : 0n) +
    (code === feeAsset ? feeRate * (operations + 1n) : 0n);
  return {
    spent,
    hasEnoughFor: (transfer: OutgoingTransfer): boolean =>
      Array.from(standing.spendable).every(([code, held]) => after(transfer, code) <= held),
    /** Throws NotEnoughFunds. */
    pay(transfer: OutgoingTransfer): void {
      const name = assetNames.get(transfer.assetCode) ?? '';
      if (standing.own.lines.get(name)?.isAuthorized === false)
        throw new NotEnoughFunds(`The issuer of ${name} does not let our account send it.`);
      for (const code of new Set([transfer.assetCode, feeAsset]))
        assertAffordable(standing, code, after(transfer, code));
      spent.set(transfer.assetCode, (spent.get(transfer.assetCode) ?? 0n) + transfer.units);
      operations += 1n;
    },
  };
}
