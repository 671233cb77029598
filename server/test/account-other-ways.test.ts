/**
 * What people do in the account, programs and operators can do too: every form names the endpoint or the command that does
 * the same. A form that is in no table fails, and so does a name that nothing has.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoints } from '@quittance/contract/endpoints';
import { commands } from '../../scripts/command-list.ts';
import { accountRoutes } from '../src/account/account-routes.ts';

/** By an endpoint (its id) or by a command (its words). */
const otherWays: Readonly<Record<string, string>> = {
  '/account/checkouts/new': 'createHostedCheckout',
  '/account/papers/:id/credit': 'createCreditNote',
  '/account/papers/:id/send': 'sendPaper',
  '/account/payment-links/new': 'createPaymentLink',
  '/account/payment-links/:id/close': 'closePaymentLink',
  '/account/checkouts/:id/accept': 'acceptUnderpayment',
  '/account/checkouts/:id/keep': 'acceptExcess',
  '/account/checkouts/:id/refund': 'createRefund',
  '/account/checkouts/:id/refunds/:refund/approve': 'approveRefund',
  '/account/checkouts/:id/refunds/:refund/cancel': 'cancelRefund',
  '/account/checkouts/:id/refunds/:refund/refuse': 'cancelRefund',
  '/account/checkouts/:id/cancel': 'cancelCheckout',
  '/account/checkouts/:id/receipt': 'checkout receipt',
  '/account/checkouts/:id/resend': 'redeliverWebhook',
  '/account/customers/:id': 'changeCustomer',
  '/account/customers/:id/delete': 'deleteCustomer',
  '/account/balances/swap': 'createSwap',
  '/account/balances/deposit': 'createDeposit',
  '/account/balances/deposit/:id/close': 'closeDeposit',
  '/account/transfers/new': 'createTransfer',
  '/account/transfers/:id/cancel': 'cancelTransfer',
  '/account/transfers/:id/approve': 'approveTransfer',
  '/account/transfers/:id/refuse': 'cancelTransfer',
  '/account/transfers/destinations': 'saveTargetAccount',
  '/account/transfers/destinations/:id/remove': 'deleteTargetAccount',
  '/account/developers/keys': 'key create',
  '/account/developers/keys/:key/rotate': 'key rotate',
  '/account/developers/keys/:key/revoke': 'key revoke',
  '/account/developers/webhooks/resend': 'webhook redeliver-failed',
  '/account/developers/webhooks/test': 'webhook test',
  '/account/developers/webhooks/secret': 'webhook secret',
  '/account/developers/webhooks/:delivery/resend': 'redeliverWebhook',
  '/account/reports/exports': 'createExport',
  '/account/reports/exports/:id/cancel': 'deleteExport',
  '/account/reports/exports/:id/delete': 'deleteExport',
  '/account/set-up/business': 'merchant settings',
  '/account/settings/business': 'merchant settings',
  '/account/settings/papers': 'merchant settings',
  '/account/settings/api/allow': 'merchant settings',
  '/account/settings/api/disallow': 'merchant settings',
  '/account/settings/api/from': 'merchant settings',
  '/account/settings/api/auth': 'merchant settings',
  '/account/settings/settlement': 'merchant settings',
  '/account/settings/limits': 'merchant settings',
  '/account/settings/payment-page': 'brand set',
  '/account/settings/payment-page/preview': 'brand preview',
  '/account/settings/payment-page/domain': 'brand key',
  '/account/settings/payment-page/domain/behaviour': 'brand domain',
  '/account/settings/payment-page/domain/check': 'brand check',
  '/account/settings/payment-page/domain/revoke': 'brand revoke',
  '/account/settings/payment-page/domain/remove': 'brand domain',
  '/account/settings/notifications': 'person notify',
  '/account/settings/mails': 'merchant settings',
  '/account/customers/:id/mails': 'mail try-again',
  '/account/people/invite': 'person invite',
  '/account/people/remove': 'person remove',
  '/account/people/recover': 'person link',
  '/account/people/role': 'person role',
  '/account/people/sign-out': 'person sign-out',
  '/account/people/take-back': 'person take-back-invitation',
  '/account/people/take-back-recovery': 'person take-back-link',
};

/**
 * What one person asked for and a second one decides: the passkey of that person is the whole point, which neither a key nor
 * the operator has. The operator makes the change itself instead, under the own name (`merchant settings`, `person role`).
 */
const onlyAmongPeople = ['/account/settings/changes/:id/approve', '/account/settings/changes/:id/refuse'];

/** Of the own browser, sign-in and view. */
const isOwn = (path: string): boolean =>
  /^\/account\/(sign-in|sign-up|welcome|my-sign-in)(\/|$)/.test(path) ||
  ['theme', 'choose', 'sign-out', 'set-up/leave', 'needs-you/hide'].some((each) => path === `/account/${each}`);

test('what a form of the account does has an endpoint or a command', () => {
  const deps = { accountUrl: 'http://localhost', isSandbox: true } as object as Parameters<typeof accountRoutes>[0];
  const forms = accountRoutes(deps).filter(({ methods }) => methods.includes('POST'));
  const asked = forms.map(({ path }) => path).filter((path) => !isOwn(path));
  assert.deepEqual([...Object.keys(otherWays), ...onlyAmongPeople].toSorted(), [...new Set(asked)].toSorted());
  const known = [...Object.keys(endpoints), ...commands.map(({ name }) => name)];
  assert.deepEqual(
    Object.entries(otherWays).filter(([, way]) => !known.includes(way)),
    [],
  );
});
