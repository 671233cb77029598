import assert from 'node:assert/strict';

/** For loops that say something of each: of nothing they would say nothing, and the test would pass. */
export function atLeastOne<T>(all: Iterable<T>): readonly T[] {
  const listed = [...all];
  assert.ok(listed.length > 0, 'there is nothing of which this test could say anything');
  return listed;
}
