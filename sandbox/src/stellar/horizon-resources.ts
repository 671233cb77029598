/** Accounts, ledgers, claimable balances and fees, in the words of Horizon. */
import { horizonPredicate } from './claim-predicate.ts';
import { holdingProblem, liabilities, subentryCount } from './holdings.ts';
import { type AccountEntry, type ClaimableBalanceEntry, formatStroops, nativeAsset } from './ledger-entries.ts';
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
    ...{ id, account_id: id, sequence: String(account.sequence), subentry_count: subentryCount(entries, account) },
    ...(account.homeDomain !== '' && { home_domain: account.homeDomain }),
    last_modified_ledger: history.latest().sequence,
    thresholds: { low_threshold: thresholds.low, med_threshold: thresholds.medium, high_threshold: thresholds.high },
    flags: {
      auth_required: (flags & 1) !== 0,
      auth_revocable: (flags & 2) !== 0,
      auth_immutable: (flags & 4) !== 0,
      auth_clawback_enabled: (flags & 8) !== 0,
    },
    balances: [
      ...lines.map(({ asset, balance, limit }) => ({
        ...{ balance: formatStroops(balance), limit: formatStroops(limit), ...promised(asset) },
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
    ...{
      num_sponsoring: account.sponsoring,
      num_sponsored: 0,
      paging_token: id,
      _links: { self: { href: `/accounts/${id}` } },
    },
  };
}

export const ledgerResource = (ledger: ClosedLedger): HorizonRecord => ({
  ...{
    id: ledger.hash,
    paging_token: String(BigInt(ledger.sequence) << 32n),
    hash: ledger.hash,
    sequence: ledger.sequence,
  },
  prev_hash: ledger.previousHash,
  successful_transaction_count: ledger.transactionCount,
  operation_count: ledger.operationCount,
  closed_at: horizonTime(ledger.closeTime),
  ...{ base_fee_in_stroops: 100, base_reserve_in_stroops: 5_000_000, max_tx_set_size: 1000, protocol_version: 23 },
  _links: { self: { href: `/ledgers/${ledger.sequence}` } },
});

export const claimableBalanceResource = (balance: ClaimableBalanceEntry): HorizonRecord => ({
  ...{ id: balance.id, paging_token: balance.id, asset: balance.asset, amount: formatStroops(balance.amount) },
  sponsor: balance.sponsor,
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
    ...{ last_ledger: String(latest.sequence), last_ledger_base_fee: '100', ledger_capacity_usage: '0.01' },
    ...{ fee_charged: all, max_fee: all },
  };
}
