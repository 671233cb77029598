/**
 * A transfer had arrived, the merchant was told so, and it came back. What came back is the merchant's again, in one
 * transaction with its entry and its event. The transfer is locked.
 */
import type { AssetCatalog } from '../catalog/asset-catalog.ts';
import type { Tx } from '../db/database.ts';
import { merchantAccount } from '../ledger/chart-of-accounts.ts';
import { lockBalances, postEntries } from '../ledger/ledger-store.ts';
import { assert } from '../lib/assert.ts';
import { sumOfComebacks, takeComebacks } from '../sending/comeback-store.ts';
import { tellOfTransfer } from './end-transfer.ts';
import { feeUnitsOf, type Transfer } from './transfer.ts';
import { cameBackEntry } from './transfer-entries.ts';
import { moveTransfer } from './transfer-store.ts';

type Deps = { readonly assets: AssetCatalog };

/**
 * One that came back whole has failed: what it was to do is not done. One that came back in part stays completed, and whoever
 * was told that it is completed is told again, with what came back.
 */
export async function creditComebacks(deps: Deps, tx: Tx, transfer: Transfer, now: Date): Promise<void> {
  const { units, reason } = sumOfComebacks(await takeComebacks(tx, transfer.id, now));
  if (units === 0n) return;
  await credit(tx, transfer, units, now);
  const back = { cameBackUnits: transfer.cameBackUnits + units, cameBackAt: now };
  if (back.cameBackUnits < transfer.units) {
    const lessened = await moveTransfer(tx, transfer, 'comeBackInPart', back);
    await tellOfTransfer(deps, tx, 'TRANSFER_COMPLETED', lessened, now);
    return;
  }
  const failure = { failure: cameBackText(reason), costUnits: feeUnitsOf(transfer) };
  const failed = await moveTransfer(tx, transfer, 'comeBack', { ...back, ...failure });
  await tellOfTransfer(deps, tx, 'TRANSFER_FAILED', failed, now);
}

const cameBackText = (reason: string | null): string =>
  reason === null ? 'It had arrived, and came back.' : `It had arrived, and came back: ${reason}`;

async function credit(tx: Tx, transfer: Transfer, units: bigint, now: Date): Promise<void> {
  const { merchantId, asset } = transfer;
  const receivable = merchantAccount(merchantId, 'receivable', asset);
  const balances = await lockBalances(tx, [merchantAccount(merchantId, 'available', asset), receivable]);
  const posted = await postEntries(tx, [cameBackEntry(transfer, units, -(balances.get(receivable) ?? 0n))], now);
  assert(posted.size === 1, 'what came back of a transfer had been booked before');
}
