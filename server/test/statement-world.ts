/** Accounts with histories that are posted as the slices post them, on a database without a service. */
import assert from 'node:assert/strict';
import { createAssetCatalog } from '../src/catalog/asset-catalog.ts';
import { chainWallet, merchantAccount, operatorAccount } from '../src/ledger/chart-of-accounts.ts';
import type { Entry, EntryKind } from '../src/ledger/entry.ts';
import { postEntries } from '../src/ledger/ledger-store.ts';
import { createEncryption } from '../src/lib/encryption.ts';
import { newId } from '../src/lib/ids.ts';
import { changeSettings } from '../src/merchants/change-settings.ts';
import { createMerchant } from '../src/merchants/create-merchant.ts';
import type { Merchant } from '../src/merchants/merchant.ts';
import { findMerchant } from '../src/merchants/merchant-store.ts';
import { testIssuer } from './gateway.ts';
import { createTestDatabase } from './test-database.ts';

export const start = Date.parse('2025-12-20T00:00:00Z');
export const now = new Date('2026-05-03T12:00:00Z');
export const clock = { now: () => now };
export const encryption = createEncryption(Buffer.alloc(32, 9));
export const assets = createAssetCatalog({
  issuerAccount: testIssuer,
  issuerName: '',
  issuerDomain: '',
  issuerAddress: '',
});
const idOf = (code: string): string => assets.byIdOrCode.get(code)?.id ?? '';
export const [btc, usdc, ltc] = [idOf('BTC'), idOf('USDC'), idOf('LTC')];

/** `cost`: what a network took, which is no fee of the service. */
type Moved = Partial<Record<'available' | 'receivable' | 'reserved' | 'pending' | 'fee' | 'cost', bigint>>;
/** What each kind of entry does, in the form that the slices post it. */
export const forms = {
  settlement: (units: bigint): Moved => ({ available: units, fee: units / 200n, pending: -units }),
  settlement_reversed: (units: bigint): Moved => ({ available: -units, fee: -(units / 200n), pending: units }),
  payment_received: (units: bigint): Moved => ({ pending: units }),
  payment_reversed: (units: bigint): Moved => ({ available: -units / 2n, receivable: -(units - units / 2n) }),
  transfer_reserved: (units: bigint): Moved => ({ available: -units, reserved: units }),
  transfer_sent: (units: bigint): Moved => ({ reserved: -units, fee: units / 50n }),
  transfer_released: (units: bigint): Moved => ({ reserved: -units, available: units - units / 9n, fee: units / 9n }),
  refund_sent: (units: bigint): Moved => ({ reserved: -units, cost: units / 40n }),
  refund_returned: (units: bigint): Moved => ({ reserved: -units, available: units - units / 9n, cost: units / 9n }),
  refund_held: (units: bigint): Moved => ({ available: -units, reserved: units }),
  transfer_came_back: (units: bigint): Moved => ({ available: units }),
  refund_came_back: (units: bigint): Moved => ({ available: units / 2n, receivable: units - units / 2n }),
  deposit_credited: (units: bigint): Moved => ({ available: units, pending: -units }),
  excess_accepted: (units: bigint): Moved => ({ available: units / 2n, receivable: units - units / 2n, fee: 1n }),
} as const satisfies Partial<Record<EntryKind, (units: bigint) => Moved>>;
export const kinds = Object.keys(forms) as (keyof typeof forms)[];
const subjects: Partial<Record<EntryKind, Entry['subject']['kind']>> = {
  transfer_reserved: 'transfer',
  transfer_sent: 'transfer',
  transfer_released: 'transfer',
  transfer_came_back: 'transfer',
  refund_held: 'refund',
  refund_sent: 'refund',
  refund_returned: 'refund',
  refund_came_back: 'refund',
  deposit_credited: 'deposit',
};

export function entryOf(merchantId: string, kind: keyof typeof forms, moved: Moved, asset: string): Entry {
  const { fee = 0n, cost = 0n, ...own } = moved;
  const lines = Object.entries(own).map(([purpose, units]) => ({
    account: merchantAccount(merchantId, purpose as 'available', asset),
    units,
  }));
  const rest = -(lines.reduce((sum, { units }) => sum + units, 0n) + fee + cost);
  return {
    reference: `${kind}:${newId()}`,
    kind,
    merchantId,
    subject: { kind: subjects[kind] ?? 'checkout', id: newId() },
    lines: [
      ...lines,
      { account: operatorAccount('fees', asset), units: fee },
      { account: operatorAccount('costs', asset), units: cost },
      { account: chainWallet('BITCOIN', asset), units: rest },
    ],
  };
}

/** One asset was given for another: by a swap, by a payment that is credited in another asset, or by neither after all. */
export function exchangeEntry(
  merchantId: string,
  kind: 'swap' | 'settlement' | 'settlement_reversed',
  units: bigint,
  { from, to }: { readonly from: string; readonly to: string },
): Entry {
  const [got, fee] = [units * 3n, units / 30n];
  const lines = [
    { account: merchantAccount(merchantId, kind === 'swap' ? 'available' : 'pending', from), units: -units },
    { account: operatorAccount('fx', from), units },
    { account: operatorAccount('fx', to), units: -got },
    { account: operatorAccount('fees', to), units: fee },
    { account: merchantAccount(merchantId, 'available', to), units: got - fee },
  ];
  const sign = kind === 'settlement_reversed' ? -1n : 1n;
  return {
    reference: `${kind}:${newId()}`,
    kind,
    merchantId,
    subject: { kind: kind === 'swap' ? 'swap' : 'checkout', id: newId() },
    lines: lines.map((line) => ({ account: line.account, units: sign * line.units })),
  };
}

export async function startStatementWorld() {
  const { db, url, drop } = await createTestDatabase();
  const post = (entry: Entry, minute: number): Promise<unknown> =>
    db.begin((tx) => postEntries(tx, [entry], new Date(start + minute * 60_000)));
  return {
    db,
    url,
    drop,
    post,
    async openAccount(timeZone: string, accountCurrency = 'EUR'): Promise<Merchant> {
      const deps = { db, clock, encryption };
      const { merchantId } = await createMerchant(deps, { name: 'A shop' }, 'operator');
      await changeSettings(deps, merchantId, { accountCurrency, pageSettings: { timeZone } }, 'operator');
      // Enough that nothing is overdrawn, before all else.
      for (const asset of [btc, usdc, ltc])
        for (const purpose of ['available', 'pending', 'reserved'] as const)
          await post(entryOf(merchantId, 'deposit_credited', { [purpose]: 10n ** 13n }, asset), 0);
      const merchant = await findMerchant(db, merchantId);
      assert.ok(merchant);
      return merchant;
    },
  };
}

export type StatementWorld = Awaited<ReturnType<typeof startStatementWorld>>;
