/** One payout as an operation of the protocol, or the reason why it can never arrive. */
import type { xdr } from '@stellar/stellar-sdk';
import { type Payout, SendRefused } from '../port/sending.ts';
import { accountOfAddress, stellarAddressProblem } from './stellar-destination.ts';
import { amountText, loadSdk, ownAccounts, type StellarWallet, saidAmount } from './stellar-wallet.ts';

/** The operation that makes this payout, after everything that could make it fail was asked. */
export async function paymentFor(wallet: StellarWallet, payout: Payout, baseReserve: bigint): Promise<xdr.Operation> {
  const { Asset, Operation } = await loadSdk();
  const refuse = (why: string) => new SendRefused(payout.id, why);
  const problem = stellarAddressProblem(payout, ownAccounts(wallet));
  if (problem !== null) throw refuse(problem);
  const name = wallet.assetNames.get(payout.assetCode);
  if (name === undefined) throw refuse(`${payout.assetCode} is not sent on Stellar.`);
  const [code = '', issuer] = name.split(':');
  const id = accountOfAddress(payout.address) ?? '';
  const recipient = await wallet.api.account(id);
  const source = wallet.owner.accountId;
  const amount = amountText(payout.units);
  if (!recipient) {
    if (issuer !== undefined) throw refuse(`There is no account ${id} on Stellar: it must be opened first.`);
    if (id !== payout.address) throw refuse(`There is no account ${id} on Stellar, and an M… address opens none.`);
    if (payout.units < 2n * baseReserve)
      throw refuse(
        `There is no account ${id} on Stellar, and it takes ${saidAmount(2n * baseReserve)} XLM to open it.`,
      );
    return Operation.createAccount({ destination: id, startingBalance: amount, source });
  }
  // SEP-29: money without the memo that the recipient asks for would be lost to them. An M… address needs none.
  if (recipient.requiresMemo && payout.memo === null && id === payout.address)
    throw refuse(`The account ${id} takes no payment without a memo (SEP-29).`);
  if (issuer === undefined && recipient.lumensRoom < payout.units)
    throw refuse(`The account ${id} has no room for ${saidAmount(payout.units)} XLM: its own offers take it up.`);
  if (issuer !== undefined && issuer !== id) {
    const line = recipient.lines.get(name);
    if (!line) throw refuse(`The account ${id} has no trustline to ${code} of ${issuer}.`);
    if (!line.isAuthorized) throw refuse(`The issuer of ${code} has not authorised the account ${id} to hold it.`);
    if (line.room < payout.units)
      throw refuse(`The trustline of ${id} has no room for ${saidAmount(payout.units)} ${code}.`);
  }
  const asset = issuer === undefined ? Asset.native() : new Asset(code, issuer);
  return Operation.payment({ destination: payout.address, asset, amount, source });
}

/** The type of a memo was checked together with the address. */
export async function memoFor({ memo, memoType }: Payout) {
  if (memo === null) return undefined;
  const { Memo } = await loadSdk();
  if (memoType === 'id') return Memo.id(memo);
  if (memoType === 'hash') return Memo.hash(memo);
  return memoType === 'return' ? Memo.return(memo) : Memo.text(memo);
}
