/**
 * A changed destination is as dangerous as a transfer: every change is checked, waits if the merchant wants that, and
 * is in the audit log.
 */

import type { TargetAccountBody } from '@quittance/contract/target-account';
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import { type Db, isUniqueViolation, type Query, type Tx } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import type { PartlyRead } from '../http/route.ts';
import { present } from '../lib/assert.ts';
import { addMs, type Clock, minutes } from '../lib/clock.ts';
import { GatewayError, invalidRequest, notFound, type Problem, told } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import type { Connector } from '../networks/port/connector.ts';
import { findBeneficiary, lockBeneficiary } from './beneficiary-store.ts';
import { findHolder } from './find-holder.ts';
import { isOwnAddress } from './own-address.ts';
import {
  draftOf,
  draftProblems,
  isOtherDestination,
  type TargetAccount,
  type TargetAccountDraft,
} from './target-account.ts';
import {
  findTargetAccount,
  insertTargetAccount,
  lockTargetAccount,
  markTargetAccountDeleted,
  type TargetAccountName,
  updateTargetAccount,
} from './target-account-store.ts';

export type TargetAccountDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly assets: AssetCatalog;
  readonly connectors: ReadonlyMap<string, Connector>;
};

/** For the check of the request: everything that is wrong, together with what is wrong with its form. */
export async function targetAccountProblems(
  deps: TargetAccountDeps,
  merchantId: string,
  body: PartlyRead<TargetAccountBody>,
): Promise<Problem[]> {
  const before = body.id === undefined ? undefined : await findTargetAccount(deps.db, merchantId, { id: body.id });
  if (body.id !== undefined && !before) return []; // The answer will be that there is none.
  return problemsOf(deps, deps.db, merchantId, body, draftOf(body, before));
}

async function problemsOf(
  deps: TargetAccountDeps,
  query: Query,
  merchantId: string,
  body: PartlyRead<TargetAccountBody>,
  draft: TargetAccountDraft,
): Promise<Problem[]> {
  const { network, address, beneficiaryId } = draft;
  const problems = draftProblems(deps, body, draft);
  const connector = network === undefined ? undefined : deps.connectors.get(network);
  if (connector && address && (await isOwnAddress(query, connector, { address })))
    problems.push(
      told('address_ours', 'address belongs to this service: to receive money, use POST /deposit-address instead.'),
    );
  if (beneficiaryId !== null && !(await findBeneficiary(query, merchantId, beneficiaryId)))
    problems.push(
      `beneficiaryId must be the id of a beneficiary, but there is none with the id ${JSON.stringify(beneficiaryId)}.`,
    );
  else if (connector) problems.push(...(await findHolder(query, merchantId, connector, draft)).problems);
  return problems;
}

export async function saveTargetAccount(
  deps: TargetAccountDeps & { readonly begin: Begin<TargetAccount> },
  merchant: Pick<Merchant, 'id' | 'destinationWaitMinutes'>,
  body: TargetAccountBody,
  actor: Actor,
): Promise<TargetAccount> {
  const now = deps.clock.now();
  const saved = deps.begin(async (tx) => {
    const before = body.id === undefined ? undefined : await lockKnown(tx, merchant.id, { id: body.id });
    const draft = draftOf(body, before);
    // Locked, so that it is not deleted at the same moment.
    if (draft.beneficiaryId !== null) await lockBeneficiary(tx, merchant.id, draft.beneficiaryId);
    const problems = await problemsOf(deps, tx, merchant.id, body, draft);
    if (problems.length > 0) throw invalidRequest(problems);
    const usableFrom = addMs(now, minutes(merchant.destinationWaitMinutes));
    const assets = draft.assets.map((asset) => present(findAsset(deps.assets, asset), `asset ${asset}`).id);
    const wanted: TargetAccount = {
      ...draft,
      assets: [...new Set(assets)],
      id: before?.id ?? newId(),
      label: present(draft.label, 'label'),
      network: present(draft.network, 'network'),
      address: present(draft.address, 'address'),
      usableFrom,
      createdAt: before?.createdAt ?? now,
    };
    if (!before) return create(tx, merchant.id, wanted, body.beneficiaryId !== undefined, actor, now);
    const after = isOtherDestination(before, wanted) ? wanted : { ...wanted, usableFrom: before.usableFrom };
    await updateTargetAccount(tx, merchant.id, after, now);
    await audit(tx, merchant.id, after, 'target_account.changed', actor, now);
    return after;
  });
  return saved.catch((error: unknown) => {
    throw isUniqueViolation(error, 'target_account_label') ? labelTaken(body.label ?? '') : error;
  });
}

/** The same destination under the same label again: a client retries. With another destination it is a conflict. */
async function create(
  tx: Tx,
  merchantId: string,
  wanted: TargetAccount,
  namesBeneficiary: boolean,
  actor: Actor,
  now: Date,
): Promise<TargetAccount> {
  const there = await findTargetAccount(tx, merchantId, { label: wanted.label });
  const isOfOther = namesBeneficiary && there?.beneficiaryId !== wanted.beneficiaryId;
  if (there && (isOfOther || isOtherDestination(there, wanted))) throw labelTaken(wanted.label);
  if (there) return there;
  await insertTargetAccount(tx, merchantId, wanted, now);
  await audit(tx, merchantId, wanted, 'target_account.created', actor, now);
  return wanted;
}

export async function deleteTargetAccount(
  deps: { readonly begin: Begin<TargetAccount>; readonly clock: Clock },
  merchantId: string,
  name: TargetAccountName,
  actor: Actor,
): Promise<TargetAccount> {
  const now = deps.clock.now();
  return deps.begin(async (tx) => {
    const account = await lockKnown(tx, merchantId, name);
    await markTargetAccountDeleted(tx, merchantId, account.id, now);
    await audit(tx, merchantId, account, 'target_account.deleted', actor, now);
    return account;
  });
}

async function lockKnown(tx: Tx, merchantId: string, name: TargetAccountName): Promise<TargetAccount> {
  const account = await lockTargetAccount(tx, merchantId, name);
  if (!account) throw targetAccountNotFound(name);
  return account;
}

const audit = (tx: Tx, merchantId: string, account: TargetAccount, action: string, actor: Actor, at: Date) => {
  const { id, label, network, assets, address, memo, memoType, beneficiaryId, bic } = account;
  const detail = { id, label, network, assets, address, memo, memoType, beneficiaryId, ...(bic !== null && { bic }) };
  return insertAudit(tx, { merchantId, at, actor, action, detail });
};

export const targetAccountNotFound = ({ id, label }: TargetAccountName): GatewayError =>
  id === undefined
    ? new GatewayError({
        code: 'not_found',
        httpStatus: 404,
        message: `There is no target account with the label ${JSON.stringify(label)}.`,
      })
    : notFound('target account', id);

const labelTaken = (label: string): GatewayError =>
  new GatewayError({
    code: 'label_taken',
    httpStatus: 409,
    message: `Another target account already has the label ${JSON.stringify(label)}.`,
  });
