/**
 * Every route of the operator's area, asked by everybody: who is not signed in, every role of the staff with a fresh and with
 * an old proof, and every role of an account, owners too. What is expected is worked out from the table of staff roles; what
 * each route is asked with is in a table here, and a route that is in none fails.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { operatorArea } from '../src/operator/operator-area.ts';
import { operatorMenu } from '../src/operator/operator-menu.ts';
import type { OperatorRoute } from '../src/operator/operator-route.ts';
import { roles, type StaffRole, staffRoles } from '../src/people/roles.ts';
import { staffGrantOf } from '../src/people/staff-roles.ts';
import { type AccountWorld, type Form, type PageAnswer, startAccounts, type Visitor } from './account-world.ts';

/** What a form of this route is sent with: something that is wrong or unknown, so that nothing changes for the others. */
const forms: Readonly<Record<string, Form>> = {
  'GET /operator': {},
  'GET /operator/merchants': {},
  'GET /operator/merchants/new': {},
  'POST /operator/merchants': { name: '' },
  'GET /operator/merchants/:id': {},
  'POST /operator/merchants/:id/invite': { email: 'nobody' },
  'POST /operator/merchants/:id/take-back': { invitation: 'nobody' },
  'POST /operator/merchants/:id/fees': {},
  'POST /operator/merchants/:id/room': { megabytes: 'none' },
  'POST /operator/merchants/:id/suspend': { why: 'Nobody is there.' },
  'POST /operator/merchants/:id/resume': {},
  'POST /operator/merchants/:id/cancel': { order: 'no-such-order' },
  'POST /operator/merchants/:id/look': {},
  'POST /operator/stop-looking': {},
  'POST /operator/sign-ups/:id/approve': {},
  'POST /operator/sign-ups/:id/refuse': {},
  'GET /operator/suspense': {},
  'GET /operator/suspense/:id': {},
  'GET /operator/suspense/crumbs': {},
  'POST /operator/suspense/crumbs/own': { reason: 'cents of strangers' },
  'POST /operator/suspense/crumbs/adoptions/:id/approve': {},
  'POST /operator/suspense/crumbs/adoptions/:id/refuse': {},
  'GET /operator/suspense/movements/:id': {},
  'POST /operator/suspense/movements/:id/assign': {},
  'POST /operator/suspense/:id/assign': {},
  'POST /operator/suspense/:id/return': {},
  'POST /operator/suspense/:id/own': { reason: 'a top-up' },
  'POST /operator/suspense/adoptions/:id/approve': {},
  'POST /operator/suspense/adoptions/:id/refuse': {},
  'POST /operator/suspense/returns/:id/approve': {},
  'POST /operator/suspense/returns/:id/refuse': {},
  'GET /operator/money': {},
  'GET /operator/money/withdrawals/:id': {},
  'GET /operator/money/withdraw': {},
  'POST /operator/money/withdraw': { amount: '' },
  'POST /operator/money/withdrawals/:id/approve': {},
  'POST /operator/money/withdrawals/:id/refuse': {},
  'GET /operator/money/bring-in': {},
  'POST /operator/money/bring-in': { network: 'NOWHERE' },
  'GET /operator/staff': {},
  'POST /operator/staff/invite': { role: 'nobody' },
  'POST /operator/staff/take-back': {},
  'POST /operator/staff/role': { role: 'nobody' },
  'POST /operator/staff/remove': {},
  'POST /operator/staff/sign-out': {},
  'GET /operator/audit': {},
  'GET /operator/audit/export': {},
  'GET /operator/search': {},
  'GET /operator/news': {},
  'GET /operator/needs-you': {},
  'GET /operator/needs-you/notifications': {},
  'POST /operator/needs-you/notifications': { jobParked: 'sometimes' },
  'GET /operator/sending': {},
  'GET /operator/bank': {},
  'POST /operator/bank': {},
  'GET /operator/bank/:network/:position': {},
  'GET /operator/bank/:network/brought/:id': {},
  'POST /operator/bank/:network/brought/:id/download': {},
  'GET /operator/bank/:network/files/:id': {},
  'POST /operator/bank/:network/files': {},
  'POST /operator/bank/:network/files/:id/download': {},
  'POST /operator/bank/:network/files/:id/void': {},
  'POST /operator/bank/:network/put-aside': { name: 'nothing' },
  'POST /operator/bank/:network/refuse': { why: '' },
  'GET /operator/jobs': {},
  'POST /operator/jobs/:id/retry': {},
  'POST /operator/jobs/:id/drop': {},
  'GET /operator/networks': {},
  'GET /operator/rates': {},
  'GET /operator/configuration': {},
};

let world: AccountWorld;
let routes: OperatorRoute[];
const visitors = new Map<StaffRole, Visitor>();
before(async () => {
  world = await startAccounts();
  const unused = undefined as never;
  const { db, clock } = world.gateway;
  const deps = { db, clock, accountUrl: world.accountUrl, houseNews: unused };
  // No handler is called here: the world's gateway has routes of its own.
  routes = operatorArea({ ...(unused as object as Parameters<typeof operatorArea>[0]), ...deps });
  for (const role of staffRoles) visitors.set(role, await world.staff(role, `${role}@operator.example`));
});
after(() => world.gateway.stop());

const nameOf = (route: OperatorRoute): string => `${route.methods.join()} ${route.path}`;
const ask = (visitor: Visitor, route: OperatorRoute): Promise<PageAnswer> =>
  route.methods[0] === 'GET' ? visitor.get(route.path) : visitor.post(route.path, forms[nameOf(route)]);

type Outcome = 'sign in' | 'second step' | 'nothing here' | 'not yours' | 'proof needed' | 'let in';
function outcomeOf({ status, location, text }: PageAnswer): Outcome {
  // News are asked for by a script, which is told so without a page.
  if ((status === 401 && text === '') || (status === 303 && /^\/account\/sign-in(\?|$)/.test(location)))
    return 'sign in';
  if (status === 303 && location.startsWith('/account/sign-in/')) return 'second step';
  if (status === 404 && text.includes('There is no such page.')) return 'nothing here';
  if (status === 403 && text.includes('does not allow this')) return 'not yours';
  if (status === 403 && text.includes('Prove that it is you')) return 'proof needed';
  assert.ok(status < 500, `${status}: ${text}`);
  return 'let in';
}

function expectedFor({ access, methods, isOrder }: OperatorRoute, role: StaffRole, isFresh: boolean): Outcome {
  const grant = staffGrantOf(access.may, role);
  if (grant === 'no') return 'not yours';
  const needs = methods.includes('POST') && grant === 'proof';
  // An order is signed each time, however fresh the last proof is.
  return needs && (isOrder || !isFresh) ? 'proof needed' : 'let in';
}

test('every route is in the table, and the table has no others', () => {
  assert.deepEqual(Object.keys(forms).toSorted(), routes.map(nameOf).toSorted());
});

test('every page in the menu is a page for those who see it there', async () => {
  const pages = routes.filter(({ methods }) => methods.includes('GET'));
  for (const { path, may } of operatorMenu)
    assert.deepEqual(pages.find((page) => page.path === path)?.access, { may }, path);
  const keys = operatorMenu.map(({ key }) => key);
  assert.deepEqual([...new Set(keys)], keys, 'after g every letter leads to one page');
  for (const [role, visitor] of visitors) {
    const { text } = await visitor.get('/operator');
    const shown = [...text.matchAll(/<a href="([^"]+)" data-go/g)].map(([, path]) => path);
    const open = operatorMenu
      .filter(({ may, isForBanks }) => staffGrantOf(may, role) !== 'no' && !isForBanks)
      .map(({ path }) => path);
    assert.deepEqual(shown, open, role);
  }
});

test('who is not signed in gets no further than the sign-in, and after it comes to where they wanted', async () => {
  const stranger = world.visitor();
  for (const route of routes) assert.equal(outcomeOf(await ask(stranger, route)), 'sign in', nameOf(route));
  assert.equal((await stranger.get('/operator')).location, '/account/sign-in?next=%2Foperator');
});

test('every role of the staff does what the table says, and with an old proof only what needs none', async () => {
  for (const isFresh of [true, false]) {
    if (!isFresh) world.gateway.clock.advance({ minutes: 6 });
    for (const [role, visitor] of visitors)
      for (const route of routes) {
        const answer = outcomeOf(await ask(visitor, route));
        assert.equal(answer, expectedFor(route, role, isFresh), `${role}, ${isFresh}: ${nameOf(route)}`);
      }
  }
});

test('for people of an account there is nothing here, whatever they may do in it', async () => {
  for (const role of roles) {
    const member = await world.member(role, `${role}@shop.example`);
    for (const route of routes)
      assert.equal(outcomeOf(await ask(member, route)), 'nothing here', `${role}: ${nameOf(route)}`);
    assert.ok(!(await member.get('/account/my-sign-in')).text.includes('/operator'), role);
  }
});

test('staff without a second factor set one up first', async () => {
  const token = await world.invitation('new@operator.example', 'operator', null);
  const newcomer = world.visitor();
  await newcomer.join(token, 'Somebody new');
  for (const route of routes) assert.equal(outcomeOf(await ask(newcomer, route)), 'second step', nameOf(route));
});

test('who is taken off the staff, or is given less to do, notices at the next click', async () => {
  const { db } = world.gateway;
  const somebody = await world.staff('operator', 'leaving@operator.example');
  assert.equal((await somebody.get('/operator')).status, 200);
  const [person] = await db<{ id: string }>`select id from person where email = 'leaving@operator.example'`;
  await db`delete from staff where person_id = ${person?.id ?? ''}`;
  for (const route of routes) assert.equal(outcomeOf(await ask(somebody, route)), 'nothing here', nameOf(route));
});

test('staff are signed out after an hour without a click, and after twelve hours', async () => {
  const idle = await world.staff('viewer', 'idle@operator.example');
  world.gateway.clock.advance({ minutes: 61 });
  assert.equal(outcomeOf(await idle.get('/operator')), 'sign in');
  const busy = await world.staff('viewer', 'busy@operator.example');
  for (let click = 1; click < 24; click += 1) {
    world.gateway.clock.advance({ minutes: 30 });
    assert.equal(outcomeOf(await busy.get('/operator')), 'let in', String(click));
  }
  world.gateway.clock.advance({ minutes: 31 });
  assert.equal(outcomeOf(await busy.get('/operator')), 'sign in');
});
