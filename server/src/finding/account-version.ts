/**
 * A short text for each account that changes when something happens in it: a checkout is made, paid, confirmed or over, an
 * event is told, a webhook is given up, somebody does something. Three statements, however many accounts are asked for.
 */
import { createHash } from 'node:crypto';
import { newsOfCheckouts } from '../checkouts/checkout-news-store.ts';
import type { Query } from '../db/database.ts';
import { newsOfAudit } from '../merchants/audit-news-store.ts';
import { newsOfEvents } from '../webhooks/event-news-store.ts';

/** What commits out of order is among so many of the newest. */
const newestCount = 20;
/** More are not watched one by one: a shop that has so many at once sees its newest change all the time. */
const openMax = 200;

export async function accountVersions(query: Query, merchantIds: readonly string[]): Promise<Map<string, string>> {
  const asked = { newest: newestCount, open: openMax, states: ['PENDING', 'PROCESSING'] };
  const parts = await Promise.all([
    newsOfCheckouts(query, merchantIds, asked),
    newsOfEvents(query, merchantIds, newestCount),
    newsOfAudit(query, merchantIds, newestCount),
  ]);
  return new Map(
    merchantIds.map((id) => {
      const text = parts.map((part) => part.get(id) ?? '').join('|');
      return [id, createHash('sha256').update(text).digest('base64url').slice(0, 16)];
    }),
  );
}
