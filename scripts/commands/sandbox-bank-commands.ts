/** What the sandbox's bank can be made to do with payments to and from the operator: all that banks do, and nobody likes. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { parseDecimal } from '@quittance/server/money/decimal';
import { registeredNetworks } from '@quittance/server/networks/registry';
import { type Command, CommandError, command, UsageError } from '../command-line.ts';
import { openSandboxBank } from '../sandbox-bank.ts';

/** Those that a bank is at which people transfer, each with the currency of the account there. */
const banks = new Map(
  registeredNetworks
    .filter(({ identity }) => identity.type === 'BANK' && !identity.hasInvoices)
    .map(({ identity }) => [identity.id, identity.assets[0]?.assetCode ?? '']),
);
const [firstBank = ''] = banks.keys();

/** Those of the sandbox's bank, which itself is not there where there is no sandbox: a test compares them. */
export const manglingNames: readonly string[] = [
  ...['cut27', 'cut35', 'upperCase', 'spaces', 'brokenLines', 'lostCharacters', 'wrongCheckDigits', 'bankText'],
  ...['keyedTwice', 'zeroForO', 'oneForI', 'nothing'],
];

type FileAnswer = {
  readonly messageId: string | null;
  readonly isTaken: boolean;
  readonly fault: { readonly code: string; readonly sentence: string } | null;
  /** `ACSC`: paid, `RJCT`: rejected, anything else: it waits. */
  readonly payments: readonly { readonly endToEndId: string; readonly status: string; readonly code: string | null }[];
};

const fates: Readonly<Record<string, string>> = { ACSC: 'is paid', RJCT: 'is rejected:' };

const codeOption = { value: 'code', meaning: 'Why, as ISO 20022 says it: AC04, MD07 …; a usual one, if left out.' };

export const sandboxBankCommands: readonly Command[] = [
  command({
    name: 'bank hand-in',
    summary: 'Hand a payment file (pain.001) in at the sandbox’s bank, and sign it.',
    details:
      'Where you would upload it at your own bank. It is carried out at once, and the bank’s answer (pain.002) comes through ' +
      'the folder of banks, as its reports do.',
    arguments: ['file'],
    options: { unsigned: { meaning: 'A person signs it later: bank sign.' } },
    examples: ['bank hand-in payments.xml', 'bank hand-in payments.xml --unsigned'],
    async run(installation, { file }, { unsigned }) {
      const bytes = await readFile(file).catch(() => {
        throw new UsageError(`There is no file ${file}.`);
      });
      const bank = await openSandboxBank(installation, firstBank);
      const answer = await bank.command<FileAnswer>('file', { content: bytes.toString('base64'), signed: !unsigned });
      const { messageId, isTaken, fault, payments } = answer;
      if (!isTaken) throw new CommandError(`The bank rejects the file: ${fault?.code ?? ''} ${fault?.sentence ?? ''}`);
      await bank.tell();
      const next = unsigned ? [`Nothing is paid until it is signed: bank sign ${messageId}.`] : [];
      const became = payments.map(
        ({ endToEndId, status, code }) => `${endToEndId} ${fates[status] ?? 'waits'} ${code ?? ''}`,
      );
      const isInstant = bytes.includes('<Cd>INST</Cd>');
      const then =
        payments.some(({ status }) => status === 'ACSC') && !isInstant
          ? [
              'Banks may return it for days: it is COMPLETED after four banking days, or at once with SEPA_INSTANT=on npm start.',
            ]
          : [];
      const text = [`${basename(file)} is at the bank, as ${messageId}.`, ...became, ...next, ...then].join('\n');
      return { data: { messageId, signed: !unsigned, payments }, text };
    },
  }),
  command({
    name: 'bank sign',
    summary: 'Sign a payment file that was handed in unsigned at the sandbox’s bank.',
    arguments: ['messageId'],
    examples: ['bank sign QT20261118A'],
    async run(installation, { messageId }) {
      const bank = await openSandboxBank(installation, firstBank);
      await bank.command('sign', { messageId });
      await bank.tell();
      return { data: { messageId, signed: true }, text: `${messageId} is signed.` };
    },
  }),
  command({
    name: 'bank reject',
    summary: 'Let the sandbox’s bank reject a payment of yours that is not signed yet (pain.002).',
    arguments: ['endToEndId'],
    options: { code: codeOption },
    examples: ['bank reject 8FK2M1X0C3AB-4MJQ2K8W9Z1C', 'bank reject 8FK2M1X0C3AB-4MJQ2K8W9Z1C --code AC01'],
    async run(installation, { endToEndId }, { code }) {
      const bank = await openSandboxBank(installation, firstBank);
      await bank.command('reject', { endToEndId, code });
      return { data: { endToEndId, code: code ?? null }, text: `${endToEndId} is rejected.` };
    },
  }),
  command({
    name: 'bank return',
    summary: 'Let a payment of yours come back at the sandbox’s bank.',
    arguments: ['endToEndId'],
    options: { code: codeOption, fee: { value: 'amount', meaning: 'What the other bank keeps of it.' } },
    examples: ['bank return 8FK2M1X0C3AB-4MJQ2K8W9Z1C', 'bank return 8FK2M1X0C3AB-4MJQ2K8W9Z1C --code AC04 --fee 2.50'],
    async run(installation, { endToEndId }, { code, fee }) {
      if (fee !== undefined) demandAmount('--fee', fee);
      const bank = await openSandboxBank(installation, firstBank);
      const { entry } = await bank.command<{ entry: string }>('return', { endToEndId, code, fee });
      await bank.tell();
      return { data: { endToEndId, entry }, text: `${endToEndId} has come back, as ${entry}.` };
    },
  }),
  command({
    name: 'bank fee',
    summary: 'Let the sandbox’s bank charge a fee.',
    arguments: ['amount'],
    options: {
      network: { value: [...banks.keys()].join('|'), meaning: `From which account; ${firstBank}, if left out.` },
      text: { value: 'text', meaning: 'What the statement says about it.' },
    },
    examples: ['bank fee 3.90', 'bank fee 12.00 --text Postage'],
    async run(installation, { amount }, { network = firstBank, text }) {
      demandAmount('<amount>', amount);
      const account = banks.get(network.toUpperCase());
      if (account === undefined) throw new UsageError(`--network is one of ${[...banks.keys()].join(', ')}.`);
      const bank = await openSandboxBank(installation, network);
      const { entry } = await bank.command<{ entry: string }>('fee', { amount, account, text });
      await bank.tell();
      return { data: { entry, amount, account }, text: `The bank took ${amount} ${account}, as ${entry}.` };
    },
  }),
  command({
    name: 'bank mangle',
    summary: 'Let the text of the next payment to the sandbox’s bank be spoiled on its way.',
    arguments: ['how'],
    details: `How: ${manglingNames.join(', ')}.`,
    examples: ['bank mangle spaces', 'bank mangle lostCharacters', 'bank mangle nothing'],
    async run(installation, { how }) {
      if (!manglingNames.includes(how)) throw new UsageError(`<how> is one of ${manglingNames.join(', ')}.`);
      await (await openSandboxBank(installation, firstBank)).command('mangle', { how });
      return {
        data: { how },
        text: `The text of the next payment will be spoiled: ${how === 'nothing' ? 'nothing of it arrives' : how}.`,
      };
    },
  }),
  command({
    name: 'bank late',
    summary: 'Let the sandbox’s bank book the next payment late, and say nothing of it before.',
    details: 'In three banking days, or as soon as you say bank book.',
    examples: ['bank late'],
    async run(installation) {
      await (await openSandboxBank(installation, firstBank)).command('delay', {});
      return {
        data: { late: true },
        text: 'The next payment will be booked in three banking days, or with bank book.',
      };
    },
  }),
  command({
    name: 'bank book',
    summary: 'Let the sandbox’s bank book now what it would book on a later day.',
    examples: ['bank book'],
    async run(installation) {
      const bank = await openSandboxBank(installation, firstBank);
      const { booked } = await bank.command<{ booked: number }>('book-expected', {});
      await bank.tell();
      return { data: { booked }, text: booked === 1 ? '1 booking was made.' : `${booked} bookings were made.` };
    },
  }),
];

function demandAmount(name: string, text: string): void {
  const amount = parseDecimal(text);
  if (!amount || amount.digits <= 0n || !/^\d+(\.\d{1,2})?$/.test(text))
    throw new UsageError(`${name} must be a positive amount such as 2.50.`);
}
