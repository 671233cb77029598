import { findCurrency } from '@quittance/server/catalog/currency-catalog';
import { knownAssets } from '@quittance/server/catalog/known-assets';
import type { Db } from '@quittance/server/db/database';
import { enqueue } from '@quittance/server/jobs/enqueue';
import { systemClock as clock } from '@quittance/server/lib/clock';
import { notFound } from '@quittance/server/lib/errors';
import { allowAddress, changeSettings, disallowAddress } from '@quittance/server/merchants/change-settings';
import { createMerchant } from '@quittance/server/merchants/create-merchant';
import type { Merchant } from '@quittance/server/merchants/merchant';
import { findMerchant, listAllowedAddresses, listMerchants } from '@quittance/server/merchants/merchant-store';
import type { SettingsChange } from '@quittance/server/merchants/settings-problems';
import { type StatusMailChoices, type StatusMailKind, statusMailKinds } from '@quittance/server/merchants/status-mails';
import { resumeMerchant, suspendMerchant } from '@quittance/server/merchants/suspend-merchant';
import { readTimeZone, timeZoneOf } from '@quittance/server/merchants/time-zone';
import { type HeldBackOrder, listHeldBack } from '@quittance/server/refunds/cancel-held-back';
import { type Command, CommandError, command, type Output, UsageError } from '../command-line.ts';
import { amountText, assetCode, factList, textTable } from '../text-table.ts';
import { readScopes, scopeOption } from './key-commands.ts';

/** The name under which the audit log has these commands. */
const actor = 'operator';

async function describeMerchant(db: Db, merchant: Merchant): Promise<Output> {
  const [addresses, all] = await Promise.all([listAllowedAddresses(db, merchant.id), listMerchants(db)]);
  const apiKeys = all.find(({ id }) => id === merchant.id)?.apiKeys ?? [];
  const allowedAddresses = addresses.map(({ range }) => range);
  return {
    data: { ...merchant, apiKeys, allowedAddresses },
    text: factList({
      id: merchant.id,
      name: merchant.name,
      'e-mail': merchant.email,
      suspended:
        merchant.suspended === null ? 'no' : `since ${merchant.suspended.at.toISOString()}: ${merchant.suspended.why}`,
      'account currency': merchant.accountCurrency,
      'time zone': timeZoneOf(merchant.pageSettings),
      'API keys': apiKeys.join(', '),
      'basic authentication allowed': merchant.isBasicAllowed,
      'preferred authentication': merchant.preferredAuth,
      'only from allowed addresses': merchant.isAddressListEnforced,
      'people only from there too': merchant.isAddressListForPeople,
      'allowed addresses': allowedAddresses.join(', ') || 'none',
      'credited in': merchant.settlementAsset === 'ORIGIN' ? 'as paid' : merchant.settlementAsset,
      'risk tolerance': merchant.riskTolerance,
      'high-risk assets': merchant.highRiskAssets.join(', ') || 'none',
      'tolerance, percent': merchant.tolerancePercent,
      'tolerance, absolute': `${merchant.toleranceAbsolute} ${merchant.accountCurrency}`,
      'late tolerance, percent': merchant.lateTolerancePercent,
      'accepts underpayments from':
        merchant.underpaidAcceptPercent === null ? 'never' : `${merchant.underpaidAcceptPercent} percent`,
      'extra confirmations': merchant.extraConfirmations,
      'by bank at the rate of the booking': merchant.takesRateOfBooking,
      'webhooks only over https': merchant.isWebhookHttpsRequired,
      'new destinations wait, minutes': merchant.destinationWaitMinutes,
      'fee, percent': merchant.feePercent ?? 'as usual',
      'least fee, dollars': merchant.feeMinimumUsd ?? 'as usual',
      'may keep, megabytes': merchant.storedMegabytesMax ?? 'as usual',
      'transfers need approval above':
        merchant.transferApprovalAbove === null
          ? null
          : `${merchant.transferApprovalAbove} ${merchant.accountCurrency} a day`,
      'refunds need approval above':
        merchant.refundApprovalAbove === null
          ? 'counted with transfers'
          : `${merchant.refundApprovalAbove} ${merchant.accountCurrency} a day`,
      'at most in a day': merchant.dailyLimit === null ? null : `${merchant.dailyLimit} ${merchant.accountCurrency}`,
      'support decides up to':
        merchant.supportLimit === null ? 'nothing' : `${merchant.supportLimit} ${merchant.accountCurrency} a day`,
    }),
  };
}

function knownCurrency(code: string): string {
  if (findCurrency(code) === undefined) throw new CommandError(`${code} is not a currency that we know.`);
  return code;
}

function onOrOff(name: string, text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new UsageError(`--${name} must be on or off.`);
  return text === 'on';
}

/** Whether it is offered, and fits the tolerance, the settings say. */
function knownAsset(text: string): string {
  const [code = ''] = text.split(':');
  if (text !== 'ORIGIN' && !knownAssets.some((asset) => asset.code === code))
    throw new CommandError(`${text} is not an asset that we know.`);
  return text;
}

const riskOf = (code: string) => knownAssets.find((asset) => asset.code === code)?.riskLevel;

/** What the account page asks of the catalogue, which a command does not have: by the codes of the assets. */
export function creditProblems({ settlementAsset, riskTolerance, highRiskAssets }: Merchant): string[] {
  const [code = ''] = settlementAsset.split(':');
  const risk = riskOf(code);
  const isIn = risk === 'LOW' || (risk === 'MEDIUM' && riskTolerance === 'MEDIUM');
  if (settlementAsset === 'ORIGIN' || isIn || (risk === 'HIGH' && highRiskAssets.includes(code))) return [];
  return [`${code} is of ${risk} risk, which this account does not take: choose another asset, or another risk.`];
}

type PageOptions = Readonly<
  Record<
    'postal-address' | 'time-zone' | 'mails' | `${'invoice' | 'receipt' | 'credit-note'}-prefix`,
    string | undefined
  >
>;

function mailChoices(text: string): StatusMailChoices {
  const wanted = text === 'none' ? [] : text.split(',').map((kind) => kind.trim());
  const unknown = wanted.find((kind) => !statusMailKinds.some((each) => each === kind));
  if (unknown !== undefined) throw new UsageError(`--mails must be none, or some of ${statusMailKinds.join(', ')}.`);
  const has = (kind: StatusMailKind): boolean => wanted.includes(kind);
  return {
    created: has('created'),
    paid: has('paid'),
    underpaid: has('underpaid'),
    expired: has('expired'),
    refunded: has('refunded'),
  };
}

function pageChange(options: PageOptions): Pick<SettingsChange, 'pageSettings'> {
  const { 'postal-address': postalAddress, 'time-zone': zone } = options;
  const lines = postalAddress?.split(',').map((line) => line.trim());
  const given = {
    ...(lines && { postalAddress: postalAddress === 'none' ? null : lines.join('\n') }),
    ...(zone !== undefined && { timeZone: readTimeZone(zone) }),
    ...(options.mails !== undefined && { statusMails: mailChoices(options.mails) }),
    ...(options['invoice-prefix'] !== undefined && { invoicePrefix: options['invoice-prefix'] }),
    ...(options['receipt-prefix'] !== undefined && { receiptPrefix: options['receipt-prefix'] }),
    ...(options['credit-note-prefix'] !== undefined && { creditNotePrefix: options['credit-note-prefix'] }),
  };
  return Object.keys(given).length > 0 ? { pageSettings: given } : {};
}

const noneOr = (text: string | undefined): string | null | undefined => (text === 'none' ? null : text);

const usualOr = (text: string | undefined): string | null | undefined => (text === 'usual' ? null : text);

const readCodes = (text: string): string[] => (text === 'none' ? [] : text.split(',').map((code) => code.trim()));

export const merchantCommands: readonly Command[] = [
  command({
    name: 'merchant create',
    summary: 'Create a merchant; prints its key and secrets, once.',
    options: {
      name: { value: 'name', meaning: 'What customers see on the payment page.', isRequired: true },
      email: { value: 'address', meaning: "The merchant's own e-mail address." },
      currency: { value: 'code', meaning: 'The account currency, in which tolerances are counted (USD).' },
      scope: scopeOption,
    },
    examples: [
      'merchant create --name "Corner shop" --email owner@shop.example --currency EUR',
      'merchant create --name "Corner shop" --scope charge,read,money',
    ],
    async run({ withDatabase, openEncryption }, _, { name, email, currency = 'USD', scope }) {
      const scopes = readScopes(scope);
      const encryption = await openEncryption();
      const merchant = { name, email: email ?? null, accountCurrency: knownCurrency(currency), scopes };
      const made = await withDatabase((db) => createMerchant({ db, clock, encryption }, merchant, actor));
      const data = {
        merchantId: made.merchantId,
        apiKey: made.apiKey,
        apiSecret: made.apiSecret.reveal(),
        webhookSecret: made.webhookSecret.reveal(),
        scopes,
      };
      const text = factList({
        merchant: data.merchantId,
        'API key': data.apiKey,
        'API secret': data.apiSecret,
        'webhook secret': data.webhookSecret,
        scopes: scopes.join(', '),
      });
      return { data, text: `${text}\nKeep the secrets now: they are not shown again.` };
    },
  }),
  command({
    name: 'merchant list',
    summary: 'List the merchants and their keys.',
    examples: ['merchant list'],
    async run({ withDatabase }) {
      const merchants = await withDatabase(listMerchants);
      const rows = merchants.map(({ id, name, accountCurrency, apiKeys }) => [
        id,
        name,
        accountCurrency,
        apiKeys.join(', '),
      ]);
      return { data: merchants, text: textTable(['MERCHANT', 'NAME', 'CURRENCY', 'API KEYS'], rows) };
    },
  }),
  command({
    name: 'merchant show',
    summary: 'Show a merchant with all settings.',
    arguments: ['merchantId'],
    examples: ['merchant show 4cq0zr1lbdk9'],
    run: ({ withDatabase }, { merchantId }) =>
      withDatabase(async (db) => {
        const merchant = await findMerchant(db, merchantId);
        if (!merchant) throw notFound('merchant', merchantId);
        return describeMerchant(db, merchant);
      }),
  }),
  command({
    name: 'merchant settings',
    summary: 'Change settings of a merchant; what is not named stays.',
    arguments: ['merchantId'],
    options: {
      name: { value: 'name', meaning: 'What customers see.' },
      email: { value: 'address', meaning: 'E-mail address, or none.' },
      currency: { value: 'code', meaning: 'The account currency.' },
      'postal-address': { value: 'text', meaning: 'Of the business, lines divided by commas; or none.' },
      'time-zone': { value: 'zone', meaning: 'In which days are counted and papers dated, such as Europe/Berlin.' },
      'invoice-prefix': {
        value: 'prefix',
        meaning: 'How numbers of invoices begin; {year} is the year of issue (INV-{year}-).',
      },
      'receipt-prefix': { value: 'prefix', meaning: 'Likewise of receipts (RCT-{year}-).' },
      'credit-note-prefix': { value: 'prefix', meaning: 'Likewise of credit notes (CRN-{year}-).' },
      mails: {
        value: 'kinds',
        meaning:
          'What linked customers are told by e-mail: created, paid, underpaid, expired, refunded, comma-separated; or none.',
      },
      'settlement-asset': {
        value: 'asset',
        meaning: 'What is credited where a charge does not say: an asset such as USDC, or ORIGIN, as paid.',
      },
      risk: { value: 'LOW|MEDIUM', meaning: 'What the account is credited in at most, beside high-risk assets.' },
      'preferred-auth': { value: 'digest|basic', meaning: 'What examples show.' },
      'people-from-list': { value: 'on|off', meaning: 'Whether people reach the account only from the list, too.' },
      'daily-limit': {
        value: 'amount',
        meaning: 'No more than this leaves in 24 hours, even if approved, in the account currency; or none.',
      },
      'support-limit': {
        value: 'amount',
        meaning: 'What each person of the role support decides in 24 hours, in the account currency; or none.',
      },
      basic: { value: 'on|off', meaning: 'Whether X-Basic works beside the digest.' },
      'allow-address': { value: 'CIDR', meaning: 'Add to the list of addresses. May be repeated.', isRepeatable: true },
      'disallow-address': { value: 'CIDR', meaning: 'Take off the list. May be repeated.', isRepeatable: true },
      'enforce-addresses': { value: 'on|off', meaning: 'Whether the API answers only to the list.' },
      'high-risk': { value: 'codes', meaning: 'The high-risk assets enabled, comma-separated, or none.' },
      'tolerance-percent': { value: 'percent', meaning: 'How much may be missing, 0 to 5.' },
      'tolerance-absolute': { value: 'amount', meaning: 'And at most this, in the account currency.' },
      'late-tolerance-percent': {
        value: 'percent',
        meaning: 'How much late payments may have lost of their value, 0 to 100; 100 credits them always.',
      },
      'underpaid-accept-percent': {
        value: 'percent',
        meaning: 'Accept an underpayment of so much of the price without asking; or never.',
      },
      'extra-confirmations': { value: 'count', meaning: 'Wait for so many more than we would.' },
      'rate-of-booking': {
        value: 'on|off',
        meaning: 'Whether payments by bank are also credited in another asset, at the rate when they are booked.',
      },
      'https-webhooks': { value: 'on|off', meaning: 'Whether webhooks go to https URLs only.' },
      'destination-wait': { value: 'minutes', meaning: 'How long a new destination of transfers must wait.' },
      'fee-percent': { value: 'percent', meaning: 'The fee agreed with this merchant, or usual.' },
      'fee-minimum': { value: 'dollars', meaning: 'The least fee agreed with this merchant, or usual.' },
      'stored-mb': {
        value: 'megabytes',
        meaning: 'How much of what it posts this merchant may keep, or usual (MERCHANT_STORED_MB).',
      },
      'approval-above': {
        value: 'amount',
        meaning: 'More than this leaves in 24 hours only with a second key, in the account currency; or none.',
      },
      'refund-approval-above': {
        value: 'amount',
        meaning: 'Likewise for refunds, counted by themselves; or transfers, to count them with those (the default).',
      },
    },
    examples: [
      'merchant settings 4cq0zr1lbdk9 --basic off --high-risk USDT',
      'merchant settings 4cq0zr1lbdk9 --allow-address 203.0.113.0/24 --enforce-addresses on',
    ],
    async run({ withDatabase }, { merchantId }, options) {
      const { name, email, currency, basic } = options;
      const enforced = options['enforce-addresses'];
      const extra = options['extra-confirmations'];
      const [isHttps, atBooking] = [options['https-webhooks'], options['rate-of-booking']];
      const wait = options['destination-wait'];
      const above = options['approval-above'];
      const refundsAbove = options['refund-approval-above'];
      const room = options['stored-mb'];
      const acceptFrom = options['underpaid-accept-percent'];
      const change = onlyGiven({
        name,
        email: email === 'none' ? null : email,
        accountCurrency: currency && knownCurrency(currency),
        ...pageChange(options),
        settlementAsset: options['settlement-asset'] && knownAsset(options['settlement-asset']),
        riskTolerance: options.risk && (options.risk.toUpperCase() as Merchant['riskTolerance']),
        preferredAuth: options['preferred-auth'] as Merchant['preferredAuth'] | undefined,
        isAddressListForPeople: options['people-from-list'] && onOrOff('people-from-list', options['people-from-list']),
        dailyLimit: noneOr(options['daily-limit']),
        supportLimit: noneOr(options['support-limit']),
        isBasicAllowed: basic && onOrOff('basic', basic),
        isAddressListEnforced: enforced && onOrOff('enforce-addresses', enforced),
        highRiskAssets: options['high-risk'] && readCodes(options['high-risk']),
        tolerancePercent: options['tolerance-percent'],
        toleranceAbsolute: options['tolerance-absolute'],
        lateTolerancePercent: options['late-tolerance-percent'],
        underpaidAcceptPercent: acceptFrom === 'never' ? null : acceptFrom,
        extraConfirmations: extra && Number(extra),
        takesRateOfBooking: atBooking && onOrOff('rate-of-booking', atBooking),
        isWebhookHttpsRequired: isHttps && onOrOff('https-webhooks', isHttps),
        destinationWaitMinutes: wait && Number(wait),
        feePercent: usualOr(options['fee-percent']),
        feeMinimumUsd: usualOr(options['fee-minimum']),
        storedMegabytesMax: room && (room === 'usual' ? null : Number(room)),
        transferApprovalAbove: above === 'none' ? null : above,
        refundApprovalAbove: refundsAbove === 'transfers' ? null : refundsAbove,
      });
      const { 'allow-address': allowed, 'disallow-address': disallowed } = options;
      if (Object.keys(change).length + allowed.length + disallowed.length === 0)
        throw new UsageError('Nothing to change: name at least one setting.');
      return withDatabase(async (db) => {
        const deps = { db, clock };
        // In this order one command can fill a list and enforce it, or stop enforcing it and empty it.
        for (const range of allowed) await allowAddress(deps, merchantId, { range }, actor);
        const merchant = await changeSettings(deps, merchantId, change, actor, { check: creditProblems });
        for (const range of disallowed) await disallowAddress(deps, merchantId, range, actor);
        return describeMerchant(db, merchant);
      });
    },
  }),
  command({
    name: 'merchant suspend',
    summary: 'Let nothing be charged or sent for a merchant.',
    details:
      'Payments that arrive are credited all the same, and webhooks are delivered. What was asked for before waits until merchant resume. The previous release does not know of it: every process must be of this one.',
    arguments: ['merchantId'],
    options: { why: { value: 'sentence', meaning: 'What the people of the account read.', isRequired: true } },
    examples: ['merchant suspend 4cq0zr1lbdk9 --why "A key of this account was stolen."'],
    async run({ withDatabase }, { merchantId }, { why }) {
      await withDatabase((db) => suspendMerchant({ db, clock }, merchantId, why, { actor }));
      return { data: { merchantId, why }, text: `${merchantId} is suspended.` };
    },
  }),
  command({
    name: 'merchant held-back',
    summary: 'List what waits to leave a suspended merchant, and could be sent if it worked again.',
    details:
      'Also what waits until its destination is usable (time), for approval, and refunds whose link the payer has (payer).',
    arguments: ['merchantId'],
    examples: ['merchant held-back 4cq0zr1lbdk9'],
    run: ({ withDatabase }, { merchantId }) =>
      withDatabase(async (db) => {
        const orders = await heldBackOf(db, merchantId);
        const data = orders.map(({ units, ...order }) => ({ ...order, amount: amountText(units, order.asset) }));
        const rows = data.map(({ id, purpose, amount, asset, network, address, waitsFor, requestedAt }) => [
          ...[
            id,
            purpose,
            `${amount} ${assetCode(asset)}`,
            network,
            address ?? '',
            waitsFor,
            requestedAt.toISOString(),
          ],
        ]);
        const head = ['ORDER', 'WHAT', 'AMOUNT', 'NETWORK', 'TO', 'WAITS FOR', 'ASKED FOR'];
        return { data, text: textTable(head, rows) };
      }),
  }),
  command({
    name: 'merchant take-back',
    summary: 'Take back what waits to leave a suspended merchant: one order, or all of them.',
    details:
      'The running service does it; merchant held-back lists what is left. The money is available in the account again, and its people read in their audit log that the operator did it.',
    arguments: ['merchantId'],
    options: {
      order: { value: 'id', meaning: 'Only this one.' },
      all: { meaning: 'All that merchant held-back lists.' },
    },
    examples: ['merchant take-back 4cq0zr1lbdk9 --order c81k2mz09qal', 'merchant take-back 4cq0zr1lbdk9 --all'],
    async run({ withDatabase }, { merchantId }, { order, all }) {
      if (all === (order !== undefined)) throw new UsageError('Give either --order or --all.');
      const ids = await withDatabase(async (db) => {
        const orders = await heldBackOf(db, merchantId);
        const chosen = orders.flatMap(({ id }) => (order === undefined || order === id ? [id] : []));
        if (order !== undefined && chosen.length === 0) throw notFound('order', order);
        const now = clock.now();
        await db.begin((tx) =>
          enqueue(
            tx,
            chosen.map((orderId) => ({ name: 'order.cancel', payload: { merchantId, orderId }, runAt: now })),
          ),
        );
        return chosen;
      });
      return { data: { merchantId, orders: ids }, text: `${ids.length} being taken back: see merchant held-back.` };
    },
  }),
  command({
    name: 'merchant resume',
    summary: 'Let a suspended merchant work again; what waited is sent.',
    arguments: ['merchantId'],
    examples: ['merchant resume 4cq0zr1lbdk9'],
    async run({ withDatabase }, { merchantId }) {
      await withDatabase((db) => resumeMerchant({ db, clock }, merchantId, { actor }));
      return { data: { merchantId }, text: `${merchantId} works again.` };
    },
  }),
];

async function heldBackOf(db: Db, merchantId: string): Promise<HeldBackOrder[]> {
  const merchant = await findMerchant(db, merchantId);
  if (!merchant) throw notFound('merchant', merchantId);
  if (!merchant.suspended) throw new CommandError('This merchant is not suspended: its own people decide what leaves.');
  return listHeldBack(db, merchantId);
}

const onlyGiven = (change: { readonly [N in keyof SettingsChange]: SettingsChange[N] | undefined | '' }) =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as SettingsChange;
