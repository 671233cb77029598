/** What every network must do that is sent from by files. */
import type { Saboteur } from './saboteur.ts';

const filing = 'server/test/networks/sandbox-bank.conformance.test.ts';
const sepa = 'server/test/networks/sepa-connector.test.ts';
const charges = 'server/test/swift-charges.test.ts';
const settled = 'server/test/networks/settled-orders.test.ts';
const set = 'server/test/networks/payment-file-settings.test.ts';

export const saboteurs: readonly Saboteur[] = [
  {
    file: 'networks/families/bank/bank-orders.ts',
    fault: 'two payments of a file have one name',
    find: 'txHash: orderId(payout.id, id),',
    replace: 'txHash: orderId(id, id),',
    noticedBy: filing,
  },
  {
    file: 'networks/families/bank/bank-orders.ts',
    fault: 'a payment that is written into another file has the name that it had',
    find: 'export const orderId = (payoutId: string, fileId: string): string => `${payoutId}-${fileId}`.toUpperCase();',
    replace:
      'export const orderId = (payoutId: string, _fileId: string): string => `${payoutId}-${payoutId}`.toUpperCase();',
    noticedBy: filing,
  },
  {
    file: 'networks/families/bank/bank-orders.ts',
    fault: 'what is booked is done at once, though banks may give it back',
    find: "...(!isInstant && { until: 'safe' }),",
    replace: "...(isInstant && { until: 'safe' }),",
    noticedBy: filing,
  },
  {
    file: 'networks/families/bank/bank-orders.ts',
    fault: 'an instant payment waits for the next banking day',
    find: 'isInstant ? today : firstBankingDay(today)',
    replace: 'isInstant ? firstBankingDay(today) : firstBankingDay(today)',
    noticedBy: set,
  },
  {
    file: 'networks/families/bank/own-bookings.ts',
    fault: 'what came back in part has failed',
    find: "else if (fate === 'booked' && isWhole && !wasComeback) {",
    replace: "else if (fate === 'booked' && !wasComeback) {",
    noticedBy: filing,
  },
  {
    file: 'networks/families/bank/own-bookings.ts',
    fault: 'what the bank refuses of a file refuses all of it',
    find: "answer.about === 'payment' ? (one ? [one] : []) : inFiles(ofAnswer)",
    replace: 'one ? inFiles({ orders: [], files: [one.fileId] }) : inFiles(ofAnswer)',
    noticedBy: filing,
  },
  {
    file: 'networks/sepa/sepa.ts',
    fault: 'an older bank is given files of today by SEPA',
    find: 'version: fileVersion, scheme',
    replace: "version: 'pain.001.001.09', scheme",
    noticedBy: set,
  },
  {
    file: 'networks/swift/swift.ts',
    fault: 'an older bank is given files of today by SWIFT',
    find: 'version: more.fileVersion,',
    replace: "version: 'pain.001.001.09',",
    noticedBy: set,
  },
  {
    file: 'networks/swift/swift.ts',
    fault: 'who is paid bears what the payer was set to bear',
    find: 'charges: chargesOf[charges]',
    replace: "charges: charges === 'SHA' ? 'shared' : 'payee'",
    noticedBy: set,
  },
  {
    file: 'networks/sepa/sepa.ts',
    fault: 'instant payments are ordered whatever is set',
    find: "scheme: { kind: 'sepa', isInstant }",
    replace: "scheme: { kind: 'sepa', isInstant: isInstant || !isInstant }",
    noticedBy: set,
  },
  {
    file: 'networks/families/bank/settle-details.ts',
    fault: 'each payment whose bank booked its charge within it is for a person',
    find: 'named.find(isOrdered) ?? named[0]',
    replace: 'named[0] ?? named.find(isOrdered)',
    noticedBy: charges,
  },
  {
    file: 'networks/swift/swift.ts',
    fault: 'by SWIFT a payment is done while banks still return it',
    find: 'settledAfterDays: 10,',
    replace: 'settledAfterDays: 4,',
    noticedBy: settled,
  },
  {
    file: 'networks/families/bank/banking-days.ts',
    fault: 'at Easter banks return payments as on any other day',
    find: 'return day !== addDays(easter, -2) && day !== addDays(easter, 1);',
    replace: 'return day !== easter;',
    noticedBy: settled,
  },
  {
    file: 'networks/families/bank/sort-bookings.ts',
    fault: 'for whom a booking is, is looked up text by text',
    find: 'await context.knownTargets([...keys])',
    replace:
      'new Set((await Promise.all([...keys].map(async (key) => [...(await context.knownTargets([key]))]))).flat())',
    noticedBy: sepa,
    test: 'looked up once',
  },
];
