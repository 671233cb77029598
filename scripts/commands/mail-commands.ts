/** Mail that came back. */
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { messagesIn, type NotedBounce, noteBounce } from '@quittance/server/emails/note-bounce';
import { systemClock as clock } from '@quittance/server/lib/clock';
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
