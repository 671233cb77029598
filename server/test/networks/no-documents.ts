/** For networks with a node: nobody brings documents of theirs. */
import type { ObserveContext } from '../../src/networks/port/receiving.ts';

export const noDocuments: ObserveContext['documents'] = async ({ after }) => ({
  documents: [],
  records: [],
  end: after,
  isWhole: true,
  newest: after.position,
});
