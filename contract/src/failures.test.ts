import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Endpoint, endpoints } from './endpoints.ts';
import { failuresOf } from './failures.ts';

const statusesOf = (endpoint: Endpoint): number[] => [...failuresOf(endpoint).keys()];

test('an endpoint answers with what follows from what it is, and with what it says itself', () => {
  assert.deepEqual(statusesOf(endpoints.health), [500, 503]);
  assert.deepEqual(statusesOf(endpoints.time), [429, 500, 503]);
  assert.deepEqual(statusesOf(endpoints.networks), [401, 403, 429, 500, 503]);
  assert.deepEqual(statusesOf(endpoints.listCheckouts), [400, 401, 403, 429, 500, 503]);
  assert.deepEqual(statusesOf(endpoints.getExportFile), [400, 401, 403, 404, 409, 429, 500, 503]);
  assert.deepEqual(statusesOf(endpoints.validateCharge), [400, 401, 403, 409, 413, 422, 429, 500, 503]);
  assert.deepEqual(statusesOf(endpoints.commitCheckout), [400, 401, 403, 404, 409, 413, 422, 429, 500, 503]);
});

test('a reason is told where an endpoint has one of its own', () => {
  const { 404: unknown } = endpoints.getCheckout.failures;
  assert.equal(failuresOf(endpoints.getCheckout).get(404), unknown);
  assert.equal(failuresOf(endpoints.getCheckout).get(400), undefined);
});
