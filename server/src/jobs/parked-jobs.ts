/**
 * What the staff may do with a job that is parked, by its name. All but a few may run again. Only those may be dropped whose
 * end nobody waits for: the others are the only ones that book what has left or arrived, or bring to somebody what is theirs
 * (docs/decisions/0067-which-jobs-are-dropped.md).
 */
import type { JobName } from './job-catalog.ts';

/** Would send today what somebody asked for on another day. Whoever still wants it asks anew. */
const neverAgain: ReadonlySet<string> = new Set<JobName>(['withdrawal.request', 'return.request']);

export const mayRunAgain = (name: string): boolean => !neverAgain.has(name);

const droppable: ReadonlySet<string> = new Set<JobName>([
  'withdrawal.request',
  'return.request',
  'order.cancel',
  'bank.import',
  'bank.compare',
  'bank.file',
  'funding.address',
  'email.send',
  'status.mail',
  'receipt.again',
]);

export const mayBeDropped = (name: string): boolean => droppable.has(name);
