/**
 * Exchanges on Stellar's ledger, and tokens of our own that come into being there. Both are alone in their transaction.
 *
 * An exchange never waits: what cannot be had now at that price, or not be paid for, is refused, and whoever asked
 * looks elsewhere. Waiting, it would hold up everybody else's payments.
 */
import { NotEnoughFunds, type OutgoingTransfer, SendRefused } from '../port/sending.ts';
import type { Draft } from './stellar-envelope.ts';
import {
  amountText,
  assertAffordable,
  feeAsset,
  feeRateOf,
  loadSdk,
  type Standing,
  type StellarWallet,
  saidAmount,
} from './stellar-wallet.ts';

type Part = Pick<Draft, 'operations' | 'spends' | 'signer' | 'exchangedFor'>;

/** A path payment to ourselves: exactly so much is given, and less than the least undoes it all (CAP-24). */
export async function exchangeDraft(
  wallet: StellarWallet,
  standing: Standing,
  transfer: OutgoingTransfer,
): Promise<Part> {
  const { id, assetCode, units, exchange } = transfer;
  const refuse = (why: string) => new SendRefused(id, why);
  const [from, to] = [wallet.assetNames.get(assetCode), wallet.assetNames.get(exchange?.assetCode ?? '')];
  if (!exchange || from === undefined || to === undefined) throw refuse('This is not exchanged on Stellar.');
  const { leastUnits } = exchange;
  const line = standing.own.lines.get(to);
  if (to !== 'native' && line?.isAuthorized !== true) throw refuse(`We cannot hold ${to} on Stellar yet.`);
  try {
    const fee = 2n * feeRateOf(standing.terms);
    assertAffordable(standing, assetCode, units + (assetCode === feeAsset ? fee : 0n));
    assertAffordable(standing, feeAsset, fee);
  } catch (error) {
    throw error instanceof NotEnoughFunds ? refuse(error.message) : error;
  }
  const best = await wallet.api.bestPath(from, units, to);
  if (!best || best.units < leastUnits)
    throw refuse(
      `The market gives ${saidAmount(best?.units ?? 0n)} ${exchange.assetCode} for ${saidAmount(units)} ${assetCode}, ` +
        `but ${saidAmount(leastUnits)} are the least.`,
    );
  const { Asset, Operation } = await loadSdk();
  const assetOf = (name: string) => {
    const [code = '', issuer] = name.split(':');
    return issuer === undefined ? Asset.native() : new Asset(code, issuer);
  };
  const { accountId } = wallet.owner;
  const operation = Operation.pathPaymentStrictSend({
    ...{ sendAsset: assetOf(from), sendAmount: amountText(units), destAsset: assetOf(to) },
    ...{ destMin: amountText(leastUnits), path: best.through.map(assetOf), destination: accountId, source: accountId },
  });
  return { operations: [operation], spends: new Map([[assetCode, units]]), exchangedFor: exchange.assetCode };
}

/** A payment by the issuer to our own account: the issuer has as much as it likes. */
export async function issueDraft(wallet: StellarWallet, standing: Standing, transfer: OutgoingTransfer): Promise<Part> {
  const { id, assetCode, units } = transfer;
  const [code = '', issuerId] = (wallet.assetNames.get(assetCode) ?? '').split(':');
  const { issuer } = wallet;
  if (issuer === null || issuerId === undefined || issuer.accountId !== issuerId)
    throw new SendRefused(id, `We do not issue ${assetCode} on Stellar.`);
  const line = standing.own.lines.get(`${code}:${issuerId}`);
  if (!line) throw new NotEnoughFunds(`The trustline to our own ${assetCode} is not open yet.`);
  if (line.room < units) throw new SendRefused(id, `The trustline has no room for ${saidAmount(units)} ${assetCode}.`);
  if (!(await wallet.api.account(issuerId)))
    throw new SendRefused(id, `The issuing account ${issuerId} does not exist on Stellar: fund it first.`);
  assertAffordable(standing, feeAsset, 2n * feeRateOf(standing.terms));
  const { Asset, Operation } = await loadSdk();
  const operation = Operation.payment({
    ...{ destination: wallet.owner.accountId, asset: new Asset(code, issuerId) },
    ...{ amount: amountText(units), source: issuerId },
  });
  return { operations: [operation], spends: new Map(), signer: issuer };
}
