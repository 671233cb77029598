/** Accounts, assets, ledgers, claimable balances and fees, in the words of Horizon. */
import { horizonPredicate } from './claim-predicate.ts';
import { holdingProblem, liabilities, subentryCount } from './holdings.ts';
import {
  type AccountEntry,
  type ClaimableBalanceEntry,
  formatStroops,
  issuerOf,
  type LedgerEntries,
  nativeAsset,
} from './ledger-entries.ts';
import { type ClosedLedger, type HorizonRecord, horizonTime } from './ledger-history.ts';
import { assetFields } from './operation-context.ts';
import type { StellarLedger } from './stellar-ledger.ts';

export function rootResource({ history, passphrase }: StellarLedger) {
  const latest = history.latest();
  return {
    horizon_version: 'quittance-sandbox',
    core_version: 'quittance-sandbox',
    ingest_latest_ledger: latest.sequence,
    history_latest_ledger: latest.sequence,
    history_latest_ledger_closed_at: horizonTime(latest.closeTime),
    history_elder_ledger: 1,
    core_latest_ledger: latest.sequence,
    network_passphrase: passphrase,
    current_protocol_version: 23,
    supported_protocol_version: 23,
    core_supported_protocol_version: 23,
  };
}

export function accountResource({ entries, history }: StellarLedger, account: AccountEntry) {
  const { id, thresholds, flags } = account;
  const promised = (asset: string) => {
    const { buying, selling } = liabilities(entries, id, asset);
    return { buying_liabilities: formatStroops(buying), selling_liabilities: formatStroops(selling) };
  };
  const lines = [...entries.trustlines.values()].filter((line) => line.account === id);
  const signers = [...account.signers, [id, thresholds.master] as const];
  return {
    id,
    account_id: id,
    sequence: String(account.sequence),
    subentry_count: subentryCount(entries, account),
    ...(account.homeDomain !== '' && { home_domain: account.homeDomain }),
    last_modified_ledger: history.latest().sequence,
    thresholds: { low_threshold: thresholds.low, med_threshold: thresholds.medium, high_threshold: thresholds.high },
    flags: flagFields(flags),
    balances: [
      ...lines.map(({ asset, balance, limit }) => ({
        balance: formatStroops(balance),
        limit: formatStroops(limit),
        ...promised(asset),
        is_authorized: holdingProblem(entries, id, asset) === null,
        is_authorized_to_maintain_liabilities: true,
        ...assetFields(asset),
      })),
      { balance: formatStroops(account.balance), ...promised(nativeAsset), ...assetFields(nativeAsset) },
    ],
    signers: signers.map(([key, weight]) => ({ weight, key, type: 'ed25519_public_key' })),
    data: Object.fromEntries(
      Array.from(account.data, ([name, value]) => [name, Buffer.from(value).toString('base64')]),
    ),
    num_sponsoring: account.sponsoring,
    num_sponsored: 0,
    paging_token: id,
    _links: { self: { href: `/accounts/${id}` } },
  };
}

const flagFields = (flags: number) => ({
  auth_required: (flags & 1) !== 0,
  auth_revocable: (flags & 2) !== 0,
  auth_immutable: (flags & 4) !== 0,
  auth_clawback_enabled: (flags & 8) !== 0,
});

/** Every asset that somebody trusts or may claim. There are no liquidity pools and no contracts here. */
export function assetNames({ trustlines, claimableBalances }: LedgerEntries): string[] {
  const names = [...trustlines.values(), ...claimableBalances.values()].map(({ asset }) => asset);
  return [...new Set(names)].filter((name) => name !== nativeAsset).toSorted();
}

/** Who holds how much of an asset: all of it, because an issuer has no balance of its own. */
export function assetResource(entries: LedgerEntries, name: string): HorizonRecord {
  const lines = [...entries.trustlines.values()].filter(({ asset }) => asset === name);
  const authorized = lines.filter(({ isAuthorized }) => isAuthorized);
  const unauthorized = lines.filter(({ isAuthorized }) => !isAuthorized);
  const claimable = [...entries.claimableBalances.values()].filter(({ asset }) => asset === name);
  const sum = (units: readonly bigint[]): string => formatStroops(units.reduce((total, each) => total + each, 0n));
  const heldBy = (some: typeof lines): string => sum(some.map(({ balance }) => balance));
  const fields = assetFields(name);
  const none = formatStroops(0n);
  return {
    id: name,
    ...fields,
    paging_token: `${fields['asset_code']}_${fields['asset_issuer']}_${fields['asset_type']}`,
    accounts: {
      authorized: authorized.length,
      authorized_to_maintain_liabilities: 0,
      unauthorized: unauthorized.length,
    },
    balances: {
      authorized: heldBy(authorized),
      authorized_to_maintain_liabilities: none,
      unauthorized: heldBy(unauthorized),
    },
    num_claimable_balances: claimable.length,
    num_liquidity_pools: 0,
    num_contracts: 0,
    claimable_balances_amount: sum(claimable.map(({ amount }) => amount)),
    liquidity_pools_amount: none,
    contracts_amount: none,
    flags: flagFields(entries.accounts.get(issuerOf(name) ?? '')?.flags ?? 0),
    _links: { toml: { href: '' } },
  };
}

export const ledgerResource = (ledger: ClosedLedger): HorizonRecord => ({
  id: ledger.hash,
  paging_token: String(BigInt(ledger.sequence) << 32n),
  hash: ledger.hash,
  sequence: ledger.sequence,
  prev_hash: ledger.previousHash,
  successful_transaction_count: ledger.transactionCount,
  operation_count: ledger.operationCount,
  closed_at: horizonTime(ledger.closeTime),
  base_fee_in_stroops: 100,
  base_reserve_in_stroops: 5_000_000,
  max_tx_set_size: 1000,
  protocol_version: 23,
  _links: { self: { href: `/ledgers/${ledger.sequence}` } },
});

export const claimableBalanceResource = (balance: ClaimableBalanceEntry): HorizonRecord => ({
  id: balance.id,
  paging_token: `${balance.ledger}-${balance.id}`,
  asset: balance.asset,
  amount: formatStroops(balance.amount),
  sponsor: balance.sponsor,
  last_modified_ledger: balance.ledger,
  claimants: balance.claimants.map(({ destination, predicate }) => ({
    destination,
    predicate: horizonPredicate(predicate),
  })),
  _links: { self: { href: `/claimable_balances/${balance.id}` } },
});

/** There is room in every ledger here, so nobody ever pays more than the minimum. */
export function feeStats({ history }: StellarLedger) {
  const all = Object.fromEntries(
    ['max', 'min', 'mode', 'p10', 'p20', 'p30', 'p40', 'p50', 'p60', 'p70', 'p80', 'p90', 'p95', 'p99'].map((name) => [
      name,
      '100',
    ]),
  );
  const latest = history.latest();
  return {
    last_ledger: String(latest.sequence),
    last_ledger_base_fee: '100',
    ledger_capacity_usage: '0.01',
    fee_charged: all,
    max_fee: all,
  };
}
