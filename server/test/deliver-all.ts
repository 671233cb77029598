import type { Gateway } from './gateway.ts';

/** On a busy machine many webhooks at once may time out; they are tried again, as by the service. */
export async function deliverAll(gateway: Gateway): Promise<void> {
  for (let attempts = 0; attempts < 5; attempts += 1) {
    const waiting = await gateway.db`select from delivery where state = 'PENDING' limit 1`;
    if (waiting.length === 0) return;
    gateway.clock.advance({ minutes: 1 });
    await gateway.runUntilIdle();
  }
}
