/**
 * Exchanges on Stellar's ledger, and the issue of our own tokens there. Each has a transaction for itself.
 *
 * An exchange never waits: if it cannot be had now at that price, or cannot be paid for, it is refused, and whoever
 * asked looks elsewhere. If it waited, it would hold up everybody else's payments.
 */
import { NotEnoughFunds, type Payout, SendRefused } from '../port/sending.ts';
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

/**
 * A path payment to ourselves: exactly so much is given, and if it would bring less than the least, nothing happens
 * (CAP-24).
 */
export async function exchangeDraft(wallet: StellarWallet, standing: Standing, payout: Payout): Promise<Part> {
  const { id, assetCode, units, exchange } = payout;
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
    sendAsset: assetOf(from),
    sendAmount: amountText(units),
    destAsset: assetOf(to),
    destMin: amountText(leastUnits),
    path: best.through.map(assetOf),
    destination: accountId,
    source: accountId,
  });
  return { operations: [operation], spends: new Map([[assetCode, units]]), exchangedFor: exchange.assetCode };
}

/** A payment by the issuer to our own account: the issuer can make as much as it likes. */
export async function issueDraft(wallet: StellarWallet, standing: Standing, payout: Payout): Promise<Part> {
  const { id, assetCode, units } = payout;
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
    destination: wallet.owner.accountId,
    asset: new Asset(code, issuerId),
    amount: amountText(units),
    source: issuerId,
  });
  return { operations: [operation], spends: new Map(), signer: issuer };
}
