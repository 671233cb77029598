/**
 * A service that is paid and pays by SEPA, or by SWIFT, and the sandbox's bank, where the operator has the account. The operator's staff work at
 * pages as people do. It is Monday noon, and nothing is closed for a month but weekends.
 */
import assert from 'node:assert/strict';
import { customers, overseasCustomer, ownBic, type Party } from '@quittance/sandbox/bank/bank-parties';
import { type SandboxBank, startSandboxBank } from '@quittance/sandbox/bank/sandbox-bank';
import { downloadPaymentFile } from '../src/bank-files/download-payment-file.ts';
import { importBankFile } from '../src/bank-files/import-bank-file.ts';
import { type MakeDeps, makePaymentFile } from '../src/bank-files/make-payment-file.ts';
import { createAssetCatalog } from '../src/catalog/asset-catalog.ts';
import { readConfig } from '../src/config.ts';
import type { Db } from '../src/db/database.ts';
import { present } from '../src/lib/assert.ts';
import type { Clock } from '../src/lib/clock.ts';
import { createEncryption } from '../src/lib/encryption.ts';
import { dayOf } from '../src/lib/local-day.ts';
import { isBankingDay } from '../src/networks/families/bank/banking-days.ts';
import { createConnectors } from '../src/networks/registry.ts';
import { type AccountWorld, accountsAt, type PageAnswer, type Visitor } from './account-world.ts';
import { type Gateway, type GatewayOptions, startGateway, withoutLitecoin } from './gateway.ts';
import { openSender, type Sender } from './transfer-story.ts';

export const [ada, jörg] = customers as unknown as readonly [Party, Party];
export const landlord = { iban: 'DE89370400440532013000', firstname: 'Lea', lastname: 'Wirt' };

/** Of a process: its own way to the database. */
export type Hands = { readonly db: Db; readonly clock: Clock };

export type PaymentWorld = {
  readonly gateway: Gateway;
  readonly bank: SandboxBank;
  readonly world: AccountWorld;
  readonly deps: MakeDeps;
  readonly operator: Visitor;
  /** A shop to which somebody paid so many cents, with a target account *landlord*. */
  paidShop(cents?: bigint): Promise<Sender & { readonly checkoutId: string; readonly bookingId: string }>;
  pay(shop: Sender, amount: string, more?: Record<string, unknown>): Promise<string>;
  /** What the bank tells of all that was booked since the last time is brought. */
  bringStatement(): Promise<void>;
  bring(bytes: Uint8Array): Promise<void>;
  /** What the bank tells of all that was booked since the last time, and nobody has brought. */
  statement(): readonly Uint8Array[];
  /** As another process does it, which goes no further. */
  importBy(process: Hands, files: readonly Uint8Array[]): Promise<void>;
  fileBy(process: Hands): Promise<string>;
  /** Given out, and carried out by the bank. */
  handOverBy(process: Hands, file: string, isAgain?: boolean): Promise<void>;
  /** Until banks work. */
  untilBanksWork(): Promise<void>;
  /** The next day, at the same time. */
  later(days: number): Promise<void>;
  /** Presses the button, with a fresh proof. */
  press(path: string, form?: Record<string, string>, person?: Visitor): Promise<PageAnswer>;
  make(): Promise<string>;
  download(id: string, form?: Record<string, string>): Promise<Buffer>;
  /** What the operator reads there. */
  page(path: string): Promise<string>;
  filePage(id: string): Promise<string>;
  payoutState(id: string): Promise<string>;
  stop(): Promise<void>;
};

export const fileDeed = (id: string, deed: string, network = 'SEPA'): string =>
  `/operator/bank/${network}/files/${id}/${deed}`;

/** What a page says, without its marks. */
export const plainText = (page: string): string =>
  (/<main.*<\/main>/s.exec(page)?.[0] ?? page).replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

const rails = { SEPA: 'EUR', SWIFT: 'USD' } as const;

export async function openPaymentWorld({
  network = 'SEPA',
  ...options
}: GatewayOptions & { readonly network?: keyof typeof rails } = {}): Promise<PaymentWorld> {
  const start = options.now ?? '2026-03-02T12:00:00.000Z';
  let now = (): Date => new Date(start);
  const bank = await startSandboxBank({ user: 'sandbox', password: 'sandbox', now: () => now() });
  const currency = rails[network];
  const { iban: account, owner } = network === 'SEPA' ? bank.euro : bank.dollar;
  const env = {
    ...withoutLitecoin,
    [`${network}_IBAN`]: account,
    [`${network}_ACCOUNT_NAME`]: owner,
    [`${network}_BIC`]: ownBic,
    ...(network === 'SWIFT' && { SWIFT_ACCOUNT_TOWN: 'Frankfurt', SWIFT_ACCOUNT_COUNTRY: 'DE' }),
    ...options.env,
  };
  const gateway = await startGateway({ hasAccount: true, ...options, now: start, env });
  now = gateway.clock.now;
  const world = accountsAt(gateway);
  const { db, clock, log } = gateway;
  const config = readConfig(gateway.env);
  const connectors = createConnectors(config.networks, clock.now);
  const assets = createAssetCatalog(config.operator, []);
  const encryption = createEncryption(Buffer.from(gateway.env['MASTER_KEY'] ?? '', 'hex'));
  const deps = { db, clock, log, assets, encryption, connectors };
  const operator = await world.staff('operator', 'ops@operator.example');

  async function importBy(process: Hands, files: readonly Uint8Array[]): Promise<void> {
    for (const bytes of files) {
      const file = { network, fileName: 'bank.xml', bytes, way: 'COMMAND', actor: 'operator' } as const;
      const by = { ...deps, db: process.db, clock: process.clock, bankFileBytesMax: 10_000_000 };
      await importBankFile(by, { ...file, begin: process.db.begin });
    }
  }

  async function bring(bytes: Uint8Array): Promise<void> {
    await importBy({ db, clock }, [bytes]);
    await gateway.runUntilIdle();
  }

  async function fileBy(process: Hands): Promise<string> {
    const made = { network, actor: 'operator', begin: process.db.begin } as const;
    return (await makePaymentFile({ ...deps, db: process.db, clock: process.clock }, made)).id;
  }

  async function handOverBy(process: Hands, id: string, isAgain = false): Promise<void> {
    const asked = { id, isAgain, actor: 'operator', begin: process.db.begin } as const;
    const { bytes } = await downloadPaymentFile({ ...deps, clock: process.clock }, asked);
    assert.ok(bank.takeFile(bytes).isTaken);
  }

  const statement = (): readonly Uint8Array[] => bank.statement({ account }).files.map(({ bytes }) => bytes);

  async function bringStatement(): Promise<void> {
    for (const bytes of statement()) await bring(bytes);
  }

  // What lies there before anything is sent is the operator's own, and counted.
  bank.moveOwn(100_000n, { account });
  await bringStatement();
  await gateway.count();

  async function press(path: string, form: Record<string, string> = {}, person = operator): Promise<PageAnswer> {
    // Whoever was away for days signs in anew.
    if ((await person.prove()).status !== 200) await person.signInWithPasskey();
    return person.post(path, form);
  }

  async function read(path: string): Promise<string> {
    const answer = await operator.get(path);
    if (answer.status === 200) return plainText(answer.text);
    await operator.signInWithPasskey();
    return plainText((await operator.get(path)).text);
  }

  async function paidShop(cents = 50_000n) {
    const shop = await openSender(gateway, '0', { destinationWaitMinutes: 0 });
    const { id, reply } = await shop.open(`${cents / 100n}.00 ${currency}`, network);
    const from = network === 'SEPA' ? ada : overseasCustomer;
    const { memo } = reply.depositInstructions;
    const bookingId = bank.pay({ account, units: cents, from, text: memo, bearer: 'OUR' });
    await bringStatement();
    assert.equal(await shop.state(id), 'COMPLETED');
    const { iban: address, ...name } = landlord;
    const lives = network === 'SEPA' ? {} : { townName: 'Köln', country: 'DE' };
    const { beneficiaryId } = await shop.post('/beneficiary', { beneficiary: { ...name, ...lives } });
    const bic = network === 'SEPA' ? {} : { bic: 'COBADEFFXXX' };
    await shop.post('/target-account', { label: 'landlord', network, address, beneficiaryId, ...bic });
    return { ...shop, checkoutId: id, bookingId };
  }

  return {
    gateway,
    bank,
    world,
    deps,
    operator,
    paidShop,
    async pay(shop, amount, more = {}) {
      const { id } = await shop.send({ network, asset: currency, amount, targetAccount: 'landlord', ...more });
      await gateway.runUntilIdle();
      return id;
    },
    bringStatement,
    bring,
    statement,
    importBy,
    fileBy,
    handOverBy,
    async untilBanksWork() {
      if (isBankingDay(dayOf('Europe/Berlin', clock.now()))) return;
      while (!isBankingDay(dayOf('Europe/Berlin', clock.now()))) clock.advance({ hours: 24 });
      await gateway.app.pollRates();
      await gateway.runUntilIdle();
    },
    async later(days) {
      clock.advance({ hours: 24 * days });
      await operator.signInWithPasskey();
      await gateway.app.pollRates();
      await gateway.runUntilIdle();
    },
    press,
    async make() {
      const answer = await press(`/operator/bank/${network}/files`);
      const [, id] = /^\/operator\/bank\/[A-Z]+\/files\/([a-z0-9]{12})\?did=/.exec(answer.location) ?? [];
      return present(id, `a file instead of ${answer.status} ${answer.text}`);
    },
    async download(id, form = {}) {
      const answer = await press(fileDeed(id, 'download', network), form);
      assert.equal(answer.status, 200, answer.text);
      assert.match(answer.headers['content-disposition'] ?? '', /^attachment; filename="pain-001-001-09-PAY-/);
      return Buffer.from(answer.text);
    },
    page: read,
    filePage: (id) => read(`/operator/bank/${network}/files/${id}`),
    async payoutState(id) {
      const [row] = await db<{ state: string }>`select state from outgoing_transfer where id = ${id}`;
      return row?.state ?? 'none';
    },
    async stop() {
      await gateway.stop();
      await bank.stop();
    },
  };
}
