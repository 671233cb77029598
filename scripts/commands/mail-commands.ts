/** Mail that came back. */
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { findCustomer } from '@quittance/server/counterparties/customer-store';
import { saveFailure } from '@quittance/server/counterparties/mail-address-store';
import { addressHash } from '@quittance/server/counterparties/mail-token';
import { messagesIn, type NotedBounce, noteBounce } from '@quittance/server/emails/note-bounce';
import { systemClock as clock } from '@quittance/server/lib/clock';
import { insertAudit } from '@quittance/server/merchants/merchant-store';
import { type Command, CommandError, command } from '../command-line.ts';

export const mailCommands: readonly Command[] = [
  command({
    name: 'mail bounce',
    summary: 'Note mails to customers that came back.',
    details:
      'Reads delivery reports (RFC 3464) from a file or, with -, from the standard input: one message or a whole mailbox ' +
      '(mbox). What will never arrive is shown at its checkout and customer, who gets no more mails about orders. What is only ' +
      'late, or was not sent by us, changes nothing. Exit code 0 in any case, so that a mail server can call it.',
    arguments: ['file'],
    examples: ['mail bounce report.eml', 'mail bounce - < /var/mail/bounces'],
    async run({ withDatabase }, { file }) {
      const raw =
        file === '-' ? await buffer(createReadStream('', { fd: 0, autoClose: false })) : await readOrTell(file);
      const data = await withDatabase(async (db) => {
        const noted: NotedBounce[] = [];
        for (const message of messagesIn(raw)) noted.push(await noteBounce({ db, clock }, message));
        return noted;
      });
      return { data, text: data.map(sentence).join('\n') };
    },
  }),
  command({
    name: 'mail try-again',
    summary: 'Write to a customer again whose address was refused.',
    details:
      'After a refusal, or a mail that came back, an address gets no more mails about orders until somebody says so.',
    arguments: ['merchantId', 'customerId'],
    examples: ['mail try-again 4cq0zr1lbdk9 8hd2kf0smw3q'],
    async run({ withDatabase }, { merchantId, customerId }) {
      const data = await withDatabase((db) =>
        db.begin(async (tx) => {
          const customer = await findCustomer(tx, merchantId, customerId);
          if (!customer) throw new CommandError(`The merchant ${merchantId} has no customer ${customerId}.`);
          await saveFailure(tx, { merchantId, addressHash: addressHash(customer.email) }, null);
          const detail = { id: customerId };
          const at = clock.now();
          await insertAudit(tx, { merchantId, at, actor: 'operator', action: 'customer.mails_again', detail });
          return { merchantId, customerId };
        }),
      );
      return { data, text: `The customer ${customerId} gets mails again.` };
    },
  }),
];

const readOrTell = (file: string): Promise<Buffer> =>
  readFile(file).catch(() => {
    throw new CommandError(`${file} cannot be read.`);
  });

function sentence(noted: NotedBounce): string {
  if (noted.is === 'noted') return `Noted: a mail about checkout ${noted.checkoutId} came back (${noted.failure}).`;
  if (noted.is === 'temporary') return 'Left alone: the other side still tries to deliver it.';
  return noted.is === 'no report'
    ? 'Left alone: this is no delivery report about a message that failed.'
    : 'Left alone: it is not about a mail to a customer that we sent, or it was noted before.';
}
