/** The queue: nothing is lost, nothing is done twice at the same time, and what is hopeless is shown to a person. */
import type { Saboteur } from './saboteur.ts';

const runner = 'server/src/jobs/job-runner.test.ts';

export const saboteurs: readonly Saboteur[] = [
  {
    file: 'jobs/job-runner.ts',
    fault: 'a worker that was taken for dead deletes a job that is somebody else’s by now',
    find: 'where job.id = done.id and job.claimed_by = done.worker`;',
    replace: 'where job.id = done.id`;',
    noticedBy: runner,
    test: "somebody else's by now stays",
  },
  {
    file: 'jobs/job-runner.ts',
    fault: 'a worker that was taken for dead puts off a job that is somebody else’s by now',
    find: `update job set claimed_by = null, run_at = \${runAt}, last_error = \${message}
           where id = \${id} and claimed_by = \${worker}`,
    replace: `update job set claimed_by = null, run_at = \${runAt}, last_error = \${message}
           where id = \${id} and \${worker}::integer is not null`,
    noticedBy: runner,
    test: "somebody else's by now stays",
  },
  {
    file: 'jobs/job-runner.ts',
    fault: 'a worker that was taken for dead parks a job that is somebody else’s by now',
    find: `parked_reason = \${message}, last_error = \${message}
           where id = \${id} and claimed_by = \${worker}`,
    replace: `parked_reason = \${message}, last_error = \${message}
           where id = \${id} and \${worker}::integer is not null`,
    noticedBy: runner,
    test: "somebody else's by now stays",
  },
  {
    file: 'jobs/job-runner.ts',
    fault: 'a worker that was taken for dead frees a job that is somebody else’s by now, for later',
    find: `attempts - 1 end, run_at = \${error.at}
           where id = \${id} and claimed_by = \${worker}`,
    replace: `attempts - 1 end, run_at = \${error.at}
           where id = \${id} and \${worker}::integer is not null`,
    noticedBy: runner,
    test: "somebody else's by now stays",
  },
  {
    file: 'jobs/job-runner.ts',
    fault: 'a parked job runs all the same',
    find: 'where claimed_by is null and parked_reason is null and run_at',
    replace: 'where claimed_by is null and run_at',
    noticedBy: runner,
    test: 'waits for a person',
  },
  {
    file: 'jobs/job-runner.ts',
    fault: 'a job that somebody works on is started once more',
    find: 'where claimed_by is null and parked_reason is null and run_at',
    replace: 'where parked_reason is null and run_at',
    noticedBy: runner,
    test: 'jobs of the living',
  },
  {
    file: 'jobs/job-runner.ts',
    fault: 'the jobs of the dead are left alone',
    find: 'or (claimed_by is not null\n',
    replace: 'or (claimed_by is null\n',
    noticedBy: runner,
    test: 'those of the dead are taken over',
  },
  {
    file: 'jobs/job-runner.ts',
    fault: 'what a worker failed to store about its own job keeps the job for ever',
    find: 'where (claimed_by = ${number} and id <> all(${[...running.keys()]}::bigint[]))',
    replace: 'where (claimed_by = -${number} and id <> all(${[...running.keys()]}::bigint[]))',
    noticedBy: runner,
    test: 'could not note the end',
  },
  {
    file: 'jobs/job-runner.ts',
    fault: 'a job that waits for a node is parked',
    find: 'attempts >= attemptsMax && !isNodeAway(error)',
    replace: 'attempts >= attemptsMax',
    noticedBy: runner,
  },
  {
    file: 'jobs/job-runner.ts',
    fault: 'a job that always fails is tried for ever',
    find: 'attempts >= attemptsMax && !isNodeAway(error)',
    replace: 'attempts < 0 && !isNodeAway(error)',
    noticedBy: runner,
  },
  {
    file: 'jobs/job-runner.ts',
    fault: 'a job that is not due yet has failed',
    find: 'then 0 else attempts - 1 end',
    replace: 'then 0 else attempts end',
    noticedBy: runner,
    test: 'puts itself off has not failed',
  },
  {
    file: 'jobs/job-runner.ts',
    fault: 'failures of a long job add up over all of its steps',
    find: 'then 0 else',
    replace: 'then attempts - 1 else',
    noticedBy: runner,
    test: 'what failed before a step',
  },
  {
    file: 'jobs/job-runner.ts',
    fault: 'a job runs before its time',
    find: 'and run_at <= ${clock.now()}',
    replace: `and run_at <= \${clock.now()}::timestamptz + interval '1 hour'`,
    noticedBy: runner,
    test: 'and not before',
  },
  {
    file: 'jobs/job-store.ts',
    fault: 'a job that waits its turn is started at once by asking for it again',
    find: 'where id = ${id} and parked_reason is not null\n',
    replace: 'where id = ${id}\n',
    noticedBy: 'server/test/parked-jobs.test.ts',
  },
];
