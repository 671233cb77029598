/** What must be told of an account at a bank, whichever network it is on. */
import { choice, list, text } from '../../../lib/setting-kinds.ts';
import { describeSettings, type Kind, type SettingTable } from '../../../lib/setting-table.ts';
import type { SettingsOf } from '../../settings-reader.ts';
import { bicProblem, holderProblem } from './bank-destination.ts';
import type { StatementKind } from './bank-statement.ts';
import { isCountry, plainIban } from './iban.ts';
import { addressProblem } from './payee-destination.ts';
import type { BankAddress, PaymentFileVersion } from './write-payment-file.ts';

export type BankSettings = {
  readonly iban: string;
  readonly bic: string | null;
  readonly holder: string;
  readonly otherNames: readonly string[];
  readonly creditsFrom: StatementKind;
  /** Of who holds the account, which goes with payments outside the EEA. */
  readonly address: BankAddress | null;
  readonly fileVersion: PaymentFileVersion;
};

/** `ibanProblem`: what is wrong with an account that shall be paid on this network. */
type Rules = {
  ibanProblem(iban: string): string | null;
  missingBicProblem(iban: string): string | null;
  /** What holds without a BIC, for the list of settings. */
  readonly bicOtherwise: string;
};

const checked = (problemOf: (text: string) => string | null, form: (text: string) => string): Kind<string> => ({
  read(given, { name, problem }) {
    const found = problemOf(given);
    if (found !== null) problem(`${name} is wrong. ${found}`);
    return form(given);
  },
});

const settingTable = (id: string, rules: Rules) =>
  ({
    IBAN: {
      kind: checked(rules.ibanProblem, plainIban),
      otherwise: 'none: nobody pays there',
      meaning: `The account that takes payments by ${id}.`,
    },
    BIC: {
      kind: checked((bic) => bicProblem(bic, null), plainIban),
      otherwise: rules.bicOtherwise,
      meaning: 'The BIC of its bank, which payers are shown too.',
    },
    ACCOUNT_NAME: {
      kind: checked(holderProblem, (name) => name.trim()),
      otherwise: 'none',
      meaning: 'Who holds the account, as the bank writes it: the bank of a payer compares the name.',
    },
    CREDITS_FROM: {
      kind: choice<StatementKind>('camt.053', 'mt940', 'camt.052', 'camt.054'),
      fallback: 'camt.053',
      meaning:
        'Which of the bank’s messages credit payments: camt.053, mt940, camt.052 or camt.054. All others only show what is under way.',
    },
    ACCOUNT_OTHER_NAMES: {
      kind: list((name) => name),
      otherwise: 'none',
      meaning: 'What the bank calls the account where it does not write the IBAN, such as 10020030/1234567.',
    },
    ACCOUNT_STREET: {
      kind: text,
      otherwise: 'none',
      meaning: 'The street of who holds the account, without a number.',
    },
    ACCOUNT_POSTCODE: { kind: text, otherwise: 'none', meaning: 'The postcode of who holds the account.' },
    ACCOUNT_TOWN: {
      kind: text,
      otherwise: 'none: only accounts in the EEA can be paid',
      meaning: 'The town of who holds the account, which goes with payments outside the EEA.',
    },
    ACCOUNT_COUNTRY: {
      kind: checked(
        (code) => (isCountry(code.toUpperCase()) ? null : 'It is a code of two letters, such as DE.'),
        (code) => code.toUpperCase(),
      ),
      otherwise: 'none',
      meaning: 'The country of who holds the account, as a code of two letters.',
    },
    FILE_VERSION: {
      kind: choice<PaymentFileVersion>('pain.001.001.09', 'pain.001.001.03'),
      fallback: 'pain.001.001.09',
      meaning: 'In which form payment files are written: pain.001.001.09, or pain.001.001.03 for older banks.',
    },
  }) satisfies SettingTable;

export function bankSettings(id: string, rules: Rules): SettingsOf<BankSettings> {
  const table = settingTable(id, rules);
  return {
    described: describeSettings(table, `${id}_`),
    read({ of, problem }) {
      const value = of(table, `${id}_`);
      const [iban, bic, holder] = [value('IBAN'), value('BIC'), value('ACCOUNT_NAME')];
      const [creditsFrom, otherNames] = [value('CREDITS_FROM'), value('ACCOUNT_OTHER_NAMES') ?? []];
      if (iban === undefined && bic === undefined && holder === undefined) return undefined;
      const given = iban === undefined ? (holder === undefined ? 'BIC' : 'ACCOUNT_NAME') : 'IBAN';
      if (iban === undefined) problem(`${id}_IBAN must be set, because ${id}_${given} is.`);
      if (holder === undefined) problem(`${id}_ACCOUNT_NAME must be set, because ${id}_${given} is.`);
      if (iban === undefined || holder === undefined) return undefined;
      const country = bic === undefined ? rules.missingBicProblem(iban) : bicProblem(bic, iban);
      if (country !== null) problem(`${id}_BIC must be that of the bank of ${id}_IBAN. ${country}`);
      const [street, postcode] = [value('ACCOUNT_STREET') ?? null, value('ACCOUNT_POSTCODE') ?? null];
      const [town, home] = [value('ACCOUNT_TOWN'), value('ACCOUNT_COUNTRY')];
      const isWhole = town !== undefined && home !== undefined;
      const parts = [street, postcode, town, home].filter((part) => part != null);
      if (!isWhole && parts.length > 0)
        problem(`${id}_ACCOUNT_TOWN and ${id}_ACCOUNT_COUNTRY must both be set, because a part of that address is.`);
      const address = isWhole ? { street, house: null, postcode, town, country: home } : null;
      const wrong = address && addressProblem(address);
      if (wrong) problem(`${id}_ACCOUNT_TOWN is wrong. ${wrong}`);
      return { iban, bic: bic ?? null, holder, creditsFrom, otherNames, address, fileVersion: value('FILE_VERSION') };
    },
  };
}
