/**
 * Transfers from banks all over the world to one account, in dollars or in euros. Banks on the way may take their part: what
 * was ordered is told beside what came.
 */
import { hours } from '../../lib/clock.ts';
import { choice } from '../../lib/setting-kinds.ts';
import { describeSettings, type SettingTable } from '../../lib/setting-table.ts';
import { createBankConnector } from '../families/bank/bank-connector.ts';
import { rewindBankCursor } from '../families/bank/bank-cursor.ts';
import { anyAccountProblem, ibanProblem } from '../families/bank/bank-destination.ts';
import { bankInstructions, paidAccount, type ReceivingAccount } from '../families/bank/bank-payer.ts';
import { offeredAs, payerTexts } from '../families/bank/bank-payer-texts.ts';
import { type BankSettings, bankSettings } from '../families/bank/bank-settings.ts';
import { endOfBankingDays } from '../families/bank/banking-days.ts';
import { accountNumbers } from '../families/bank/iban.ts';
import { bankKnownAs } from '../families/bank/shown-booking.ts';
import { issuedAsset } from '../port/asset-definition.ts';
import { type NetworkDefinition, type NetworkIdentity, namedAlike } from '../port/definition.ts';
import type { ConnectedNetwork } from '../port/registered-network.ts';
import type { SettingsOf } from '../settings-reader.ts';

export type SwiftSettings = BankSettings & {
  readonly currency: 'USD' | 'EUR';
  readonly charges: keyof typeof chargesOf;
};

/** Who pays the banks on the way. */
const chargesOf = { OUR: 'payer', SHA: 'shared', BEN: 'payee' } as const;

const timeZone = 'Europe/Berlin'; // Nothing depends on the hour at which a day ends elsewhere.
const earliestZone = 'Pacific/Kiritimati'; // The bank may be anywhere, and nowhere does a day begin before this.

const identity: NetworkIdentity = {
  id: 'SWIFT',
  name: 'SWIFT',
  type: 'BANK',
  imageSrc: '/images/networks/swift.svg',
  bridged: true,
  assets: namedAlike('USD', 'EUR'),
  paymentWindowMs: hours(14 * 24), // Banks in between have days of their own.
  takesOwnCurrencyOnly: true,
  offeredAs: offeredAs.swift,
  knownAs: bankKnownAs,
  returnTakes: payerTexts.swiftBack,
  holderNeeds: ['name', 'bic'], // Where the account is decides what more (`payee-destination.ts`).
  accountNumbers,
  endOfBankingDays: (moment, count) => endOfBankingDays(timeZone, moment, count),
};

const definition = (account: ReceivingAccount, currency: string): NetworkDefinition => ({
  ...identity,
  assets: [
    {
      assetCode: currency,
      paymentCode: currency,
      scale: 2,
      minimumUnits: 1n,
      unmatchedMinimumUnits: 100n,
      mostSentUnits: 99_999_999_999n,
    },
  ],
  confirmationTiers: [{ confirmations: 1 }],
  finalityDepth: 1, // Nobody waits for another statement; `finalHeight` says what is final, by days.
  averageBlockSeconds: 86_400,
  payerInstructions: bankInstructions(account),
  accountOf: paidAccount(account),
});

const swiftTable = {
  CURRENCY: {
    kind: choice<SwiftSettings['currency']>('USD', 'EUR'),
    fallback: 'USD',
    meaning: 'The currency of that account: USD or EUR.',
  },
  CHARGES: {
    kind: choice<SwiftSettings['charges']>('SHA', 'OUR', 'BEN'),
    fallback: 'SHA',
    meaning:
      'Who pays the banks on the way of what is sent: SHA each their own, OUR the payer all of it, BEN whoever is paid. With SHA and BEN less may arrive.',
  },
} as const satisfies SettingTable;

const accountSettings = bankSettings('SWIFT', {
  ibanProblem,
  bicOtherwise: 'must be set with SWIFT_IBAN',
  missingBicProblem: () => 'Banks abroad can pay an account only with the BIC of its bank.',
});

const settings: SettingsOf<SwiftSettings> = {
  described: [...accountSettings.described, ...describeSettings(swiftTable, 'SWIFT_')],
  read(reader) {
    const value = reader.of(swiftTable, 'SWIFT_');
    const account = accountSettings.read(reader);
    return account && { ...account, currency: value('CURRENCY'), charges: value('CHARGES') };
  },
  addressSource: ({ iban, currency }) => ({ setting: 'SWIFT_IBAN', key: `${iban} ${currency}` }),
};

export const swiftNetwork: ConnectedNetwork<SwiftSettings> = {
  identity,
  assets: [issuedAsset('USD', 'US Dollar', { hexColor: '#4d7c0f', ledgerScale: 7 })],
  images: new URL('./images/', import.meta.url),
  settings,
  connect({ iban, bic, holder, otherNames, creditsFrom, currency, charges, ...more }, now = () => new Date()) {
    const account: ReceivingAccount = { scheme: 'swift', name: holder, iban, bic };
    return createBankConnector(definition(account, currency), {
      account,
      otherNames,
      creditsFrom,
      assetCode: currency,
      finalAfterDays: 30, // No rule says until when a bank may want its money back.
      timeZone,
      earliestZone,
      addressProblem: anyAccountProblem,
      settledAfterDays: 10, // Neither until when a payment comes back; most do within two weeks.
      orders: {
        version: more.fileVersion,
        scheme: { kind: 'swift', charges: chargesOf[charges] },
        address: more.address,
      },
      now,
    });
  },
  rewind: rewindBankCursor,
};
