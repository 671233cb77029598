import { hours } from '../../lib/clock.ts';
import { onOrOff } from '../../lib/setting-kinds.ts';
import { describeSettings, type SettingTable } from '../../lib/setting-table.ts';
import { createBankConnector } from '../families/bank/bank-connector.ts';
import { rewindBankCursor } from '../families/bank/bank-cursor.ts';
import { missingBicProblem, sepaIbanProblem } from '../families/bank/bank-destination.ts';
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

const timeZone = 'Europe/Berlin'; // TARGET's, whose days banks in euros keep.
const earliestZone = 'Europe/Helsinki'; // No bank in SEPA has its midnight before those of Finland, Greece or Romania.

const identity: NetworkIdentity = {
  id: 'SEPA',
  name: 'SEPA',
  type: 'BANK',
  imageSrc: '/images/networks/sepa.svg',
  bridged: true,
  assets: namedAlike('EUR'),
  paymentWindowMs: hours(7 * 24), // A transfer takes a banking day, and two weekends with a holiday lie in a week.
  takesOwnCurrencyOnly: true,
  offeredAs: offeredAs.sepa,
  knownAs: bankKnownAs,
  returnTakes: payerTexts.sepaBack,
  holderNeeds: ['name'],
  accountNumbers,
  endOfBankingDays: (moment, count) => endOfBankingDays(timeZone, moment, count),
};

const definition = (account: ReceivingAccount): NetworkDefinition => ({
  ...identity,
  // The least and the most that a transfer in SEPA can be (EPC115-06).
  assets: [
    {
      assetCode: 'EUR',
      paymentCode: 'EUR',
      scale: 2,
      minimumUnits: 1n,
      unmatchedMinimumUnits: 100n, // An instant transfer costs nothing, and whoever looks at one is paid for it.
      mostSentUnits: 99_999_999_999n,
    },
  ],
  // What is booked is ours: who paid can take it back only if we agree. Our bank may correct a mistake of its own.
  confirmationTiers: [{ confirmations: 1 }],
  finalityDepth: 1, // Nobody waits for another statement; `finalHeight` says what is final, by days.
  averageBlockSeconds: 86_400,
  payerInstructions: bankInstructions(account),
  accountOf: paidAccount(account),
});

type SepaSettings = BankSettings & { readonly isInstant: boolean };

const instantTable = {
  INSTANT: {
    kind: onOrOff,
    fallback: 'off',
    meaning: 'on: payments are ordered as instant ones, which are done when they are booked.',
  },
} satisfies SettingTable;

const ofAccount = bankSettings('SEPA', {
  ibanProblem: sepaIbanProblem,
  bicOtherwise: 'none: the IBAN is enough',
  missingBicProblem: (iban) => missingBicProblem(iban, null),
});

const settings: SettingsOf<SepaSettings> = {
  described: [...ofAccount.described, ...describeSettings(instantTable, 'SEPA_')],
  read(reader) {
    const isInstant = reader.of(instantTable, 'SEPA_')('INSTANT');
    const account = ofAccount.read(reader);
    return account && { ...account, isInstant };
  },
  // In another currency it is another account: its statements are others.
  addressSource: ({ iban }) => ({ setting: 'SEPA_IBAN', key: `${iban} EUR` }),
};

export const sepaNetwork: ConnectedNetwork<SepaSettings> = {
  identity,
  assets: [issuedAsset('EUR', 'Euro', { hexColor: '#1e3a9f', ledgerScale: 7 })],
  images: new URL('./images/', import.meta.url),
  settings,
  connect({ iban, bic, holder, otherNames, creditsFrom, address, fileVersion, isInstant }, now = () => new Date()) {
    const account: ReceivingAccount = { scheme: 'sepa', name: holder, iban, bic };
    return createBankConnector(definition(account), {
      account,
      otherNames,
      creditsFrom,
      assetCode: 'EUR',
      finalAfterDays: 14,
      timeZone,
      earliestZone,
      addressProblem: sepaIbanProblem,
      settledAfterDays: 4, // Banks may return a payment for three banking days (EPC125-05).
      orders: { version: fileVersion, scheme: { kind: 'sepa', isInstant }, address },
      now,
    });
  },
  rewind: rewindBankCursor,
};
