/** Answers and webhooks that are not as the contract says. */
import type { Saboteur } from './saboteur.ts';

const served = 'server/test/contract-served.test.ts';

export const saboteurs: readonly Saboteur[] = [
  {
    file: 'lib/errors.ts',
    fault: 'what is wrong with a request is told with a status that the contract does not name',
    find: "code: 'invalid_request', httpStatus: 400",
    replace: "code: 'invalid_request', httpStatus: 406",
    noticedBy: served,
    test: 'is served',
  },
  {
    file: 'wallets/swap-record.ts',
    fault: 'a swap is shown with a field that the contract does not name',
    find: 'quoteId: swap.quoteId,',
    replace: 'quoteId: swap.quoteId, account: swap.merchantId,',
    noticedBy: served,
    test: 'example',
  },
  {
    file: 'webhooks/deliver-webhook.ts',
    fault: 'webhooks come without their id',
    find: "'user-agent': 'Quittance',\n    ...signWebhook({ id: eventId, at, body }, secrets),",
    replace:
      "'user-agent': 'Quittance',\n    ...signWebhook({ id: eventId, at, body }, secrets),\n    'webhook-id': '',",
    noticedBy: served,
    test: 'example',
  },
  {
    file: 'settlements/advance-deposit.ts',
    fault: 'an event of a deposit does not tell of which payment it is',
    find: 'payment: depositPaymentRecord(deps, dossier, payment),',
    replace: '',
    noticedBy: served,
    test: 'example',
  },
];
