/**
 * All configuration, only from the environment: read once, checked as a whole, frozen and passed on as values. A start
 * with wrong settings fails with the full list of what is wrong.
 */
import type { AnchoredAsset, Operator } from './catalog/asset-catalog.ts';
import { knownAssets } from './catalog/known-assets.ts';
import type { MailLimits } from './emails/mail-limits.ts';
import { type MailSettings, readMailLimits, readMailSettings } from './emails/mail-settings.ts';
import { Secret } from './lib/secret.ts';
import { createSettingsReader, type Environment } from './lib/setting-table.ts';
import type { Decimal } from './money/decimal.ts';
import { type NetworkSettings, readNetworkSettings } from './networks/registry.ts';
import type { BufferPolicy } from './pricing/market-buffer.ts';
import type { MarginPolicy } from './pricing/rate-margin.ts';
import type { FeeSchedule } from './pricing/settlement-fee.ts';
import type { Role } from './setting-forms.ts';
import { installationSettings, shownSettings } from './settings.ts';
import { marketProblems } from './venues/market-problems.ts';
import type { TreasuryLimits } from './venues/treasury-stock.ts';
import type { VenueRule } from './venues/venue-plan.ts';
import type { UnfinalCeilings } from './wallets/what-may-leave.ts';
import type { SupportContact } from './web/support-contact.ts';

export type { Environment };

export type Config = {
  readonly mode: 'sandbox' | 'production';
  readonly roles: readonly Role[];
  readonly host: string;
  readonly port: number;
  /** The origin of links: never taken from a request. */
  readonly publicUrl: string | null;
  readonly accountUrl: string | null;
  readonly sandboxUrl: string | null;
  /** Whether people ask for accounts themselves. */
  readonly isSignUpOpen: boolean;
  /** Whom people of an account ask; null: nobody is named. */
  readonly supportContact: SupportContact | null;
  readonly databaseUrl: Secret;
  readonly databasePoolSize: number;
  readonly masterKey: Secret;
  readonly operator: Operator;
  readonly networks: NetworkSettings;
  readonly rateSources: readonly string[]; // ['fixed'] in the sandbox
  readonly fees: FeeSchedule;
  readonly transferFees: FeeSchedule;
  readonly buffer: BufferPolicy;
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
  /** How much may have left the whole service against payments that are not final. */
  readonly unfinalCeilings: UnfinalCeilings;
  readonly anchoredAssets: readonly AnchoredAsset[];
  readonly isRateLimited: boolean;
  readonly trustedProxies: readonly string[];
  readonly allowLoopbackWebhooks: boolean;
  readonly metricsToken: Secret | null;
  /** Null: no e-mail is sent, and the page does not offer any. */
  readonly mail: MailSettings | null;
  readonly mailLimits: MailLimits;
  /** Null: no folder is looked at for files of banks. */
  readonly bankFolder: string | null;
  readonly bankFolderPauseMs: number;
  readonly bankFileBytesMax: number;
  readonly bankFileDays: number;
  /** 0: never. */
  readonly forgetUnpaidDays: number;
  readonly storedMegabytesMax: number;
  readonly openDepositsMax: number;
  /** Open payment pages that are told of changes at once; all others ask now and then. */
  readonly feedLimits: { readonly viewersMax: number; readonly viewersPerAddressMax: number };
  /** Where the sandbox's chains can be controlled, by network. */
  readonly sandboxChains: ReadonlyMap<string, Secret>;
  readonly workerConcurrency: number;
  readonly watchPollMs: number;
  readonly logLevel: string;
  /** Every setting, for who runs the installation; secrets only as set or not. */
  readonly shownSettings: ReturnType<typeof shownSettings>;
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

export function readConfig(env: Environment): Config {
  const { config, problems } = examineConfig(env);
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** Used where something required is missing. */
const nothing = new Secret('');

/** If there are problems, the configuration is incomplete: use it only to look for further problems. */
export function examineConfig(env: Environment): { readonly config: Config; readonly problems: readonly string[] } {
  const { reader, problems } = createSettingsReader(env, env['MODE']?.trim() === 'production');
  const { problem } = reader;
  const value = reader.of(installationSettings);

  const issuerAccount = value('ISSUER_ACCOUNT') ?? '';
  const networks = readNetworkSettings(reader);
  if (Object.keys(networks).length === 0)
    problem('At least one network must be configured, for example with BITCOIN_RPC_URL and BITCOIN_XPUB.');
  const venueRules = value('VENUES');
  marketProblems(venueRules, networks).forEach(problem);
  const anchoredAssets = value('ANCHORED_ASSETS');
  for (const { code, issuer } of anchoredAssets)
    if (issuer === issuerAccount || isKnownAsset(code, issuer))
      problem(`ANCHORED_ASSETS must name assets of others, but ${code}:${issuer} is our own.`);

  const mail = readMailSettings(reader);
  const isSignUpOpen = value('SIGN_UP') === 'open';
  if (isSignUpOpen && mail === null)
    problem('SIGN_UP=open needs SMTP_URL and MAIL_FROM, because people prove their address by a link in an e-mail.');

  const config: Config = {
    mode: value('MODE'),
    roles: value('ROLES'),
    host: value('HOST'),
    port: value('PORT'),
    publicUrl: value('PUBLIC_URL') ?? null,
    accountUrl: value('ACCOUNT_URL') ?? null,
    sandboxUrl: value('SANDBOX_URL') ?? null,
    isSignUpOpen,
    supportContact: value('SUPPORT_CONTACT') ?? null,
    databaseUrl: value('DATABASE_URL') ?? nothing,
    databasePoolSize: value('DATABASE_POOL_SIZE'),
    masterKey: value('MASTER_KEY') ?? nothing,
    operator: {
      issuerAccount,
      issuerName: value('ISSUER_NAME'),
      issuerDomain: value('ISSUER_DOMAIN'),
      issuerAddress: value('ISSUER_ADDRESS'),
    },
    networks,
    rateSources: value('RATE_SOURCES'),
    fees: { percent: value('FEE_PERCENT'), minimumUsd: value('FEE_MINIMUM_USD') },
    transferFees: { percent: value('TRANSFER_FEE_PERCENT'), minimumUsd: value('TRANSFER_FEE_MINIMUM_USD') },
    buffer: {
      flat: value('BUFFER_PERCENT'),
      least: value('BUFFER_LEAST_PERCENT'),
      most: value('BUFFER_MOST_PERCENT'),
    },
    rateMargins: { perMinute: value('RATE_AGE_PERCENT'), perMissingSource: value('RATE_FEW_SOURCES_PERCENT') },
    swapSpread: value('SWAP_SPREAD_PERCENT'),
    venueRules,
    venueSlippagePercent: value('VENUE_SLIPPAGE_PERCENT'),
    treasuryLimits: value('TREASURY_LIMITS'),
    coverageWarning: value('COVERAGE_WARNING_PERCENT'),
    treasuryShare: value('TREASURY_SHARE_PERCENT'),
    unfinalCeilings: value('UNFINAL_CEILINGS'),
    anchoredAssets,
    isRateLimited: value('RATE_LIMITS'),
    trustedProxies: value('TRUSTED_PROXIES'),
    allowLoopbackWebhooks: value('WEBHOOK_ALLOW_LOOPBACK'),
    metricsToken: value('METRICS_TOKEN') ?? null,
    mail,
    mailLimits: readMailLimits(reader),
    bankFolder: value('BANK_FOLDER') ?? null,
    bankFolderPauseMs: value('BANK_FOLDER_SECONDS') * 1_000,
    bankFileBytesMax: value('BANK_FILE_MB') * 1024 * 1024,
    bankFileDays: value('BANK_FILE_DAYS'),
    forgetUnpaidDays: value('FORGET_UNPAID_DAYS'),
    storedMegabytesMax: value('MERCHANT_STORED_MB'),
    openDepositsMax: value('OPEN_DEPOSITS_PER_MERCHANT'),
    feedLimits: { viewersMax: value('PAGE_VIEWERS'), viewersPerAddressMax: value('PAGE_VIEWERS_PER_ADDRESS') },
    sandboxChains: value('SANDBOX_CHAINS') ?? new Map(),
    workerConcurrency: value('WORKER_CONCURRENCY'),
    watchPollMs: value('WATCH_POLL_MS'),
    logLevel: value('LOG_LEVEL'),
    shownSettings: shownSettings(env),
  };
  return { config: Object.freeze(config), problems };
}

const isKnownAsset = (code: string, issuer: string): boolean =>
  knownAssets.some((own) => own.code === code && own.issuer !== 'operator' && own.issuer.account === issuer);
