/** What is wrong with a change of settings, in sentences that say what would be right. */
import { type Problem, told } from '../lib/errors.ts';
import { hasHidden } from '../lib/hidden-characters.ts';
import { compare, decimal, parseDecimal } from '../money/decimal.ts';
import { authMethods, type Merchant, riskTolerances } from './merchant.ts';
import { isPaperPrefix, paperPrefixNames } from './paper-prefix.ts';
import { sellerDataNames, sellerProblems } from './seller-data.ts';

export type SettingsChange = Partial<Omit<Merchant, 'id' | 'suspended'>>;

/** `after`: the account with this change, for what two settings must agree about. */
export function settingsProblems(change: SettingsChange, after?: Merchant): Problem[] {
  const problems: Problem[] = [];
  const demand = (isGood: boolean, sentence: Problem): void => {
    if (!isGood) problems.push(sentence);
  };
  const { name, email, accountCurrency, tolerancePercent, toleranceAbsolute, extraConfirmations, highRiskAssets } =
    change;
  const { destinationWaitMinutes, feePercent, feeMinimumUsd, transferApprovalAbove, refundApprovalAbove } = change;
  const { underpaidAcceptPercent, lateTolerancePercent, dailyLimit, supportLimit, storedMegabytesMax } = change;
  if (name !== undefined)
    demand(/^.{1,100}$/.test(name), told('setting_name', 'The name must be 1 to 100 characters.'));
  if (email)
    demand(
      /^[^\s@]+@[^\s@]+$/.test(email) && email.length <= 254,
      told('setting_email', 'The e-mail address is not valid.'),
    );
  if (accountCurrency !== undefined)
    demand(/^[A-Z]{3,5}$/.test(accountCurrency), 'The account currency must be a currency code such as EUR.');
  if (tolerancePercent !== undefined)
    demand(
      isBetween(tolerancePercent, '0', '5'),
      told('setting_tolerance', 'The tolerance must be from 0 to 5 percent.'),
    );
  if (toleranceAbsolute !== undefined)
    demand(
      isBetween(toleranceAbsolute, '0', '1000000'),
      told('setting_tolerance_most', 'The absolute tolerance must be from 0 to 1000000.'),
    );
  if (lateTolerancePercent !== undefined)
    demand(
      isBetween(lateTolerancePercent, '0', '100'),
      told(
        'setting_late_tolerance',
        'The late tolerance must be from 0 to 100 percent; 100 credits late payments whatever they are worth.',
      ),
    );
  if (underpaidAcceptPercent !== undefined && underpaidAcceptPercent !== null)
    demand(
      isBetween(underpaidAcceptPercent, '1', '99.99'),
      told(
        'setting_accept',
        'The part from which an underpayment is accepted by itself must be from 1 to 99.99 percent.',
      ),
    );
  if (extraConfirmations !== undefined)
    demand(
      Number.isInteger(extraConfirmations) && extraConfirmations >= 0 && extraConfirmations <= 100,
      told('setting_confirmations', 'Extra confirmations must be a whole number from 0 to 100.'),
    );
  if (destinationWaitMinutes !== undefined)
    demand(
      Number.isInteger(destinationWaitMinutes) && destinationWaitMinutes >= 0 && destinationWaitMinutes <= 43_200,
      told(
        'setting_wait',
        'The waiting time of destinations must be a whole number of minutes from 0 to 43200, which is 30 days.',
      ),
    );
  if (feePercent) demand(isBetween(feePercent, '0', '50'), 'The fee must be from 0 to 50 percent.');
  if (feeMinimumUsd) demand(isBetween(feeMinimumUsd, '0', '1000'), 'The least fee must be from 0 to 1000 dollars.');
  if (storedMegabytesMax !== undefined && storedMegabytesMax !== null)
    demand(
      Number.isInteger(storedMegabytesMax) && storedMegabytesMax >= 1 && storedMegabytesMax <= 10_000_000,
      'What a merchant may keep must be a whole number of megabytes from 1 to 10000000.',
    );
  if (transferApprovalAbove !== undefined && transferApprovalAbove !== null)
    demand(
      isBetween(transferApprovalAbove, '0', '1000000000000'),
      told('setting_limit', 'Transfers can need approval above an amount from 0 to 1000000000000.'),
    );
  if (refundApprovalAbove !== undefined && refundApprovalAbove !== null)
    demand(
      isBetween(refundApprovalAbove, '0', '1000000000000'),
      told('setting_limit', 'Refunds can need approval above an amount from 0 to 1000000000000.'),
    );
  if (dailyLimit !== undefined && dailyLimit !== null)
    demand(
      isBetween(dailyLimit, '0', '1000000000000'),
      told('setting_limit', 'The limit of a day must be from 0 to 1000000000000.'),
    );
  if (supportLimit !== undefined && supportLimit !== null)
    demand(
      isBetween(supportLimit, '0', '1000000000000'),
      told('setting_limit', 'The limit for support must be from 0 to 1000000000000.'),
    );
  if (change.settlementAsset !== undefined)
    demand(
      /^[A-Za-z0-9]{1,12}(:[A-Z0-9]{1,56})?$/.test(change.settlementAsset),
      'The asset that is credited must be an asset id of GET /assets, its code such as USDC, or ORIGIN.',
    );
  if (change.riskTolerance !== undefined)
    demand(riskTolerances.includes(change.riskTolerance), 'The risk tolerance must be LOW or MEDIUM.');
  if (change.preferredAuth !== undefined)
    demand(authMethods.includes(change.preferredAuth), 'The preferred authentication must be digest or basic.');
  if (after?.preferredAuth === 'basic' && !after.isBasicAllowed)
    problems.push(
      told(
        'setting_basic_off',
        'Basic authentication cannot be preferred while it is off. Allow it, or prefer digest.',
      ),
    );
  demand(
    !hasControls(change),
    told('setting_control', 'Names, addresses and numbers must not contain characters that nobody can see.'),
  );
  if (change.pageSettings !== undefined) {
    problems.push(...pageProblems(change.pageSettings));
    problems.push(...sellerProblems(change.pageSettings, after?.pageSettings ?? change.pageSettings));
  }
  if (highRiskAssets !== undefined)
    demand(
      highRiskAssets.length <= 50 && highRiskAssets.every((code) => /^[A-Za-z0-9]{1,12}$/.test(code)),
      'High-risk assets must be a list of asset codes such as USDT.',
    );
  return problems;
}

/**
 * In what papers say about the seller. The postal address has lines, and marks of direction, which who writes Arabic needs beside
 * numbers; the name has neither: people sign orders of the account by it.
 */
function hasControls({ name = '', pageSettings = {} }: SettingsChange): boolean {
  const lines = [
    ...sellerDataNames.map((each) => pageSettings[each]),
    pageSettings['taxId'],
    pageSettings['legalLine'],
  ];
  const address = pageSettings['postalAddress'];
  const all = [...lines, typeof address === 'string' ? address.replaceAll(/\r?\n/g, '') : ''];
  return hasHidden(name) || all.some((each) => typeof each === 'string' && /\p{Cc}/u.test(each));
}

/** Of the settings that are not a line of words or an address. */
function pageProblems(settings: Readonly<Record<string, unknown>>): Problem[] {
  const { postalAddress } = settings;
  const isLong =
    typeof postalAddress === 'string' && (postalAddress.length > 300 || postalAddress.split('\n').length > 6);
  const prefixes = Object.values(paperPrefixNames).map((name) => settings[name]);
  const isBadPrefix = prefixes.some((prefix) => typeof prefix === 'string' && !isPaperPrefix(prefix));
  return [
    ...(isLong
      ? [told('setting_address', 'The postal address must be at most 300 characters in at most 6 lines.')]
      : []),
    ...(isBadPrefix
      ? [
          told(
            'setting_paper_prefix',
            'A prefix of numbers has at most 20 characters: letters, digits, - / . _ and {year}; it does not end in a digit or the year.',
            { year: '{year}' },
          ),
        ]
      : []),
  ];
}

function isBetween(text: string, least: string, most: string): boolean {
  const value = parseDecimal(text);
  return value !== undefined && compare(value, decimal(least)) >= 0 && compare(value, decimal(most)) <= 0;
}
