/** Jobs: looking at them, running again what was parked, as `npx quittance job retry` does, and dropping what may be. */
import { accountReply } from '../account/frame/account-layout.ts';
import { redirect, safeNext } from '../account/frame/account-request.ts';
import { inSession } from '../account/frame/in-session.ts';
import type { Tx } from '../db/database.ts';
import { operatorId } from '../deposits/deposit-target-store.ts';
import { personActor } from '../http/actor.ts';
import {
  deleteParkedJob,
  lockParkedJob,
  parkedJobs,
  queueNow,
  retryParkedJob,
  waitingByKind,
} from '../jobs/job-store.ts';
import { mayBeDropped, mayRunAgain } from '../jobs/parked-jobs.ts';
import { waitingMax } from '../jobs/sample-queue.ts';
import { notFound } from '../lib/errors.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
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
        const did = String(request.query['did'] ?? '') || null;
        return accountReply(200, look, jobsPage(look, { parked, waiting, queue, did, news }));
      },
    }),
    parkedForm('retry', 'job.retried', mayRunAgain, async (tx, id) => {
      await retryParkedJob(tx, id, clock.now());
    }),
    parkedForm('drop', 'job.dropped', mayBeDropped, deleteParkedJob),
  ];

  /** What is done with one that is parked. Somebody else may have done it a moment ago: then nothing is written down. */
  function parkedForm(
    what: 'retry' | 'drop',
    action: string,
    may: (name: string) => boolean,
    act: (tx: Tx, id: string) => Promise<void>,
  ): OperatorRoute {
    return operatorRoute({
      method: 'POST',
      path: `${jobsPath}/:id/${what}`,
      access: { may: 'runJobs' },
      async handle({ request, form, signedIn }) {
        const id = request.params['id'] ?? '';
        if (!/^[0-9]{1,18}$/.test(id)) throw notFound('job', id);
        await inSession(
          db,
          signedIn,
        )(async (tx) => {
          const name = await lockParkedJob(tx, id);
          if (name === undefined || !may(name)) throw notFound('parked job', id);
          await act(tx, id);
          const actor = personActor(signedIn.person.id);
          await insertAudit(tx, { merchantId: operatorId, at: clock.now(), actor, action, detail: { id, name } });
        });
        const back = safeNext(form.get('back'));
        return redirect(back.startsWith('/operator') && back !== jobsPath ? back : `${jobsPath}?did=${what}`);
      },
    });
  }
}
