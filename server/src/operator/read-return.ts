/**
 * Reads where money that nobody asked for shall go back to, checked as a transfer is, and asks the network what it takes for
 * that. Any asset that we hold there can go back, also one that nobody is asked to pay with.
 */
import { findAsset } from '../catalog/asset-catalog.ts';
import { present } from '../lib/assert.ts';
import { invalidRequest } from '../lib/errors.ts';
import { rescale } from '../money/amount.ts';
import type { Connector } from '../networks/port/connector.ts';
import { goesBackToPayer, networkAsset } from '../networks/port/definition.ts';
import type { Destination, NetworkAddress, Pricing } from '../networks/port/sending.ts';
import type { StockDeps } from '../venues/load-stock.ts';
import { networkFeeOf } from '../wallets/quote-transfer.ts';
import { addressProblems, type OrderDeps } from '../wallets/read-transfer-order.ts';
import { holdingFee } from '../watching/return-fee.ts';
import type { ReturnOrder } from '../watching/return-unmatched.ts';
import type { UnmatchedPayment } from '../watching/unmatched-store.ts';

export type ReadReturnDeps = OrderDeps & StockDeps;

export type ReturnWish = Omit<NetworkAddress, 'address'> & {
  /** Null: to where it came from. */
  readonly address: string | null;
  readonly feeUnits: bigint;
};

export type ReturnGoal = {
  readonly connector: Connector;
  readonly sender: Pricing;
  readonly destination: Destination;
  readonly feeUnits: bigint;
};

/** Where it goes and what is kept back, without a word from the network: it may be away while somebody signs. */
export async function readGoal(
  deps: OrderDeps,
  { id, network, units, sender: from, trace }: UnmatchedPayment,
  { address: given, memo, memoType, feeUnits }: ReturnWish,
): Promise<ReturnGoal> {
  const connector = deps.connectors.get(network);
  if (!connector?.sender) throw invalidRequest(`Nothing can be sent on ${network}: this service only receives there.`);
  const payer = goesBackToPayer(connector.network) ? payerToReturnTo(connector, given, trace) : null;
  const address = given ?? from ?? payer?.address ?? null;
  if (address === null) throw invalidRequest(`The sender of payment ${id} is not known: give an address.`);
  const destination = { address, memo, memoType, holder: payer?.holder ?? null };
  const problems = await addressProblems(deps.db, connector, destination);
  if (problems.length > 0) throw invalidRequest(problems);
  if (feeUnits < 0n || feeUnits >= units) throw invalidRequest('The fee must be less than the payment.');
  return { connector, sender: connector.sender, destination, feeUnits };
}

/** At banks money goes back only to the account that it came from, which an order that waits for its second signature names. */
function payerToReturnTo(
  { network, payerOf }: Connector,
  given: string | null,
  trace: UnmatchedPayment['trace'],
): Destination | null {
  const { account, problem } = payerOf?.(trace) ?? { account: null, problem: null };
  if (given !== null && given !== account?.address)
    throw invalidRequest(`On ${network.name} money goes back only to the account that it came from: give no address.`);
  if (account === null && network.holderNeeds !== undefined)
    throw invalidRequest(`${network.name} did not say who holds the account that it came from. ${byHand}`);
  // What only we lack, we can mend.
  if (problem !== null)
    throw invalidRequest(problem.about === 'ownAddress' ? problem.sentence : `${problem.sentence} ${byHand}`);
  return account;
}

const byHand =
  'Send it back in the portal of the bank, and say of what has left, when a statement shows it, that it took this payment back.';

/** The order, with where it goes. */
export type ReadReturn = Required<ReturnOrder> & { readonly destination: Destination };

export async function readReturn(
  deps: ReadReturnDeps,
  payment: UnmatchedPayment,
  wish: ReturnWish,
): Promise<ReadReturn> {
  const { connector, sender, destination, feeUnits } = await readGoal(deps, payment, wish);
  const asset = present(findAsset(deps.assets, payment.asset), `asset ${payment.asset}`);
  const { scale } = networkAsset(connector.network, asset.assetCode);
  const railUnits = rescale(payment.units - feeUnits, asset.ledgerScale, scale, 'down');
  const fee = await networkFeeOf(deps, { method: { connector, asset }, sender, railUnits, destination });
  const own = fee.asset.id === asset.id ? fee.units - feeUnits : fee.units;
  return { destination, feeUnits, holdFee: holdingFee(deps, { asset: fee.asset, units: own > 0n ? own : 0n }) };
}
