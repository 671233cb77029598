/** What must be done to be able to receive and to send: trustlines, channel accounts, balances that wait to be claimed. */
import type { xdr } from '@stellar/stellar-sdk';
import type { SendContext, SignedTransaction } from '../port.ts';
import { canClaimAt } from './claim-condition.ts';
import {
  amountText,
  assertAffordable,
  claimOf,
  feeAsset,
  feeRateOf,
  loadSdk,
  readStanding,
  reserveOf,
  type Standing,
  type StellarWallet,
  signDraft,
} from './stellar-wallet.ts';

type Step = {
  readonly note: string;
  readonly operations: readonly xdr.Operation[];
  /** Lumens given away, and lumens that must be there because they are locked. */
  readonly lumens: bigint;
  readonly locked?: bigint;
  readonly claims?: readonly string[];
};

const stepsAtOnce = 50;
const claimSeconds = 15;

/** One step at a time, on the owner's own sequence number: the next one waits for it. */
export async function stellarHousekeeping(
  wallet: StellarWallet,
  minimumUnits: ReadonlyMap<string, bigint>,
  context: SendContext,
): Promise<SignedTransaction | null> {
  const { owner } = wallet;
  const standing = await readStanding(wallet, context);
  const { own, tip, terms } = standing;
  const isBusy = (await context.claimed(claimOf(owner.accountId, own.sequence + 1n))).length > 0;
  if (isBusy) return null;
  const step =
    (await missingTrustlines(wallet, standing)) ??
    (await poorChannels(wallet, standing)) ??
    (await waitingBalance(wallet, standing, minimumUnits, context));
  if (!step) return null;
  const feeRate = feeRateOf(terms);
  const fee = feeRate * BigInt(step.operations.length + 1);
  assertAffordable(standing, feeAsset, step.lumens + (step.locked ?? 0n) + fee);
  return signDraft(wallet, tip, {
    source: { signer: owner, sequence: own.sequence },
    operations: step.operations,
    feeRate,
    transferIds: [],
    spends: new Map([[feeAsset, step.lumens]]),
    claims: step.claims ?? [],
    note: step.note,
  });
}

async function missingTrustlines(wallet: StellarWallet, { own, terms }: Standing): Promise<Step | null> {
  const missing = [...wallet.assetNames.values()].filter((name) => name !== 'native' && !own.lines.has(name));
  if (missing.length === 0) return null;
  const { Asset, Operation } = await loadSdk();
  const operations = missing.map((name) => {
    const [code = '', issuer] = name.split(':');
    return Operation.changeTrust({ asset: new Asset(code, issuer), source: wallet.owner.accountId });
  });
  return { note: 'open a trustline', operations, lumens: 0n, locked: terms.baseReserve * BigInt(missing.length) };
}

/** A channel needs its reserve and nothing else: the owner pays the fees. */
async function poorChannels(wallet: StellarWallet, { channels, terms }: Standing): Promise<Step | null> {
  const { Asset, Operation } = await loadSdk();
  const source = wallet.owner.accountId;
  const operations: xdr.Operation[] = [];
  let lumens = 0n;
  for (const { accountId, state } of channels) {
    const needed = state ? reserveOf(state, terms.baseReserve) - state.lumens : 2n * terms.baseReserve;
    if (needed <= 0n) continue;
    const amount = amountText(needed);
    operations.push(
      state
        ? Operation.payment({ destination: accountId, asset: Asset.native(), amount, source })
        : Operation.createAccount({ destination: accountId, startingBalance: amount, source }),
    );
    lumens += needed;
    if (operations.length === stepsAtOnce) break;
  }
  return operations.length === 0 ? null : { note: 'open channel accounts', operations, lumens };
}

/**
 * One at a time: a balance that its payer takes back in the same moment must not fail the others. One that failed is
 * left alone for a day, because its claim stays used so long.
 */
async function waitingBalance(
  wallet: StellarWallet,
  { own, tip }: Standing,
  minimumUnits: ReadonlyMap<string, bigint>,
  context: SendContext,
): Promise<Step | null> {
  const seconds = tip.closedAt.getTime() / 1000;
  for (const [code, name] of wallet.assetNames) {
    const line = own.lines.get(name);
    for (const balance of await wallet.api.waitingFor(wallet.owner.accountId, name)) {
      const ours = balance.claimants.find(({ destination }) => destination === wallet.owner.accountId);
      const isWorthIt = balance.units >= (minimumUnits.get(code) ?? 0n);
      const hasRoom = name === 'native' || (line?.isAuthorized === true && line.room >= balance.units);
      const isOpen = [seconds, seconds + claimSeconds].every((at) => ours && canClaimAt(ours.predicate, at));
      if (!isWorthIt || !hasRoom || !isOpen) continue;
      const claim = `balance:${balance.id}`;
      if ((await context.claimed(claim)).length > 0) continue;
      const { Operation } = await loadSdk();
      const operation = Operation.claimClaimableBalance({ balanceId: balance.id, source: wallet.owner.accountId });
      return { note: 'claim a balance', operations: [operation], lumens: 0n, claims: [claim] };
    }
  }
  return null;
}
