/** One transfer as an operation of the protocol, or the reason why it can never arrive. */
import type { xdr } from '@stellar/stellar-sdk';
import { type OutgoingTransfer, SendRefused } from '../port/sending.ts';
import { accountOfAddress, stellarAddressProblem } from './stellar-address.ts';
import { amountText, loadSdk, ownAccounts, type StellarWallet, saidAmount } from './stellar-wallet.ts';

/** The operation that makes this transfer, after everything that could make it fail was asked. */
export async function paymentFor(
  wallet: StellarWallet,
  transfer: OutgoingTransfer,
  baseReserve: bigint,
): Promise<xdr.Operation> {
  const { Asset, Operation } = await loadSdk();
  const refuse = (why: string) => new SendRefused(transfer.id, why);
  const problem = stellarAddressProblem(transfer, ownAccounts(wallet));
  if (problem !== null) throw refuse(problem);
  const name = wallet.assetNames.get(transfer.assetCode);
  if (name === undefined) throw refuse(`${transfer.assetCode} is not sent on Stellar.`);
  const [code = '', issuer] = name.split(':');
  const id = accountOfAddress(transfer.address) ?? '';
  const recipient = await wallet.api.account(id);
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
  if (issuer === undefined && recipient.lumensRoom < transfer.units)
    throw refuse(`The account ${id} has no room for ${saidAmount(transfer.units)} XLM: its own offers take it up.`);
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

/** Types of memos were checked with the address. */
export async function memoFor({ memo, memoType }: OutgoingTransfer) {
  if (memo === null) return undefined;
  const { Memo } = await loadSdk();
  if (memoType === 'id') return Memo.id(memo);
  if (memoType === 'hash') return Memo.hash(memo);
  return memoType === 'return' ? Memo.return(memo) : Memo.text(memo);
}
