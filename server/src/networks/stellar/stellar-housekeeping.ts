/** What must be done before we can receive and send: trustlines, channel accounts, balances that wait to be claimed. */
import type { xdr } from '@stellar/stellar-sdk';
import { NotEnoughFunds, type SendContext, type SignedTransaction } from '../port/sending.ts';
import type { FindWaitingBalance } from './find-waiting-balance.ts';
import { signDraft } from './stellar-envelope.ts';
import {
  amountText,
  assertAffordable,
  feeAsset,
  feeRateOf,
  loadSdk,
  readStanding,
  requireAccount,
  reserveOf,
  type Standing,
  type StellarWallet,
  useOf,
} from './stellar-wallet.ts';

type Step = {
  readonly note: string;
  readonly operations: readonly xdr.Operation[];
  /** Lumens for other accounts of ours, and lumens that stay here but can no longer be spent. */
  readonly reserves?: bigint;
  readonly locked?: bigint;
  readonly uses?: readonly string[];
};

const stepsAtOnce = 50;

/** `lacks`: what should be done cannot be paid. */
export type Housekeeping = 'busy' | { readonly step: SignedTransaction | null; readonly lacks?: NotEnoughFunds };

/** One step at a time, with the owner's own sequence number: the next step waits for it. */
export async function stellarHousekeeping(
  wallet: StellarWallet,
  findWaitingBalance: FindWaitingBalance,
  context: SendContext,
): Promise<Housekeeping> {
  const { owner } = wallet;
  const { sequence } = await requireAccount(wallet);
  if ((await context.used(useOf(owner.accountId, sequence + 1n))).length > 0) return 'busy';
  const standing = await readStanding(wallet, context);
  const { tip, terms } = standing;
  const step =
    (await missingTrustlines(wallet, standing)) ??
    (await poorChannels(wallet, standing)) ??
    (await waitingBalance(wallet, standing, context, findWaitingBalance));
  if (!step) return { step: null };
  const feeRate = feeRateOf(terms);
  const fee = feeRate * BigInt(step.operations.length + 1);
  try {
    assertAffordable(standing, feeAsset, (step.reserves ?? 0n) + (step.locked ?? 0n) + fee);
  } catch (error) {
    if (error instanceof NotEnoughFunds) return { step: null, lacks: error };
    throw error;
  }
  const signed = await signDraft(wallet, tip, {
    source: { signer: owner, sequence },
    operations: step.operations,
    feeRate,
    payoutIds: [],
    spends: new Map(),
    reserves: step.reserves ?? 0n,
    uses: step.uses ?? [],
    note: step.note,
  });
  return { step: signed };
}

async function missingTrustlines(wallet: StellarWallet, { own, terms }: Standing): Promise<Step | null> {
  const missing = [...wallet.assetNames.values()].filter((name) => name !== 'native' && !own.lines.has(name));
  if (missing.length === 0) return null;
  const { Asset, Operation } = await loadSdk();
  const operations = missing.map((name) => {
    const [code = '', issuer] = name.split(':');
    return Operation.changeTrust({ asset: new Asset(code, issuer), source: wallet.owner.accountId });
  });
  return { note: 'open a trustline', operations, locked: terms.baseReserve * BigInt(missing.length) };
}

/** A channel needs its reserve and nothing else: the owner pays the fees. */
async function poorChannels(wallet: StellarWallet, { channels, terms }: Standing): Promise<Step | null> {
  const { Asset, Operation } = await loadSdk();
  const source = wallet.owner.accountId;
  const operations: xdr.Operation[] = [];
  let reserves = 0n;
  for (const { accountId, state } of channels) {
    const needed = state ? reserveOf(state, terms.baseReserve) - state.lumens : 2n * terms.baseReserve;
    if (needed <= 0n) continue;
    const amount = amountText(needed);
    operations.push(
      state
        ? Operation.payment({ destination: accountId, asset: Asset.native(), amount, source })
        : Operation.createAccount({ destination: accountId, startingBalance: amount, source }),
    );
    reserves += needed;
    if (operations.length === stepsAtOnce) break;
  }
  return operations.length === 0 ? null : { note: 'open channel accounts', operations, reserves };
}

/** One at a time: if a payer takes a balance back at the same moment, the others must not fail with it. */
async function waitingBalance(
  { owner }: StellarWallet,
  standing: Standing,
  context: SendContext,
  find: FindWaitingBalance,
): Promise<Step | null> {
  const found = await find(standing, context);
  if (!found) return null;
  const { Operation } = await loadSdk();
  const operation = Operation.claimClaimableBalance({ balanceId: found.id, source: owner.accountId });
  return { note: 'claim a balance', operations: [operation], uses: [found.use] };
}
