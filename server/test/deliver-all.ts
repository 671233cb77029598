import type { Gateway } from './gateway.ts';

/**
 * On a busy machine many webhooks at once may time out; they are tried again, as by the service, each when it is due. It
 * ends, because the service gives up at last.
 */
export async function deliverAll(gateway: Gateway): Promise<void> {
  for (;;) {
    const [waiting] = await gateway.db<{ at: Date | null }>`
      select max(next_at) as at from delivery where state = 'PENDING' having count(*) > 0`;
    if (!waiting) return;
    const seconds = waiting.at ? Math.ceil((waiting.at.getTime() - gateway.clock.now().getTime()) / 1_000) : 0;
    gateway.clock.advance({ seconds: Math.max(1, seconds) });
    await gateway.runUntilIdle();
  }
}
