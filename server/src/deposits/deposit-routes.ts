import { endpoints } from '@quittance/contract/endpoints';
import { type Route, routeFor } from '../http/route.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { accountShown } from '../networks/port/account-shown.ts';
import { type WebhookRule, webhookUrlProblems } from '../webhooks/webhook-url-problems.ts';
import { closeDeposit } from './close-deposit.ts';
import { type CreateDepositDeps, type CreatedDeposit, createDeposit } from './create-deposit.ts';
import type { DepositDossier } from './custom-deposit.ts';
import { depositAddressReply, depositRecord } from './custom-deposit-record.ts';
import { findDeposit } from './custom-deposit-store.ts';
import { depositNotFound } from './deposit-errors.ts';
import { paymentAmount } from './deposit-method.ts';
import { depositProblems } from './deposit-problems.ts';
import { listDeposits } from './list-deposits.ts';

const route = routeFor<Merchant>();

export const depositRoutes = (deps: CreateDepositDeps & WebhookRule): Route<Merchant>[] => [
  route({
    endpoint: endpoints.createDeposit,
    check: ({ merchant, body }) => [
      ...depositProblems(deps, merchant, body),
      ...webhookUrlProblems(deps, merchant, body.webhook),
    ],
    handle: ({ merchant, actor, body, carryOut }) =>
      carryOut(
        ({ begin }) => createDeposit(deps, merchant, { body, actor, begin }),
        ({ deposit, method }: CreatedDeposit) =>
          depositAddressReply(deposit, {
            paymentCode: method.carried.paymentCode,
            amount: deposit.expectedUnits === null ? null : paymentAmount(method, deposit.expectedUnits),
            ...accountShown(deps.connectors.get(deposit.network), deposit.address),
          }),
      ),
  }),
  route({
    endpoint: endpoints.getDeposit,
    async handle({ merchant, query }) {
      const dossier = await findDeposit(deps.db, merchant.id, query.id);
      if (!dossier) throw depositNotFound(query.id);
      return { deposit: depositRecord(deps, dossier) };
    },
  }),
  route({
    endpoint: endpoints.closeDeposit,
    handle: ({ merchant, actor, body, carryOut }) =>
      carryOut(
        ({ begin }) => closeDeposit({ ...deps, begin }, { merchantId: merchant.id, id: body.id }, actor),
        (dossier: DepositDossier) => ({ deposit: depositRecord(deps, dossier) }),
      ),
  }),
  route({
    endpoint: endpoints.listDeposits,
    async handle({ merchant, query }) {
      const { items, next } = await listDeposits(deps.db, merchant.id, query);
      return { deposits: items.map((dossier) => depositRecord(deps, dossier)), next };
    },
  }),
];
