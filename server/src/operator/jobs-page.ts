/** Jobs: what was given up and why, and what waits, by kind. */
import type { PageNews } from '../account/frame/account-layout.ts';
import type { ParkedJob, QueueNow, WaitingKind } from '../jobs/job-store.ts';
import { waitingMax } from '../jobs/sample-queue.ts';
import { type Html, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import { jobAbout, jobWords } from './job-words.ts';
import { operatorPage } from './operator-layout.ts';
import type { OperatorLook } from './operator-look.ts';
import { countText, emptyPart, houseAgo, part, tableIn } from './operator-parts.ts';
import { parkedForms } from './retry-form.ts';
import { doneNote } from './staff-form.ts';

export type JobsFacts = {
  readonly parked: readonly ParkedJob[];
  readonly waiting: readonly WaitingKind[];
  readonly queue: QueueNow;
  /** What was done with a job a moment ago. */
  readonly did: string | null;
  readonly news: PageNews;
};

export const jobsPath = '/operator/jobs';

const doneWords: Readonly<Record<string, string>> = {
  retry: 'The job runs again now.',
  drop: 'The job is dropped.',
};

export const jobsPage = (look: OperatorLook, facts: JobsFacts): Html =>
  operatorPage(look, {
    title: 'Jobs',
    lead: `${countText(facts.queue.waiting, waitingMax)} wait for a worker now.`,
    news: facts.news,
    main: html`${doneNote(doneWords[facts.did ?? ''] ?? null)}
${parkedPart(look, facts)}
${waitingPart(look, facts)}`,
  });

function parkedPart(look: OperatorLook, { parked, queue }: JobsFacts): Html {
  const more =
    queue.parked > parked.length &&
    html`<span class="more quiet">the ${parked.length} oldest of ${countText(queue.parked, waitingMax)}</span>`;
  const items = parked.map(
    ({ id, name, payload, attempts, reason, since }) =>
      html`<li class="fail" id="job-${id}">${icon('fail')}<div><b>${jobWords(name)}</b><p>${jobAbout(payload)}${jobAbout(payload) !== '' && ' · '}${attempts} ${attempts === 1 ? 'try' : 'tries'} · ${houseAgo(look, since)}</p><p>${reason}</p><p class="small quiet">Job ${id}, <span class="mono">${name}</span></p></div>${look.staffMay('runJobs') && parkedForms(look, { id, name })}</li>`,
  );
  return part(
    'parked',
    'Parked',
    items.length === 0
      ? emptyPart(
          'No job is parked. A job that fails again and again, through nobody else’s fault, would wait here for you.',
        )
      : html`<ul class="asks">${items}</ul>`,
    more,
  );
}

function waitingPart(look: OperatorLook, { waiting }: JobsFacts): Html {
  const rows = waiting.map(
    ({ name, due, later, next, failing, lastError }) =>
      html`<tr><th scope="row" class="wrap">${jobWords(name)}<br><small class="quiet mono">${name}</small></th><td class="n">${due.toLocaleString('en')}</td><td class="n">${later.toLocaleString('en')}</td><td class="n desk">${houseAgo(look, next)}</td><td class="n">${failing.toLocaleString('en')}</td><td class="wrap desk">${failing > 0 && lastError}</td></tr>`,
  );
  const head = html`<th scope="col">Job</th><th scope="col" class="n">Due</th><th scope="col" class="n">Later</th><th scope="col" class="n desk">Next</th><th scope="col" class="n">Failed before</th><th scope="col" class="desk">Why</th>`;
  return part('waiting', 'Waiting', rows.length === 0 ? emptyPart('Nothing waits.') : tableIn('waiting', head, rows));
}
