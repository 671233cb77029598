/**
 * One message to a customer or payer for one event or one wish. Its row in `status_mail` is started before we talk to the mail server
 * and ended afterwards, and with it what counts for the limits of the day. Only when we cannot know whether the server took it (a
 * death, a broken connection) is it sent again, with the same Message-ID, by which mail programs recognise the repetition.
 */
import {
  endStatusMail,
  releaseStatusMail,
  type StatusMailKey,
  type StatusMailOutcome,
  type StatusMailStart,
  startStatusMail,
} from '../checkouts/status-mail-store.ts';
import { findMailAddress, type MailAddress, saveFailure } from '../counterparties/mail-address-store.ts';
import { isOfAddress, type MailFailure } from '../counterparties/mail-failure.ts';
import { addressHash } from '../counterparties/mail-token.ts';
import type { Db, Tx } from '../db/database.ts';
import { GiveUp, RunLater } from '../jobs/job-runner.ts';
import { addMs, type Clock, hours } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import { countMail } from './mail-count-store.ts';
import { countsOf, type MailLimits } from './mail-limits.ts';
import { AddressRefused, conversationMaxMs, type Email, type SendEmail } from './send-email.ts';

export type MailOnceDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly isSandbox: boolean;
  readonly mailLimits: MailLimits;
};

export type MailEnd = { readonly outcome: StatusMailOutcome; readonly reason?: string };

export type OnceMail = {
  readonly key: StatusMailKey;
  readonly to: string;
  /** When what it tells has happened, or was asked for: it is tried for three days from then. */
  readonly since: Date;
  readonly sendEmail: SendEmail;
  /** What else keeps it from being sent, seen in the transaction that starts the row. */
  readonly whyNot?: (tx: Tx, known: MailAddress) => Promise<MailEnd | null>;
  /** What is written. Or its end: whoever else writes sees the row by now, so this is where to look for them. */
  readonly message: () => Promise<Omit<Email, 'id' | 'to'> | MailEnd>;
};

const busyMs = 2 * conversationMaxMs;
const triedForMs = hours(72);

/** The first part of the Message-ID, by which `note-bounce` knows where to look. */
const idPrefixes = { receipt: 'receipt-again', paper: 'paper' } as const;
const prefixOf = ({ kind }: StatusMailKey): string =>
  kind === 'receipt' || kind === 'paper' ? idPrefixes[kind] : 'status';

export async function mailOnce(deps: MailOnceDeps, mail: OnceMail): Promise<void> {
  const { db, clock, log } = deps;
  const { key, to, sendEmail } = mail;
  const now = clock.now();
  const busyUntil = addMs(now, busyMs);
  const start = await begin(deps, mail, { now, busyUntil });
  if (start.is === 'ended') return;
  if (start.is === 'busy') throw new RunLater(start.until);

  const message = await mail.message();
  if ('outcome' in message) return endStatusMail(db, key, message, now);
  const fields = { merchantId: key.merchantId, checkoutId: key.checkoutId, kind: key.kind };
  try {
    await sendEmail({ ...message, id: `${prefixOf(key)}.${start.id}`, to });
  } catch (error) {
    if (error instanceof AddressRefused) {
      log.info(fields, 'the address of a mail to a customer was refused');
      return refused(deps, mail, error.failure);
    }
    await releaseStatusMail(db, key, busyUntil, clock.now());
    if (clock.now() > addMs(mail.since, triedForMs))
      throw new GiveUp('the mail server has not taken this mail to a customer for three days', { cause: error });
    throw error;
  }
  await endStatusMail(db, key, { outcome: 'sent' }, clock.now());
  log.info(fields, 'mail to a customer sent');
}

/** The row, and with the first attempt the count of the day: a mail that is tried again was counted before. */
function begin(
  { db, mailLimits, isSandbox }: MailOnceDeps,
  { key, to, whyNot }: OnceMail,
  { now, busyUntil }: { readonly now: Date; readonly busyUntil: Date },
): Promise<StatusMailStart> {
  const { merchantId, kind } = key;
  const address = { merchantId, addressHash: addressHash(to) };
  return db.begin(async (tx) => {
    const start = await startStatusMail(tx, key, { id: newId(), addressHash: address.addressHash }, now, busyUntil);
    if (start.is !== 'ours') return start;
    const known = await findMailAddress(tx, address);
    const end = async (ended: MailEnd): Promise<StatusMailStart> => {
      await endStatusMail(tx, key, ended, now);
      return { is: 'ended' };
    };
    const reason = (await whyNot?.(tx, known)) ?? null;
    if (reason) return end(reason);
    if (known.failure !== null) return end({ outcome: 'unreachable', reason: known.failure });
    const full = start.isFirst
      ? await countMail(tx, countsOf(mailLimits, { merchantId, kind, to, isSandbox }), now)
      : null;
    return full ? end({ outcome: 'limited', reason: full.name }) : start;
  });
}

/** Where nobody is reached the address gets no more of these, until it is another one or somebody says try again. */
function refused({ db, clock }: MailOnceDeps, { key, to }: OnceMail, failure: MailFailure): Promise<void> {
  const at = clock.now();
  return db.begin(async (tx) => {
    await endStatusMail(tx, key, { outcome: 'refused', reason: failure }, at);
    if (isOfAddress(failure))
      await saveFailure(tx, { merchantId: key.merchantId, addressHash: addressHash(to) }, { at, failure });
  });
}
