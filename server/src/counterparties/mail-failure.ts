/**
 * Why mails to an address do not arrive, as one of four words. Mail servers say it in sentences of their own, which often
 * name whom we wrote to and are nobody's business.
 */
export const mailFailures = ['unknown', 'full', 'blocked', 'other'] as const;
export type MailFailure = (typeof mailFailures)[number];

/** By the enhanced status code (RFC 3463), such as 5.1.1; else by the reply code (RFC 5321), such as 550. */
export function mailFailure(status: string | null, replyCode?: number): MailFailure {
  const subject = /^5\.(\d{1,3})\.\d{1,3}$/.exec(status ?? '')?.[1];
  if (subject !== undefined) return bySubject[subject] ?? 'other';
  return (replyCode === undefined ? undefined : byReply[replyCode]) ?? 'other';
}

const bySubject: Readonly<Record<string, MailFailure>> = { 1: 'unknown', 2: 'full', 7: 'blocked' };
const byReply: Readonly<Record<number, MailFailure>> = {
  550: 'unknown',
  551: 'unknown',
  552: 'full',
  553: 'unknown',
  554: 'blocked',
};

/**
 * Whether it is about the address, which then gets no more mails. A server that takes nothing of ours, or says something else, may
 * be our own provider's bad day: that must not silence every customer of that day for ever.
 */
export const isOfAddress = (failure: MailFailure): boolean => failure === 'unknown' || failure === 'full';

export const isMailFailure = (text: string): text is MailFailure => mailFailures.some((each) => each === text);
