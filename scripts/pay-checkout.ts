/** Plays the customer in the sandbox: commits if necessary, pays, and waits until the service has seen it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CommitReply } from '@quittance/contract/checkout';
import { findCurrency } from '@quittance/server/catalog/currency-catalog';
import type { Checkout, CheckoutDossier, Commitment } from '@quittance/server/checkouts/checkout';
import { isAlive, isConfirmed } from '@quittance/server/checkouts/checkout-state';
import type { Db } from '@quittance/server/db/database';
import { present } from '@quittance/server/lib/assert';
import { apiSecretContext } from '@quittance/server/lib/encryption';
import { findCredentials, listKeys } from '@quittance/server/merchants/api-key-store';
import { proportion, rescale } from '@quittance/server/money/amount';
import { registeredNetworks } from '@quittance/server/networks/registry';
import { createApiClient } from './api-client.ts';
import { findDossierByWord } from './checkout-report.ts';
import { CommandError } from './command-line.ts';
import type { Installation } from './installation.ts';
import { openSandboxChain } from './sandbox-chain.ts';
import { amountText, assetCode, ledgerScale } from './text-table.ts';

/** Watcher and worker each look about once a second. */
const patienceMs = 60_000;
const pollMs = 100;

/** What the sandbox's bank was told to do with the next payment is done: nothing went wrong. */
const bankHint =
  ' After `bank late` it is booked in some days, or now by `bank book`; after `bank mangle` it may have matched nobody: `suspense list`.';

export type PayWish = {
  readonly amount?: string | undefined;
  readonly network?: string | undefined;
  readonly asset?: string | undefined;
  readonly isConfirmed: boolean;
};

export type Paid = {
  readonly checkoutId: string;
  readonly state: string;
  readonly exceptions: readonly string[];
  readonly network: string;
  readonly address: string;
  readonly amount: string;
  readonly assetCode: string;
  readonly txid: string;
};

type Deps = { readonly db: Db; readonly installation: Installation };

export async function payCheckout(deps: Deps, idOrLatest: string, wish: PayWish): Promise<Paid> {
  const { db, installation } = deps;
  const before = await findDossierByWord(db, idOrLatest);
  const { checkout } = before;
  const network = await chooseNetwork(installation, before, wish.network);
  const chain = await openSandboxChain(installation, network);
  const wanted = { network, asset: wish.asset?.toUpperCase() };
  const dossier = findCommitment(before, wanted) ? before : await commit(deps, checkout, wanted);
  const commitment = present(findCommitment(dossier, wanted), 'commitment');

  const amount = wish.amount ?? missingAmount(dossier, commitment);
  const code = assetCode(commitment.asset);
  const txid = await chain.pay({ address: commitment.address, amount, asset: code, memo: commitment.memo });
  const known = new Set(dossier.payments.map((payment) => payment.id));
  const what = { name: `payment ${txid}`, hint: namesLater(network) ? bankHint : '' };
  const seen = await waitFor(db, checkout.id, what, (now) =>
    now.payments.find((payment) => payment.txHash === txid || (namesLater(network) && !known.has(payment.id))),
  );
  // On a network without unconfirmed payments it is confirmed as soon as it is seen.
  if (wish.isConfirmed && !isConfirmed(seen)) await chain.mine(seen.confirmationsRequired);

  // After the payment is seen or booked, the checkout follows in a transaction of its own, a moment later.
  const isNoticed = (now: CheckoutDossier): boolean => {
    const payment = now.payments.find(({ id }) => id === seen.id);
    if (payment === undefined) return false;
    return wish.isConfirmed
      ? isConfirmed(payment) && payment.place !== 'none' && now.checkout.awaitsBridgeSince === null
      : now.checkout.state !== dossier.checkout.state || now.checkout.exceptions.length > 0;
  };
  const after = await waitFor(db, checkout.id, what, (now) => (isNoticed(now) ? now.checkout : undefined));
  const { state, exceptions } = after;
  return {
    checkoutId: checkout.id,
    state,
    exceptions,
    network,
    address: commitment.address,
    amount,
    assetCode: code,
    txid,
  };
}

/** A bank's own name of a payment is not the one by which the service knows it: that is made of all that is told of it. */
export const namesLater = (id: string): boolean =>
  registeredNetworks.some(({ identity }) => identity.id === id && identity.type === 'BANK' && !identity.hasInvoices);

/** A network, and one of its assets unless any will do. */
type Wanted = { readonly network: string; readonly asset: string | undefined };

const findCommitment = ({ commitments }: CheckoutDossier, { network, asset }: Wanted): Commitment | undefined =>
  commitments.findLast((each) => each.network === network && (asset === undefined || assetCode(each.asset) === asset));

/** What the payer asked for, otherwise the last commitment, otherwise the first method on a chain of the sandbox. */
async function chooseNetwork(
  installation: Installation,
  { checkout, commitments }: CheckoutDossier,
  wanted: string | undefined,
): Promise<string> {
  if (wanted !== undefined) return wanted.toUpperCase();
  const committed = commitments.at(-1);
  if (committed) return committed.network;
  const chains = await installation.sandboxChains();
  const offered = checkout.quotes.find(({ network }) => chains.has(network));
  if (offered) return offered.network;
  throw new CommandError(`Checkout ${checkout.id} offers nothing that can be paid on a chain of the sandbox.`);
}

/** A person made it: any key of the account that may charge will do. */
async function chargingKey(db: Db, merchantId: string): Promise<string> {
  const keys = await listKeys(db, merchantId);
  const key = keys.find(({ revokedAt, scopes }) => revokedAt === null && scopes.includes('charge'));
  if (!key) throw new CommandError('The account has no API key in use: pay on the page, or make a key first.');
  return key.apiKey;
}

/** Through the API, as the checkout's own merchant. */
async function commit({ db, installation }: Deps, checkout: Checkout, wanted: Wanted): Promise<CheckoutDossier> {
  const [{ baseUrl }, encryption, stored] = await Promise.all([
    installation.openAccess(),
    installation.openEncryption(),
    findCredentials(db, { key: checkout.apiKey ?? (await chargingKey(db, checkout.merchantId)) }),
  ]);
  if (!stored)
    throw new CommandError(`The key ${checkout.apiKey ?? ''}, which made this checkout, is no longer in use.`);
  const apiSecret = encryption.decrypt(stored.secret, apiSecretContext(stored.apiKey));
  const api = createApiClient({ baseUrl, apiKey: stored.apiKey, apiSecret });
  await api.post<CommitReply>('/checkout/commit', { checkoutId: checkout.id, ...wanted });
  return findDossierByWord(db, checkout.id);
}

/** What is missing after all payments on their way, each counted as its part of the full price of its commitment. */
function missingAmount({ commitments, payments }: CheckoutDossier, commitment: Commitment): string {
  let missing = commitment.dueUnits;
  for (const payment of payments.filter(isAlive)) {
    const paidFor = commitments.find(({ id }) => id === payment.commitmentId);
    if (paidFor) missing -= proportion(payment.units, commitment.dueUnits, paidFor.dueUnits, 'down');
  }
  if (missing <= 0n) throw new CommandError('Nothing is due any more: say --amount to pay all the same.');
  return amountText(inWholeCents(missing, commitment.asset), commitment.asset);
}

/** A part paid in coins leaves a rest that no bank can transfer to the last digit: it is asked for rounded up. */
function inWholeCents(units: bigint, asset: string): bigint {
  const currency = findCurrency(assetCode(asset));
  const scale = ledgerScale(asset);
  if (currency?.type !== 'FIAT') return units;
  return rescale(rescale(units, scale, currency.decimals, 'up'), currency.decimals, scale, 'up');
}

async function waitFor<T>(
  db: Db,
  checkoutId: string,
  what: { readonly name: string; readonly hint: string },
  find: (dossier: CheckoutDossier) => T | undefined,
): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const dossier = await findDossierByWord(db, checkoutId);
    const found = find(dossier);
    if (found !== undefined) return found;
    if (performance.now() > deadline)
      throw new CommandError(
        `The service has not noticed ${what.name} within ${patienceMs / 1000} seconds: the checkout is ${dossier.checkout.state}.${what.hint}`,
      );
    await sleep(pollMs);
  }
}
