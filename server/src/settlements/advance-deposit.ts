/**
 * Carries out what is due on a custom deposit, in one transaction under its lock: ledger entries, credits, state,
 * events and the jobs that deliver them commit together or not at all. Running it twice does nothing the second time.
 */
import type { Db, Tx } from '../db/database.ts';
import type { DepositDossier } from '../deposits/custom-deposit.ts';
import {
  type DepositRecordDeps,
  depositPaymentRecord,
  depositRecord,
  paymentsInEvent,
} from '../deposits/custom-deposit-record.ts';
import { lockDeposit, saveDeposit, saveDepositCredits } from '../deposits/custom-deposit-store.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { merchantAccount } from '../ledger/chart-of-accounts.ts';
import { lockBalances, postEntries } from '../ledger/ledger-store.ts';
import { assert, present } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import { findAgreedFees } from '../merchants/merchant-store.ts';
import { type PlacedPayment, placePayments } from '../payments/payment-decision-store.ts';
import { type NewEvent, recordEvents } from '../webhooks/record-event.ts';
import { settlementTerms, type TermsDeps } from './advance-checkout.ts';
import type { MerchantBalances } from './merchant-purse.ts';
import { changesBalance, type DepositPlan, planDeposit } from './plan-deposit.ts';

export async function advanceDeposit(
  deps: TermsDeps & { readonly db: Db; readonly clock: Clock },
  { merchantId, depositId }: { readonly merchantId: string; readonly depositId: string },
): Promise<void> {
  const now = deps.clock.now();
  await deps.db.begin(async (tx) => {
    const before = await lockDeposit(tx, { merchantId, id: depositId });
    if (!before) return;
    const agreed = (await findAgreedFees(tx, [merchantId])).get(merchantId);
    const plan = planDeposit(before, settlementTerms(deps, agreed), await lockMerchantBalances(tx, before), now);
    const { deposit, payments } = plan.after;
    const changed = payments.filter((payment, position) => payment !== before.payments[position]);
    const payload = { merchantId, depositId };
    const [posted] = await Promise.all([
      postEntries(tx, plan.entries, now),
      saveDeposit(tx, deposit, before.deposit.state),
      placePayments(tx, placedBy(before, plan)),
      saveDepositCredits(tx, deposit, changed),
      recordEvents(tx, eventsOf(deps, plan, now)),
      enqueue(tx, plan.lookAgainAt ? [{ name: 'deposit.advance', payload, runAt: plan.lookAgainAt }] : []),
    ]);
    // The deposit is locked and every booking has a number of its own, so none of these can have been posted before.
    assert(posted.size === plan.entries.length, 'an entry of this deposit had already been posted');
  });
}

const placedBy = ({ deposit, payments }: DepositDossier, { after }: DepositPlan): PlacedPayment[] =>
  payments.flatMap(({ id, place: from, generation: before }, position) => {
    const { place, generation } = present(after.payments[position], 'the payment afterwards');
    const isMoved = place !== from || generation !== before;
    return isMoved ? [{ merchantId: deposit.merchantId, ownerId: deposit.id, id, from, place, generation }] : [];
  });

async function lockMerchantBalances(tx: Tx, { deposit, payments }: DepositDossier): Promise<MerchantBalances> {
  const assets = [...new Set(payments.filter(changesBalance).map(({ asset }) => asset))];
  const account = (purpose: 'available' | 'receivable', asset: string) =>
    merchantAccount(deposit.merchantId, purpose, asset);
  const accounts = assets.flatMap((asset) => [account('available', asset), account('receivable', asset)]);
  const books = accounts.length === 0 ? new Map<string, bigint>() : await lockBalances(tx, accounts);
  return {
    available: new Map(assets.map((asset) => [asset, books.get(account('available', asset)) ?? 0n])),
    owed: new Map(assets.map((asset) => [asset, -(books.get(account('receivable', asset)) ?? 0n)])),
  };
}

const eventsOf = (deps: DepositRecordDeps, { events }: DepositPlan, at: Date): NewEvent[] =>
  events.map(({ type, dossier, payment }) => ({
    merchantId: dossier.deposit.merchantId,
    // Each payment is a subject of its own: news of one never supersedes news of another.
    subject: payment.id,
    type,
    data: {
      deposit: depositRecord(deps, dossier, paymentsInEvent),
      payment: depositPaymentRecord(deps, dossier, payment),
    },
    webhook: dossier.deposit.webhook,
    apiKey: dossier.deposit.apiKey,
    at,
  }));
