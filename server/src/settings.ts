import { networkSettings } from './networks/registry.ts';

/** Every setting, with its default and meaning: `npx quittance config` and docs/operations.md show this list. */
export const settings: readonly { name: string; meaning: string; fallback: string }[] = [
  { name: 'MODE', fallback: 'sandbox', meaning: 'sandbox or production. The sandbox never runs in production.' },
  { name: 'ROLES', fallback: 'api,worker,watcher', meaning: 'What this process does; several processes may share.' },
  { name: 'HOST', fallback: '127.0.0.1', meaning: 'Address to listen on.' },
  { name: 'PORT', fallback: '8080', meaning: 'Port to listen on; 0 takes a free one.' },
  {
    name: 'PUBLIC_URL',
    fallback: 'http://HOST:PORT',
    meaning: 'Origin of links. Required, with https, in production.',
  },
  {
    name: 'DATA_DIR',
    fallback: './data',
    meaning: 'Folder of what npm start makes itself: secrets, the embedded PostgreSQL, the sandbox.',
  },
  { name: 'DATABASE_URL', fallback: 'the embedded PostgreSQL', meaning: 'postgres://… of the database.' },
  { name: 'DATABASE_POOL_SIZE', fallback: '10', meaning: 'Connections of this process.' },
  {
    name: 'MASTER_KEY',
    fallback: 'generated in DATA_DIR',
    meaning: '64 hex digits; encrypts secrets in the database.',
  },
  { name: 'ISSUER_ACCOUNT', fallback: 'generated in DATA_DIR', meaning: 'Stellar account that issues bridged assets.' },
  { name: 'ISSUER_NAME', fallback: 'Quittance', meaning: "The operator's name." },
  { name: 'ISSUER_DOMAIN', fallback: 'localhost', meaning: "The operator's web domain." },
  { name: 'ISSUER_ADDRESS', fallback: 'not given', meaning: "The operator's postal address." },
  { name: 'RATE_SOURCES', fallback: 'fixed, or all in production', meaning: 'Comma-separated names of rate sources.' },
  { name: 'FEE_PERCENT', fallback: '0.5', meaning: 'Settlement fee in percent of the credit.' },
  { name: 'FEE_MINIMUM_USD', fallback: '0', meaning: 'The least fee per settlement, in dollars.' },
  { name: 'TRANSFER_FEE_PERCENT', fallback: '0', meaning: "Fee of a transfer in percent, beside the network's." },
  { name: 'TRANSFER_FEE_MINIMUM_USD', fallback: '0', meaning: 'The least such fee per transfer, in dollars.' },
  {
    name: 'RATE_AGE_PERCENT',
    fallback: '0.1',
    meaning: 'Added to the buffer of a quote and the spread of a swap for every minute that a crypto rate is old.',
  },
  {
    name: 'RATE_FEW_SOURCES_PERCENT',
    fallback: '0.1',
    meaning: 'Likewise, for every source that is missing to three.',
  },
  { name: 'SWAP_SPREAD_PERCENT', fallback: '0', meaning: 'What the treasury keeps of every swap, beside that.' },
  { name: 'BUFFER_PERCENT', fallback: '1', meaning: "Added to the customer's price when a conversion is needed." },
  {
    name: 'VENUES',
    fallback: '*:treasury',
    meaning: 'Where pairs are exchanged, in order: BTC/USDC:stellar-dex,treasury;*:treasury. The first rule that fits.',
  },
  { name: 'VENUE_SLIPPAGE_PERCENT', fallback: '2', meaning: 'How much less than the rate a market may give.' },
  {
    name: 'TREASURY_LIMITS',
    fallback: '*=0',
    meaning: "How low conversions may take the operator's own stock, by asset code: BTC=0.5,USDC=-1000.",
  },
  {
    name: 'TREASURY_SHARE_PERCENT',
    fallback: '50',
    meaning: "How much of the stock one of several merchants' open checkouts may be promised.",
  },
  {
    name: 'COVERAGE_WARNING_PERCENT',
    fallback: '100',
    meaning: 'Warns when less than this part of what is owed and promised of an asset is held.',
  },
  {
    name: 'UNFINAL_CEILINGS',
    fallback: '10 times the largest amount that has confirmations of its own: BITCOIN=10,LITECOIN=1000,ETHEREUM=100',
    meaning:
      'How much all accounts together may take out of payments that are not final, by network, in its first asset; ' +
      'less where they are shallow.',
  },
  {
    name: 'ANCHORED_ASSETS',
    fallback: 'none',
    meaning: 'Assets of other issuers that merchants may prefer (anchors): BTC:G…@anchor.example, comma-separated.',
  },
  {
    name: 'RATE_LIMITS',
    fallback: 'on',
    meaning: 'on or off: limits of requests per key and address, to API and pages.',
  },
  { name: 'TRUSTED_PROXIES', fallback: 'none', meaning: 'Addresses or ranges whose X-Forwarded-For is believed.' },
  {
    name: 'WEBHOOK_ALLOW_LOOPBACK',
    fallback: 'on in the sandbox',
    meaning: 'Whether webhooks may go to this machine.',
  },
  {
    name: 'SMTP_URL',
    fallback: 'none: no e-mail',
    meaning: 'Mail server for receipts: smtps://user:password@mail.example, or smtp:// with port 587.',
  },
  { name: 'MAIL_FROM', fallback: 'none: no e-mail', meaning: 'Sender of receipts: Shop payments <pay@example.com>.' },
  { name: 'METRICS_TOKEN', fallback: 'none: loopback only', meaning: 'Bearer token of GET /metrics.' },
  {
    name: 'OPEN_DEPOSITS_PER_MERCHANT',
    fallback: '5000',
    meaning: 'Deposits that a merchant may have open: reusable ones, and unpaid ones of the last week.',
  },
  { name: 'PAGE_VIEWERS', fallback: '10000', meaning: 'Open payment pages that this process tells of changes.' },
  { name: 'PAGE_VIEWERS_PER_ADDRESS', fallback: '200', meaning: 'Those of one address; others ask every few seconds.' },
  {
    name: 'SANDBOX_CHAINS',
    fallback: 'set by npm start',
    meaning: 'JSON: where the chains of the sandbox take orders. Never in production.',
  },
  { name: 'WORKER_CONCURRENCY', fallback: '64', meaning: 'Jobs a worker runs at once.' },
  { name: 'WATCH_POLL_MS', fallback: '1000', meaning: 'Pause between two looks at a quiet network.' },
  { name: 'LOG_LEVEL', fallback: 'info', meaning: 'debug, info, warn, error or silent.' },
  ...Object.values(networkSettings).flatMap(({ described }) => described),
];
