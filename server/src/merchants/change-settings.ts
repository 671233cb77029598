/** What a merchant may decide about the account. Every change is checked, and written to the audit log with it. */

import { isDeepStrictEqual } from 'node:util';
import type { Db, Tx } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import { isInRanges, parseRange } from '../http/client-address.ts';
import type { Clock } from '../lib/clock.ts';
import { GatewayError, invalidRequest, notFound, type Problem, told } from '../lib/errors.ts';
import type { Merchant } from './merchant.ts';
import {
  deleteAllowedAddress,
  insertAllowedAddress,
  insertAudit,
  listAllowedAddresses,
  lockMerchant,
  updateMerchant,
} from './merchant-store.ts';
import { type SettingsChange, settingsProblems } from './settings-problems.ts';

export type { SettingsChange };

type Deps = { readonly db: Db; readonly clock: Clock };

export type AddressChange = { readonly range: string; readonly note?: string };

/** All that is changed together. */
export type AccountChange = {
  readonly settings?: SettingsChange;
  readonly allow?: AddressChange;
  readonly disallow?: string;
};

export type Changer = {
  readonly merchantId: string;
  readonly actor: Actor;
  readonly now: Date;
  /** Who approved it, where somebody had to. */
  readonly approvedBy?: Actor;
  /** Where the person sits who does this, and would be locked out by a list without it. */
  readonly address?: string | null;
  /** What only others know, such as which assets there are. */
  readonly check?: (after: Merchant, before: Merchant) => void;
};

const addressesMax = 200;
const noteMax = 200;

export async function changeSettings(
  { db, clock }: Deps,
  merchantId: string,
  settings: SettingsChange,
  actor: Actor,
  more: Pick<Changer, 'check' | 'address'> = {},
): Promise<Merchant> {
  return db.begin((tx) => applyChange(tx, { merchantId, actor, now: clock.now(), ...more }, { settings }));
}

/** An address or a CIDR range from which the account's key may be used. */
export async function allowAddress(
  { db, clock }: Deps,
  merchantId: string,
  allow: AddressChange,
  actor: Actor,
): Promise<void> {
  await db.begin((tx) => applyChange(tx, { merchantId, actor, now: clock.now() }, { allow }));
}

export async function disallowAddress(
  { db, clock }: Deps,
  merchantId: string,
  disallow: string,
  actor: Actor,
): Promise<void> {
  await db.begin((tx) => applyChange(tx, { merchantId, actor, now: clock.now() }, { disallow }));
}

/** Under the lock of the merchant, so that every check sees what the one before has written. */
export async function applyChange(tx: Tx, by: Changer, change: AccountChange): Promise<Merchant> {
  const { merchantId } = by;
  const before = await lockMerchant(tx, merchantId);
  if (!before) throw notFound('merchant', merchantId);
  if (change.allow) await allow(tx, by, change.allow);
  if (change.disallow !== undefined) await disallow(tx, by, change.disallow);
  const after = change.settings ? await applySettings(tx, by, before, change.settings) : before;
  await demandReachable(tx, by, after, change.disallow !== undefined);
  return after;
}

async function applySettings(tx: Tx, by: Changer, before: Merchant, change: SettingsChange): Promise<Merchant> {
  // What of the page is not named stays: two people may be at two pages.
  const pageSettings = { ...before.pageSettings, ...change.pageSettings };
  const after: Merchant = { ...before, ...change, pageSettings };
  const problems = [...settingsProblems(change, after), ...currencyProblems(before, change)];
  if (problems.length > 0) throw invalidRequest(problems);
  by.check?.(after, before);
  await updateMerchant(tx, after);
  const changed = whatDiffers(before, change);
  if (Object.keys(changed).length > 0) await note(tx, by, 'settings.changed', changed);
  return after;
}

/** A form sends all that stands on its page: the log names what became another, and nothing else. */
function whatDiffers(before: Merchant, { pageSettings = {}, ...change }: SettingsChange): Record<string, unknown> {
  const differing = (now: object, then: object): [string, unknown][] =>
    Object.entries(now).filter(([name, value]) => !isDeepStrictEqual(value, Reflect.get(then, name) ?? null));
  const ofPage = differing(pageSettings, before.pageSettings);
  return {
    ...Object.fromEntries(differing(change, before)),
    ...(ofPage.length > 0 && { pageSettings: Object.fromEntries(ofPage) }),
  };
}

const limitNames = ['transferApprovalAbove', 'refundApprovalAbove', 'dailyLimit', 'supportLimit'] as const;

/** A limit of 100000 yen would be one of 100000 euros: whoever changes the currency would change all limits alone. */
function currencyProblems(before: Merchant, change: SettingsChange): Problem[] {
  const { accountCurrency = before.accountCurrency } = change;
  const isLimited = limitNames.some((name) => before[name] !== null && change[name] === undefined);
  if (accountCurrency === before.accountCurrency || !isLimited) return [];
  return [
    told(
      'setting_currency_limited',
      'Limits are in the account currency: take them off before changing it, and set them anew afterwards.',
    ),
  ];
}

async function allow(tx: Tx, by: Changer, { range: text, note: words = '' }: AddressChange): Promise<void> {
  const { merchantId } = by;
  const range = readRange(text);
  if (words.length > noteMax)
    throw invalidRequest([
      told('setting_note_long', `The note must be at most ${noteMax} characters.`, { most: String(noteMax) }),
    ]);
  const known = await listAllowedAddresses(tx, merchantId);
  if (known.length >= addressesMax && !known.some((entry) => entry.range === range))
    throw invalidRequest([
      told('setting_list_full', `At most ${addressesMax} addresses can be on the list.`, {
        most: String(addressesMax),
      }),
    ]);
  await insertAllowedAddress(tx, { merchantId, range, note: words }, by.now);
  await note(tx, by, 'address.allowed', { range });
}

async function disallow(tx: Tx, by: Changer, text: string): Promise<void> {
  const range = readRange(text);
  if (!(await deleteAllowedAddress(tx, by.merchantId, range)))
    throw invalidRequest([told('setting_not_on_list', `${range} is not on the list.`)]);
  await note(tx, by, 'address.disallowed', { range });
}

/** A list that applies has an address on it, and the one at which this person sits. */
async function demandReachable(
  tx: Tx,
  { merchantId, address = null }: Changer,
  after: Merchant,
  isRemoval: boolean,
): Promise<void> {
  if (!after.isAddressListEnforced && !after.isAddressListForPeople) return;
  const ranges = (await listAllowedAddresses(tx, merchantId)).map(({ range }) => parseRange(range));
  if (ranges.length === 0)
    throw invalidRequest([
      isRemoval
        ? told('setting_list_last', 'Stop enforcing the list before removing its last address.')
        : told(
            'setting_list_empty',
            'Add an address to the list before enforcing it: nobody could reach the account otherwise.',
          ),
    ]);
  if (after.isAddressListForPeople && address !== null && !isInRanges(address, ranges)) throw locksYouOut(address);
}

const locksYouOut = (address: string): GatewayError =>
  new GatewayError({
    code: 'locks_you_out',
    httpStatus: 409,
    message: `This would lock you out: you are at ${address}, which would not be on the list. Add it first.`,
  });

async function note(tx: Tx, by: Changer, action: string, detail: Record<string, unknown>): Promise<void> {
  const { merchantId, actor, now: at, approvedBy } = by;
  await insertAudit(tx, { merchantId, at, actor, action, detail: { ...detail, ...(approvedBy && { approvedBy }) } });
}

/** As it is stored, or a sentence about what is wrong with it. */
export function readRange(text: string): string {
  try {
    const [address, bits] = parseRange(text.trim());
    return networkOf(address.toByteArray(), bits, address.kind() === 'ipv4');
  } catch {
    throw invalidRequest([
      told('setting_range', `${JSON.stringify(text.slice(0, 40))} is neither an IP address nor a CIDR range.`),
    ]);
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
