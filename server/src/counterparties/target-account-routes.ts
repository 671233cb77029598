import { endpoints } from '@quittance/contract/endpoints';
import type { TargetAccountRecord } from '@quittance/contract/target-account';
import { findNetwork } from '../catalog/network-catalog.ts';
import { pageOf, readPageCursor } from '../http/page-cursor.ts';
import { type Route, routeFor } from '../http/route.ts';
import { formatTimestamp } from '../lib/clock.ts';
import { invalidRequest } from '../lib/errors.ts';
import type { Merchant } from '../merchants/merchant.ts';
import {
  deleteTargetAccount,
  saveTargetAccount,
  type TargetAccountDeps,
  targetAccountNotFound,
  targetAccountProblems,
} from './save-target-account.ts';
import type { TargetAccount } from './target-account.ts';
import { findTargetAccount, type TargetAccountName, targetAccountsAfter } from './target-account-store.ts';

const route = routeFor<Merchant>();

export const targetAccountRoutes = (deps: TargetAccountDeps): Route<Merchant>[] => [
  route({
    endpoint: endpoints.saveTargetAccount,
    check: ({ merchant, body }) => targetAccountProblems(deps, merchant.id, body),
    handle: ({ merchant, actor, body, carryOut }) =>
      carryOut(({ begin }) => saveTargetAccount({ ...deps, begin }, merchant, body, actor), replyOf),
  }),
  route({
    endpoint: endpoints.getTargetAccount,
    async handle({ merchant, query }) {
      const account = await findTargetAccount(deps.db, merchant.id, named(query));
      if (!account) throw targetAccountNotFound(query);
      return replyOf(account);
    },
  }),
  route({
    endpoint: endpoints.deleteTargetAccount,
    handle: ({ merchant, actor, body, carryOut }) =>
      carryOut(
        ({ begin }) => deleteTargetAccount({ ...deps, begin }, merchant.id, named(body), actor),
        ({ id }: TargetAccount) => ({ targetAccountId: id }),
      ),
  }),
  route({
    endpoint: endpoints.listTargetAccounts,
    async handle({ merchant, query: { limit, cursor, network = null } }) {
      const position = readPageCursor(cursor);
      const found = await targetAccountsAfter(deps.db, merchant.id, { position, network, limit: limit + 1 });
      const { items, next } = pageOf(found, limit);
      return { targetAccounts: items.map(toRecord), next };
    },
  }),
];

function named(name: TargetAccountName): TargetAccountName {
  if (name.id === undefined && name.label === undefined) throw invalidRequest('id or label is missing.');
  return name;
}

const replyOf = (account: TargetAccount) => ({ targetAccountId: account.id, targetAccount: toRecord(account) });

const toRecord = (account: TargetAccount): TargetAccountRecord => ({
  id: account.id,
  label: account.label,
  network: account.network,
  networkName: findNetwork(account.network)?.name ?? account.network,
  assets: [...account.assets],
  address: account.address,
  memo: account.memo,
  memoType: account.memoType,
  beneficiaryId: account.beneficiaryId,
  bic: account.bic,
  usableFrom: formatTimestamp(account.usableFrom),
  timestamp: formatTimestamp(account.createdAt),
});
