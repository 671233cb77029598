/** Payment files: what a bank shall pay, made, downloaded and given up. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { downloadPaymentFile } from '@quittance/server/bank-files/download-payment-file';
import { listFiles } from '@quittance/server/bank-files/list-payment-files';
import { findMakeOrder } from '@quittance/server/bank-files/make-order-store';
import { orderPaymentFile } from '@quittance/server/bank-files/make-ordered';
import { findPaymentFile } from '@quittance/server/bank-files/payment-file-store';
import {
  countWords,
  fateWords,
  madeLines,
  shownFile,
  voidedWords,
} from '@quittance/server/bank-files/payment-file-words';
import { refusePayment } from '@quittance/server/bank-files/refuse-payment';
import { voidPaymentFile } from '@quittance/server/bank-files/void-payment-file';
import type { Db } from '@quittance/server/db/database';
import { orderJob } from '@quittance/server/jobs/job-store';
import { systemClock as clock } from '@quittance/server/lib/clock';
import { GatewayError } from '@quittance/server/lib/errors';
import { registeredNetworks } from '@quittance/server/networks/registry';
import { type Command, CommandError, command, UsageError } from '../command-line.ts';
import { textTable } from '../text-table.ts';

const patienceMs = 120_000;
const actor = 'operator';

const networks = registeredNetworks
  .filter(({ identity }) => identity.endOfBankingDays !== undefined)
  .map(({ identity }) => identity.id);

const networkOption = { value: networks.join('|'), meaning: 'Whose payments. Left out: of the only bank there is.' };

function demandNetwork(network: string | undefined): void {
  if (network !== undefined && !networks.includes(network))
    throw new UsageError(`--network is one of ${networks.join(', ')}.`);
}

/** As it is copied: from a list, from the bank's portal in capital letters, or with the name of the file. */
const fileNamed = (text: string): string =>
  /([a-z0-9]{12})(?:\.[a-z0-9]+)?$/.exec(text.trim().toLowerCase())?.[1] ?? text;

const noSuchFile = (id: string): CommandError =>
  new CommandError(`There is no payment file with the id ${JSON.stringify(id)}: bank file list shows those there are.`);

/** What a page asks with a box to tick is an option here. */
const optionOf: Readonly<Record<string, string>> = {
  file_downloaded_before: '--again',
  declaration_needed: '--declare',
};

async function withOptionSaid<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const option = error instanceof GatewayError ? optionOf[error.code] : undefined;
    if (!(error instanceof GatewayError) || option === undefined) throw error;
    throw new CommandError(`${error.message} Say so with ${option}.`);
  }
}

async function outcomeOf(db: Db, id: string) {
  const until = clock.now().getTime() + patienceMs;
  for (;;) {
    const order = await findMakeOrder(db, id);
    if (order?.outcome) return order.outcome;
    const job = await orderJob(db, 'bank.file', id);
    if (job?.isParked) throw new CommandError(job.lastError ?? 'The file could not be made.');
    if (clock.now().getTime() > until)
      throw new CommandError(
        `The service has not made the file yet, and will when it looks: see bank file list${job?.lastError ? `. ${job.lastError}` : '. Is a worker running?'}`,
      );
    await sleep(100);
  }
}

export const paymentFileCommands: readonly Command[] = [
  command({
    name: 'bank file make',
    summary: 'Make a payment file of all that waits to be paid by bank.',
    details:
      'The running service makes it. It says how many payments there are and what they come to, and warns if that is ' +
      'more than the account held. Download it, and sign it in the portal of the bank.',
    options: { network: networkOption },
    examples: ['bank file make', 'bank file make --network SEPA'],
    async run({ withDatabase }, _, { network }) {
      demandNetwork(network);
      const outcome = await withDatabase(async (db) =>
        outcomeOf(db, await orderPaymentFile(db, network ?? null, clock.now())),
      );
      if ('refused' in outcome) throw new CommandError(outcome.refused);
      return { data: outcome.made, text: madeLines(outcome.made).join('\n') };
    },
  }),
  command({
    name: 'bank file list',
    summary: 'List payment files with what became of the payments in them, the newest first.',
    details: 'At most 200. --before continues where the page before ended.',
    options: {
      network: { value: networks.join('|'), meaning: 'Of which bank. Left out: of all.' },
      before: { value: 'id', meaning: 'Those that were made before this one.' },
    },
    examples: ['bank file list', 'bank file list --before 4mjq2k8w9z1c'],
    async run({ withDatabase }, _, { network, before }) {
      demandNetwork(network);
      const page = { before: before === undefined ? null : fileNamed(before), limit: 200 };
      const chosen = networks.filter((each) => network === undefined || each === network);
      const files = await withDatabase(async (db) => {
        if (before !== undefined && !(await findPaymentFile(db, fileNamed(before)))) throw noSuchFile(before);
        return (await Promise.all(chosen.map((each) => listFiles(db, each, page)))).flat();
      });
      const rows = files.map((file) => {
        const { amount, asset } = shownFile(file);
        return [
          ...[file.network, file.id, fateWords[file.fate], String(file.orderCount), `${amount} ${asset}`],
          ...[countWords(file.counts), file.madeAt, String(file.downloads)],
        ];
      });
      const head = ['NETWORK', 'FILE', 'STATE', 'PAYMENTS', 'IN ALL', 'WHAT BECAME OF THEM', 'MADE', 'DOWNLOADS'];
      return { data: files.map(shownFile), text: textTable(head, rows) };
    },
  }),
  command({
    name: 'bank file download',
    summary: 'Write a payment file into this folder, to be signed in the portal of the bank.',
    details:
      'From then on it may be paid at any moment. A second time only with --again: a file that is signed twice pays ' +
      'everybody in it twice.',
    arguments: ['file'],
    options: {
      again: { meaning: 'It was downloaded before, and I have made sure that it is not signed twice.' },
      to: { value: 'folder', meaning: 'Where to. Left out: into this folder.' },
    },
    examples: ['bank file download 4mjq2k8w9z1c', 'bank file download 4mjq2k8w9z1c --to /media/stick --again'],
    async run({ withDatabase, openEncryption }, { file: given }, { again, to = '.' }) {
      const id = fileNamed(given);
      const encryption = await openEncryption();
      return withDatabase(async (db) => {
        const file = await findPaymentFile(db, id);
        if (!file) throw noSuchFile(given);
        const path = join(to, file.fileName);
        // Its place is made before it is called downloaded, and never in that of another file.
        const place = { mode: 0o600, flag: 'wx' };
        await writeFile(path, '', place).catch((cause: unknown) => {
          throw new CommandError(`${path} cannot be written: ${(cause as Error).message}`);
        });
        const asked = { id, isAgain: again, actor, begin: db.begin } as const;
        const { bytes } = await withOptionSaid(() => downloadPaymentFile({ clock, encryption }, asked)).catch(
          async (error: unknown) => {
            await rm(path);
            throw error;
          },
        );
        await writeFile(path, bytes);
        return { data: { id, path, digest: file.digest }, text: `${path}\nSHA-256 ${file.digest}` };
      });
    },
  }),
  command({
    name: 'bank file void',
    summary: 'Give up a payment file, so that its payments wait for another one.',
    details:
      'At once if nobody has downloaded it. Otherwise only with --declare, and its payments wait again when statements ' +
      'have shown that they were not booked.',
    arguments: ['file'],
    options: { declare: { meaning: 'I declare that it was not signed, or was deleted at the bank.' } },
    examples: ['bank file void 4mjq2k8w9z1c', 'bank file void 4mjq2k8w9z1c --declare'],
    async run({ withDatabase }, { file: given }, { declare }) {
      const id = fileNamed(given);
      const voided = await withDatabase(async (db) => {
        if (!(await findPaymentFile(db, id))) throw noSuchFile(given);
        return withOptionSaid(() => voidPaymentFile({ clock }, { id, isDeclared: declare, actor, begin: db.begin }));
      });
      return { data: voided, text: voidedWords(voided) };
    },
  }),
  command({
    name: 'bank file refuse',
    summary: 'Refuse a payment that waits for a file, with a reason that whoever asked for it reads.',
    details: 'For what the portal of the bank does not take. A payment that is in a file: give up that file first.',
    arguments: ['payment'],
    options: { why: { value: 'text', isRequired: true, meaning: 'Why, in a sentence.' } },
    examples: ["bank file refuse 7hq2m4k8w9z1 --why 'The bank knows no such account.'"],
    async run({ withDatabase }, { payment: payoutId }, { why }) {
      const { id, network } = await withDatabase((db) =>
        refusePayment({ clock }, { payoutId, why, actor, begin: db.begin }),
      );
      return { data: { id, network, why }, text: `${id} is refused, and whoever asked for it is told why.` };
    },
  }),
];
