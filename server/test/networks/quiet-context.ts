/** What a connector asks the service, which knows of nothing but the targets that are asked for. */
import type { ObserveContext } from '../../src/networks/port/receiving.ts';
import { noDocuments } from './no-documents.ts';

export const quietContext: ObserveContext = {
  knownTargets: async (keys) => new Set(keys),
  unconfirmed: async () => [],
  knownArrivals: async () => new Set(),
  arrivalsAt: async () => [],
  waitingUnmatched: async () => [],
  recentTargets: async () => [],
  urgentTargets: async () => [],
  outgoing: async () => [],
  orders: async () => [],
  toldBefore: async () => new Map(),
  declaredVoid: async () => [],
  documents: noDocuments,
};
