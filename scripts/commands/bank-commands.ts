/** What banks tell: files that are brought, and the documents that were accepted of them. */
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BankOrder, findBankOrder } from '@quittance/server/bank-files/bank-order-store';
import { listDocuments } from '@quittance/server/bank-files/document-list-store';
import { orderImport } from '@quittance/server/bank-files/import-ordered';
import { bankAmount, importLines, type ShownImport, shownKinds } from '@quittance/server/bank-files/import-words';
import { type Brought, isToldWhole, whatItBrought } from '@quittance/server/bank-files/what-it-brought';
import type { Db } from '@quittance/server/db/database';
import { orderJob } from '@quittance/server/jobs/job-store';
import { systemClock as clock } from '@quittance/server/lib/clock';
import { newId } from '@quittance/server/lib/ids';
import { formatUnits } from '@quittance/server/money/amount';
import { writeCorrection } from '@quittance/server/networks/families/bank/correction';
import { registeredNetworks } from '@quittance/server/networks/registry';
import { type Command, CommandError, command, readCount, UsageError } from '../command-line.ts';
import type { Installation } from '../installation.ts';
import { ledgerScale, textTable } from '../text-table.ts';

const patienceMs = 120_000;
const broughtPatienceMs = 20_000;
const bytesMost = 512 * 1024 * 1024; // What no service takes is not brought to it.

/** Those that are told in files. Over Pix a bank is asked. */
const banks = registeredNetworks.filter(({ identity }) => identity.endOfBankingDays !== undefined);
const bankNames = banks.map(({ identity }) => identity.id);

async function bytesOf(path: string): Promise<Buffer> {
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) throw new UsageError(`There is no file ${path}.`);
  if (found.size > bytesMost)
    throw new CommandError(`${path} is larger than any file that is taken: ask the bank for a shorter period.`);
  return readFile(path);
}

async function outcomeOf(db: Db, id: string) {
  const until = clock.now().getTime() + patienceMs;
  for (;;) {
    const order = await findBankOrder(db, id);
    if (order?.outcome) return order.outcome;
    const job = await orderJob(db, 'bank.import', id);
    if (job?.isParked) throw new CommandError(job.lastError ?? 'The file could not be read.');
    if (clock.now().getTime() > until)
      throw new CommandError(
        `The service has not looked at the file yet, and will import it when it does: see job list${job?.lastError ? `. ${job.lastError}` : '. Is a worker running?'}`,
      );
    await sleep(100);
  }
}

/** What became of its bookings, and of the books, as soon as that is known; if it takes long, what is known by then. */
async function broughtBy(db: Db, { network, fileId }: ShownImport): Promise<Brought | null> {
  if (fileId === null) return null;
  const file = { id: fileId, network };
  const until = clock.now().getTime() + broughtPatienceMs;
  while (!(await isToldWhole(db, file)) && clock.now().getTime() <= until) await sleep(200);
  return whatItBrought(db, ledgerScale, file);
}

const broughtData = ({ asset, sums, matched, closingUnits, books, difference }: Brought) => ({
  becameOf: sums.map(({ fate, count, units }) => ({ what: fate, count, amount: bankAmount(asset, units) })),
  matched: matched.map(({ units, purpose, ownerId }) => ({ amount: bankAmount(asset, units), [purpose]: ownerId })),
  closingBalance: closingUnits === null ? null : bankAmount(asset, closingUnits),
  books,
  difference: formatUnits(difference.units, difference.scale),
});

function demandBank(network: string | null): void {
  if (network !== null && !bankNames.includes(network))
    throw new UsageError(`--network is one of ${bankNames.join(', ')}.`);
}

/** `90.00 RF05…`, as somebody types it. */
function bookedByHand(told: string) {
  const [, amount = '', text = ''] = /^\s*(\S+)\s+(\S.*)$/.exec(told) ?? [];
  if (text === '')
    throw new UsageError(`${JSON.stringify(told)} must be an amount and a text, such as "90.00 RF18X2".`);
  return { amount, text };
}

async function imported({ withDatabase, openEncryption }: Installation, order: BankOrder & { bytes: Uint8Array }) {
  const encryption = await openEncryption();
  const { outcome, brought } = await withDatabase(async (db) => {
    const found = await outcomeOf(db, await orderImport({ db, encryption }, order, clock.now()));
    return { outcome: found, brought: 'imported' in found ? await broughtBy(db, found.imported) : null };
  });
  if ('refused' in outcome) throw new CommandError(outcome.refused);
  const data = { ...outcome.imported, ...(brought !== null && { brought: broughtData(brought) }) };
  return { data, text: importLines(outcome.imported, brought).join('\n') };
}

export const bankCommands: readonly Command[] = [
  command({
    name: 'bank import',
    summary: 'Import a file of a bank: statements, reports, answers to payment files, or a ZIP of them.',
    details:
      'The running service reads it: it is accepted whole, or refused whole with a sentence. The same file may come ' +
      'again: what is known is passed over. What is in it becomes payments a moment later: then it says what ' +
      'was matched and what waits for a person, and whether the books agree with the balance.',
    arguments: ['file'],
    options: {
      network: { value: bankNames.join('|'), meaning: 'Whose file it is. Left out: the only bank there is.' },
    },
    examples: ['bank import statement.xml', 'bank import 2026-03-01.zip --network SEPA'],
    async run(installation, { file: path }, { network = null }) {
      demandBank(network);
      return imported(installation, { network, fileName: basename(path), bytes: await bytesOf(path) });
    },
  }),
  command({
    name: 'bank correct',
    summary: 'Tell by hand what a bank does not, so that its next statement follows again.',
    details:
      'For when a message was accepted that was no bank’s, or one is missing that cannot be got any more. Tell every booking that is ' +
      'missing, and of each that was not the bank’s the contrary, each with its text; --balance is what the account really has with ' +
      'them. What came counts as if the bank had told it. What left waits under movement list until you say what it was: of a payment ' +
      'that never was, that it was taken back (movement assign --as reversal).',
    options: {
      network: { value: bankNames.join('|'), meaning: 'At which bank. Left out: the only bank there is.' },
      balance: { value: 'amount', meaning: 'What the account has with these bookings.', isRequired: true },
      reason: { value: 'text', meaning: 'Why, for who reads the list of documents.', isRequired: true },
      came: { value: 'amount text', meaning: 'What came. May be repeated.', isRepeatable: true },
      left: { value: 'amount text', meaning: 'What left, or never came. May be repeated.', isRepeatable: true },
      day: { value: 'day', meaning: 'On which it was booked. Left out: the last one that was told.' },
    },
    examples: [
      'bank correct --balance 650.00 --left "90.00 never came: RF18X2" --reason "statement 17 was forged"',
      'bank correct --network SEPA --balance 712.40 --came "62.40 RF05QX7KM2WT9ZPA" --day 2026-03-12 --reason "no statement any more"',
    ],
    async run(installation, _, { network = null, balance, reason, came, left, day = null }) {
      demandBank(network);
      if (came.length + left.length === 0) throw new UsageError('Say what came (--came) or left (--left).');
      const correction = { id: newId(), balance, day, came: came.map(bookedByHand), left: left.map(bookedByHand) };
      return imported(installation, {
        network,
        fileName: `correction: ${reason}`,
        bytes: writeCorrection(correction),
      });
    },
  }),
  command({
    name: 'bank documents',
    summary: 'List the documents that were accepted of a bank, the newest first.',
    details: 'At most 200. --before continues where the page before ended.',
    options: {
      network: { value: bankNames.join('|'), meaning: 'Of which bank. Left out: of all.' },
      before: { value: 'position', meaning: 'Those that were accepted before this one.' },
    },
    examples: ['bank documents', 'bank documents --network SEPA --before 200'],
    async run({ withDatabase }, _, { network, before }) {
      const chosen = banks.filter(({ identity }) => network === undefined || identity.id === network);
      if (chosen.length === 0) throw new UsageError(`--network is one of ${bankNames.join(', ')}.`);
      const below = before === undefined ? null : readCount('--before', before, 999_999_999);
      const lists = await withDatabase((db) =>
        Promise.all(chosen.map(({ identity }) => listDocuments(db, identity.id, { before: below, limit: 200 }))),
      );
      const data = lists.flat().map(({ asset, closingUnits, ...document }) => ({
        network: document.network,
        position: document.position,
        name: document.name,
        kind: document.kind,
        time: document.time,
        lastDay: document.lastDay,
        bookings: document.recordCount,
        kinds: shownKinds(asset, document.kinds),
        closingBalance: closingUnits === null ? null : bankAmount(asset, closingUnits),
        asset: asset.assetCode,
        file: document.fileName,
        broughtBy: document.broughtBy,
        acceptedAt: document.acceptedAt,
      }));
      const rows = data.map(({ position, ...each }) => [
        ...[each.network, String(position), each.name, each.kind, each.lastDay ?? each.time, String(each.bookings)],
        ...[each.closingBalance === null ? '' : `${each.closingBalance} ${each.asset}`, each.file, each.acceptedAt],
      ]);
      const head = ['NETWORK', 'POSITION', 'NAME', 'KIND', 'BOOKED', 'BOOKINGS', 'BALANCE', 'FILE', 'ACCEPTED'];
      return { data, text: textTable(head, rows) };
    },
  }),
];
