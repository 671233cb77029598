/** Asks the running service, which alone has connectors, for the target at which the operator's own money comes in. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '@quittance/server/db/database';
import { type FundingTarget, findFundingTarget } from '@quittance/server/deposits/deposit-target-store';
import { loadNetworkStatus } from '@quittance/server/deposits/network-health';
import { enqueue } from '@quittance/server/jobs/enqueue';
import { fundingAddressJob } from '@quittance/server/jobs/job-store';
import { systemClock as clock } from '@quittance/server/lib/clock';
import { newId } from '@quittance/server/lib/ids';
import { CommandError } from './command-line.ts';

const patienceMs = 60_000;

/** `amount`: of an invoice; null where a target is an address. */
export async function askForFundingTarget(db: Db, network: string, amount: string | null): Promise<FundingTarget> {
  const watched = (await loadNetworkStatus(db)).map((status) => status.network);
  if (!watched.includes(network))
    throw new CommandError(`${network} has not been watched yet. These have: ${watched.join(', ') || 'none'}.`);
  const targetId = newId();
  const payload = { network, targetId, amount };
  await db.begin((tx) => enqueue(tx, [{ name: 'funding.address', payload, runAt: clock.now() }]));
  const until = clock.now().getTime() + patienceMs;
  for (;;) {
    const job = await fundingAddressJob(db, targetId);
    const target = job === null ? await findFundingTarget(db, network, targetId) : undefined;
    if (target) return target;
    if (job?.isParked) throw new CommandError(job.lastError ?? 'The address could not be made.');
    if (clock.now().getTime() > until)
      throw new CommandError(
        `The service has not made the address yet${job?.lastError ? `: ${job.lastError}` : '. Is a worker running?'}`,
      );
    await sleep(100);
  }
}
