/**
 * The whole service for one test: a database of its own, two sandbox chains, a clock we move, a merchant, a receiver of
 * webhooks, and a client that signs like the SDKs do. `runUntilIdle` runs watchers and jobs until nothing is due, so a
 * story never waits and never depends on the machine's clock. Every reply is held against the contract, and after every
 * test the books must balance, agree with the nodes, and prove the bridge, and nothing may have gone wrong unnoticed.
 */

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorReply } from '@quittance/contract/account';
import { type Endpoint, endpoints } from '@quittance/contract/endpoints';
import { events } from '@quittance/contract/events';
import { type FailureStatus, failuresOf } from '@quittance/contract/failures';
import { scopes as allScopes, type Scope } from '@quittance/contract/permissions';
import { webhookHeaders } from '@quittance/contract/webhook-headers';
import type { EvmChain, StartEvmChain } from '@quittance/sandbox/evm-chain';
import type { LightningSandbox } from '@quittance/sandbox/lightning/lightning-sandbox';
import type { StellarNetwork } from '@quittance/sandbox/stellar/stellar-network';
import { startUtxoChain, type UtxoChain } from '@quittance/sandbox/utxo-chain';
import { HDKey } from '@scure/bip32';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type App, createApp } from '../src/app.ts';
import { verifyBridge } from '../src/bridge/verify-bridge.ts';
import { rememberAnchoredAssets } from '../src/catalog/anchored-asset-store.ts';
import { type Environment, readConfig } from '../src/config.ts';
import type { Db } from '../src/db/database.ts';
import type { Actor } from '../src/http/actor.ts';
import { verifyLedger } from '../src/ledger/verify-ledger.ts';
import { addMs } from '../src/lib/clock.ts';
import { createEncryption } from '../src/lib/encryption.ts';
import { freePort } from '../src/lib/free-port.ts';
import { createLog, type Log } from '../src/lib/log.ts';
import { onceMade } from '../src/lib/once-made.ts';
import { createTold } from '../src/manual/answered-sentence.ts';
import { readApiSentences } from '../src/manual/api-sentences.ts';
import { createKey } from '../src/merchants/create-key.ts';
import { createMerchant } from '../src/merchants/create-merchant.ts';
import { decimal, toUnits } from '../src/money/decimal.ts';
import type { Connector } from '../src/networks/port/connector.ts';
import { isSound } from '../src/watching/reconcile.ts';
import type { Reconciliation } from '../src/watching/reconciliation-store.ts';
import { bitcoinCoin, litecoinCoin } from './networks/utxo-coins.ts';
import { stopwatchOf } from './stopwatch-of.ts';
import { subjectProblems } from './subject-problems.ts';
import { createTestDatabase } from './test-database.ts';

export const testIssuer = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
const masterKey = '5a'.repeat(32);

/** For stories that are about other networks: each one that is watched takes its time. */
export const withoutBitcoin: Environment = { BITCOIN_RPC_URL: '', BITCOIN_XPUB: '', BITCOIN_XPRV: '' };
export const withoutLitecoin: Environment = { LITECOIN_RPC_URL: '', LITECOIN_XPUB: '', LITECOIN_XPRV: '' };

export type TestClock = { now(): Date; advance(by: { minutes?: number; hours?: number; seconds?: number }): void };

export type Reply<T = any> = { status: number; headers: Headers; body: T };
export type ReceivedWebhook = { eventType: string; data: any; headers: Record<string, string>; raw: string };
export type TestMerchant = { merchantId: string; apiKey: string; apiSecret: string; webhookSecret: string };

export type Gateway = {
  readonly url: string;
  readonly db: Db;
  readonly databaseUrl: string;
  readonly clock: TestClock;
  readonly app: App;
  readonly env: Environment;
  readonly log: Log;
  /** Networks that only this story has: for another process of it. */
  readonly furtherNetworks: readonly Connector[];
  readonly merchant: TestMerchant;
  readonly bitcoin: TestChain;
  readonly litecoin: TestChain;
  /** Only in stories that ask for it. */
  readonly lightning: LightningSandbox;
  /** Only when the story asked for it. */
  readonly ethereum: EvmChain | undefined;
  /** Only in stories that ask for it. Its ledgers close when they are told to. */
  readonly stellar: StellarNetwork;
  readonly webhooks: ReceivedWebhook[];
  readonly webhookUrl: string;
  /** What the merchant's server answers to the next webhooks; 200 when empty. */
  readonly webhookAnswers: number[];
  /** What the story itself takes from our accounts, by asset code: the books cannot know of it. */
  readonly takenByStory: Record<string, bigint>;
  request(method: string, path: string, body?: unknown, options?: RequestOptions): Promise<Reply>;
  /** The body of a reply that must be 200. */
  get(path: string): Promise<any>;
  post(path: string, body: unknown): Promise<any>;
  createMerchant(name: string): Promise<TestMerchant>;
  /** The same merchant with a further API key, which may do everything unless the story says otherwise. */
  createKey(merchant: TestMerchant, as?: { scopes?: readonly Scope[]; maker?: Actor }): Promise<TestMerchant>;
  runUntilIdle(): Promise<void>;
  /** Asks every network what it holds. What the story left half done is finished first, where that is in the way. */
  count(): Promise<readonly Reconciliation[]>;
  /** Ends the process, lets something happen without it, and starts another one, on the same database. */
  restart(meanwhile?: () => Promise<unknown>, changed?: Environment): Promise<void>;
  state(checkoutId: string): Promise<string>;
  /** Balances of the merchant's accounts by purpose and asset code, e.g. `available/BTC`, zeros left out. */
  balances(): Promise<Record<string, string>>;
  stop(): Promise<void>;
};

export type RequestOptions = {
  as?: TestMerchant;
  headers?: Record<string, string>;
  /** Sent as it is, e.g. to be invalid. */
  raw?: string | Buffer;
  unsigned?: boolean;
};

export type TestChain = {
  readonly chain: UtxoChain;
  /** Pays as deposit instructions or address and amount say; gives the transaction id. */
  pay(to: { address: string; amount: string }): string;
  mine(blocks: number): void;
};

export type GatewayOptions = {
  env?: Environment;
  /** Starts Lightning too, with a channel of this many satoshis, a hundredth of which is reserve. */
  lightningSat?: bigint;
  /** Starts Stellar too. */
  hasStellar?: boolean;
  now?: string;
  /** Ethereum too, which takes a moment to start; on another node than the sandbox's where one is given. */
  withEthereum?: boolean | StartEvmChain;
  /** People sign in: the account must know beforehand where it will be, because passkeys are made for that place. */
  hasAccount?: boolean;
  /** Base too, whose node is as large a program. */
  withBase?: boolean;
  /** No source is asked for rates: the story writes them down itself. */
  ratesAreKept?: boolean;
  /** Nothing is counted until the story does. */
  isUncounted?: boolean;
  /** Networks that are nobody's but the story's. */
  furtherNetworks?: (now: () => Date) => readonly Connector[];
  /** For a story that knows that what cannot be counted never will be. */
  countAttempts?: number;
};

/**
 * What goes on while it is counted is asked again. Nodes and other processes have their own time, a minute and what the
 * attempts themselves take; what stays away to the end is a mistake of the story.
 */
const countAttempts = 240;

/** Asked after each test whether all is well. */
const running = new Set<{ checkBooks(): Promise<void>; isChecked: boolean }>();
beforeEach(() => {
  for (const gateway of running) gateway.isChecked = false;
});
afterEach(async () => {
  for (const gateway of running) {
    await gateway.checkBooks();
    gateway.isChecked = true;
  }
});

export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  let now = new Date(options.now ?? '2026-03-01T12:00:00.000Z');
  const clock: TestClock = {
    now: () => now,
    advance({ minutes = 0, hours = 0, seconds = 0 }) {
      now = addMs(now, (minutes + hours * 60) * 60_000 + seconds * 1000);
    },
  };
  const database = await createTestDatabase();
  const credentials = { user: 'sandbox', password: 'sandbox' };
  const [bitcoin, litecoin] = await Promise.all([
    startUtxoChain({ coin: bitcoinCoin, ...credentials, now: clock.now }),
    startUtxoChain({ coin: litecoinCoin, ...credentials, now: clock.now }),
  ]);
  const lightning =
    options.lightningSat === undefined ? undefined : await startLightning(options.lightningSat, clock.now);
  const ethereum = await startEthereum(options.withEthereum, { ...credentials, now: clock.now });
  const base = options.withBase ? await startBase({ ...credentials, now: clock.now }) : undefined;
  const stellar = options.hasStellar ? await startStellar(clock.now) : undefined;
  const receiver = await startReceiver();
  const env: Environment = {
    DATABASE_URL: database.url,
    MASTER_KEY: masterKey,
    ISSUER_ACCOUNT: testIssuer,
    PUBLIC_URL: 'https://pay.test',
    BITCOIN_RPC_URL: bitcoin.url,
    BITCOIN_XPUB: bitcoinAccount.publicExtendedKey,
    BITCOIN_CHAIN: 'regtest',
    LITECOIN_RPC_URL: litecoin.url,
    LITECOIN_XPUB: litecoinAccount.publicExtendedKey,
    LITECOIN_CHAIN: 'regtest',
    BITCOIN_XPRV: bitcoinAccount.privateExtendedKey,
    LITECOIN_XPRV: litecoinAccount.privateExtendedKey,
    ...(lightning && {
      LIGHTNING_REST_URL: lightning.restUrl,
      LIGHTNING_MACAROON: lightning.macaroon,
      LIGHTNING_CHAIN: 'regtest',
      LIGHTNING_SEND: 'on',
    }),
    ...(ethereum && ethereumEnvironment(ethereum)),
    ...(base && baseEnvironment(base)),
    ...stellar?.env,
    SANDBOX_CHAINS: JSON.stringify({
      BITCOIN: bitcoin.url,
      LITECOIN: litecoin.url,
      LIGHTNING: lightning?.url,
      ETHEREUM: ethereum?.url,
      BASE: base?.url,
      STELLAR: stellar?.network.ownerUrl,
    }),
    RATE_LIMITS: 'off',
    TREASURY_LIMITS: '*=-1000000000', // The operator has plenty of everything elsewhere, unless the story is about that.
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
    ...options.env,
  };
  const mistakes: unknown[] = [];
  const log = noting(mistakes, createLog(readConfig(env).logLevel));
  const { db } = database;
  const furtherNetworks = options.furtherNetworks?.(clock.now) ?? [];
  const takenByStory: Record<string, bigint> = {};
  const isUnexplained = ({ asset, difference, underway }: Reconciliation): boolean => {
    const taken = takenByStory[asset.slice(0, asset.indexOf(':'))] ?? 0n;
    return !isSound({ difference: difference + taken, underway });
  };
  let app: App;
  let url: string;
  async function startApp(changed: Environment = {}): Promise<void> {
    const config = readConfig({ ...env, ...changed });
    const anchoredAssets = await rememberAnchoredAssets(db, config.anchoredAssets);
    // Another process may take the port between its choice and the listening.
    for (let isListening = false; !isListening; ) {
      const port = options.hasAccount ? await freePort('127.0.0.1') : 0;
      const accountUrl = port === 0 ? config.accountUrl : `http://localhost:${port}`;
      const publicUrl = config.publicUrl ?? '';
      app = createApp({
        config: { ...config, accountUrl, anchoredAssets },
        publicUrl,
        db,
        clock,
        log,
        furtherNetworks,
        nowMs: stopwatchOf(clock),
      });
      try {
        url = `${await app.server.listen({ host: '127.0.0.1', port })}/api/v1`;
        isListening = true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      }
    }
    if (!options.ratesAreKept) await app.pollRates();
    await runUntilIdle();
    if (!options.isUncounted) await app.reconcile(); // What is there before anything happens is the operator's own.
  }
  async function stopApp(): Promise<void> {
    await app.server.close();
    await Promise.all(app.watchers.map((watcher) => watcher.stop()));
    await Promise.all([...app.runners, ...app.senders, ...app.followers].map((runner) => runner.stop()));
    await app.heavyWork.end();
  }
  const encryption = createEncryption(Buffer.from(masterKey, 'hex'));

  async function newMerchant(name: string): Promise<TestMerchant> {
    const created = await createMerchant({ db, clock, encryption }, { name, scopes: allScopes }, 'operator');
    return {
      merchantId: created.merchantId,
      apiKey: created.apiKey,
      apiSecret: created.apiSecret.reveal(),
      webhookSecret: created.webhookSecret.reveal(),
    };
  }
  const merchant = await newMerchant('Test shop');

  async function request(method: string, path: string, body?: unknown, options: RequestOptions = {}): Promise<Reply> {
    const raw = options.raw ?? (body === undefined ? '' : JSON.stringify(body));
    const as = options.as ?? merchant;
    const signed = options.unsigned ? {} : digestHeaders(as, method, path, raw, clock.now());
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...signed, ...options.headers },
      ...(method === 'GET' ? {} : { body: raw as string }),
    });
    const isFile = response.ok && byRoute.get(`${method} ${path.split('?')[0]}`)?.isFile === true;
    const answer = isFile ? await response.text() : await response.json();
    const reply = { status: response.status, headers: response.headers, body: answer };
    assertMatchesContract(method, path, reply);
    return reply;
  }

  async function expectOk(reply: Promise<Reply>): Promise<any> {
    const { status, body } = await reply;
    assert.equal(status, 200, `expected 200, but got ${status}: ${JSON.stringify(body)}`);
    return body;
  }

  /** One question instead of two from each runner: in most rounds there is nothing for any of them. */
  async function hasJobs(): Promise<boolean> {
    const [any] = await db`
      select from job
       where claimed_by is not null or (parked_reason is null and run_at <= ${clock.now()}) limit 1`;
    return any !== undefined;
  }

  async function runUntilIdle(): Promise<void> {
    for (let round = 0; round < 100; round += 1) {
      const ticks = [];
      for (const each of [...app.watchers, ...app.senders, ...app.followers]) ticks.push(await each.tick());
      await app.refresh();
      let ran = 0;
      if (await hasJobs()) for (const runner of app.runners) ran += await runner.runDue();
      if (ran === 0 && ticks.every((tick) => tick !== 'progress')) return;
    }
    throw new Error('the gateway did not become idle');
  }

  async function count(): Promise<readonly Reconciliation[]> {
    for (let attempt = 1; ; attempt += 1) {
      const { counted, uncounted } = await app.reconcile();
      if (uncounted.length === 0) return counted;
      const reasons = uncounted.map(({ what, reason }) => `${what}: ${reason}`);
      assert.ok(
        attempt < (options.countAttempts ?? countAttempts),
        `everything was counted, but not ${reasons.join(' ')}`,
      );
      await runUntilIdle();
      if (attempt > 2) await sleep(250); // Another process may be the one that watches.
    }
  }

  function assertNoMistakes(): void {
    assert.deepEqual(mistakes.splice(0), [], 'nothing went wrong inside');
    assert.deepEqual(receiver.broken.splice(0), [], 'every webhook is as the contract says');
  }

  async function checkBooks(): Promise<void> {
    assertNoMistakes();
    const differences = (await count()).filter(isUnexplained);
    assertNoMistakes(); // Counting may have finished what the story left half done.
    assert.deepEqual(await verifyLedger(db), [], 'the ledger is sound');
    assert.deepEqual(await subjectProblems(db), [], 'every entry is about something');
    assert.deepEqual(differences, [], 'the networks hold what the books say');
    const unproven = (await verifyBridge(db, clock.now())).flatMap(({ problems }) => problems);
    assert.deepEqual(unproven, [], 'there are as many tokens as coins');
  }

  await startApp();
  const books = { checkBooks, isChecked: false };
  running.add(books);

  return {
    get url() {
      return url;
    },
    get app() {
      return app;
    },
    db,
    databaseUrl: database.url,
    clock,
    env,
    log,
    furtherNetworks,
    merchant,
    bitcoin: testChain(bitcoin),
    litecoin: testChain(litecoin),
    get lightning() {
      assert.ok(lightning, 'this story did not ask for Lightning');
      return lightning;
    },
    ethereum,
    get stellar() {
      assert.ok(stellar, 'this story did not ask for Stellar');
      return stellar.network;
    },
    webhooks: receiver.received,
    webhookUrl: receiver.url,
    webhookAnswers: receiver.answers,
    takenByStory,
    request,
    get: (path) => expectOk(request('GET', path)),
    post: (path, body) => expectOk(request('POST', path, body)),
    createMerchant: newMerchant,
    async createKey(of, { scopes = allScopes, maker = 'operator' } = {}) {
      const deps = { db, clock, encryption };
      const { apiKey, apiSecret } = await createKey(deps, of.merchantId, maker, { scopes });
      return { ...of, apiKey, apiSecret: apiSecret.reveal() };
    },
    runUntilIdle,
    count,
    async restart(meanwhile = async () => undefined, changed) {
      await stopApp();
      await meanwhile();
      await startApp(changed);
    },
    state: async (checkoutId) => (await expectOk(request('GET', `/checkout?id=${checkoutId}`))).checkout.state,
    async balances() {
      const rows = await db<{ id: string; balance: string }>`
        select id, balance from ledger_account
         where id like ${`merchant/${merchant.merchantId}/%`} and balance <> 0 order by id`;
      return Object.fromEntries(
        rows.map(({ id, balance }) => [id.split('/').slice(2).join('/').replace(/:.*/, ''), balance]),
      );
    },
    async stop() {
      running.delete(books);
      try {
        if (!books.isChecked) await checkBooks(); // Else nothing has happened since the last test.
      } finally {
        await stopApp();
        const chains = [bitcoin, litecoin, ethereum, base, lightning, stellar?.network];
        await Promise.all([...chains.map((chain) => chain?.stop()), receiver.stop()]);
        await database.drop();
      }
    },
  };
}

/** A log that also notes down the errors of which nothing outside can be the cause. */
const noting = (mistakes: unknown[], log: Log): Log => {
  const note =
    (level: 'warn' | 'error' | 'fatal') =>
    (fields: object, message?: string): void => {
      const { err } = fields as { err?: unknown };
      if (isMistake(err)) mistakes.push(err);
      log[level](fields, message);
    };
  return {
    warn: note('warn'),
    error: note('error'),
    fatal: note('fatal'),
    info: (fields: object, message?: string) => log.info(fields, message),
    debug: (fields: object, message?: string) => log.debug(fields, message),
    child: (fields) => noting(mistakes, log.child(fields)),
  };
};

/** Our own assertions, and what JavaScript says to a bug; `fetch` says it too, but then it names a cause. */
const isMistake = (error: unknown): boolean =>
  error instanceof Error &&
  (error.message.startsWith('assertion failed') ||
    error instanceof ReferenceError ||
    error instanceof RangeError ||
    (error instanceof TypeError && error.cause === undefined));

const utxoSeed = HDKey.fromMasterSeed(Buffer.alloc(32, 7), { private: 0x04358394, public: 0x043587cf });
const [bitcoinAccount, litecoinAccount] = [utxoSeed.derive("m/84'/1'/0'"), utxoSeed.derive("m/84'/1'/1'")];

const evmSeed = HDKey.fromMasterSeed(Buffer.alloc(32, 7));
const [ethereumAccount, baseAccount] = [evmSeed.derive("m/44'/60'/0'"), evmSeed.derive("m/44'/60'/1'")];

const ethereumEnvironment = (chain: EvmChain): Environment => ({
  ETHEREUM_RPC_URL: chain.url,
  ETHEREUM_XPUB: ethereumAccount.publicExtendedKey,
  ETHEREUM_XPRV: ethereumAccount.privateExtendedKey,
  ETHEREUM_CHAIN_ID: String(chain.chainId),
  ETHEREUM_USDC_CONTRACT: chain.tokens.USDC,
  ETHEREUM_USDT_CONTRACT: chain.tokens.USDT,
});

const baseEnvironment = (chain: EvmChain): Environment => ({
  BASE_RPC_URL: chain.url,
  BASE_XPUB: baseAccount.publicExtendedKey,
  BASE_XPRV: baseAccount.privateExtendedKey,
  BASE_CHAIN_ID: String(chain.chainId),
  BASE_USDC_CONTRACT: chain.tokens.USDC,
});

/** Signs as the published clients do: over the path without version and query (spec §5.1). */
export function digestHeaders(
  as: { apiKey: string; apiSecret: string },
  method: string,
  path: string,
  body: string | Buffer,
  now: Date,
): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1000);
  const signature = createHmac('sha256', as.apiSecret)
    .update(`${path.split('?')[0]}${timestamp}${method}`)
    .update(method === 'GET' ? '' : body)
    .digest('hex');
  return { 'x-digest-key': as.apiKey, 'x-digest-timestamp': String(timestamp), 'x-digest-signature': signature };
}

/** Loaded on demand: most stories do without, and a Lightning node is a large program. */
async function startLightning(channelSat: bigint, now: () => Date): Promise<LightningSandbox> {
  const { startLightningSandbox } = await import('@quittance/sandbox/lightning/lightning-sandbox');
  return startLightningSandbox({ seed: Buffer.alloc(32, 7), password: 'sandbox', channelSat, now });
}

/** Loaded on demand: most stories do without, and an Ethereum node is a large program. */
async function startEthereum(
  wanted: GatewayOptions['withEthereum'],
  options: Parameters<StartEvmChain>[0],
): Promise<EvmChain | undefined> {
  if (!wanted) return undefined;
  const start = wanted === true ? (await import('@quittance/sandbox/evm-chain')).startEvmChain : wanted;
  return start(options);
}

const startBase: StartEvmChain = async (options) => (await import('./networks/evm-nodes.ts')).startRollup(options);

/** Loaded on demand: most stories do without, and Stellar's library is large. */
async function startStellar(now: () => Date): Promise<{ network: StellarNetwork; env: Environment }> {
  const { sandboxPassphrase, sandboxUsdc, startStellarNetwork } = await import(
    '@quittance/sandbox/stellar/stellar-network'
  );
  const { testStellarKey } = await import('@quittance/sandbox/stellar/stellar-harness');
  const network = await startStellarNetwork({ user: 'sandbox', password: 'sandbox', now });
  network.openAccount(testStellarKey, '100', `${sandboxUsdc.code}:${sandboxUsdc.issuer}`);
  const env = {
    STELLAR_HORIZON_URL: network.url,
    STELLAR_ACCOUNT: testStellarKey.publicKey(),
    STELLAR_NETWORK_PASSPHRASE: sandboxPassphrase,
    STELLAR_SECRET: testStellarKey.secret(),
    STELLAR_CHANNELS: '2',
    STELLAR_URI_SIGNING_SEED: testStellarKey.secret(),
  };
  return { network, env };
}

const testChain = (chain: UtxoChain): TestChain => ({
  chain,
  pay: ({ address, amount }) => chain.pay({ address, units: toUnits(decimal(amount), 8, 'down') }),
  mine: (blocks) => void chain.mine(blocks),
});

const ajv = new Ajv2020({ strict: false, validateFormats: false });

/** Clients must bear fields that are new. We must not have any that the contract does not name. */
function exactly(schema: object): object {
  let exact = exactSchemas.get(schema);
  if (!exact) exactSchemas.set(schema, (exact = withoutMore(schema) as object));
  return exact;
}
const exactSchemas = new WeakMap<object, object>();

function withoutMore(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutMore);
  if (typeof part !== 'object' || part === null) return part;
  const copy = Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, withoutMore(inner)]));
  return 'properties' in part && 'type' in part ? { additionalProperties: false, ...copy } : copy;
}
const byRoute = new Map<string, Endpoint>(
  Object.values(endpoints).map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint]),
);

/** What a route answers is what the contract says: a status that it names, and for what is not 200 `{errors}`. */
function assertMatchesContract(method: string, path: string, { status, body }: Reply): void {
  const endpoint = byRoute.get(`${method} ${path.split('?')[0]}`);
  const isNamed = status === 200 || endpoint === undefined || failuresOf(endpoint).has(status as FailureStatus);
  assert.ok(isNamed, `the contract does not say that ${method} ${path} answers ${status}: ${JSON.stringify(body)}`);
  const schema = status === 200 ? endpoint?.reply : errorReply;
  if (!schema) return;
  const isGood = ajv.validate(exactly(schema), body);
  assert.ok(isGood, `${method} ${path} does not match the contract: ${ajv.errorsText()} in ${JSON.stringify(body)}`);
  if (status === 200) return;
  for (const sentence of (body as { errors: string[] }).errors)
    assert.ok(isInManual()(status, sentence), `the page of errors has this with status ${status}: ${sentence}`);
}

/** Read when something is refused for the first time. */
const isInManual = onceMade(() => createTold(readApiSentences()));

const eventBodies = new Map<string, object>(events.map(({ type, body }) => [type, body]));

function unlikeContract({ eventType, data, headers }: ReceivedWebhook): string | null {
  const missing = Object.keys(webhookHeaders).filter((name) => !headers[name.toLowerCase()]);
  if (missing.length > 0) return `${eventType} came without ${missing.join(', ')}`;
  const body = eventBodies.get(eventType);
  if (!body) return `${eventType} is not an event of the contract`;
  return ajv.validate(exactly(body), { eventType, data })
    ? null
    : `${eventType} is not as promised: ${ajv.errorsText()}`;
}

async function startReceiver() {
  const received: ReceivedWebhook[] = [];
  const broken: string[] = [];
  const answers: number[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks).toString('utf8');
      const { eventType, data } = JSON.parse(raw) as { eventType: string; data: unknown };
      const status = answers.shift() ?? 200;
      const event = { eventType, data, raw, headers: request.headers as Record<string, string> };
      const problem = unlikeContract(event);
      if (problem !== null) broken.push(problem);
      if (status === 200) received.push(event);
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    received,
    broken,
    answers,
    url: `http://127.0.0.1:${port}/webhook`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A charge of one line: `aCharge('25.00 USD')`. */
export function aCharge(price: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  const [netAmount, billingCurrency] = price.split(' ');
  return { charge: { billingCurrency, lineItems: [{ description: 'Item', netAmount }] }, ...more };
}
