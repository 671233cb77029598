/** Whoever waits for a server elsewhere has no turn meanwhile: turns are for work, and a waiting request does none. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { type AccountWorld, startAccounts, words } from './account-world.ts';
import { atLeastOne } from './at-least-one.ts';
import { openShop } from './shop.ts';
import { until } from './until.ts';

const domainPath = '/account/settings/payment-page/domain';
/** More than there is room for at the door, by what is expected of an address of which nothing is known. */
const addresses = 40;

let world: AccountWorld;
/** Takes every request and answers none. */
const silent = createServer(() => void (waiting += 1));
let waiting = 0;
before(async () => {
  world = await startAccounts({ ratesAreKept: false });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
});
after(async () => {
  silent.closeAllConnections();
  silent.close();
  await world.gateway.stop();
});

test('a merchant who lets the service wait for a silent domain, from many addresses, holds up nobody else', async () => {
  const shop = await openShop(world.gateway);
  const person = await world.member('owner', 'owner-of-silence@example.com', shop.merchant.merchantId);
  const domain = `http://localhost:${(silent.address() as AddressInfo).port}`;
  assert.equal((await person.post(domainPath, { domain, behaviour: 'redirect' })).status, 200);

  let answered = 0;
  const checks = Array.from({ length: addresses }, async (_, at) => {
    const answer = await person.post(`${domainPath}/check`, {}, { 'x-forwarded-for': `8.8.4.${at}` });
    answered += 1;
    return answer;
  });
  await until('all wait for the domain, or one has given up', () => waiting === addresses || answered > 0);
  assert.deepEqual(
    { waiting, answered },
    { waiting: addresses, answered: 0 },
    'none waits for a turn behind the others',
  );
  assert.equal((await world.visitor({ address: '8.8.8.8' }).get('/account/sign-in')).status, 200);
  assert.equal((await world.gateway.request('GET', '/auth-test')).status, 200);

  silent.closeAllConnections();
  for (const answer of atLeastOne(await Promise.all(checks))) assert.match(words(answer), /localhost/);
});
