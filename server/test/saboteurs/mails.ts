/** What customers are told once, and strangers not at all. */
import type { Saboteur } from './saboteur.ts';

const stories = 'server/test/status-mails.test.ts';

export const saboteurs: readonly Saboteur[] = [
  {
    file: 'emails/send-status-mail.ts',
    fault: 'what is over is told all the same',
    find: 'isCredited(state) && String(standing?.generation) === cause',
    replace: "(isCredited(state) && String(standing?.generation) === cause) || cause !== ''",
    noticedBy: stories,
    test: 'a credit that the chain takes back',
  },
  {
    file: 'emails/send-status-mail.ts',
    fault: 'who typed the address is told twice',
    find: "  kind === 'paid' && !!contact?.email &&",
    replace: "  kind === 'created' && !!contact?.email &&",
    noticedBy: stories,
    test: 'who types the address on the page that the shop knows',
  },
  {
    file: 'emails/send-status-mail.ts',
    fault: 'who has stopped mails gets them',
    find: "if (known.stoppedAt !== null) return end({ outcome: 'stopped' });",
    replace: '',
    noticedBy: stories,
    test: 'stopped by a button',
  },
  {
    file: 'emails/mail-count-store.ts',
    fault: 'one more than the limit goes out',
    find: '(mails.get(scope) ?? 0) >= most',
    replace: '(mails.get(scope) ?? 0) > most',
    noticedBy: stories,
    test: 'so many to strangers',
  },
  {
    file: 'payment-page/stop-mails-routes.ts',
    fault: 'looking at the link stops the mails',
    find: "context.method === 'POST' ? await carryOut(context.rawBody.toString('utf8'), key) : null",
    replace: "await carryOut(context.rawBody.toString('utf8') || 'mails=stop', key)",
    noticedBy: stories,
    test: 'stopped by a button',
  },
  {
    file: 'emails/note-bounce.ts',
    fault: 'an address is marked without a mail of ours',
    find: "if (!mail) return { is: 'not ours' };",
    replace: "if (!mail) return { is: 'noted', merchantId: '', checkoutId: '', failure };",
    noticedBy: stories,
    test: 'what comes back later',
  },
];
