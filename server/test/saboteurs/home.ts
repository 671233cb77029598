/** What makes a day of an account wrong, tells somebody of another account, or goes on telling who may not hear it. */
import type { Saboteur } from './saboteur.ts';

const days = 'server/test/days.sampled.test.ts';
const home = 'server/test/account-home.test.ts';

export const saboteurs: readonly Saboteur[] = [
  {
    file: 'reports/count-days.ts',
    fault: 'an excess that was kept stays credited when the chain takes it back',
    find: '    ...(await sumKeptAnew(query, merchantId, accounts, spans)),\n',
    replace: '',
    noticedBy: 'server/test/checkout-reorganised.test.ts',
    test: 'an excess that was kept',
  },
  {
    file: 'ledger/ledger-day-store.ts',
    fault: 'what was posted at the midnight of the next day counts for both days',
    find: 'select reference from ledger_entry\n        where merchant_id = ${merchantId} and posted_at >= span.beginning and posted_at < span.ending offset 0',
    replace:
      "select reference from ledger_entry\n        where merchant_id = ${merchantId} and posted_at >= span.beginning and posted_at < span.ending + interval '1 hour' offset 0",
    noticedBy: days,
    test: 'on any history, in any time zone',
  },
  {
    file: 'ledger/ledger-day-store.ts',
    fault: 'what is taken back is worth what its own hour says',
    find: "date_trunc('hour', entry.worth_at, 'UTC')",
    replace: "date_trunc('hour', span.beginning, 'UTC')",
    noticedBy: days,
    test: 'a day is worth what its credits were worth',
  },
  {
    file: 'reports/fold-days.ts',
    fault: 'another time zone leaves the days as they are',
    find: 'position?.timeZone === settings.timeZone && ',
    replace: 'position !== null && ',
    noticedBy: days,
    test: 'on any history, in any time zone',
  },
  {
    file: 'pricing/rate-hour-store.ts',
    fault: 'the last rate of an hour replaces the first',
    find: 'on conflict do nothing',
    replace: 'on conflict (code, hour) do update set usd = excluded.usd',
    noticedBy: days,
    test: 'of each hour the first rate stays',
  },
  {
    file: 'account/frame/account-news.ts',
    fault: 'who has another role hears on',
    find: 'now.role === listener.role &&',
    replace: 'now.role !== undefined &&',
    noticedBy: home,
    test: 'who signs out, is put out',
  },
  {
    file: 'account/frame/account-news.ts',
    fault: 'who signed out hears on',
    find: 'now !== undefined &&\n        !isOver(now.session, now.isStaff, clock.now()) &&',
    replace: 'now === undefined || !isOver(now.session, now.isStaff, clock.now()) &&',
    noticedBy: home,
    test: 'who signs out, is put out',
  },
  {
    file: 'account/home/home-facts.ts',
    fault: 'who may not see balances sees them at home',
    find: "look.may('seeBalances') ? looks.wallets(",
    replace: "look.may('seeCheckouts') ? looks.wallets(",
    noticedBy: home,
    test: 'a role sees what it may',
  },
];
