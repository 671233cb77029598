/**
 * Whatever payers, a bank, merchants and the operator's staff do one after the other at an account: after each step the books
 * are the bank's to the cent, what nobody asked for lies in suspense and nowhere else, and merchants have what stands of their
 * payments, not a cent more.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { zipSync } from 'fflate';
import { downloadPaymentFile } from '../src/bank-files/download-payment-file.ts';
import { importBankFile } from '../src/bank-files/import-bank-file.ts';
import { makePaymentFile } from '../src/bank-files/make-payment-file.ts';
import { voidPaymentFile } from '../src/bank-files/void-payment-file.ts';
import { createAssetCatalog } from '../src/catalog/asset-catalog.ts';
import { readConfig } from '../src/config.ts';
import { createEncryption } from '../src/lib/encryption.ts';
import { GatewayError } from '../src/lib/errors.ts';
import { createLog } from '../src/lib/log.ts';
import { allowAddress } from '../src/merchants/change-settings.ts';
import { writeCorrection } from '../src/networks/families/bank/correction.ts';
import type { Connector } from '../src/networks/port/connector.ts';
import { createConnectors } from '../src/networks/registry.ts';
import { listOpenMovements } from '../src/payments/movement-store.ts';
import { adoptCrumbs } from '../src/watching/adopt-crumbs.ts';
import { adoptUnmatched } from '../src/watching/adopt-unmatched.ts';
import { assignMovement, type MovementMeaning } from '../src/watching/assign-movement.ts';
import { assignUnmatched } from '../src/watching/assign-unmatched.ts';
import { isSound } from '../src/watching/reconcile.ts';
import { returnUnmatched } from '../src/watching/return-unmatched.ts';
import { rewindNetwork } from '../src/watching/rewind-network.ts';
import { listCrumbs, unmatchedCrumbs } from '../src/watching/unmatched-crumb-store.ts';
import { listUnmatched, type UnmatchedPayment } from '../src/watching/unmatched-store.ts';
import { type BankStep, bankStep, type ToldIn } from './bank-steps.ts';
import { isSample } from './depth.ts';
import { type Gateway, startGateway, testIssuer, withoutLitecoin } from './gateway.ts';
import { answer } from './networks/sepa-order-world.ts';
import { type Booking, openStatementBank, payerIban, type StatementBank } from './networks/statement-bank.ts';
import { returnDeps } from './return-deps.ts';
import { balancesOf, openShop, type Shop } from './shop.ts';
import { stockTreasury } from './stock-treasury.ts';
import { until } from './until.ts';
import { closingOf } from './write-bank-statement.ts';

const otherIban = 'DE02120300000000202051';
const usdc = `USDC:${testIssuer}`;

let gateway: Gateway;
let shops: readonly Shop[];
let connectors: ReadonlyMap<string, Connector>;
let bank: StatementBank;
let balance = 50_000n; // What lay there before we came is the operator's own.
before(async () => {
  gateway = await startGateway({
    env: { ...withoutLitecoin, SEPA_IBAN: 'DE67500502011234567890', SEPA_ACCOUNT_NAME: 'Shop AG' },
  });
  shops = [
    await openShop(gateway, { feePercent: '0' }),
    await openShop(gateway, { feePercent: '0', takesRateOfBooking: true }),
  ];
  for (const { merchant } of shops)
    await allowAddress(gateway, merchant.merchantId, { range: '127.0.0.1' }, 'operator');
  connectors = createConnectors(readConfig(gateway.env).networks, gateway.clock.now);
  bank = openStatementBank({ now: gateway.clock.now });
  await stockTreasury(gateway, usdc, 1_000_000_0000000n);
  await dayWith([]);
});
after(() => gateway.stop());

async function fileOfAll(): Promise<void> {
  const { db, clock } = gateway;
  const assets = createAssetCatalog(readConfig(gateway.env).operator, []);
  const deps = { db, clock, log: createLog('silent'), assets, encryption, connectors };
  await orRefused(() => makePaymentFile(deps, { network: 'SEPA', actor: 'operator', begin: db.begin }));
  await gateway.runUntilIdle();
}

type Order = { readonly name: string; readonly cents: bigint };

const ordersOf = async (): Promise<readonly Order[]> => {
  const rows = await gateway.db<{ name: string; units: string }>`
    select tx_hash as name, raw::json ->> 'units' as units from outgoing_transaction
     where network = 'SEPA' and trace ? 'file' order by tx_hash`;
  return rows.map(({ name, units }) => ({ name, cents: BigInt(units) }));
};

const encryption = createEncryption(Buffer.alloc(32, 7));

async function bring(bytes: Uint8Array): Promise<void> {
  const { db, clock } = gateway;
  const deps = { db, clock, encryption, connectors, bankFileBytesMax: 10_000_000, onChange: () => undefined };
  const file = { network: 'SEPA', fileName: 'statement.xml', bytes, way: 'COMMAND', actor: 'operator' } as const;
  await importBankFile(deps, { ...file, begin: db.begin });
}

/** The statement of these bookings; it is known then what the account holds. */
function statementOf(bookings: readonly Booking[]): Uint8Array {
  const entries = bookings.map(bank.entryOf);
  const bytes = bank.write('camt.053', entries, balance);
  balance = closingOf({ id: '', sequence: 0, iban: '', currency: 'EUR', opening: balance, entries });
  return bytes;
}

async function dayWith(bookings: readonly Booking[], form: ToldIn = 'one'): Promise<void> {
  const half = Math.ceil(bookings.length / 2);
  const parts = form === 'one' ? [bookings] : [bookings.slice(0, half), bookings.slice(half)];
  if (form === 'hand') await bring(toldByHand(bookings));
  else if (form === 'zip') {
    const [first, second] = parts.map(statementOf) as [Uint8Array, Uint8Array];
    await bring(zipSync({ 'b.xml': second, 'c.xml': first }));
  } else for (const part of parts) await bring(statementOf(part));
  await gateway.runUntilIdle();
}

let corrections = 0;
function toldByHand(bookings: readonly Booking[]): Uint8Array {
  const written = (all: readonly Booking[]) =>
    all.map(({ cents, text = 'no text' }) => ({ amount: centsText(cents < 0n ? -cents : cents), text }));
  balance += bookings.reduce((sum, { cents }) => sum + cents, 0n);
  return writeCorrection({
    id: `hand${(corrections += 1)}`,
    balance: `${balance < 0n ? '-' : ''}${centsText(balance < 0n ? -balance : balance)}`,
    day: null,
    came: written(bookings.filter(({ cents }) => cents > 0n)),
    left: written(bookings.filter(({ cents }) => cents < 0n)),
  });
}

const centsText = (cents: bigint): string => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;

const filesMade = (): Promise<readonly { id: string; state: string }[]> =>
  gateway.db<{ id: string; state: string }>`select id, state from payment_file order by made_at, id`;

async function giveUpFile(id: string, isDownloaded: boolean): Promise<void> {
  const { db, clock } = gateway;
  const asked = { id, actor: 'operator', begin: db.begin } as const;
  if (isDownloaded)
    await orRefused(() => downloadPaymentFile({ clock, encryption }, { ...asked, isAgain: true, begin: db.begin }));
  await orRefused(() => voidPaymentFile({ clock }, { ...asked, isDeclared: isDownloaded, begin: db.begin }));
  await gateway.runUntilIdle();
}

/** What a person reads, and then what is too small for that. */
async function waitingAtAll(): Promise<readonly UnmatchedPayment[]> {
  const sums = await unmatchedCrumbs(gateway.db);
  const small = await Promise.all(sums.map((sum) => listCrumbs(gateway.db, sum, { after: null, wanted: '' })));
  return [...(await listUnmatched(gateway.db)), ...small.flat()];
}

type Told = { readonly booking: Booking };

const at = <T>(all: readonly T[], wanted: number): T | undefined => all[wanted % Math.max(1, all.length)];

/** An expected refusal is an answer like any other. */
async function orRefused(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
  }
}

function createHistory() {
  const checkouts: { readonly shop: Shop; readonly id: string; readonly memo: string }[] = [];
  const arrivals: Told[] = [];
  let pending: Booking[] = [];
  const post = async ({ shop, id }: { shop: Shop; id: string }, path: string, more: object = {}): Promise<void> => {
    gateway.clock.advance({ seconds: 1 }); // A signature is good for one request.
    const { status } = await shop.request('POST', path, { checkoutId: id, ...more });
    assert.ok(status < 500, `${path}: ${status}`);
    await gateway.runUntilIdle();
  };

  const arrive = (booking: Booking): void => {
    pending.push(booking);
    arrivals.push({ booking });
  };
  const ibanOf = (isOther: boolean): string => (isOther ? otherIban : payerIban);

  async function take(each: BankStep): Promise<void> {
    const checkout = 'checkout' in each ? at(checkouts, each.checkout) : undefined;
    switch (each.what) {
      case 'open': {
        const shop = at(shops, each.shop) as Shop;
        const isConverted = each.isConverted && shop === shops[1];
        const opened = await shop.open(`${each.cents / 100} EUR`, 'SEPA', isConverted ? { settlementAsset: usdc } : {});
        checkouts.push({ shop, id: opened.id, memo: opened.reply.depositInstructions.memo });
        return;
      }
      case 'pay':
        if (checkout) arrive({ cents: BigInt(each.cents), text: checkout.memo, iban: ibanOf(each.isOther) });
        return;
      case 'stray':
        arrive({ cents: BigInt(each.cents), text: 'for somebody', iban: ibanOf(each.isOther) });
        return;
      case 'takeBack': {
        const found = at(arrivals, each.arrival);
        if (!found) return;
        const { booking } = found;
        const units = each.cents === null ? booking.cents : BigInt(each.cents);
        pending.push({ ...booking, cents: -units, isReversal: true, code: '899' });
        return;
      }
      case 'move':
        pending.push({ cents: BigInt(each.cents), code: each.code, text: 'who knows' });
        return;
      case 'tell':
        await dayWith(pending, each.form);
        pending = [];
        return;
      case 'announce':
        await bring(bank.write('camt.052', pending.map(bank.entryOf), balance));
        return gateway.runUntilIdle();
      case 'again':
        return readAgain(each.documents);
      case 'pass':
        gateway.clock.advance({ hours: 24 * each.days });
        await gateway.app.pollRates();
        return gateway.runUntilIdle();
      case 'assign': {
        const unmatched = at(await waitingAtAll(), each.unmatched);
        if (unmatched && checkout) await orRefused(() => assignUnmatched(gateway, unmatched.id, checkout.id));
        return gateway.runUntilIdle();
      }
      case 'own': {
        const unmatched = at(await waitingAtAll(), each.unmatched);
        if (unmatched) await orRefused(() => adoptUnmatched(gateway, unmatched.id, 'ours'));
        return gateway.runUntilIdle();
      }
      case 'ownSmall': {
        for (const { network, asset } of await unmatchedCrumbs(gateway.db))
          await orRefused(() =>
            adoptCrumbs(gateway, { network, asset, upTo: null, reason: 'cents of strangers', signed: null }),
          );
        return gateway.runUntilIdle();
      }
      case 'explain': {
        const movement = at(await listOpenMovements(gateway.db), each.movement);
        const names = await gateway.db<{ tx: string }>`
          select tx_hash as tx from payment where rest_of is null union select tx_hash from unmatched_payment order by 1`;
        const of = each.as === 'PAYOUT' ? movement?.about[0] : at(names, each.arrival)?.tx;
        const meaning: MovementMeaning = { as: each.as, of: of ?? null };
        if (movement)
          await orRefused(() =>
            assignMovement(gateway, movement.id, meaning, { actor: 'operator', begin: gateway.db.begin }),
          );
        return gateway.runUntilIdle();
      }
      case 'accept':
        return checkout && post(checkout, '/checkout/accept-underpayment');
      case 'keep':
        return checkout && post(checkout, '/checkout/accept-excess');
      case 'refund':
        return checkout && post(checkout, '/refund', each.cents === null ? {} : { amount: `${each.cents / 100}` });
      case 'return': {
        const unmatched = at(await waitingAtAll(), each.unmatched);
        const nowhere = { street: null, postCode: null, town: null, country: null, bic: null };
        const holder = { name: 'Ada Payer', ...nowhere };
        const destination = { address: payerIban, memo: null, memoType: null, holder };
        const order = { destination, feeUnits: 0n };
        if (unmatched) await orRefused(() => returnUnmatched(returnDeps(gateway), unmatched.id, order));
        return gateway.runUntilIdle();
      }
      case 'file':
        return fileOfAll();
      case 'giveUp': {
        const file = at(await filesMade(), each.file);
        return file && giveUpFile(file.id, each.isDownloaded);
      }
      case 'refused': {
        const order = at(await ordersOf(), each.order)?.name;
        if (order === undefined) return;
        const message = `PAY-${order.split('-')[1]}`;
        await orRefused(() => bring(answer('RJCT', each.isWholeFile ? { message } : { message, payment: order })));
        return gateway.runUntilIdle();
      }
      case 'booked': {
        const order = at(await ordersOf(), each.order);
        if (order) pending.push({ cents: -order.cents - BigInt(each.more), endToEndId: order.name });
        return;
      }
      case 'cameBack': {
        const order = at(await ordersOf(), each.order);
        const back = order ? order.cents - BigInt(each.less) : 0n;
        if (order && back > 0n) pending.push({ cents: back, endToEndId: order.name, code: '159' });
        return;
      }
      case 'swap': {
        const shop = at(shops, each.shop) as Shop;
        const available = BigInt((await shop.balances())['available/EUR'] ?? 0) / 100_000n;
        gateway.clock.advance({ seconds: 1 });
        const order = { sourceAsset: 'EUR', targetAsset: 'USDC', sourceAmount: `${Number(available) / 100}` };
        if (available > 0n) assert.ok((await shop.request('POST', '/swap', order)).status < 500);
        return;
      }
    }
  }
  return { take, finish: () => dayWith(pending.splice(0)) };
}

const sumOf = async (sql: Promise<readonly { units: string }[]>): Promise<bigint> => BigInt((await sql)[0]?.units ?? 0);

async function booksAreRight(): Promise<void> {
  const { db } = gateway;
  const operator = await balancesOf(gateway, 'operator/');
  const [held] = (await gateway.count()).filter(({ asset }) => asset.startsWith('EUR:'));
  assert.ok(held && isSound(held), `the bank has ${held?.difference} more than the books`);
  const waiting = await sumOf(db`
    select coalesce(sum(units), 0)::text as units from unmatched_payment
     where assigned_at is null and returned_at is null and reversed_at is null`);
  const open = await sumOf(db`select coalesce(sum(open_units), 0)::text as units from network_movement`);
  assert.equal(
    BigInt(operator['suspense/EUR'] ?? 0),
    waiting + open,
    'what nobody asked for, less what nobody can explain',
  );
  for (const { merchant } of shops) {
    const own = await balancesOf(gateway, `merchant/${merchant.merchantId}/`);
    const euros = Object.entries(own).reduce(
      (sum, [name, units]) => (name.endsWith('/EUR') ? sum + BigInt(units) : sum),
      0n,
    );
    const standing = await sumOf(db`
      select coalesce(sum(units), 0)::text as units from payment
       where merchant_id = ${merchant.merchantId} and state in ('CONFIRMED', 'FINAL')`);
    const converted = await sumOf(db`
      select coalesce(sum((part ->> 'countedUnits')::numeric), 0)::text as units
        from settlement, jsonb_array_elements(parts) as part
       where merchant_id = ${merchant.merchantId} and reversed_at is null
         and part ->> 'paidAsset' <> part ->> 'creditedAsset'`);
    const swapped = await sumOf(db`
      select coalesce(sum(source_units), 0)::text as units from swap
       where merchant_id = ${merchant.merchantId} and state = 'COMPLETED'`);
    const givenBack = await sumOf(db`
      select coalesce(sum(sent_units + fee_units - came_back_units), 0)::text as units from refund
       where merchant_id = ${merchant.merchantId} and place = 'sent'`);
    assert.equal(euros, standing - converted - swapped - givenBack, 'a merchant has what stands of its payments');
  }
}

/** The watcher learns at its next write that its cursor was changed, and takes the new one once its old session has ended. */
async function readAgain(documents: number): Promise<void> {
  await rewindNetwork(gateway.db, 'SEPA', documents);
  gateway.clock.advance({ seconds: 6 });
  await gateway.runUntilIdle();
  for (const watcher of gateway.app.watchers)
    await until('it watches again', async () => (await watcher.tick()) !== 'follower');
  await gateway.runUntilIdle();
}

/** The first checkout is paid, given back whole, and said to have come back before it is said to have left. */
const returnedBeforeItLeft: readonly BankStep[] = [
  { what: 'pay', checkout: 0, cents: 1_000, isOther: false },
  { what: 'tell', form: 'one' },
  { what: 'refund', checkout: 0, cents: null },
  { what: 'file' },
  { what: 'cameBack', order: 0, less: 0 },
  { what: 'tell', form: 'one' },
  { what: 'booked', order: 0, more: 0 },
];

async function play(steps: readonly BankStep[]): Promise<void> {
  const history = createHistory();
  for (const shop of [0, 1]) await history.take({ what: 'open', shop, cents: 1_000, isConverted: shop === 1 });
  for (const each of steps) {
    await history.take(each);
    await booksAreRight();
  }
  await history.finish();
  await booksAreRight();
  const held = await balancesOf(gateway, '');
  await readAgain(3);
  assert.deepEqual(await balancesOf(gateway, ''), held, 'what is read again changes nothing');
  await booksAreRight();
}

test('what came back before it left has come back once, also when both are read again', () =>
  play(returnedBeforeItLeft));

test('whoever does what at an account, the books are the bank’s and nobody has more than came', async () => {
  await fc.assert(fc.asyncProperty(fc.array(bankStep, { minLength: 20, maxLength: isSample() ? 25 : 45 }), play), {
    numRuns: isSample() ? 1 : 25,
    endOnFailure: true,
    seed: Number(process.env['TEST_SEED'] ?? 7),
  });
});
