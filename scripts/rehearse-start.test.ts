import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examineConfig } from '@quittance/server/config';
import { rehearse } from './rehearse-start.ts';
import { sandboxList } from './sandbox-list.ts';

test('nothing is wrong with what a start without settings makes, nor with all of it but one network', () => {
  assert.deepEqual(examineConfig(rehearse({})).problems, []);
  for (const { namedBy, rehearsed } of sandboxList)
    assert.deepEqual(examineConfig(rehearse({ ...rehearsed, [namedBy]: 'http://127.0.0.1:1' })).problems, [], namedBy);
});
