/** All SQL of deposit targets. */
import type { Query, Row, Tx } from '../db/database.ts';
import type { DepositTarget } from '../networks/port/receiving.ts';

export type NewDepositTarget = DepositTarget & {
  readonly id: string;
  readonly network: string;
  readonly purpose: TargetPurpose;
  readonly merchantId: string;
  readonly ownerId: string;
  readonly index: number;
};

/**
 * Whose money arrives at a target. checkout, deposit: a merchant's. funding: the operator's own, brought in. change:
 * our own, the rest of a transaction that spent more than it had to pay.
 */
export type TargetPurpose = 'checkout' | 'deposit' | 'funding' | 'change';

/** Used instead of a merchant's id for the operator's own money. */
export const operatorId = 'operator';

/** Two owners would have one key: what is paid for one of them would be the other's. */
export class TargetTaken extends Error {}

/**
 * On a network where a checkout always has the same key (a memo), the target is there already: then nothing is
 * inserted. Somebody else's it must not be: `askForTarget` has looked, and here it is certain.
 */
export async function insertDepositTargets(tx: Tx, targets: readonly NewDepositTarget[], at: Date): Promise<void> {
  if (targets.length === 0) return;
  const rows = targets.map(({ merchantId, ownerId, memoType, ...target }) => ({
    ...target,
    merchant_id: merchantId,
    owner_id: ownerId,
    memo_type: memoType,
  }));
  const written = await tx<{ key: string | null }>`
    insert into deposit_target (network, key, id, purpose, merchant_id, owner_id, index, address, memo, memo_type,
                                created_at)
    select distinct on (network, key)
           network, key, id, purpose, merchant_id, owner_id, index, address, memo, memo_type, ${at}::timestamptz
      from json_populate_recordset(null::deposit_target, ${JSON.stringify(rows)}::json)
        on conflict (network, key) do update set id = deposit_target.id
     where (deposit_target.purpose, deposit_target.merchant_id) <> (excluded.purpose, excluded.merchant_id)
        or (deposit_target.owner_id <> excluded.owner_id and excluded.purpose <> 'funding')
    returning case when xmax <> 0 then key end as key`;
  const taken = written.find(({ key }) => key !== null);
  const owners = new Map(targets.map((target) => [`${target.network} ${target.key}`, target]));
  const twin = targets.find((each) => {
    const other = owners.get(`${each.network} ${each.key}`);
    return each.purpose !== 'funding' && (other?.ownerId !== each.ownerId || other.merchantId !== each.merchantId);
  });
  const key = taken?.key ?? twin?.key;
  if (key !== undefined) throw new TargetTaken(`the key ${key} is another owner's already`);
}

/** Whether somebody else has the target with this key. */
export async function isTargetTaken(
  query: Query,
  network: string,
  key: string,
  owner: Pick<NewDepositTarget, 'merchantId' | 'ownerId'>,
): Promise<boolean> {
  const rows = await query`
    select from deposit_target
     where key = ${key} and network || '' = ${network}
       and (merchant_id, owner_id) <> (${owner.merchantId}, ${owner.ownerId})`;
  return rows.length > 0;
}

/**
 * A full block has thousands of addresses: they are looked up in parts of this size, over several connections at once.
 */
const keysPerStatement = 1_500;

/**
 * Which of these keys are ours. Costs one page of the hash index for each, however many targets there are. The network
 * is hidden from the planner, which would otherwise use the primary key, and that becomes deeper with every target.
 */
export async function knownTargetKeys(
  query: Query,
  network: string,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const statements: Promise<{ key: string }[]>[] = [];
  for (let first = 0; first < keys.length; first += keysPerStatement) {
    const part = keys.slice(first, first + keysPerStatement);
    statements.push(
      query<{ key: string }>`
        select key from deposit_target where key = any(${part}) and network || '' = ${network}`,
    );
  }
  const known = await Promise.all(statements);
  return new Set(known.flat().map((row) => row.key));
}

export type FundingTarget = DepositTarget & { readonly id: string };

/** The target that was asked for with this id; on a network with one fixed address, that one. */
export async function findFundingTarget(query: Query, network: string, id: string): Promise<FundingTarget | undefined> {
  const [row] = await query<Row & FundingTarget>`
    select id, key, address, memo, memo_type as "memoType" from deposit_target
     where network = ${network} and purpose = 'funding'
     order by (id = ${id}) desc, created_at desc limit 1`;
  return row;
}

export type TargetOwner = { readonly ownerId: string; readonly purpose: TargetPurpose };

/** Which checkouts and deposits of the merchant have one of these as the key of a target: an address or a memo. */
export async function ownersOfTargets(
  query: Query,
  merchantId: string,
  keys: readonly string[],
): Promise<TargetOwner[]> {
  return query<Row & TargetOwner>`
    select distinct owner_id as "ownerId", purpose from deposit_target
     where key = any(${keys}) and merchant_id = ${merchantId} order by 1`;
}
