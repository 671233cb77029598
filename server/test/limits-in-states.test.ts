/**
 * What counts against a limit: every limit × every state of what was ordered before × who approved it × when × whose it is,
 * each tried at the very unit: what is left passes, and a unit more does not. A coin is worth a dollar.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createAssetCatalog } from '../src/catalog/asset-catalog.ts';
import { type RefundState, refundStates } from '../src/checkouts/refund-state.ts';
import type { Actor } from '../src/http/actor.ts';
import { addMs, hours } from '../src/lib/clock.ts';
import { GatewayError } from '../src/lib/errors.ts';
import { decimal } from '../src/money/decimal.ts';
import { demandLikelySmallRefund } from '../src/settlements/support-limit.ts';
import { approvalLimit, needsApproval } from '../src/wallets/approval-limit.ts';
import { exceedsDailyLimit } from '../src/wallets/daily-limit.ts';
import { type TransferState, transferStates } from '../src/wallets/transfer-state.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

const issuer = 'GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7';
const assets = createAssetCatalog({ issuerAccount: issuer, issuerName: '', issuerDomain: '', issuerAddress: '' });
const now = new Date('2026-03-01T12:00:00Z');
const rate = () => ({ usd: decimal('1'), sources: [], at: now });
const deps = {
  assets,
  clock: { now: () => now },
  rates: { rate, record: () => undefined, price: () => assert.fail() },
};
const dayAgo = addMs(now, -hours(24));
const justCounted = addMs(dayAgo, 1);
const longAgo = addMs(now, -hours(100));

let database: TestDatabase;

const coin = 100_000_000n;
const limit = 100n * coin;
const earlierUnits = 40n * coin;
const own = { asset: `BTC:${issuer}`, id: 'new' };
const support: Actor = 'person:support';

type Earlier = {
  readonly kind: 'transfer' | 'refund';
  readonly state: TransferState | RefundState;
  readonly isAnothers: boolean;
  readonly requestedBy: string;
  readonly orderedAt: Date;
  readonly approvedAt: Date | null;
  readonly usableFrom: Date;
};

const isRecent = (...times: (Date | null)[]): boolean => times.some((time) => time !== null && time > dayAgo);
const onItsWay = ['WAITING', 'QUEUED', 'CLAIMABLE', 'SENDING', 'COMPLETED'];

type Merchant = { readonly id: string };
/** Whether so much is within the limit of a merchant's. */
type Within = (units: bigint) => Promise<boolean> | boolean;

type Limit = {
  /** As people are told. */
  counts(earlier: Earlier): boolean;
  of(merchant: Merchant): Promise<Within> | Within;
};

const settings = { accountCurrency: 'USD', dailyLimit: '100', supportLimit: '100' };

const approval =
  (kind: 'transfer' | 'refund', transferApprovalAbove: string, refundApprovalAbove: string | null) =>
  async ({ id }: Merchant): Promise<Within> => {
    const above = { ...settings, id, transferApprovalAbove, refundApprovalAbove };
    const left = await approvalLimit(deps, database.db, above, kind);
    return (units) => !needsApproval(deps, left, { ...own, units });
  };

const daily =
  (isToApprove: boolean) =>
  ({ id }: Merchant): Within =>
  async (units) =>
    !(await exceedsDailyLimit(deps, database.db, { ...settings, id }, { ...own, units }, isToApprove));

/** What nobody else said yes to, however long it must still wait. */
const leftUnapproved = ({ state, approvedAt, orderedAt }: Earlier): boolean =>
  onItsWay.includes(state) && approvedAt === null && isRecent(orderedAt);

/** The limit that must not be looked at is a larger one. */
const limits: Readonly<Record<string, Limit>> = {
  'the approval of transfers, and refunds with them': { counts: leftUnapproved, of: approval('transfer', '100', null) },
  'the approval of refunds, and transfers with them': { counts: leftUnapproved, of: approval('refund', '100', null) },
  'the approval of transfers, where refunds have their own': {
    counts: (each) => each.kind === 'transfer' && leftUnapproved(each),
    of: approval('transfer', '100', '1000'),
  },
  'the approval of refunds, where they have their own': {
    counts: (each) => each.kind === 'refund' && leftUnapproved(each),
    of: approval('refund', '1000', '100'),
  },
  'a day': {
    counts: ({ kind, state, requestedBy, orderedAt, approvedAt, usableFrom }) =>
      onItsWay.includes(state) &&
      !(kind === 'refund' && requestedBy === 'payer') &&
      isRecent(orderedAt, approvedAt, kind === 'transfer' ? usableFrom : null),
    of: daily(false),
  },
  'a day, of what must be approved first': { counts: () => false, of: daily(true) },
  'what support decides': {
    counts: ({ kind, state, requestedBy, orderedAt }) =>
      kind === 'refund' &&
      requestedBy === support &&
      [...onItsWay, 'AWAITING_APPROVAL'].includes(state) &&
      isRecent(orderedAt),
    of:
      ({ id }) =>
      (units) =>
        demandLikelySmallRefund(deps, database.db, { ...settings, id }, support, { ...own, units }).then(
          () => true,
          (error: unknown) => {
            assert.ok(error instanceof GatewayError && error.code === 'support_limit', String(error));
            return false;
          },
        ),
  },
};

const usual = {
  isAnothers: false,
  requestedBy: support,
  orderedAt: justCounted,
  approvedAt: null,
  usableFrom: longAgo,
};

/** Rule by rule beside the usual ones; the states with all of them. */
const circumstances: readonly Partial<Earlier>[] = [
  {},
  { orderedAt: dayAgo },
  { orderedAt: dayAgo, usableFrom: dayAgo },
  { orderedAt: dayAgo, usableFrom: justCounted },
  { orderedAt: longAgo, approvedAt: dayAgo },
  { orderedAt: longAgo, approvedAt: justCounted },
  { approvedAt: justCounted },
  { isAnothers: true },
  { requestedBy: 'person:somebody-else' },
  { requestedBy: 'payer' },
  { requestedBy: 'payer', orderedAt: longAgo, approvedAt: justCounted },
];

const statesOf = { transfer: Object.keys(transferStates.ways), refund: Object.keys(refundStates.ways) };
const everything = (['transfer', 'refund'] as const).flatMap((kind) =>
  statesOf[kind].flatMap((state) => circumstances.map((more) => ({ ...usual, kind, state, ...more }) as Earlier)),
);

/** As if they had been ordered, by a merchant each: what else belongs to one, such as its checkout, no limit looks at. */
async function store(orders: readonly (Earlier & { readonly merchantId: string; readonly id: string })[]) {
  const rowOf = ({ kind, ...earlier }: (typeof orders)[number]) => ({
    merchant_id: earlier.merchantId,
    id: earlier.id,
    state: earlier.state,
    network: 'BITCOIN',
    asset: own.asset,
    units: earlierUnits.toString(),
    address: 'there',
    requested_by: earlier.requestedBy,
    approved_by: earlier.approvedAt && 'person:other',
    approved_at: earlier.approvedAt,
    cost_units: '0',
    came_back_units: '0',
    ...{
      transfer: {
        api_key: 'k',
        network_fee_units: '1',
        service_fee_units: '1',
        usable_from: earlier.usableFrom,
        created_at: earlier.orderedAt,
      },
      refund: {
        checkout_id: 'c',
        context: 'COMPLETED_CHECKOUT',
        place: 'none',
        sent_units: '1',
        fee_units: '1',
        fee_paid_by: 'customer',
        takes: [],
        covers: [],
        basis: 'PAID_UNITS',
        rates: [],
        requested_at: earlier.orderedAt,
      },
    }[kind],
  });
  const insertOf = (kind: 'transfer' | 'refund'): string => {
    const rows = JSON.stringify(orders.filter((order) => order.kind === kind).map(rowOf));
    return `insert into ${kind} select * from json_populate_recordset(null::${kind}, '${rows}'::json);`;
  };
  await database.db.script(`set session_replication_role = replica; ${insertOf('transfer')} ${insertOf('refund')}`);
}

before(async () => {
  database = await createTestDatabase({ poolSize: 1 });
  await store(everything.map((each, at) => ({ ...each, id: `o${at}`, merchantId: each.isAnothers ? 'x' : `m${at}` })));
});
after(() => database.drop());

for (const [name, { counts, of }] of Object.entries(limits))
  test(`what counts against ${name}`, async () => {
    for (const [at, earlier] of everything.entries()) {
      const isCounted = !earlier.isAnothers && counts(earlier);
      const left = isCounted ? limit - earlierUnits : limit;
      const isWithin = await of({ id: `m${at}` });
      const found = [await isWithin(left), await isWithin(left + 1n)];
      assert.deepEqual(found, [true, false], `${isCounted ? 'counts' : 'does not'}: ${JSON.stringify(earlier)}`);
    }
  });

test('an order does not stand in its own way', async () => {
  for (const kind of ['transfer', 'refund'] as const) {
    const at = everything.findIndex((each) => each.kind === kind && each.state === 'COMPLETED');
    const exceeds = (id: string, units: bigint): Promise<boolean> =>
      exceedsDailyLimit(deps, database.db, { ...settings, id: `m${at}` }, { ...own, id, units });
    assert.deepEqual([await exceeds(`o${at}`, limit), await exceeds('new', limit)], [false, true], kind);
  }
});
