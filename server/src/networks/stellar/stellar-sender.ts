/** Money out of the account on Stellar: payments, up to a hundred in a transaction, over whichever channel is free. */
import type { xdr } from '@stellar/stellar-sdk';
import {
  NetworkError,
  type NetworkFee,
  NotEnoughFunds,
  type OutgoingTransaction,
  type OutgoingTransfer,
  type SendContext,
  type Sender,
  SendRefused,
  type SignedTransaction,
} from '../port.ts';
import { accountOfAddress, stellarAddressProblem } from './stellar-address.ts';
import { exchangeDraft, issueDraft } from './stellar-exchange.ts';
import { resultNames } from './stellar-fate.ts';
import { stellarHousekeeping } from './stellar-housekeeping.ts';
import {
  amountText,
  assertAffordable,
  bump,
  feeAsset,
  feeRateMax,
  feeRateOf,
  loadSdk,
  readStanding,
  type StellarTrace,
  type StellarWallet,
  saidAmount,
  signDraft,
} from './stellar-wallet.ts';

const operationsMax = 100;
/** A ledger closes every five seconds: what ten of them left out is stuck. */
const stuckAfterMs = 60_000;
/** stellar-core takes a fee bump for one that waits in its queue only at ten times the fee. */
const bumpFactor = 10n;
/** How long nobody looks again when all is well: a dozen questions are asked each time. */
const quietMs = 60_000;

export function createStellarSender(wallet: StellarWallet, minimumUnits: ReadonlyMap<string, bigint>): Sender {
  const { api } = wallet;
  let nextLookAt = 0;
  const ownAccounts = [wallet.owner, ...wallet.channels].map(({ accountId }) => accountId);

  /** The operation that makes this transfer, after everything that could make it fail was asked. */
  async function paymentFor(transfer: OutgoingTransfer, baseReserve: bigint): Promise<xdr.Operation> {
    const { Asset, Operation } = await loadSdk();
    const refuse = (why: string) => new SendRefused(transfer.id, why);
    const problem = stellarAddressProblem(transfer, ownAccounts);
    if (problem !== null) throw refuse(problem);
    const name = wallet.assetNames.get(transfer.assetCode);
    if (name === undefined) throw refuse(`${transfer.assetCode} is not sent on Stellar.`);
    const [code = '', issuer] = name.split(':');
    const id = accountOfAddress(transfer.address) ?? '';
    const recipient = await api.account(id);
    const source = wallet.owner.accountId;
    const amount = amountText(transfer.units);
    if (!recipient) {
      if (issuer !== undefined) throw refuse(`There is no account ${id} on Stellar: it must be opened first.`);
      if (id !== transfer.address) throw refuse(`There is no account ${id} on Stellar, and an M… address opens none.`);
      if (transfer.units < 2n * baseReserve)
        throw refuse(
          `There is no account ${id} on Stellar, and it takes ${saidAmount(2n * baseReserve)} XLM to open it.`,
        );
      return Operation.createAccount({ destination: id, startingBalance: amount, source });
    }
    // SEP-29: money without the memo that its owner asks for would be lost to them. An M… address needs none.
    if (recipient.requiresMemo && transfer.memo === null && id === transfer.address)
      throw refuse(`The account ${id} takes no payment without a memo (SEP-29).`);
    if (issuer !== undefined && issuer !== id) {
      const line = recipient.lines.get(name);
      if (!line) throw refuse(`The account ${id} has no trustline to ${code} of ${issuer}.`);
      if (!line.isAuthorized) throw refuse(`The issuer of ${code} has not authorised the account ${id} to hold it.`);
      if (line.room < transfer.units)
        throw refuse(`The trustline of ${id} has no room for ${saidAmount(transfer.units)} ${code}.`);
    }
    const asset = issuer === undefined ? Asset.native() : new Asset(code, issuer);
    return Operation.payment({ destination: transfer.address, asset, amount, source });
  }

  /** Those that may travel with the first: the same memo, because a transaction has one, and other recipients. */
  function companions(first: OutgoingTransfer, others: readonly OutgoingTransfer[]): OutgoingTransfer[] {
    const recipients = new Set([accountOfAddress(first.address)]);
    return others
      .filter(({ address, memo, memoType, exchange, isIssue }) => {
        if (exchange || isIssue) return false;
        const recipient = accountOfAddress(address);
        if (memo !== first.memo || memoType !== first.memoType || recipients.has(recipient)) return false;
        recipients.add(recipient);
        return true;
      })
      .slice(0, operationsMax - 1);
  }

  async function prepare(transfers: readonly OutgoingTransfer[], context: SendContext): Promise<SignedTransaction> {
    const [first, ...others] = transfers;
    if (!first) throw new Error('there is nothing to send');
    const standing = await readStanding(wallet, context);
    const { own, tip, terms, free } = standing;
    const feeRate = feeRateOf(terms);
    if (first.exchange || first.isIssue) {
      if (!free) throw new NotEnoughFunds('All channel accounts are in use: a ledger must close first.');
      const draft = first.exchange
        ? await exchangeDraft(wallet, standing, first)
        : await issueDraft(wallet, standing, first);
      return signDraft(wallet, tip, { ...draft, source: free, feeRate, transferIds: [first.id] });
    }
    const operations = [await paymentFor(first, terms.baseReserve)];
    if (!free) throw new NotEnoughFunds('All channel accounts are in use: a ledger must close first.');
    const name = wallet.assetNames.get(first.assetCode) ?? '';
    if (name !== 'native' && own.lines.get(name)?.isAuthorized === false)
      throw new NetworkError(`The issuer of ${name} does not let our account send it.`, { isRetryable: false });

    const spends = new Map<string, bigint>();
    const fits = ({ assetCode, units }: OutgoingTransfer): boolean => {
      const after = new Map(spends).set(assetCode, (spends.get(assetCode) ?? 0n) + units);
      const fee = feeRate * BigInt(operations.length + 2);
      return Array.from(standing.spendable).every(
        ([code, held]) => (after.get(code) ?? 0n) + (code === feeAsset ? fee : 0n) <= held,
      );
    };
    const spend = ({ assetCode, units }: OutgoingTransfer) =>
      spends.set(assetCode, (spends.get(assetCode) ?? 0n) + units);
    assertAffordable(standing, first.assetCode, first.units + (first.assetCode === feeAsset ? 2n * feeRate : 0n));
    assertAffordable(standing, feeAsset, 2n * feeRate);
    spend(first);

    const carried = [first];
    const drafts = await Promise.all(
      companions(first, others).map(async (transfer) => ({
        transfer,
        // One that is refused now is the first one day, and told so then.
        operation: await paymentFor(transfer, terms.baseReserve).catch((error: unknown) => {
          if (error instanceof SendRefused) return null;
          throw error;
        }),
      })),
    );
    for (const { transfer, operation } of drafts) {
      if (!operation || !fits(transfer)) continue;
      spend(transfer);
      operations.push(operation);
      carried.push(transfer);
    }
    const memo = await memoOf(first);
    return signDraft(wallet, tip, {
      ...{ source: free, operations, feeRate, spends, transferIds: carried.map(({ id }) => id) },
      ...(memo && { memo }),
    });
  }

  async function replace(transaction: OutgoingTransaction, context: SendContext): Promise<SignedTransaction | null> {
    const trace = transaction.trace as StellarTrace;
    if (transaction.block || context.now.getTime() - transaction.signedAt.getTime() < stuckAfterMs) return null;
    const feeRate = BigInt(trace.feeRate) * bumpFactor;
    if (feeRate > feeRateMax) return null;
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
    async estimateFee(): Promise<NetworkFee> {
      return { assetCode: feeAsset, units: 2n * feeRateOf(await api.terms()) };
    },
    prepare,
    async housekeeping(context) {
      if (context.now.getTime() < nextLookAt) return null;
      const house = await stellarHousekeeping(wallet, minimumUnits, context);
      // Nothing to do, or not enough to do it with: neither changes from one second to the next.
      if (house !== 'busy' && house.step === null) nextLookAt = context.now.getTime() + quietMs;
      if (house === 'busy') return null;
      if (house.lacks) throw house.lacks;
      return house.step;
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

async function memoOf({ memo, memoType }: OutgoingTransfer) {
  const { Memo } = await loadSdk();
  if (memo === null) return null;
  if (memoType === 'id') return Memo.id(memo);
  if (memoType === 'hash') return Memo.hash(memo);
  return memoType === 'return' ? Memo.return(memo) : Memo.text(memo);
}
