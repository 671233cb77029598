/** What the shop's server was told, and telling it again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { personActor } from '../../http/actor.ts';
import { pageOf, readPageCursor } from '../../http/page-cursor.ts';
import { addMs, hours } from '../../lib/clock.ts';
import { notFound } from '../../lib/errors.ts';
import { findKey, listKeys } from '../../merchants/api-key-store.ts';
import { findFormerWebhookSecretEnd } from '../../merchants/merchant-store.ts';
import { rotateWebhookSecret } from '../../merchants/rotate-webhook-secret.ts';
import { html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import {
  countOpenDeliveries,
  type DeliveryFilter,
  deliveryFilters,
  listDeliveries,
  newestUrl,
} from '../../webhooks/delivery-list-store.ts';
import { redeliverFailed } from '../../webhooks/redeliver-failed.ts';
import { redeliverWebhook } from '../../webhooks/redeliver-webhook.ts';
import { sendTestEvent } from '../../webhooks/send-test-event.ts';
import { findDelivery } from '../../webhooks/webhook-log-store.ts';
import { accountPage, accountReply } from '../frame/account-layout.ts';
import { redirect } from '../frame/account-request.ts';
import { type AccountDeps, type AccountRoute, createAccountRoutes } from '../frame/account-route.ts';
import { audited } from '../frame/audited.ts';
import { countMax, deliveriesPage, resendPeriods } from './deliveries-page.ts';
import { deliveryPage, type ShownDelivery } from './delivery-page.ts';
import { copyField, storedForm, webhooksPath } from './developer-parts.ts';

const rowsMax = 50;
/** A receiver that answers at once has answered by then, and its answer is on the page that follows. */
const answerMs = 3_000;
const lookEveryMs = 100;

const filterOf = (text: unknown): DeliveryFilter => deliveryFilters.find((each) => each === text) ?? 'all';
const textOf = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

const isPeriod = (text: string): text is keyof typeof resendPeriods => Object.hasOwn(resendPeriods, text);

export function deliveriesRoutes(deps: AccountDeps): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  const { db } = deps;
  const access = { may: 'webhooks' } as const;

  async function deliveryOf(merchantId: string, id: string): Promise<ShownDelivery> {
    const delivery = await findDelivery(db, merchantId, id);
    if (!delivery) throw notFound('webhook delivery', id);
    return delivery;
  }
  async function firstAnswer(merchantId: string, id: string): Promise<void> {
    for (let waitedMs = 0; waitedMs < answerMs; waitedMs += lookEveryMs) {
      if ((await deliveryOf(merchantId, id)).attempts.length > 0) return;
      await sleep(lookEveryMs);
    }
  }

  return [
    accountRoute({
      method: 'GET',
      path: webhooksPath,
      access,
      async handle({ look, merchant, request, now }) {
        const filter = filterOf(request.query['state']);
        const before = readPageCursor(textOf(request.query['cursor']));
        const [found, counts, keys, url, formerSecretUntil] = await Promise.all([
          listDeliveries(db, merchant.id, filter, { before, limit: rowsMax + 1 }),
          countOpenDeliveries(db, merchant.id, countMax),
          listKeys(db, merchant.id),
          newestUrl(db, merchant.id),
          findFormerWebhookSecretEnd(db, merchant.id),
        ]);
        const { items, next } = pageOf(found, rowsMax);
        const resent = textOf(request.query['sent']);
        const facts = {
          deliveries: items,
          next,
          isFirst: before === null,
          filter,
          counts,
          keys: keys.filter(({ revokedAt }) => revokedAt === null),
          url,
          formerSecretUntil,
          resent: resent !== undefined && /^\d{1,9}$/.test(resent) ? Number(resent) : null,
          now,
        };
        return accountReply(200, look, deliveriesPage(look, facts));
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${webhooksPath}/resend`,
      access,
      async handle(context) {
        const { merchant, form, now } = context;
        const period = form.get('since') ?? 'all';
        if (!isPeriod(period)) throw notFound('period', period);
        const count = resendPeriods[period];
        const since = count === null ? new Date(0) : addMs(now, -hours(count));
        // Before it is done, because it is done in several transactions.
        await audited(deps, context, 'webhooks.redelivered', { since })(async () => undefined);
        const { sent } = await redeliverFailed(deps, merchant.id, since);
        return redirect(`${webhooksPath}?sent=${sent}`);
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${webhooksPath}/test`,
      access,
      async handle(context) {
        const { merchant, form } = context;
        const apiKey = form.get('key') ?? '';
        const key = await findKey(db, merchant.id, apiKey);
        if (!key || key.revokedAt !== null) throw notFound('API key', apiKey);
        const event = { url: form.get('url') ?? '', apiKey };
        const begin = audited(deps, context, 'webhook.tested', event);
        const { deliveryId } = await sendTestEvent({ ...deps, begin }, merchant, event);
        await firstAnswer(merchant.id, deliveryId);
        return redirect(`${webhooksPath}/${deliveryId}`);
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${webhooksPath}/secret`,
      access: { may: 'chargeKeys' },
      async handle({ look, merchant, form, signedIn }) {
        const isAtOnce = form.get('at-once') === 'yes';
        const actor = personActor(signedIn.person.id);
        const { webhookSecret } = await rotateWebhookSecret(deps, merchant.id, actor, { isAtOnce });
        const page = accountPage(look, {
          title: look.say('secretMadeTitle'),
          main: html`<div class="form"><p class="notice decide" role="status">${icon('key')}<span>${look.say('secretMadeText')}</span></p>
${copyField(look, look.say('secretTitle'), webhookSecret.reveal())}</div>
${storedForm(look, webhooksPath, 'secretDoneWebhooks')}`,
        });
        return accountReply(200, look, page);
      },
    }),
    accountRoute({
      method: 'GET',
      path: `${webhooksPath}/:delivery`,
      access,
      async handle({ look, merchant, request, now }) {
        const delivery = await deliveryOf(merchant.id, request.params['delivery'] ?? '');
        return accountReply(200, look, deliveryPage(look, delivery, now));
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${webhooksPath}/:delivery/resend`,
      access,
      async handle(context) {
        const { merchant, request } = context;
        const id = request.params['delivery'] ?? '';
        const begin = audited(deps, context, 'webhook.redelivered', { deliveryId: id });
        const { deliveryId } = await redeliverWebhook({ ...deps, begin }, merchant.id, id);
        await firstAnswer(merchant.id, deliveryId);
        return redirect(`${webhooksPath}/${deliveryId}`);
      },
    }),
  ];
}
