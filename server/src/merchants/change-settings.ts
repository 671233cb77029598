/** What a merchant may decide about the account. Every change is checked, and written to the audit log with it. */

import type { Db, Tx } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import { parseRange } from '../http/client-address.ts';
import type { Clock } from '../lib/clock.ts';
import { invalidRequest, notFound } from '../lib/errors.ts';
import { compare, decimal, parseDecimal } from '../money/decimal.ts';
import type { Merchant } from './merchant.ts';
import {
  deleteAllowedAddress,
  insertAllowedAddress,
  insertAudit,
  listAllowedAddresses,
  lockMerchant,
  updateMerchant,
} from './merchant-store.ts';

type Deps = { readonly db: Db; readonly clock: Clock };

export type SettingsChange = Partial<Omit<Merchant, 'id'>>;

const addressesMax = 200;

export async function changeSettings(
  { db, clock }: Deps,
  merchantId: string,
  change: SettingsChange,
  actor: Actor,
): Promise<Merchant> {
  const problems = settingsProblems(change);
  if (problems.length > 0) throw invalidRequest(problems);
  return db.begin(async (tx) => {
    const before = await lockKnown(tx, merchantId);
    const after: Merchant = { ...before, ...change };
    if (after.isAddressListEnforced && (await listAllowedAddresses(tx, merchantId)).length === 0)
      throw invalidRequest('Add an address to the list before enforcing it: nobody could call the API otherwise.');
    await updateMerchant(tx, after);
    const detail = { ...change };
    await insertAudit(tx, { merchantId, at: clock.now(), actor, action: 'settings.changed', detail });
    return after;
  });
}

/** An address or a CIDR range from which the account's key may be used. */
export async function allowAddress(
  { db, clock }: Deps,
  merchantId: string,
  address: { range: string; note?: string },
  actor: Actor,
): Promise<void> {
  const range = readRange(address.range);
  const { note = '' } = address;
  if (note.length > 200) throw invalidRequest('The note must be at most 200 characters.');
  await db.begin(async (tx) => {
    await lockKnown(tx, merchantId);
    const known = await listAllowedAddresses(tx, merchantId);
    if (known.length >= addressesMax && !known.some((entry) => entry.range === range))
      throw invalidRequest(`At most ${addressesMax} addresses can be on the list.`);
    await insertAllowedAddress(tx, { merchantId, range, note }, clock.now());
    await insertAudit(tx, { merchantId, at: clock.now(), actor, action: 'address.allowed', detail: { range } });
  });
}

export async function disallowAddress(
  { db, clock }: Deps,
  merchantId: string,
  text: string,
  actor: Actor,
): Promise<void> {
  const range = readRange(text);
  await db.begin(async (tx) => {
    const merchant = await lockKnown(tx, merchantId);
    if (!(await deleteAllowedAddress(tx, merchantId, range))) throw invalidRequest(`${range} is not on the list.`);
    if (merchant.isAddressListEnforced && (await listAllowedAddresses(tx, merchantId)).length === 0)
      throw invalidRequest('Stop enforcing the list before removing its last address.');
    await insertAudit(tx, { merchantId, at: clock.now(), actor, action: 'address.disallowed', detail: { range } });
  });
}

async function lockKnown(tx: Tx, merchantId: string): Promise<Merchant> {
  const merchant = await lockMerchant(tx, merchantId);
  if (!merchant) throw notFound('merchant', merchantId);
  return merchant;
}

function readRange(text: string): string {
  try {
    const [address, bits] = parseRange(text.trim());
    return networkOf(address.toByteArray(), bits, address.kind() === 'ipv4');
  } catch {
    throw invalidRequest(`${JSON.stringify(text.slice(0, 40))} is neither an IP address nor a CIDR range.`);
  }
}

/** The range with its host bits cleared, as PostgreSQL's cidr demands it. */
function networkOf(bytes: number[], bits: number, isIpv4: boolean): string {
  const cleared = bytes.map((byte, index) => {
    const kept = Math.min(8, Math.max(0, bits - index * 8));
    return byte & (0xff00 >> kept) & 0xff;
  });
  if (isIpv4) return `${cleared.join('.')}/${bits}`;
  const groups = Array.from({ length: 8 }, (_, index) =>
    (((cleared[index * 2] as number) << 8) | (cleared[index * 2 + 1] as number)).toString(16),
  );
  return `${groups.join(':')}/${bits}`;
}

export function settingsProblems(change: SettingsChange): string[] {
  const problems: string[] = [];
  const demand = (isGood: boolean, sentence: string): void => {
    if (!isGood) problems.push(sentence);
  };
  const { name, email, accountCurrency, tolerancePercent, toleranceAbsolute, extraConfirmations, highRiskAssets } =
    change;
  const { destinationWaitMinutes, feePercent, feeMinimumUsd, transferApprovalAbove, refundApprovalAbove } = change;
  const { underpaidAcceptPercent, lateTolerancePercent } = change;
  if (name !== undefined) demand(/^.{1,100}$/.test(name), 'The name must be 1 to 100 characters.');
  if (email) demand(/^[^\s@]+@[^\s@]+$/.test(email) && email.length <= 254, 'The e-mail address is not valid.');
  if (accountCurrency !== undefined)
    demand(/^[A-Z]{3,5}$/.test(accountCurrency), 'The account currency must be a currency code such as EUR.');
  if (tolerancePercent !== undefined)
    demand(isBetween(tolerancePercent, '0', '5'), 'The tolerance must be from 0 to 5 percent.');
  if (toleranceAbsolute !== undefined)
    demand(isBetween(toleranceAbsolute, '0', '1000000'), 'The absolute tolerance must be from 0 to 1000000.');
  if (lateTolerancePercent !== undefined)
    demand(
      isBetween(lateTolerancePercent, '0', '100'),
      'The late tolerance must be from 0 to 100 percent; 100 credits late payments whatever they are worth.',
    );
  if (underpaidAcceptPercent !== undefined && underpaidAcceptPercent !== null)
    demand(
      isBetween(underpaidAcceptPercent, '1', '99.99'),
      'The part from which an underpayment is accepted by itself must be from 1 to 99.99 percent.',
    );
  if (extraConfirmations !== undefined)
    demand(
      Number.isInteger(extraConfirmations) && extraConfirmations >= 0 && extraConfirmations <= 100,
      'Extra confirmations must be a whole number from 0 to 100.',
    );
  if (destinationWaitMinutes !== undefined)
    demand(
      Number.isInteger(destinationWaitMinutes) && destinationWaitMinutes >= 0 && destinationWaitMinutes <= 43_200,
      'The waiting time of destinations must be a whole number of minutes from 0 to 43200, which is 30 days.',
    );
  if (feePercent) demand(isBetween(feePercent, '0', '50'), 'The fee must be from 0 to 50 percent.');
  if (feeMinimumUsd) demand(isBetween(feeMinimumUsd, '0', '1000'), 'The least fee must be from 0 to 1000 dollars.');
  if (transferApprovalAbove !== undefined && transferApprovalAbove !== null)
    demand(
      isBetween(transferApprovalAbove, '0', '1000000000000'),
      'Transfers can need approval above an amount from 0 to 1000000000000.',
    );
  if (refundApprovalAbove !== undefined && refundApprovalAbove !== null)
    demand(
      isBetween(refundApprovalAbove, '0', '1000000000000'),
      'Refunds can need approval above an amount from 0 to 1000000000000.',
    );
  if (highRiskAssets !== undefined)
    demand(
      highRiskAssets.length <= 50 && highRiskAssets.every((code) => /^[A-Za-z0-9]{1,12}$/.test(code)),
      'High-risk assets must be a list of asset codes such as USDT.',
    );
  return problems;
}

function isBetween(text: string, least: string, most: string): boolean {
  const value = parseDecimal(text);
  return value !== undefined && compare(value, decimal(least)) >= 0 && compare(value, decimal(most)) <= 0;
}
