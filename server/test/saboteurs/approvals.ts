/** Refunds that people ask for and others approve. */
import type { Saboteur } from './saboteur.ts';

const noticedBy = 'server/test/account-approvals.test.ts';
const transfers = 'server/test/account-transfers.test.ts';

export const saboteurs: readonly Saboteur[] = [
  {
    file: 'wallets/approve-transfer.ts',
    fault: 'what somebody asked for who was put out since is approved',
    find: "await demandAsker(tx, merchantId, transfer.requestedBy, 'moveMoney');",
    replace: 'void demandAsker;',
    noticedBy: transfers,
    test: 'what waits cannot be approved any more',
  },
  {
    file: 'account/frame/in-session.ts',
    fault: 'a request goes on though its session has ended',
    find: 'await demandSession(tx, signedIn);',
    replace: 'void [demandSession, signedIn];',
    noticedBy: transfers,
    test: 'a request of who is signed out',
  },
  {
    file: 'account/frame/account-route.ts',
    fault: 'what is signed does not say in which account',
    find: "'merchant' in context ? orderInAccount(order, context.merchant) : order",
    replace: "'merchant' in context ? (orderInAccount(order, context.merchant) && order) : order",
    noticedBy,
    test: 'waits until another signs this very refund',
  },
  {
    file: 'account/checkouts/refund-approval-routes.ts',
    fault: 'any proof of who it is approves a refund',
    find: '      order: orderOfApproval,\n',
    replace: '',
    noticedBy,
  },
  {
    file: 'account/checkouts/refund-approval-routes.ts',
    fault: 'a refund is approved on the page of another checkout',
    find: 'found?.checkoutId === idOf(context) ? found : undefined',
    replace: 'found',
    noticedBy,
    test: 'a proof for one refund approves no other',
  },
  {
    file: 'account/checkouts/refund-approval-routes.ts',
    fault: 'whoever prepares refunds takes back those of others',
    find: "if (!isOwn && context.signedIn.grant('approve') === 'no') throw notYours();",
    replace: 'void [isOwn, notYours];',
    noticedBy,
    test: 'it is refused by who could approve it',
  },
  {
    file: 'account/checkouts/one-checkout-routes.ts',
    fault: 'who may only prepare a refund sends it alone',
    find: "if (grant === 'prepare') return { approval: 'always' };",
    replace: "if (grant === 'prepare') return {};",
    noticedBy,
    test: 'an accountant prepares a refund',
  },
  {
    file: 'account/checkouts/one-checkout-routes.ts',
    fault: 'a code asks for a refund of any size',
    find: "return signedIn.person.passkeys > 0 ? {} : { approval: 'never' };",
    replace: 'return signedIn.person.passkeys > 0 ? {} : {};',
    noticedBy,
    test: 'a code of an app signs nothing',
  },
  {
    file: 'checkouts/refund-store.ts',
    fault: 'nobody knows that a person asked for a refund, so that person approves it',
    find: "coalesce(requested_by, 'key:' || api_key)",
    replace: "'key:' || api_key",
    noticedBy,
    test: 'until another signs this very refund',
  },
  {
    file: 'checkouts/refund-store.ts',
    fault: 'what the previous release was asked for is approved by the key that asked',
    find: "coalesce(requested_by, 'key:' || api_key)",
    replace: 'requested_by',
    noticedBy,
    test: 'as the previous release stored it',
  },
  {
    file: 'account/checkouts/one-checkout-routes.ts',
    fault: 'what nobody has signed of a refund is chosen later',
    find: `['context', 'amount', 'asset', 'network', 'fee'] as const`,
    replace: `['amount'] as const`,
    noticedBy: 'server/test/account-checkouts.test.ts',
    test: 'by a link that only this order was signed for',
  },
];
