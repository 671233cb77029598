/**
 * All configuration, from the environment and nowhere else: read once, checked as a whole, frozen and passed on as
 * values. A start with a wrong setting fails with the full list of what is wrong, not with the first.
 */
import type { AnchoredAsset, Operator } from './catalog/asset-catalog.ts';
import { knownAssets } from './catalog/known-assets.ts';
import { knownNetworks } from './catalog/known-networks.ts';
import { databaseUrlProblems } from './db/database-problem.ts';
import { type MailSettings, readMailSettings } from './emails/mail-settings.ts';
import { parseRange } from './http/client-address.ts';
import { Secret } from './lib/secret.ts';
import { isAccountId } from './lib/strkey.ts';
import { compare, type Decimal, decimal, parseDecimal, times, zero } from './money/decimal.ts';
import { type NetworkSettings, readNetworkSettings } from './networks/registry.ts';
import { liveRateSources } from './pricing/live-rate-sources.ts';
import type { MarginPolicy } from './pricing/rate-margin.ts';
import type { FeeSchedule } from './pricing/settlement-fee.ts';
import { marketProblems } from './venues/market-problems.ts';
import type { TreasuryLimits } from './venues/treasury-stock.ts';
import { readVenueRules, type VenueRule } from './venues/venue-plan.ts';
import type { UnfinalCeilings } from './wallets/what-may-leave.ts';

export type Role = 'api' | 'worker' | 'watcher';
export const allRoles: readonly Role[] = ['api', 'worker', 'watcher'];

export type Config = {
  readonly mode: 'sandbox' | 'production';
  readonly roles: readonly Role[];
  readonly host: string;
  readonly port: number;
  /** The origin in links: never taken from a request. */
  readonly publicUrl: string | null;
  readonly databaseUrl: Secret;
  readonly databasePoolSize: number;
  readonly masterKey: Secret;
  readonly operator: Operator;
  readonly networks: NetworkSettings;
  readonly rateSources: readonly string[]; // ['fixed'] in the sandbox
  readonly fees: FeeSchedule;
  readonly transferFees: FeeSchedule;
  readonly bufferPercent: Decimal;
  readonly rateMargins: MarginPolicy;
  /** As a part: 0.01 is 1 %. */
  readonly swapSpread: Decimal;
  /** Where assets are exchanged, and within which limits. */
  readonly venueRules: readonly VenueRule[];
  readonly venueSlippagePercent: Decimal;
  readonly treasuryLimits: TreasuryLimits;
  /** As a part: 0.5 is 50 %. */
  readonly treasuryShare: Decimal;
  /** As a part, likewise. */
  readonly coverageWarning: Decimal;
  /** How much of the whole house may have left against payments that are not final. */
  readonly unfinalCeilings: UnfinalCeilings;
  readonly anchoredAssets: readonly AnchoredAsset[];
  readonly isRateLimited: boolean;
  readonly trustedProxies: readonly string[];
  readonly allowLoopbackWebhooks: boolean;
  readonly metricsToken: Secret | null;
  /** Null: no e-mail is sent, and the page does not offer any. */
  readonly mail: MailSettings | null;
  /** Open payment pages that are told of changes at once; all others ask now and then. */
  readonly openDepositsMax: number;
  readonly feedLimits: { readonly viewersMax: number; readonly viewersPerAddressMax: number };
  /** Where the chains of the sandbox take orders, by network. */
  readonly sandboxChains: ReadonlyMap<string, Secret>;
  readonly workerConcurrency: number;
  readonly watchPollMs: number;
  readonly logLevel: string;
};

export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    const list = `There are ${problems.length} problems:\n${problems.map((each) => `- ${each}`).join('\n')}`;
    super(problems.length === 1 ? problems[0] : list);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

export function readConfig(env: Environment): Config {
  const { config, problems } = examineConfig(env);
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** With problems, the configuration is only what could be made of it: to look for further ones, not to be used. */
export function examineConfig(env: Environment): { readonly config: Config; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const problem = (text: string): undefined => {
    problems.push(text);
    return undefined;
  };
  const given = (name: string): string | undefined => {
    const value = env[name]?.trim();
    return value === '' ? undefined : value;
  };
  const text = (name: string, fallback: string): string => given(name) ?? fallback;

  function required(name: string): string {
    return given(name) ?? problem(`${name} must be set.`) ?? '';
  }
  function integer(name: string, fallback: number, min: number, max: number): number {
    const value = Number(text(name, String(fallback)));
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    problem(`${name} must be a whole number from ${min} to ${max}, but is ${JSON.stringify(given(name))}.`);
    return fallback;
  }
  function choice<T extends string>(name: string, options: readonly T[], fallback: T): T {
    const value = text(name, fallback);
    const found = options.find((option) => option === value);
    if (!found) problem(`${name} must be ${options.join(' or ')}, but is ${JSON.stringify(value)}.`);
    return found ?? fallback;
  }
  const isOn = (name: string, fallback: 'on' | 'off'): boolean => choice(name, ['on', 'off'], fallback) === 'on';
  const list = (name: string, fallback: string): string[] =>
    text(name, fallback)
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '');
  function decimalBetween(name: string, fallback: string, max: string): Decimal {
    const value = parseDecimal(text(name, fallback));
    if (value && value.digits >= 0n && compare(value, decimal(max)) <= 0) return value;
    problem(`${name} must be a number from 0 to ${max}, but is ${JSON.stringify(given(name))}.`);
    return decimal(fallback);
  }

  const mode = choice('MODE', ['sandbox', 'production'], 'sandbox');
  const isProduction = mode === 'production';
  const roles = list('ROLES', allRoles.join(',')).flatMap((name): Role[] => {
    if (name === 'all') return [...allRoles];
    const role = allRoles.find((each) => each === name);
    if (!role) problem(`ROLES must be a list of ${allRoles.join(', ')} or all, but contains ${JSON.stringify(name)}.`);
    return role ? [role] : [];
  });
  if (roles.length === 0) problem('ROLES must name at least one role.');

  const publicUrl = given('PUBLIC_URL')?.replace(/\/+$/, '') ?? null;
  if (publicUrl !== null && !/^https?:\/\/[^/?#]+$/.test(publicUrl))
    problem(`PUBLIC_URL must be an origin such as https://pay.example.com, but is ${JSON.stringify(publicUrl)}.`);
  if (isProduction && !publicUrl?.startsWith('https://'))
    problem('PUBLIC_URL must be set to an https origin in production.');

  const databaseUrl = required('DATABASE_URL');
  if (databaseUrl !== '') for (const text of databaseUrlProblems(databaseUrl)) problem(text);
  const masterKey = required('MASTER_KEY');
  if (masterKey !== '' && !/^[0-9a-f]{64}$/i.test(masterKey)) problem('MASTER_KEY must be 64 hexadecimal digits.');
  const issuerAccount = required('ISSUER_ACCOUNT');
  if (issuerAccount !== '' && !isAccountId(issuerAccount))
    problem('ISSUER_ACCOUNT must be a Stellar account id (G and 55 further characters).');

  const networks = readNetworkSettings({ given, choice, problem, isProduction });
  if (Object.keys(networks).length === 0)
    problem(`At least one network must be configured, for example with BITCOIN_RPC_URL and BITCOIN_XPUB.`);

  const known = liveRateSources.map((source) => source.name);
  const rateSources = list('RATE_SOURCES', isProduction ? known.join(',') : 'fixed');
  for (const name of rateSources) {
    if (name !== 'fixed' && !known.includes(name))
      problem(`RATE_SOURCES may contain ${known.join(', ')} or fixed, but contains ${JSON.stringify(name)}.`);
  }
  if (isProduction && rateSources.includes('fixed')) problem('RATE_SOURCES must not contain fixed in production.');

  const trustedProxies = list('TRUSTED_PROXIES', '');
  for (const range of trustedProxies) {
    try {
      parseRange(range);
    } catch {
      problem(`TRUSTED_PROXIES must be addresses or ranges such as 10.0.0.0/8, but contains ${JSON.stringify(range)}.`);
    }
  }
  const allowLoopbackWebhooks = isOn('WEBHOOK_ALLOW_LOOPBACK', isProduction ? 'off' : 'on');
  if (isProduction && allowLoopbackWebhooks) problem('WEBHOOK_ALLOW_LOOPBACK must be off in production.');
  const metricsToken = given('METRICS_TOKEN');
  function sandboxChains(): ReadonlyMap<string, Secret> {
    const json = given('SANDBOX_CHAINS');
    if (json === undefined) return new Map();
    if (isProduction) problem('SANDBOX_CHAINS must not be set in production.');
    try {
      const urls = Object.entries(JSON.parse(json) as Record<string, string>);
      return new Map(urls.map(([network, url]) => [network.toUpperCase(), new Secret(new URL(url).href)]));
    } catch {
      problem('SANDBOX_CHAINS must be JSON with a URL for each network.');
      return new Map();
    }
  }
  const isAssetCode = (code: string): boolean => knownAssets.some((asset) => asset.code === code);
  const venues = readVenueRules(text('VENUES', '*:treasury'), isAssetCode);
  venues.problems.forEach(problem);
  marketProblems(venues.rules, networks).forEach(problem);
  function anchoredAssets(): AnchoredAsset[] {
    const named = new Set<string>();
    const isOwn = (code: string, issuer: string): boolean =>
      issuer === issuerAccount ||
      knownAssets.some((own) => own.code === code && own.issuer !== 'operator' && own.issuer.account === issuer);
    return list('ANCHORED_ASSETS', '').flatMap((part) => {
      const [, code = '', issuer = '', domain = ''] = /^([^:@]+):([^:@]+)@([^:@]+)$/.exec(part) ?? [];
      const id = `${code}:${issuer}`;
      if (!isAssetCode(code) || !isAccountId(issuer))
        problem(`ANCHORED_ASSETS must be a list such as BTC:G…@anchor.example, but contains ${JSON.stringify(part)}.`);
      else if (isOwn(code, issuer)) problem(`ANCHORED_ASSETS must name assets of others, but ${id} is our own.`);
      else if (named.has(id)) problem(`ANCHORED_ASSETS must name every asset once, but names ${id} twice.`);
      else {
        named.add(id);
        return [{ code, issuer, domain }];
      }
      return [];
    });
  }
  /** `BTC=0.5,*=0`: an amount for each of some names. */
  function amounts(
    name: string,
    fallback: string,
    example: string,
    isGood: (name: string, amount: Decimal) => boolean,
  ) {
    return new Map(
      list(name, fallback).map((part): [string, Decimal] => {
        const [key = '', amount = ''] = part.split('=').map((each) => each.trim());
        const value = parseDecimal(amount);
        if (value && isGood(key, value)) return [key, value];
        problem(`${name} must be a list such as ${example}, but contains ${JSON.stringify(part)}.`);
        return [key, zero];
      }),
    );
  }
  const isNetwork = (name: string): boolean => knownNetworks.some(({ id }) => id === name);
  const percent = (name: string, fallback: string, max: string) =>
    times(decimalBetween(name, fallback, max), decimal('0.01'));

  const config: Config = {
    mode,
    roles: [...new Set(roles)],
    host: text('HOST', '127.0.0.1'),
    port: integer('PORT', 8080, 0, 65_535),
    publicUrl,
    databaseUrl: new Secret(databaseUrl),
    databasePoolSize: integer('DATABASE_POOL_SIZE', 10, 2, 200),
    masterKey: new Secret(masterKey),
    operator: {
      issuerAccount,
      issuerName: text('ISSUER_NAME', 'Quittance'),
      issuerDomain: text('ISSUER_DOMAIN', 'localhost'),
      issuerAddress: text('ISSUER_ADDRESS', 'not given'),
    },
    networks,
    rateSources,
    fees: {
      percent: percent('FEE_PERCENT', '0.5', '50'),
      minimumUsd: decimalBetween('FEE_MINIMUM_USD', '0', '1000'),
    },
    transferFees: {
      percent: percent('TRANSFER_FEE_PERCENT', '0', '50'),
      minimumUsd: decimalBetween('TRANSFER_FEE_MINIMUM_USD', '0', '1000'),
    },
    bufferPercent: percent('BUFFER_PERCENT', '1', '25'),
    rateMargins: {
      perMinute: percent('RATE_AGE_PERCENT', '0.1', '2'),
      perMissingSource: percent('RATE_FEW_SOURCES_PERCENT', '0.1', '2'),
    },
    swapSpread: percent('SWAP_SPREAD_PERCENT', '0', '10'),
    venueRules: venues.rules,
    venueSlippagePercent: decimalBetween('VENUE_SLIPPAGE_PERCENT', '2', '50'),
    treasuryLimits: amounts('TREASURY_LIMITS', '*=0', 'BTC=0.5,*=0', (code) => code === '*' || isAssetCode(code)),
    coverageWarning: percent('COVERAGE_WARNING_PERCENT', '100', '1000'),
    treasuryShare: percent('TREASURY_SHARE_PERCENT', '50', '100'),
    unfinalCeilings: amounts(
      'UNFINAL_CEILINGS',
      '',
      'BITCOIN=10,LITECOIN=500',
      (network, ceiling) => isNetwork(network) && ceiling.digits >= 0n,
    ),
    anchoredAssets: anchoredAssets(),
    isRateLimited: isOn('RATE_LIMITS', 'on'),
    trustedProxies,
    allowLoopbackWebhooks,
    metricsToken: metricsToken === undefined ? null : new Secret(metricsToken),
    mail: readMailSettings(given, problem),
    openDepositsMax: integer('OPEN_DEPOSITS_PER_MERCHANT', 5_000, 1, 1_000_000),
    feedLimits: {
      viewersMax: integer('PAGE_VIEWERS', 10_000, 0, 100_000),
      viewersPerAddressMax: integer('PAGE_VIEWERS_PER_ADDRESS', 200, 0, 100_000),
    },
    sandboxChains: sandboxChains(),
    workerConcurrency: integer('WORKER_CONCURRENCY', 64, 1, 500),
    watchPollMs: integer('WATCH_POLL_MS', 1_000, 10, 600_000),
    logLevel: choice('LOG_LEVEL', ['info', 'debug', 'warn', 'error', 'silent'], 'info'),
  };
  return { config: Object.freeze(config), problems };
}
