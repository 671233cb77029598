/** Jobs: looking at them, and running again what was parked, as `npx quittance job retry` does. */
import { accountReply } from '../account/account-layout.ts';
import { redirect, safeNext } from '../account/account-request.ts';
import { parkedJobs, queueNow, retryParkedJob, waitingByKind } from '../jobs/job-store.ts';
import { waitingMax } from '../jobs/sample-queue.ts';
import { notFound } from '../lib/errors.ts';
import { jobsPage, jobsPath } from './jobs-page.ts';
import type { OperatorPageDeps } from './operator-area.ts';
import { createOperatorRoutes, type OperatorRoute } from './operator-route.ts';

const parkedShown = 100;

export function jobsRoutes(deps: OperatorPageDeps): OperatorRoute[] {
  const operatorRoute = createOperatorRoutes(deps);
  const { db, clock } = deps;
  return [
    operatorRoute({
      method: 'GET',
      path: jobsPath,
      access: { may: 'seeHouse' },
      async handle({ look, request, now }) {
        const news = await deps.houseNews.pageNews();
        const [parked, waiting, queue] = await Promise.all([
          parkedJobs(db, parkedShown),
          waitingByKind(db, now, waitingMax),
          queueNow(db, now, waitingMax),
        ]);
        const isRetried = request.query['did'] === 'retried';
        return accountReply(200, look, jobsPage(look, { parked, waiting, queue, isRetried, news }));
      },
    }),
    operatorRoute({
      method: 'POST',
      path: `${jobsPath}/:id/retry`,
      access: { may: 'runJobs' },
      async handle({ request, form, audited }) {
        const id = request.params['id'] ?? '';
        if (!/^[0-9]{1,18}$/.test(id)) throw notFound('job', id);
        await audited('job.retried', { id }, async (tx) => {
          // Somebody else may have pressed it a moment ago, or it is done: then nothing is written down.
          if (!(await retryParkedJob(tx, id, clock.now()))) throw notFound('parked job', id);
        });
        const back = safeNext(form.get('back'));
        return redirect(back.startsWith('/operator') && back !== jobsPath ? back : `${jobsPath}?did=retried`);
      },
    }),
  ];
}
