/** Horizon as a teller of the ledger: the operations of one account, two hundred at a time, with their transactions. */
import { onceMoreIfHungUp } from '../once-more-if-hung-up.ts';
import { NetworkError } from '../port.ts';
import { type HorizonOperation, incomingTransfers } from './incoming-transfer.ts';
import { ledgerOfPlace, type StellarLedgerApi } from './stellar-ledger-api.ts';

const pageSize = 200; // The most that Horizon gives.

type Root = {
  readonly network_passphrase: string;
  readonly history_latest_ledger: number;
  readonly history_latest_ledger_closed_at: string;
  readonly core_latest_ledger: number;
};
type Page = { readonly _embedded: { readonly records: readonly HorizonOperation[] } };
type AccountResource = {
  readonly balances: readonly {
    asset_type: string;
    asset_code?: string;
    asset_issuer?: string;
    is_authorized?: boolean;
  }[];
};

export function createHorizonApi(horizonUrl: string, timeoutMs = 30_000): StellarLedgerApi {
  const base = horizonUrl.replace(/\/+$/, '');

  /** Null: there is no such thing. */
  async function get<Body>(path: string): Promise<Body | null> {
    let status: number;
    let text: string;
    try {
      ({ status, text } = await onceMoreIfHungUp(async () => {
        const response = await fetch(`${base}${path}`, {
          headers: { accept: 'application/json' },
          signal: AbortSignal.timeout(timeoutMs),
        });
        return { status: response.status, text: await response.text() };
      }));
    } catch (cause) {
      throw new NetworkError('Horizon does not answer.', { isRetryable: true, cause });
    }
    if (status === 404) return null;
    if (status === 410) {
      // Going on would skip what happened in between.
      throw new NetworkError('Horizon no longer has the ledgers after our cursor: name one with a longer history.', {
        isRetryable: false,
      });
    }
    if (status !== 200) throw new NetworkError(`Horizon answered HTTP ${status}.`, { isRetryable: true });
    try {
      return JSON.parse(text) as Body;
    } catch (cause) {
      throw new NetworkError('Horizon answered without JSON.', { isRetryable: true, cause });
    }
  }

  async function found<Body>(path: string): Promise<Body> {
    const body = await get<Body>(path);
    if (body === null) throw new NetworkError(`Horizon does not know ${path.split('?')[0]}.`, { isRetryable: true });
    return body;
  }

  /** The operation that made a claimable balance, whoever claimed it later. */
  async function originOf(balanceId: string): Promise<HorizonOperation> {
    const page = await found<Page>(`/claimable_balances/${balanceId}/operations?order=asc&limit=1&join=transactions`);
    const [origin] = page._embedded.records;
    if (origin?.type !== 'create_claimable_balance')
      throw new NetworkError(`Horizon does not know who made the claimable balance ${balanceId}.`, {
        isRetryable: true,
      });
    return origin;
  }

  return {
    async tip() {
      const root = await found<Root>('/');
      return {
        passphrase: root.network_passphrase,
        sequence: root.history_latest_ledger,
        networkSequence: Math.max(root.core_latest_ledger, root.history_latest_ledger),
        closedAt: new Date(root.history_latest_ledger_closed_at),
      };
    },

    async assetsOf(account) {
      const resource = await get<AccountResource>(`/accounts/${account}`);
      if (!resource) return null;
      const usable = resource.balances.filter((line) => line.asset_type === 'native' || line.is_authorized !== false);
      return new Set(
        usable.map((line) => (line.asset_type === 'native' ? 'native' : `${line.asset_code}:${line.asset_issuer}`)),
      );
    },

    async incoming(account, after, untilLedger) {
      // Operations, not payments: Horizon does not count a claimed balance among the payments.
      const query = `cursor=${after}&order=asc&limit=${pageSize}&include_failed=false&join=transactions`;
      const { records } = (await found<Page>(`/accounts/${account}/operations?${query}`))._embedded;
      const settled = records.filter(({ paging_token }) => ledgerOfPlace(paging_token) <= untilLedger);
      const transfers = [];
      for (const record of settled) transfers.push(...(await incomingTransfers(record, account, originOf)));
      const last = settled.at(-1);
      return {
        transfers,
        next: last?.paging_token ?? after,
        lastLedger: last ? ledgerOfPlace(last.paging_token) : null,
        isLast: records.length < pageSize && settled.length === records.length,
      };
    },
  };
}
