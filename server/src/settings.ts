/**
 * Every setting there is. config.ts reads these tables, `npx quittance config` and docs/operations.md show them; the
 * settings of a network are in its folder.
 */
import { knownNetworks } from './catalog/known-networks.ts';
import { mailSettingTable } from './emails/mail-settings.ts';
import { choice, integer, onOrOff, secret, stellarAccount, text } from './lib/setting-kinds.ts';
import { type DescribedSetting, describeSettings, type Environment, type SettingTable } from './lib/setting-table.ts';
import { amountsByName, decimalUpTo, percentOr, percentUpTo } from './money/decimal-kinds.ts';
import { networkSettings } from './networks/registry.ts';
import {
  addressRanges,
  allRoles,
  anchoredAssets,
  databaseUrl,
  isAssetCode,
  liveSourceNames,
  masterKey,
  origin,
  rateSources,
  roles,
  sandboxChains,
  supportContact,
  venueRules,
} from './setting-forms.ts';

const isNetwork = (name: string): boolean => knownNetworks.some(({ id }) => id === name);

export const installationSettings = {
  MODE: {
    kind: choice('sandbox', 'production'),
    fallback: 'sandbox',
    meaning: 'sandbox or production. The sandbox never runs in production.',
  },
  ROLES: {
    kind: roles,
    fallback: allRoles.join(','),
    meaning: 'What this process does; several processes may share.',
  },
  HOST: { kind: text, fallback: '127.0.0.1', meaning: 'Address to listen on.' },
  PORT: { kind: integer(0, 65_535), fallback: '8080', meaning: 'Port to listen on; 0 takes a free one.' },
  PUBLIC_URL: {
    kind: origin,
    otherwise: 'http://HOST:PORT',
    meaning: 'Origin of links. Required, with https, in production.',
    wrongInProduction: (url?: string) =>
      url?.startsWith('https://') ? null : 'must be set to an https origin in production.',
  },
  ACCOUNT_URL: {
    kind: origin,
    otherwise: 'PUBLIC_URL',
    meaning: 'Origin of the account, if it shall have one of its own. Passkeys are made for its host name.',
    wrongInProduction: (url?: string) =>
      url === undefined || url.startsWith('https://') ? null : 'must be an https origin in production.',
  },
  SANDBOX_URL: {
    kind: origin,
    otherwise: 'no link',
    meaning: 'Origin of a second installation for trying things out; the menu of the account leads there.',
  },
  SIGN_UP: {
    kind: choice('closed', 'open'),
    fallback: 'closed',
    meaning:
      'open: people ask for accounts at /account/sign-up, prove an e-mail address and wait for your yes. Needs SMTP_URL.',
  },
  SUPPORT_CONTACT: {
    kind: supportContact,
    otherwise: 'nobody is named',
    meaning: 'Whom people of an account ask for help: an e-mail address, or a page with https://.',
  },
  DATA_DIR: {
    kind: text,
    fallback: './data',
    meaning: 'Folder of what npm start makes itself: secrets, the embedded PostgreSQL, the sandbox.',
  },
  DATABASE_URL: {
    kind: databaseUrl,
    isRequired: true,
    otherwise: 'the embedded PostgreSQL',
    meaning: 'postgres://… of the database.',
  },
  DATABASE_POOL_SIZE: { kind: integer(2, 200), fallback: '10', meaning: 'Connections of this process.' },
  MASTER_KEY: {
    kind: masterKey,
    isRequired: true,
    otherwise: 'generated in DATA_DIR',
    meaning: '64 hex digits; encrypts secrets in the database.',
  },
  ISSUER_ACCOUNT: {
    kind: stellarAccount,
    isRequired: true,
    otherwise: 'generated in DATA_DIR',
    meaning: 'Stellar account that issues bridged assets.',
  },
  ISSUER_NAME: { kind: text, fallback: 'Quittance', meaning: "The operator's name." },
  ISSUER_DOMAIN: { kind: text, fallback: 'localhost', meaning: "The operator's web domain." },
  ISSUER_ADDRESS: { kind: text, fallback: 'not given', meaning: "The operator's postal address." },
  RATE_SOURCES: {
    kind: rateSources,
    fallback: { sandbox: 'fixed', production: liveSourceNames.join(',') },
    meaning: 'Comma-separated names of rate sources.',
    wrongInProduction: (names?: readonly string[]) =>
      names?.includes('fixed') ? 'must not contain fixed in production.' : null,
  },
  FEE_PERCENT: { kind: percentUpTo('50'), fallback: '0.5', meaning: 'Settlement fee in percent of the credit.' },
  FEE_MINIMUM_USD: { kind: decimalUpTo('1000'), fallback: '0', meaning: 'The least fee per settlement, in dollars.' },
  TRANSFER_FEE_PERCENT: {
    kind: percentUpTo('50'),
    fallback: '0',
    meaning: "Fee of a transfer in percent, beside the network's.",
  },
  TRANSFER_FEE_MINIMUM_USD: {
    kind: decimalUpTo('1000'),
    fallback: '0',
    meaning: 'The least such fee per transfer, in dollars.',
  },
  RATE_AGE_PERCENT: {
    kind: percentUpTo('2'),
    fallback: '0.1',
    meaning: 'Added to the price of every conversion for every minute that a crypto rate is old.',
  },
  RATE_FEW_SOURCES_PERCENT: {
    kind: percentUpTo('2'),
    fallback: '0.1',
    meaning: 'Likewise, for every source that is missing to three.',
  },
  SWAP_SPREAD_PERCENT: {
    kind: percentUpTo('10'),
    fallback: '0',
    meaning: 'What the treasury keeps of every conversion, beside that: of swaps, checkouts and fees in another coin.',
  },
  BUFFER_PERCENT: {
    kind: percentOr('measured', '25'),
    fallback: { sandbox: '1', production: 'measured' },
    meaning:
      "Added to the customer's price when a conversion is needed: measured, by how much the coin moves and how long the " +
      'price holds, or the same percentage for every coin.',
  },
  BUFFER_LEAST_PERCENT: {
    kind: percentUpTo('25'),
    fallback: '0.25',
    meaning: 'The least that is added where it is measured.',
  },
  BUFFER_MOST_PERCENT: {
    kind: percentUpTo('25'),
    fallback: '5',
    meaning: 'The most that is added where it is measured, however wild a coin is.',
  },
  VENUES: {
    kind: venueRules,
    fallback: '*:treasury',
    meaning: 'Where pairs are exchanged, in order: BTC/USDC:stellar-dex,treasury;*:treasury. The first rule that fits.',
  },
  VENUE_SLIPPAGE_PERCENT: {
    kind: decimalUpTo('50'),
    fallback: '2',
    meaning: 'How much less than the rate a market may give.',
  },
  TREASURY_LIMITS: {
    kind: amountsByName('BTC=0.5,*=0', (code) => code === '*' || isAssetCode(code)),
    fallback: '*=0',
    meaning: "How low conversions may take the operator's own stock, by asset code: BTC=0.5,USDC=-1000.",
  },
  TREASURY_SHARE_PERCENT: {
    kind: percentUpTo('100'),
    fallback: '50',
    meaning: "How much of the stock one of several merchants' open checkouts may be promised.",
  },
  COVERAGE_WARNING_PERCENT: {
    kind: percentUpTo('1000'),
    fallback: '100',
    meaning: 'Warns when less than this part of what is owed and promised of an asset is held.',
  },
  UNFINAL_CEILINGS: {
    kind: amountsByName('BITCOIN=10,LITECOIN=500', (name, ceiling) => isNetwork(name) && ceiling.digits >= 0n),
    fallback: '',
    otherwise:
      '10 times the largest amount that has confirmations of its own: BITCOIN=10, LITECOIN=1000 …; none at banks',
    meaning:
      'How much all accounts together may take out of payments that are not final, by network, in its first asset; ' +
      'less where they are shallow.',
  },
  ANCHORED_ASSETS: {
    kind: anchoredAssets,
    fallback: '',
    otherwise: 'none',
    meaning: 'Assets of other issuers that merchants may prefer (anchors): BTC:G…@anchor.example, comma-separated.',
  },
  RATE_LIMITS: {
    kind: onOrOff,
    fallback: 'on',
    meaning: 'on or off: limits of requests per key and address, to API and pages.',
  },
  TRUSTED_PROXIES: {
    kind: addressRanges,
    fallback: '',
    otherwise: 'none',
    meaning: 'Addresses or ranges whose X-Forwarded-For is believed.',
  },
  WEBHOOK_ALLOW_LOOPBACK: {
    kind: onOrOff,
    fallback: { sandbox: 'on', production: 'off' },
    meaning: 'Whether webhooks may go to this machine.',
    wrongInProduction: (isOn?: boolean) => (isOn ? 'must be off in production.' : null),
  },
  BANK_FOLDER: {
    kind: text,
    otherwise: 'no folder is looked at',
    meaning:
      'Folder from which files of banks are taken, in a folder for each: sepa/, swift/. What was taken is in done/ there, the rest in refused/.',
  },
  BANK_FOLDER_SECONDS: {
    kind: integer(1, 86_400),
    fallback: '5',
    meaning: 'Pause between two looks into BANK_FOLDER. A file is taken at the second look that finds it unchanged.',
  },
  BANK_FILE_MB: { kind: integer(1, 512), fallback: '128', meaning: 'How large a file of a bank may be, in megabytes.' },
  BANK_FILE_DAYS: {
    kind: integer(1, 36_500),
    fallback: '400',
    meaning: 'How long files of banks are kept as they came. Their bookings are kept for ever.',
  },
  FORGET_UNPAID_DAYS: {
    kind: integer(0, 36_500),
    fallback: '90',
    meaning: 'After how many days checkouts are forgotten for which nobody ever chose a way to pay; 0: never.',
  },
  MERCHANT_STORED_MB: {
    kind: integer(1, 100_000_000),
    fallback: '5120',
    meaning:
      'How much of what it posts a merchant may keep here, in megabytes: checkouts, customers, beneficiaries, payment links, deposits, `meta` of orders, and long answers for as long as they are kept for an `Idempotency-Key`. With one of them more can be agreed (`merchant settings --stored-mb`).',
  },
  ...mailSettingTable,
  METRICS_TOKEN: { kind: secret, otherwise: 'none: loopback only', meaning: 'Bearer token of GET /metrics.' },
  OPEN_DEPOSITS_PER_MERCHANT: {
    kind: integer(1, 1_000_000),
    fallback: '5000',
    meaning: 'Deposits that a merchant may have open: reusable ones, and unpaid ones of the last week.',
  },
  PAGE_VIEWERS: {
    kind: integer(0, 100_000),
    fallback: '10000',
    meaning: 'Open payment pages that this process tells of changes.',
  },
  PAGE_VIEWERS_PER_ADDRESS: {
    kind: integer(0, 100_000),
    fallback: '200',
    meaning: 'Those of one address; others ask every few seconds.',
  },
  SANDBOX_CHAINS: {
    kind: sandboxChains,
    otherwise: 'set by npm start',
    meaning: 'JSON: where the chains of the sandbox can be controlled. Never in production.',
    wrongInProduction: (chains?: unknown) => (chains === undefined ? null : 'must not be set in production.'),
  },
  WORKER_CONCURRENCY: { kind: integer(1, 500), fallback: '64', meaning: 'Jobs a worker runs at once.' },
  WATCH_POLL_MS: {
    kind: integer(10, 600_000),
    fallback: '1000',
    meaning: 'Pause between two looks at a quiet network.',
  },
  LOG_LEVEL: {
    kind: choice('info', 'debug', 'warn', 'error', 'silent'),
    fallback: 'info',
    meaning: 'debug, info, warn, error or silent.',
  },
} satisfies SettingTable;

export const settings: readonly DescribedSetting[] = [
  ...describeSettings(installationSettings),
  ...Object.values(networkSettings).flatMap(({ described }) => described),
];

/** What holds in this environment, as far as it may be shown: of a secret only whether it is set. */
export const shownSettings = (env: Environment) =>
  settings.map(({ name, meaning, fallback, isSecret }) => {
    const given = env[name]?.trim() || null;
    return { name, meaning, fallback, isSet: given !== null, value: isSecret ? null : given };
  });
