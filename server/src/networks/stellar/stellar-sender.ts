/** Sends from the account on Stellar: up to a hundred payments in a transaction, over whichever channel is free. */
import { AllMustWait, demandWithinHeldFee } from '../held-fee.ts';
import { NetworkError } from '../port/connector.ts';
import {
  type NetworkFee,
  NotEnoughFunds,
  type OutgoingTransaction,
  type Payout,
  type SendContext,
  type Sender,
  SendRefused,
  type SignedTransaction,
} from '../port/sending.ts';
import { createBalanceFinder } from './find-waiting-balance.ts';
import { accountOfAddress } from './stellar-destination.ts';
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
/** How many recipients a node is asked about at the same time. */
const askedAtOnce = 10;
/** A ledger closes every five seconds: a transaction that twelve of them left out is stuck. */
const stuckAfterMs = 60_000;
/** For a transaction that waits in its queue, stellar-core accepts a fee bump only at ten times the fee. */
const bumpFactor = 10n;
/** How long we do not look again when all is well: each look asks about a dozen questions. */
const quietMs = 60_000;

export function createStellarSender(wallet: StellarWallet, minimumUnits: ReadonlyMap<string, bigint>): Sender {
  const { api } = wallet;
  const findWaitingBalance = createBalanceFinder(wallet, minimumUnits);
  let nextLookAt = 0;

  /** The oldest payout that can be sent now, and whatever fits with it: one that must wait does not stop the others. */
  async function prepare(payouts: readonly Payout[], context: SendContext): Promise<SignedTransaction> {
    const standing = await readStanding(wallet, context);
    const { free } = standing;
    if (!free) throw new NotEnoughFunds('All channel accounts are in use: a ledger must close first.');
    let waits: NotEnoughFunds | undefined;
    for (const [at, first] of payouts.entries()) {
      try {
        return first.exchange || first.isIssue
          ? await prepareAlone(first, standing, free)
          : await preparePayments(first, payouts.slice(at + 1), standing, { source: free, now: context.now });
      } catch (error) {
        if (!(error instanceof NotEnoughFunds)) throw error;
        waits ??= error;
      }
    }
    throw waits ? new AllMustWait(waits.message) : new Error('there is nothing to send');
  }

  async function prepareAlone(payout: Payout, standing: Standing, source: Source) {
    const draft = payout.exchange
      ? await exchangeDraft(wallet, standing, payout)
      : await issueDraft(wallet, standing, payout);
    const feeRate = feeRateOf(standing.terms);
    return signDraft(wallet, standing.tip, { ...draft, source, feeRate, payoutIds: [payout.id] });
  }

  async function preparePayments(
    first: Payout,
    others: readonly Payout[],
    standing: Standing,
    { source, now }: { readonly source: Source; readonly now: Date },
  ): Promise<SignedTransaction> {
    const { tip, terms } = standing;
    const feeRate = feeRateOf(terms);
    // Its own operation, and the fee bump as one more: what a payment alone pays.
    const ownFee = 2n * feeRate;
    demandWithinHeldFee(first, ownFee, now);
    const purse = openPurse(wallet, standing, feeRate);
    // Before we ask about the recipient: many payouts may be waiting for money.
    purse.pay(first);
    const operations = [await paymentFor(wallet, first, terms.baseReserve)];
    const carried = [first];
    const company = companions(
      first,
      others.filter(({ heldFee }) => heldFee === undefined || heldFee.units >= ownFee),
    );
    for (let at = 0; at < company.length; at += askedAtOnce) {
      const asked = company.slice(at, at + askedAtOnce).map(async (payout) => ({
        payout,
        // If it is refused now, it will be the first one later, and is told so then.
        operation: await paymentFor(wallet, payout, terms.baseReserve).catch((error: unknown) => {
          if (error instanceof SendRefused) return null;
          throw error;
        }),
      }));
      for (const { payout, operation } of await Promise.all(asked)) {
        if (!operation || !purse.hasEnoughFor(payout)) continue;
        purse.pay(payout);
        operations.push(operation);
        carried.push(payout);
      }
    }
    const memo = await memoFor(first);
    return signDraft(wallet, tip, {
      source,
      operations,
      feeRate,
      spends: purse.spent,
      payoutIds: carried.map(({ id }) => id),
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
      uses: transaction.uses,
      payoutIds: trace.transferIds,
      trace: { ...trace, feeRate: String(feeRate) },
    };
  }

  return {
    feeAssetCode: feeAsset,
    /** Enough to pay for one fee bump too. */
    async estimateFee(): Promise<NetworkFee> {
      const { feeRate, ...terms } = await api.terms();
      return { assetCode: feeAsset, units: 2n * feeRateOf({ ...terms, feeRate: feeRate * bumpFactor }) };
    },
    prepare,
    async housekeeping(context) {
      if (context.now.getTime() < nextLookAt) return [];
      const house = await stellarHousekeeping(wallet, findWaitingBalance, context);
      // Nothing to do, or not enough money to do it: neither changes within a second.
      if (house !== 'busy' && house.step === null) nextLookAt = context.now.getTime() + quietMs;
      if (house === 'busy') return [];
      if (house.lacks) throw house.lacks;
      return house.step ? [house.step] : [];
    },

    async broadcast({ raw, txHash, trace }) {
      const refusal = await api.submit(raw);
      if (!refusal) return;
      // A transaction that has happened already is answered with tx_bad_seq too.
      if (await api.transaction((trace as StellarTrace).innerHash)) return;
      const names = await resultNames(refusal.resultXdr);
      throw new NetworkError(`Stellar refuses ${txHash}: ${names}.`, { isRetryable: !names.includes('BadAuth') });
    },
    replace,
  };
}

/** Those that fit with the first: with the same memo, because a transaction has only one, and with other recipients. */
function companions(first: Payout, others: readonly Payout[]): Payout[] {
  const recipients = new Set([accountOfAddress(first.address)]);
  return others
    .filter(({ address, memo, memoType, exchange, isIssue }) => {
      if (exchange || isIssue) return false; // They have transactions for themselves.
      const recipient = accountOfAddress(address);
      if (memo !== first.memo || memoType !== first.memoType || recipients.has(recipient)) return false;
      recipients.add(recipient);
      return true;
    })
    .slice(0, operationsMax - 1);
}

/** Counts what a transaction spends while payouts are added to it, with a fee for each and one for the fee bump. */
function openPurse({ assetNames }: StellarWallet, standing: Standing, feeRate: bigint) {
  const spent = new Map<string, bigint>();
  let operations = 1n;
  const after = ({ assetCode, units }: Payout, code: string): bigint =>
    (spent.get(code) ?? 0n) +
    (code === assetCode ? units : 0n) +
    (code === feeAsset ? feeRate * (operations + 1n) : 0n);
  return {
    spent,
    hasEnoughFor: (payout: Payout): boolean =>
      Array.from(standing.spendable).every(([code, held]) => after(payout, code) <= held),
    /** Throws NotEnoughFunds. */
    pay(payout: Payout): void {
      const name = assetNames.get(payout.assetCode) ?? '';
      if (standing.own.lines.get(name)?.isAuthorized === false)
        throw new NotEnoughFunds(`The issuer of ${name} does not let our account send it.`);
      for (const code of new Set([payout.assetCode, feeAsset])) assertAffordable(standing, code, after(payout, code));
      spent.set(payout.assetCode, (spent.get(payout.assetCode) ?? 0n) + payout.units);
      operations += 1n;
    },
  };
}
