/**
 * The Stellar ledger as Horizon tells it: the operations of one account, two hundred at a time, with their
 * transactions.
 */
import { formatFixed, fromUnits } from '../../money/decimal.ts';
import { NetworkError } from '../port/connector.ts';
import { type AccountResource, readAccount, unitsOf } from './horizon-account.ts';
import { createHorizonClient, type HorizonReply } from './horizon-client.ts';
import { type HorizonOperation, stellarArrivals } from './stellar-arrivals.ts';
import { type ExchangePath, ledgerOfPlace, type StellarLedgerApi, type WaitingBalance } from './stellar-ledger-api.ts';

const pageSize = 200; // The most that Horizon gives.
const lumen = 10_000_000n;
const holderPagesMax = 10;

type Root = {
  readonly network_passphrase: string;
  readonly history_latest_ledger: number;
  readonly history_latest_ledger_closed_at: string;
  readonly core_latest_ledger: number;
};
type Page<Item> = { readonly _embedded: { readonly records: readonly Item[] } };
type TransactionResource = {
  readonly hash: string;
  readonly ledger: number;
  readonly created_at: string;
  readonly successful: boolean;
  readonly fee_charged: string;
  readonly result_xdr: string;
  readonly fee_bump_transaction?: { readonly hash: string };
};
type AccountTransaction = {
  readonly hash: string;
  readonly paging_token: string;
  readonly source_account: string;
  readonly source_account_sequence: string;
  readonly envelope_xdr: string;
  readonly successful: boolean;
  readonly inner_transaction?: { readonly hash: string };
};
type PathResource = {
  readonly destination_amount: string;
  readonly path: readonly {
    readonly asset_type: string;
    readonly asset_code?: string;
    readonly asset_issuer?: string;
  }[];
};
/** Everything in which an asset can be held; older versions of Horizon leave out the last ones. */
type AssetResource = {
  readonly balances?: Readonly<Record<string, string>>;
  readonly claimable_balances_amount?: string;
  readonly liquidity_pools_amount?: string;
  readonly contracts_amount?: string;
  readonly archived_contracts_amount?: string;
};
type BalanceToClaim = Omit<WaitingBalance, 'units'> & { readonly amount: string; readonly paging_token: string };

export function createHorizonApi(horizonUrl: string, timeoutMs?: number): StellarLedgerApi {
  const horizon = createHorizonClient(horizonUrl, timeoutMs);

  /** The operation that made a claimable balance, whoever claimed it later. */
  async function originOf(balanceId: string): Promise<HorizonOperation> {
    const page = await horizon.found<Page<HorizonOperation>>(
      `/claimable_balances/${balanceId}/operations?order=asc&limit=1&join=transactions`,
    );
    const [origin] = page._embedded.records;
    if (origin?.type !== 'create_claimable_balance')
      throw new NetworkError(`Horizon does not know who made the claimable balance ${balanceId}.`, {
        isRetryable: true,
      });
    return origin;
  }

  return {
    async tip() {
      const root = await horizon.found<Root>('/');
      return {
        passphrase: root.network_passphrase,
        sequence: root.history_latest_ledger,
        networkSequence: Math.max(root.core_latest_ledger, root.history_latest_ledger),
        closedAt: new Date(root.history_latest_ledger_closed_at),
      };
    },

    async terms() {
      type Ledger = { base_reserve_in_stroops: number };
      type FeeStats = { last_ledger_base_fee: string; fee_charged: { p90: string } };
      const [ledgers, stats] = await Promise.all([
        horizon.found<Page<Ledger>>('/ledgers?order=desc&limit=1'),
        horizon.found<FeeStats>('/fee_stats'),
      ]);
      const reserve = ledgers._embedded.records[0]?.base_reserve_in_stroops;
      const [least, usual] = [BigInt(stats.last_ledger_base_fee), BigInt(stats.fee_charged.p90)];
      return { baseReserve: BigInt(reserve ?? lumen / 2n), feeRate: usual > least ? usual : least };
    },

    async account(id) {
      const found = await horizon.getAsOf<AccountResource>(`/accounts/${id}`);
      return found && readAccount(found.body, found.latestLedger);
    },

    async supply(asset) {
      const [, code = '', issuer = ''] = assetParts(asset);
      const query = new URLSearchParams({ asset_code: code, asset_issuer: issuer });
      const { body, latestLedger } = await horizon.foundAsOf<Page<AssetResource>>(`/assets?${query.toString()}`);
      const [found] = body._embedded.records;
      return { units: found ? supplyOf(found) : 0n, asOfLedger: latestLedger };
    },

    async incoming(account, after, untilLedger) {
      // Operations, not payments: for Horizon a claimed balance is no payment.
      const query = `cursor=${after}&order=asc&limit=${pageSize}&include_failed=false&join=transactions`;
      const page = await horizon.found<Page<HorizonOperation>>(`/accounts/${account}/operations?${query}`);
      const { records } = page._embedded;
      const settled = records.filter(({ paging_token }) => ledgerOfPlace(paging_token) <= untilLedger);
      const arrivals = [];
      for (const record of settled) arrivals.push(...(await stellarArrivals(record, account, originOf)));
      const last = settled.at(-1);
      return {
        arrivals,
        next: last?.paging_token ?? after,
        lastLedger: last ? ledgerOfPlace(last.paging_token) : null,
        isLast: records.length < pageSize && settled.length === records.length,
      };
    },

    async transaction(hash) {
      const found = await horizon.get<TransactionResource>(`/transactions/${hash}`);
      return (
        found && {
          outerHash: found.fee_bump_transaction?.hash ?? found.hash,
          ledger: found.ledger,
          closedAt: new Date(found.created_at),
          isSuccessful: found.successful,
          feeCharged: BigInt(found.fee_charged),
          resultXdr: found.result_xdr,
        }
      );
    },

    async holderOf(account, sequence) {
      let cursor = '';
      for (let pages = 0; pages < holderPagesMax; pages += 1) {
        const query = `order=desc&limit=${pageSize}&include_failed=true${cursor}`;
        const path = `/accounts/${account}/transactions?${query}`;
        const { records } = (await horizon.found<Page<AccountTransaction>>(path))._embedded;
        const holder = records.find(
          (record) => record.source_account === account && BigInt(record.source_account_sequence) === sequence,
        );
        if (holder) {
          const { hash, inner_transaction: inner, envelope_xdr: envelope, successful: isSuccessful } = holder;
          return { hash: inner?.hash ?? hash, envelope, isSuccessful };
        }
        if (records.length < pageSize) return null;
        cursor = `&cursor=${records.at(-1)?.paging_token}`;
      }
      return null;
    },

    async submit(envelope) {
      const reply = await horizon.post('/transactions_async', { tx: envelope });
      // Horizon before 2.31 can only submit and wait for the ledger.
      return reply.status === 404
        ? readSubmission(await horizon.post('/transactions', { tx: envelope }))
        : readSubmission(reply);
    },

    async bestPath(from, units, to) {
      const [type, code, issuer] = assetParts(from);
      const query = new URLSearchParams({
        source_asset_type: type,
        source_amount: formatFixed(fromUnits(units, 7), 7),
        destination_assets: to,
        ...(code !== undefined && issuer !== undefined && { source_asset_code: code, source_asset_issuer: issuer }),
      });
      const page = await horizon.found<Page<PathResource>>(`/paths/strict-send?${query.toString()}`);
      const paths = page._embedded.records.map(({ path, destination_amount }) => ({
        through: path.map(nameOf),
        units: unitsOf(destination_amount),
      }));
      return paths.reduce<ExchangePath | null>((best, each) => (best && best.units >= each.units ? best : each), null);
    },

    async waitingFor(account, asset, after) {
      // One asset at a time: more worthless tokens are sent around in this way than fit on a page.
      const query = `claimant=${account}&asset=${asset}&order=asc&limit=${pageSize}&cursor=${after}`;
      const { records } = (await horizon.found<Page<BalanceToClaim>>(`/claimable_balances?${query}`))._embedded;
      return {
        balances: records.map(({ id, amount, claimants }) => ({ id, asset, claimants, units: unitsOf(amount) })),
        next: records.length < pageSize ? null : (records.at(-1)?.paging_token ?? null),
      };
    },
  };
}

function supplyOf({ balances, ...elsewhere }: AssetResource): bigint {
  if (!balances) throw new NetworkError('Horizon does not say how much of an asset there is.', { isRetryable: false });
  const amounts = [
    ...Object.values(balances),
    ...[elsewhere.claimable_balances_amount, elsewhere.liquidity_pools_amount],
    ...[elsewhere.contracts_amount, elsewhere.archived_contracts_amount],
  ];
  return amounts.reduce((sum, amount) => sum + unitsOf(amount), 0n);
}

/** Horizon must be told how long a code is. */
function assetParts(name: string): [type: string, code?: string, issuer?: string] {
  const [code = '', issuer] = name.split(':');
  if (issuer === undefined) return ['native'];
  return [code.length <= 4 ? 'credit_alphanum4' : 'credit_alphanum12', code, issuer];
}

const nameOf = ({ asset_type, asset_code, asset_issuer }: PathResource['path'][number]): string =>
  asset_type === 'native' ? 'native' : `${asset_code}:${asset_issuer}`;

type SubmissionBody = {
  readonly tx_status?: string;
  readonly error_result_xdr?: string;
  readonly extras?: { readonly result_xdr?: string };
};

/**
 * Only a result of the network itself is a refusal. A timeout (504) or an overload (503) says nothing about the
 * outcome.
 */
function readSubmission({ status, body }: HorizonReply): { resultXdr: string } | null {
  const { tx_status, error_result_xdr, extras } = (body ?? {}) as SubmissionBody;
  if (tx_status === 'PENDING' || tx_status === 'DUPLICATE' || status === 200) return null;
  const resultXdr = error_result_xdr ?? extras?.result_xdr;
  if (status === 400 && resultXdr !== undefined) return { resultXdr };
  throw new NetworkError(`Horizon answered HTTP ${status}${tx_status ? ` (${tx_status})` : ''}.`, {
    isRetryable: true,
  });
}
