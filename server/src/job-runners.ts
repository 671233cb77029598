/** Which job is done by what, and how many of them at once. */
import { type MakeExportDeps, makeExport } from './account/exports/make-export.ts';
import { reviewExports } from './account/exports/review-exports.ts';
import { compareWithBalance } from './bank-files/compare-with-balance.ts';
import type { ImportDeps } from './bank-files/import-bank-file.ts';
import { importOrdered } from './bank-files/import-ordered.ts';
import { makeOrdered } from './bank-files/make-ordered.ts';
import type { MakeDeps } from './bank-files/make-payment-file.ts';
import type { BridgeDeps } from './bridge/bridge.ts';
import { countWhenAsked } from './bridge/count-books.ts';
import { recordBridged } from './bridge/record-bridged.ts';
import { rebuildTerms } from './checkouts/rebuild-terms.ts';
import { coalesce } from './db/coalesce.ts';
import { answersInTime } from './db/database.ts';
import type { CreateDepositDeps } from './deposits/create-deposit.ts';
import { createFundingTarget } from './deposits/create-funding-target.ts';
import { announceStatements } from './emails/announce-statements.ts';
import { type MailPaperDeps, mailPaper } from './emails/mail-paper.ts';
import { sendExportReady } from './emails/send-export-ready.ts';
import { type SendNeedsDeps, sendNeeds } from './emails/send-needs.ts';
import { sendOrderNews } from './emails/send-order-news.ts';
import { type PersonEmailDeps, sendPersonEmail } from './emails/send-person-email.ts';
import { mailReceiptAgain, sendReceipt } from './emails/send-receipt.ts';
import { type SendRefundLinkDeps, sendRefundLink } from './emails/send-refund-link.ts';
import { type SendStaffNeedsDeps, sendStaffNeeds } from './emails/send-staff-needs.ts';
import { sendStaffNews } from './emails/send-staff-news.ts';
import { sendStatementLink } from './emails/send-statement-link.ts';
import { type SendStatusMailDeps, sendStatusMail } from './emails/send-status-mail.ts';
import type { JobCatalog, mailJobs } from './jobs/job-catalog.ts';
import { createJobRunner, type JobHandlers, type JobRunner } from './jobs/job-runner.ts';
import { requestReturn } from './operator/request-return.ts';
import { eraseCustomer } from './papers/erase-customer.ts';
import { type IssueDeps, issueDuePapers } from './papers/issue-paper.ts';
import { advanceRefund } from './refunds/advance-refund.ts';
import { cancelAsOperator } from './refunds/cancel-held-back.ts';
import { deleteOldExport } from './reports/end-export.ts';
import { advanceCheckouts } from './settlements/advance-checkout.ts';
import { advanceDeposit } from './settlements/advance-deposit.ts';
import { bookFunding } from './settlements/book-funding.ts';
import { recordExchange } from './settlements/record-exchange.ts';
import { recountDecisions } from './settlements/recount-decisions.ts';
import { advanceSwap } from './wallets/advance-swap.ts';
import { advanceTransfer } from './wallets/advance-transfer.ts';
import type { SwapDeps } from './wallets/create-swap.ts';
import type { TransferDeps } from './wallets/create-transfer.ts';
import { advanceWithdrawal, requestWithdrawal, type WithdrawalDeps } from './wallets/withdraw-own-money.ts';
import { advanceReturn } from './watching/return-unmatched.ts';
import { type DeliverWebhookDeps, deliverWebhook } from './webhooks/deliver-webhook.ts';
import { createSlowReceivers } from './webhooks/slow-receivers.ts';

/** Receivers may take 15 seconds each; waiting costs almost nothing. */
const webhookConcurrency = 32;

/** Mail servers do not like many connections from one client. */
const emailConcurrency = 4;

/** One at a time: who waits for a file waits a little longer, and who pays does not. */
const exportConcurrency = 1;

/** One at a time, apart from what is about money: a shop may delete thousands, with years of orders each. */
const eraseConcurrency = 1;

/** Two, so that one is planned while the other one commits. */
const advanceLimits = { batchesAtOnce: 2, itemsMax: 64 };

export type JobDeps = SendRefundLinkDeps &
  MakeExportDeps &
  MailPaperDeps &
  IssueDeps &
  SendStatusMailDeps &
  SendNeedsDeps &
  SendStaffNeedsDeps &
  PersonEmailDeps &
  ImportDeps &
  MakeDeps &
  SwapDeps &
  TransferDeps &
  WithdrawalDeps &
  CreateDepositDeps &
  Omit<BridgeDeps, 'pollMs'> &
  Omit<DeliverWebhookDeps, 'slowReceivers'> & {
    /** How many jobs about money at once. */
    readonly workerConcurrency: number;
  };

export function createJobRunners(deps: JobDeps): readonly JobRunner[] {
  const { db, clock, log } = deps;
  const advance = coalesce(
    async (jobs: readonly JobCatalog['checkout.advance'][]) => {
      await advanceCheckouts(deps, jobs);
      return jobs.map(() => undefined);
    },
    advanceLimits,
    () => answersInTime(db),
  );
  const checkoutJobs = createJobRunner({
    db,
    clock,
    log,
    concurrency: deps.workerConcurrency,
    handlers: {
      // One that failed before is looked at alone, so that it takes no time from others.
      'checkout.advance': (payload, { attempt }) =>
        attempt === 1 ? advance(payload) : advanceCheckouts(deps, [payload]),
      'checkout.recount': (payload) => recountDecisions(deps, payload),
      'terms.rebuild': (payload) => rebuildTerms(deps, payload),
      'deposit.advance': (payload) => advanceDeposit(deps, payload),
      'settlement.advance': (payload) => recordExchange(deps, payload),
      'bridge.advance': (payload) => recordBridged(deps, payload),
      'swap.advance': (payload) => advanceSwap(deps, payload),
      'books.reconcile': (payload) => countWhenAsked(deps, payload),
      'funding.book': (payload) => bookFunding(deps, payload),
      'transfer.advance': (payload) => advanceTransfer(deps, payload),
      'withdrawal.request': (payload) => requestWithdrawal(deps, payload),
      'withdrawal.advance': (payload) => advanceWithdrawal(deps, payload),
      'bank.import': (payload) => importOrdered(deps, payload),
      'bank.compare': (payload) => compareWithBalance(deps, payload),
      'bank.file': (payload) => makeOrdered(deps, payload),
      'order.cancel': (payload) => cancelAsOperator(deps, payload),
      'funding.address': (payload) => createFundingTarget(deps, payload),
      'return.request': (payload) => requestReturn(deps, payload),
      'return.advance': (payload) => advanceReturn(deps, payload),
      'refund.advance': (payload) => advanceRefund(deps, payload),
      'paper.issue': (payload) => issueDuePapers(deps, payload),
    },
  });
  const eraseJobs = createJobRunner({
    db,
    clock,
    log,
    concurrency: eraseConcurrency,
    handlers: { 'customer.erase': (payload) => eraseCustomer(deps, payload) },
  });
  const webhookDeps = { ...deps, slowReceivers: createSlowReceivers() };
  const webhookJobs = createJobRunner({
    db,
    clock,
    log,
    concurrency: webhookConcurrency,
    isPatient: true,
    handlers: { 'webhook.deliver': (payload, { worker }) => deliverWebhook(webhookDeps, payload, worker) },
  });
  const emailJobs = createJobRunner({
    db,
    clock,
    log,
    concurrency: emailConcurrency,
    isPatient: true,
    handlers: {
      'email.send': (payload) => sendReceipt(deps, payload),
      'status.mail': (payload) => sendStatusMail(deps, payload),
      'receipt.again': (payload) => mailReceiptAgain(deps, payload),
      'paper.mail': (payload) => mailPaper(deps, payload),
      'refund.mail': (payload) => sendRefundLink(deps, payload),
      'needs.mail': (payload) => sendNeeds(deps, payload),
      'staff.mail': (payload) => sendStaffNeeds(deps, payload),
      'staff.news': (payload) => sendStaffNews(deps, payload),
      'staff.order': (payload) => sendOrderNews(deps, payload),
      'person.email': (payload, { attempt }) => sendPersonEmail(deps, payload, attempt),
      'export.mail': (payload) => sendExportReady(deps, payload),
      'statement.mail': (payload) => sendStatementLink(deps, payload),
    } satisfies Required<Pick<JobHandlers, (typeof mailJobs)[number]>>,
  });
  const exportJobs = createJobRunner({
    db,
    clock,
    log,
    concurrency: exportConcurrency,
    handlers: {
      'export.make': (payload, run) => makeExport(deps, payload, run),
      'export.delete': (payload) => deleteOldExport(deps, payload),
      'export.review': (payload) => reviewExports(deps, payload),
      'statement.announce': (payload) => announceStatements(deps, payload),
    },
  });
  return [checkoutJobs, webhookJobs, emailJobs, exportJobs, eraseJobs];
}
