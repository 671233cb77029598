import type { SettingsRecord } from '@quittance/contract/settings';
import type { Merchant } from './merchant.ts';
import { sellerDataOf } from './seller-data.ts';
import { statusMailsOf } from './status-mails.ts';
import { timeZoneOf } from './time-zone.ts';

export const settingsRecordOf = (merchant: Merchant, allowedAddresses: readonly string[]): SettingsRecord => ({
  name: merchant.name,
  email: merchant.email,
  postalAddress: postalAddressOf(merchant),
  seller: sellerDataOf(merchant),
  accountCurrency: merchant.accountCurrency,
  timeZone: timeZoneOf(merchant.pageSettings),
  api: {
    addresses: merchant.isAddressListEnforced ? 'list' : 'any',
    allowedAddresses: [...allowedAddresses],
    isListForPeople: merchant.isAddressListForPeople,
    isBasicAllowed: merchant.isBasicAllowed,
    preferredMethod: merchant.preferredAuth,
  },
  settlement: {
    asset: merchant.settlementAsset,
    riskTolerance: merchant.riskTolerance,
    highRiskAssets: [...merchant.highRiskAssets],
    tolerancePercent: merchant.tolerancePercent,
    toleranceAmount: merchant.toleranceAbsolute,
    lateTolerancePercent: merchant.lateTolerancePercent,
    acceptFromPercent: merchant.underpaidAcceptPercent,
    extraConfirmations: merchant.extraConfirmations,
    rateOfBooking: merchant.takesRateOfBooking,
  },
  limits: {
    approvalAbove: merchant.transferApprovalAbove,
    refundApprovalAbove: merchant.refundApprovalAbove,
    perDay: merchant.dailyLimit,
    support: merchant.supportLimit,
    destinationWaitMinutes: merchant.destinationWaitMinutes,
  },
  statusMails: statusMailsOf(merchant),
});

/** In lines; null: the business has given none. */
export function postalAddressOf({ pageSettings }: Pick<Merchant, 'pageSettings'>): string | null {
  const given = pageSettings['postalAddress'];
  return typeof given === 'string' && given.trim() !== '' ? given.trim() : null;
}
