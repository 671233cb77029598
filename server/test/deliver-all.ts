import type { Gateway } from './gateway.ts';
import { turns } from './until.ts';

/**
 * On a busy machine many webhooks at once may time out, and a job may fail that should have caused one: they are tried
 * again, as by the service, each when it is due. It ends, because the service gives up at last.
 */
export async function deliverAll(gateway: Gateway): Promise<void> {
  for (const _ of turns()) {
    const [waiting] = await gateway.db<{ at: Date | null }>`
      select max(at) as at
        from (select next_at as at from delivery where state = 'PENDING'
              union all
              select run_at from job where last_error is not null and parked_reason is null) as waiting
      having count(*) > 0`;
    if (!waiting) return;
    const seconds = waiting.at ? Math.ceil((waiting.at.getTime() - gateway.clock.now().getTime()) / 1_000) : 0;
    gateway.clock.advance({ seconds: Math.max(1, seconds) });
    await gateway.runUntilIdle();
  }
}
