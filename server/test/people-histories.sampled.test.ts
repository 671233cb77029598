/**
 * Whatever a few humans do one after the other under all the names that they sign in by, in two accounts and with the
 * operator's help: nobody is two hands for one order before the others had a day to see it, nobody is found by an address
 * that is not theirs, one account changes nothing in another, what opened before a link to sign in anew opens nothing
 * afterwards, whoever guesses keeps nobody out of a browser that is known, and everybody can leave. What is right is said
 * here once more in its own words (docs/decisions/0138-nobody-becomes-somebody-else.md), not asked of the service.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { changeByOperator } from '../src/people/change-member.ts';
import { vouchForAddress } from '../src/people/prove-address.ts';
import { makeRecoveryLink } from '../src/people/recover-sign-in.ts';
import type { Role } from '../src/people/roles.ts';
import {
  type AccountWorld,
  accountsAt,
  goodPassword,
  type PageAnswer,
  signed,
  type Visitor,
  words,
} from './account-world.ts';
import { deepTest, isSample } from './depth.ts';
import { type TestMerchant, withoutLitecoin } from './gateway.ts';
import { type MailServer, mailSettings, startMailServer } from './mail-server.ts';
import { type Hand, type PeopleStep, peopleSteps } from './people-steps.ts';
import { aBitcoinAddress, type RefundWorld, startRefundWorld } from './refund-world.ts';
import type { Shop } from './shop.ts';

type House = { readonly world: RefundWorld; readonly accounts: AccountWorld; readonly isMailing: boolean };

let mail: MailServer;
let mailing: House;
let mailless: House;
before(async () => {
  mail = await startMailServer(0, [], { isPrompt: true });
  mailing = await openHouse(mailSettings(mail));
  mailless = await openHouse({});
});
after(async () => {
  await mailing?.world.gateway.stop();
  await mailless?.world.gateway.stop();
  await mail?.stop();
});

async function openHouse(env: Record<string, string>): Promise<House> {
  const world = await startRefundWorld({
    env: { TRUSTED_PROXIES: '127.0.0.1/32', ...withoutLitecoin, ...env },
    hasAccount: true,
    isUncounted: true,
  });
  return { world, accounts: accountsAt(world.gateway), isMailing: 'SMTP_URL' in env };
}

const dayMs = 24 * 3_600_000;
const approving: ReadonlySet<Role> = new Set(['owner', 'admin']);
/** Who approves, or asks for what waits until another approves it: transfers, or refunds. */
const hands: ReadonlySet<Role> = new Set(['owner', 'admin', 'accountant', 'support']);

type Human = { readonly name: string; readonly addresses: readonly string[]; readonly links: Link[] };
type Link = { readonly token: string; readonly address: string; readonly isMailed: boolean };
/** One who signs in: somebody for the service, and one human or, where another's device was added, several. */
type Who = {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  /** With which browser and device each of them signs in. */
  readonly visitors: Map<Human, Visitor>;
  password: boolean;
};
type Key = { readonly shop: number; readonly as: TestMerchant; readonly holders: Set<Who>; born: Date };
type Order = { readonly id: string; readonly shop: number; readonly path: string; readonly by: Who | Key };

let histories = 0;

async function openHistory({ world, accounts, isMailing }: House) {
  const { gateway } = world;
  const { db, clock } = gateway;
  const run = (histories += 1);
  const humans: readonly Human[] = ['Ada', 'Ben', 'Cleo'].map((name) => ({
    name: `${name} ${run}`,
    addresses: ['home', 'work'].map((place) => `${name.toLowerCase()}-${place}-${run}@own.test`),
    links: [],
  }));
  const shops: Shop[] = [];
  const checkouts: string[] = [];
  const people: Who[] = []; // The newest first.
  const keys: Key[] = [];
  const orders: Order[] = [];
  /** Since when somebody is a hand in a shop. */
  const born = new Map<string, Date>();
  /** When somebody was lost there who approved. */
  const lost = new Map<number, Date>();
  let names = 0;
  let tries = 0;

  const at = <T>(all: readonly T[], place: number): T | undefined =>
    all.length === 0 ? undefined : all[((place % all.length) + all.length) % all.length];
  const merchantOf = (shop: number): string => shops[shop]?.merchant.merchantId ?? '';
  const readerOf = (address: string): Human | undefined => humans.find((each) => each.addresses.includes(address));
  const humanOf = (who: Who): Human => [...who.visitors.keys()][0] as Human;

  type Row = { id: string; role: Role; approves: boolean; has_passkey: boolean };
  const membersOf = async (shop: number): Promise<(Row & { who: Who })[]> => {
    const rows = await db<Row>`
      select person_id as id, role, role in ('owner', 'admin') as approves,
             exists (select from passkey where passkey.person_id = membership.person_id) as has_passkey
        from membership where merchant_id = ${merchantOf(shop)} order by created_at desc, person_id`;
    return rows.map((row) => ({ ...row, who: people.find(({ id }) => id === row.id) as Who }));
  };
  const shopsOf = async (who: Who): Promise<{ shop: number; role: Role }[]> => {
    const rows = await db<{ merchant_id: string; role: Role }>`
      select merchant_id, role from membership where person_id = ${who.id}`;
    return rows.map(({ merchant_id, role }) => ({
      role,
      shop: shops.findIndex((_, n) => merchantOf(n) === merchant_id),
    }));
  };

  /** In the account, with a proof of this moment. */
  async function enter(who: Who, human = humanOf(who), shop?: number): Promise<Visitor> {
    const visitor = who.visitors.get(human) as Visitor;
    const entered = await visitor.signInWithPasskey();
    assert.equal(entered.status, 303, `${who.name} signs in: ${entered.text}`);
    if (shop === undefined) return visitor;
    visitor.lookAt(merchantOf(shop));
    await visitor.post('/account/choose', { merchant: merchantOf(shop) });
    return visitor;
  }

  /** Letters are written and read: whoever reads a mailbox has the links that went there. */
  async function readMail(): Promise<readonly { to: string; text: string }[]> {
    await gateway.runUntilIdle();
    const read = mail.received.splice(0).map(({ to, text }) => ({ to: to.join(), text }));
    for (const { to, text } of read) {
      const token = /welcome#([\w-]+)/.exec(text)?.[1];
      if (token !== undefined) readerOf(to)?.links.unshift({ token, address: to, isMailed: true });
    }
    return read;
  }

  /** Somebody is a hand from now on: all others who approve are written to at once, and see it on Home. */
  async function becomesHand(shop: number, who: Who, read: readonly { to: string; text: string }[]): Promise<void> {
    born.set(`${shop} ${who.id}`, clock.now());
    note('hand');
    const others = (await membersOf(shop)).filter((each) => each.approves && each.id !== who.id);
    const told = others.filter(() => isMailing).map(({ who: other }) => other.address);
    const letters = read.filter(({ text }) => text.startsWith(`${who.name} (`) && text.includes('added a passkey'));
    for (const address of told)
      assert.ok(
        letters.some(({ to }) => to === address),
        `${address} is told of ${who.name}`,
      );
    const [seer] = others.filter(({ has_passkey }) => has_passkey);
    if (!seer) return;
    const seen = words(await (await enter(seer.who, humanOf(seer.who), shop)).get('/account/needs-you'));
    assert.ok(seen.includes(`${who.name} is new to approving here`), `${seer.who.name} sees ${who.name}: ${seen}`);
  }

  async function becomesHandEverywhere(who: Who, read: readonly { to: string; text: string }[]): Promise<void> {
    for (const { shop, role } of await shopsOf(who)) if (hands.has(role)) await becomesHand(shop, who, read);
  }

  /** Whether one who is no hand may be made one by this name alone. */
  async function mayAlone(shop: number, by: Who, about: Who | null): Promise<'waits' | 'refused' | 'atOnce'> {
    const others = (await membersOf(shop)).filter(
      (each) => each.approves && each.has_passkey && each.id !== by.id && each.id !== about?.id,
    );
    if (others.length > 0) return 'waits';
    const lostAt = lost.get(shop);
    return lostAt && clock.now().getTime() < lostAt.getTime() + 7 * dayMs ? 'refused' : 'atOnce';
  }
  const outcomeOf = ({ status, location }: PageAnswer) =>
    status === 409 ? 'refused' : location.includes('did=waiting') ? 'waits' : 'atOnce';

  const elsewhere = async (shop: number, but: readonly Who[]): Promise<unknown> => ({
    memberships: await db`
      select merchant_id, person_id, role, hand_since from membership
       where merchant_id <> ${merchantOf(shop)} order by merchant_id, person_id`,
    sessions: await db`
      select id, array_remove(not_for, ${merchantOf(shop)}) as not_for from session
       where not person_id = any(${but.map(({ id }) => id)}) order by id`,
  });

  /** What is done in one account changes nothing in another, and ends no session. */
  async function inAccount(
    shop: number,
    by: Who,
    work: (visitor: Visitor) => Promise<PageAnswer>,
  ): Promise<PageAnswer> {
    const visitor = await enter(by, humanOf(by), shop);
    const known = await elsewhere(shop, [by]);
    const answer = await work(visitor);
    assert.deepEqual(await elsewhere(shop, [by]), known, 'another account is as it was');
    return answer;
  }

  async function nextPerson(human: Human, visitor: Visitor, address: string, token: string): Promise<Who | null> {
    const name = `${human.name} no ${(names += 1)}`;
    const joined = await visitor.join(token, name, address);
    if (joined.status !== 303) {
      refusals.push(words(joined));
      return null;
    }
    await visitor.addFirstPasskey();
    const [row] = await db<{ id: string }>`select id from person where name = ${name}`;
    const who: Who = { id: row?.id ?? '', name, address, visitors: new Map([[human, visitor]]), password: false };
    people.unshift(who);
    return who;
  }

  async function joined(who: Who, before: readonly { shop: number }[]): Promise<void> {
    const read = await readMail();
    for (const { shop, role } of await shopsOf(who))
      if (hands.has(role) && !before.some((each) => each.shop === shop)) await becomesHand(shop, who, read);
  }

  const linkOf = async ({ token }: Link) => {
    const hash = createHash('sha256').update(token).digest();
    const [row] = await db<{ purpose: string; person_id: string | null }>`
      select purpose, person_id from one_time_link where token_hash = ${hash} and used_at is null`;
    return row;
  };

  async function openLink(human: Human, link: Link, asNew: boolean): Promise<void> {
    const row = await linkOf(link);
    const subject = people.find(({ id }) => id === row?.person_id);
    if (row?.purpose === 'recover' && subject) return comeBack(human, link, subject);
    if (asNew) {
      const who = await nextPerson(human, accounts.visitor(), link.address, link.token);
      if (who && row?.purpose === 'prove') assert.fail('what proves an address makes nobody');
      if (who) await joined(who, []);
      return;
    }
    const self = people.find((each) => each.visitors.has(human));
    if (!self) return;
    const before = await shopsOf(self);
    const visitor = await enter(self, human);
    const answer = await visitor.post('/account/welcome/join', { token: link.token });
    if (answer.status === 303) await joined(self, before);
  }

  /** By a link for who lost everything: what opened before opens nothing any more. */
  async function comeBack(human: Human, link: Link, who: Who): Promise<void> {
    const earlier = [...who.visitors.values()];
    const [approves, pending] = [await shopsOf(who), accounts.visitor()];
    const [{ passkeys } = { passkeys: 0 }] = await db<{ passkeys: number }>`
      select count(*)::int as passkeys from passkey where person_id = ${who.id}`;
    if (isMailing) await pending.post('/account/sign-in/send-link', { email: who.address });
    await gateway.runUntilIdle();
    const mailed = mail.received.splice(0).find(({ text }) => text.includes('sign-in/link#'));
    const visitor = accounts.visitor();
    const answer = await visitor.post('/account/welcome/recover', { token: link.token });
    if (answer.status !== 303) return;
    note('back');
    for (const each of earlier) {
      assert.notEqual((await each.get('/account')).status, 200, 'a session of before');
      assert.notEqual((await each.signInWithPasskey()).status, 303, 'a passkey of before');
    }
    if (who.password)
      assert.equal((await accounts.visitor().signInWithPassword(who.address, goodPassword)).status, 401);
    const token = /sign-in\/link#([\w-]+)/.exec(mailed?.text ?? '')?.[1];
    if (token !== undefined) {
      const opened = await pending.post('/account/sign-in/link', { token });
      assert.notEqual(opened.status, 303, 'a link to sign in of before');
    }
    await visitor.addFirstPasskey();
    who.visitors.clear();
    who.visitors.set(human, visitor);
    who.password = false;
    for (const { shop, role } of approves) if (approving.has(role) && passkeys > 0) lost.set(shop, clock.now());
    await becomesHandEverywhere(who, await readMail());
  }

  /** Another passkey, of who signs in there, or of somebody who found the browser open. */
  async function addPasskey(who: Who, human: Human): Promise<void> {
    const open = await enter(who);
    const [theirs, asked] = [accounts.visitor(), await open.post('/account/my-sign-in/passkey-challenge')];
    const answer = theirs.device.register(asked.json);
    const added = await open.post('/account/my-sign-in/passkey', { answer, label: human.name });
    assert.equal(added.status, 200, added.text);
    if (!who.visitors.has(human)) who.visitors.set(human, theirs);
    const read = await readMail();
    if (isMailing)
      assert.ok(
        read.some(({ to, text }) => to === who.address && text.includes('added to your sign-in')),
        `${who.name} is told`,
      );
    await becomesHandEverywhere(who, read);
  }

  async function changeRole(shop: number, by: Who, who: Who, role: Role | null): Promise<void> {
    const member = (await membersOf(shop)).find(({ id }) => id === who.id);
    if (!member) return;
    const alone = await mayAlone(shop, by, who);
    const path = role === null ? 'remove' : 'role';
    const answer = await inAccount(shop, by, (visitor) =>
      visitor.post(`/account/people/${path}`, { person: who.id, ...(role !== null && { role }) }),
    );
    if (answer.status !== 303) return;
    const outcome = outcomeOf(answer);
    const isMore = role !== null && gains(member.role, role);
    const isFewer = member.approves && member.has_passkey && !(role !== null && approving.has(role));
    if (isMore && !isFewer) assert.equal(outcome, alone, `${by.name} makes ${who.name} ${role}`);
    if (isFewer && alone === 'waits') assert.equal(outcome, 'waits', `${by.name} puts ${who.name} out`);
    if (outcome === 'atOnce') await roleChanged(shop, member, role, { isLost: true });
  }
  const gains = (from: Role, to: Role): boolean =>
    (approving.has(to) && !approving.has(from)) || (hands.has(to) && !hands.has(from));

  async function roleChanged(
    shop: number,
    member: Row & { who: Who },
    role: Role | null,
    { isLost }: { isLost: boolean },
  ): Promise<void> {
    const approves = role !== null && approving.has(role);
    if (isLost && member.approves && member.has_passkey && !approves) lost.set(shop, clock.now());
    if (role !== null && gains(member.role, role)) await becomesHand(shop, member.who, await readMail());
  }

  async function invite(shop: number, by: Who, address: string, role: Role): Promise<void> {
    const alone = await mayAlone(shop, by, null);
    const answer = await inAccount(shop, by, (visitor) =>
      visitor.post('/account/people/invite', { email: address, role }),
    );
    if (answer.status === 403) return; // An admin makes no owner.
    if (hands.has(role)) assert.equal(outcomeOf(answer), alone, `${by.name} invites as ${role}: ${words(answer)}`);
    shown(humanOf(by), address, answer);
    await readMail();
  }
  function shown(human: Human, address: string, { text }: PageAnswer): void {
    const token = /welcome#([\w-]+)/.exec(text)?.[1];
    if (token !== undefined) human.links.unshift({ token, address, isMailed: false });
  }

  /** A second person agrees to what waits. */
  async function agree(shop: number, by: Who): Promise<void> {
    const [change] = await db<{ id: string; requested_by: string; change: any }>`
      select id, requested_by, change from policy_change
       where merchant_id = ${merchantOf(shop)} and state = 'WAITING' order by requested_at desc, id limit 1`;
    if (!change) return;
    const asker = people.find(({ id }) => id === change.requested_by) as Who;
    const member = (await membersOf(shop)).find(({ id }) => id === change.change.personId);
    const answer = await inAccount(shop, by, (visitor) =>
      signed(visitor, `/account/settings/changes/${change.id}/approve`, {}),
    );
    const [now] = await db<{ state: string }>`select state from policy_change where id = ${change.id}`;
    if (now?.state !== 'APPROVED') return;
    assertTwoHands(shop, asker, by);
    note('agreed');
    shown(humanOf(by), change.change.email ?? '', answer);
    const { kind, role = null } = change.change;
    if (member && kind !== 'invitation')
      await roleChanged(shop, member, kind === 'removal' ? null : role, { isLost: true });
    else await readMail();
  }

  /**
   * Two names, or keys of two names, and both have been hands for a day, of which all others who approve were told when it
   * began. Nothing else may let anything go.
   */
  function assertTwoHands(shop: number, asker: Who | Key, approver: Who | Key): void {
    const behind = (hand: Who | Key): readonly Who[] => ('holders' in hand ? [...hand.holders] : [hand]);
    assert.ok(!behind(asker).some((each) => behind(approver).includes(each)), 'nobody approves their own');
    for (const hand of [asker, approver]) {
      const since = 'holders' in hand ? hand.born : born.get(`${shop} ${hand.id}`);
      const named = 'holders' in hand ? 'a key' : hand.name;
      assert.ok(since, `${named} is a hand`);
      const age = clock.now().getTime() - since.getTime();
      assert.ok(age >= dayMs, `${named} is a hand for ${age / 3_600_000} hours only`);
    }
  }

  async function handAt(shop: number, { kind, place }: Hand): Promise<Who | Key | undefined> {
    if (kind === 'key')
      return at(
        keys.filter((each) => each.shop === shop),
        place,
      );
    return at(
      (await membersOf(shop)).map(({ who }) => who),
      place,
    );
  }

  async function ask(shop: number, by: Who | Key): Promise<void> {
    const target = { network: 'BITCOIN', asset: 'BTC', amount: '0.0001', address: aBitcoinAddress() };
    if ('holders' in by) {
      const { status, body: made } = await (shops[shop] as Shop).request('POST', '/transfer', target, { as: by.as });
      if (status === 200) remember(shop, made.transfer.id, `/account/transfers/${made.transfer.id}`, by);
      else refusals.push(JSON.stringify(made));
      return;
    }
    const role = (await shopsOf(by)).find((each) => each.shop === shop)?.role;
    const page = `/account/checkouts/${checkouts[shop]}`;
    const answer = await inAccount(shop, by, (visitor) =>
      role === 'support'
        ? signed(visitor, `${page}/refund`, { context: 'OVERPAID_CHECKOUT', fee: 'customer', ...target })
        : signed(visitor, '/account/transfers/new', { to: 'other', fee: '1', ...target }),
    );
    if (answer.status !== 303) return void refusals.push(words(answer));
    if (role !== 'support') {
      const id = /^\/account\/transfers\/([a-z0-9]{12})/.exec(answer.location)?.[1] ?? '';
      return remember(shop, id, `/account/transfers/${id}`, by);
    }
    const [refund] = await db<{ id: string }>`
      select id from refund where merchant_id = ${merchantOf(shop)} order by requested_at desc, id desc limit 1`;
    remember(shop, refund?.id ?? '', `${page}/refunds/${refund?.id}`, by);
  }
  function remember(shop: number, id: string, path: string, by: Who | Key): void {
    note('asked');
    orders.unshift({ id, shop, path, by });
  }

  async function statesOf(): Promise<ReadonlyMap<string, string>> {
    const ids = orders.map(({ id }) => id);
    const rows = await db<{ id: string; state: string }>`
      select id, state from transfer where id = any(${ids}) union all select id, state from refund where id = any(${ids})`;
    return new Map(rows.map(({ id, state }) => [id, state]));
  }
  const waits = (state: string | undefined): boolean => state === 'AWAITING_APPROVAL';
  const letGo = new Set<string>();
  const done = new Map<string, number>();
  /** Why an order was not made or not approved, for who reads what failed. */
  const refusals: string[] = [];
  const note = (what: string): void => void done.set(what, (done.get(what) ?? 0) + 1);

  async function approve(order: Order, by: Who | Key): Promise<void> {
    if (!waits((await statesOf()).get(order.id))) return;
    const { shop, path } = order;
    if ('holders' in by) {
      const what = path.includes('/refunds/') ? 'refund' : 'transfer';
      const answer = await (shops[shop] as Shop).request('POST', `/${what}/approve`, { id: order.id }, { as: by.as });
      if (answer.status !== 200) refusals.push(JSON.stringify(answer.body));
    } else {
      const answer = await inAccount(shop, by, (visitor) => signed(visitor, `${path}/approve`, {}));
      if (answer.status !== 303) refusals.push(words(answer));
    }
    if (waits((await statesOf()).get(order.id))) return;
    letGo.add(order.id);
    note('approved');
    assertTwoHands(shop, order.by, by);
  }

  /** Until the day is over whoever else approves can refuse what waits. */
  async function refuse(order: Order, by: Who): Promise<void> {
    if (!waits((await statesOf()).get(order.id))) return;
    const member = (await membersOf(order.shop)).find(({ id }) => id === by.id);
    const isRefund = order.path.includes('/refunds/');
    const answer = await inAccount(order.shop, by, (visitor) =>
      visitor.post(`${order.path}/${isRefund || order.by !== by ? 'refuse' : 'cancel'}`),
    );
    if (member?.approves) assert.equal(answer.status, 303, `${by.name} refuses: ${words(answer)}`);
    if (answer.status === 303) letGo.add(order.id);
  }

  /** Wrong passwords from elsewhere: whoever has a browser that is known comes in with the right one. */
  async function guess(who: Who, times: number): Promise<void> {
    const own = await enter(who);
    if (!who.password) {
      assert.equal((await own.post('/account/my-sign-in/password', { password: goodPassword })).status, 303);
      who.password = true;
      await readMail();
    }
    const [{ email } = { email: '' }] = await db<{ email: string }>`select email from person where id = ${who.id}`;
    await own.get('/account/sign-in', { cookie: undefined });
    assert.equal((await own.signInWithPasskey()).status, 303);
    for (let time = 0; time < times; time += 1) {
      const address = `198.51.${(tries += 1) % 250}.${run % 250}`;
      await accounts.visitor({ address }).signInWithPassword(email, 'a wrong one of somebody');
    }
    const right = await own.signInWithPassword(email, goodPassword);
    assert.equal(right.status, 303, `${who.name} is let in: ${words(right)}`);
  }

  const copied = ({ text }: PageAnswer): string[] =>
    Array.from(text.matchAll(/data-copy="([^"]*)"/g), ([, value = '']) => value);
  const keysPath = '/account/developers/keys';

  async function makeKey(shop: number, by: Who): Promise<void> {
    const isOwner = (await shopsOf(by)).some((each) => each.shop === shop && each.role === 'owner');
    if (!isOwner) return; // Only owners give a key the right to approve.
    const as = await gateway.createKey((shops[shop] as Shop).merchant, { maker: `person:${by.id}` });
    keys.unshift({ shop, as, holders: new Set([by]), born: clock.now() });
  }
  async function rotateKey(shop: number, by: Who, key: Key): Promise<void> {
    const answer = await inAccount(shop, by, (visitor) => visitor.post(`${keysPath}/${key.as.apiKey}/rotate`));
    const [, apiSecret] = answer.status === 200 ? copied(answer) : [];
    if (apiSecret === undefined) return;
    key.as.apiSecret = apiSecret;
    key.holders.add(by);
    key.born = clock.now();
  }

  async function take(step: PeopleStep): Promise<void> {
    clock.advance({ seconds: 1 });
    const member = async (shop: number, place: number): Promise<Who | undefined> =>
      at(
        (await membersOf(shop)).map(({ who }) => who),
        place,
      );
    const addresses = humans.flatMap((each) => each.addresses);
    switch (step.what) {
      case 'pass':
        clock.advance({ hours: step.hours });
        await gateway.app.pollRates();
        return world.mine(1);
      case 'invite': {
        const by = await member(step.shop, step.by);
        return by && invite(step.shop, by, at(addresses, step.address) as string, step.role);
      }
      case 'inviteByOperator': {
        const address = at(addresses, step.address) as string;
        const token = await accounts.invitation(address, step.role, merchantOf(step.shop));
        readerOf(address)?.links.unshift({ token, address, isMailed: true });
        return;
      }
      case 'open': {
        const human = at(humans, step.human) as Human;
        const link = at(human.links, step.link);
        if (!link) refusals.push(`${human.name} was shown no link`);
        return link && openLink(human, link, step.asNew);
      }
      case 'handOver': {
        const link = at(
          (at(humans, step.human) as Human).links.filter((each) => !each.isMailed),
          step.link,
        );
        if (link) at(humans, step.to)?.links.unshift(link);
        return;
      }
      case 'prove': {
        const who = at(people, step.who) as Who;
        if (!isMailing) {
          const [row] = await db<{ email: string }>`select email from person where id = ${who.id}`;
          // The operator asks whose address it is, and is told the truth.
          if (readerOf(who.address) === humanOf(who)) await vouchForAddress(gateway, row?.email ?? '').catch(refused);
          return;
        }
        await (await enter(who)).post('/account/my-sign-in/prove-address');
        await readMail();
        const [reader, link] = [readerOf(who.address), readerOf(who.address)?.links[0]];
        if (!reader || !link || (await linkOf(link))?.person_id !== who.id) return;
        if (reader !== humanOf(who)) return openLink(reader, link, true);
        await (await enter(who)).post('/account/welcome/join', { token: link.token });
        return;
      }
      case 'addPasskey':
        return addPasskey(at(people, step.who) as Who, at(humans, step.human) as Human);
      case 'role': {
        const [by, who] = [await member(step.shop, step.by), await member(step.shop, step.who)];
        return by && who && changeRole(step.shop, by, who, step.role);
      }
      case 'remove': {
        const [by, who] = [await member(step.shop, step.by), await member(step.shop, step.who)];
        return by && who && changeRole(step.shop, by, who, null);
      }
      case 'signOut':
      case 'recover': {
        const [by, who] = [await member(step.shop, step.by), await member(step.shop, step.who)];
        if (!by || !who) return;
        const path = step.what === 'recover' ? 'recover' : 'sign-out';
        const answer = await inAccount(step.shop, by, (visitor) =>
          visitor.post(`/account/people/${path}`, { person: who.id }),
        );
        if (path === 'recover' && answer.status === 303)
          assert.ok(isMailing && (await shopsOf(who)).length === 1, 'only by mail, and of this account alone');
        await readMail();
        return;
      }
      case 'roleByOperator': {
        const who = await member(step.shop, step.who);
        const found = (await membersOf(step.shop)).find(({ id }) => id === who?.id);
        if (!found) return;
        const change = { merchantId: merchantOf(step.shop), personId: found.id };
        const isDone = await changeByOperator(gateway, change, step.role).then(() => true, refused);
        if (isDone) await roleChanged(step.shop, found, step.role, { isLost: false });
        return;
      }
      case 'linkByOperator': {
        const who = at(people, step.who) as Who;
        const [row] = await db<{ email: string }>`select email from person where id = ${who.id}`;
        const token = await makeRecoveryLink(gateway, row?.email ?? '', 'operator');
        humanOf(who).links.unshift({ token, address: who.address, isMailed: true });
        return;
      }
      case 'leave': {
        const who = await member(step.shop, step.who);
        return who && leave(step.shop, who);
      }
      case 'key': {
        const by = await member(step.shop, step.by);
        return by && makeKey(step.shop, by);
      }
      case 'rotate': {
        const [by, key] = [await member(step.shop, step.by), await handAt(step.shop, { kind: 'key', place: step.key })];
        return by && key && 'holders' in key ? rotateKey(step.shop, by, key) : undefined;
      }
      case 'ask': {
        const by = await handAt(step.shop, step.by);
        return by && ask(step.shop, by);
      }
      case 'approve': {
        const by = await handAt(step.shop, step.by);
        const order = at(
          orders.filter(({ shop }) => shop === step.shop),
          step.order,
        );
        return by && order && approve(order, by);
      }
      case 'agree': {
        const by = await member(step.shop, step.by);
        return by && agree(step.shop, by);
      }
      case 'refuse': {
        const by = await member(step.shop, step.by);
        const order = at(
          orders.filter(({ shop }) => shop === step.shop),
          step.order,
        );
        return by && order && refuse(order, by);
      }
      case 'guess':
        return guess(at(people, step.who) as Who, isSample() ? 2 : 6);
    }
  }

  async function leave(shop: number, who: Who): Promise<void> {
    const members = await membersOf(shop);
    const self = members.find(({ id }) => id === who.id) as Row & { who: Who };
    const isLastOwner = self.role === 'owner' && members.filter(({ role }) => role === 'owner').length === 1;
    const answer = await inAccount(shop, who, (visitor) =>
      visitor.post('/account/my-sign-in/leave', { leave: merchantOf(shop) }),
    );
    assert.equal(answer.status, isLastOwner ? 409 : 303, `${who.name} leaves: ${words(answer)}`);
    if (!isLastOwner && self.approves && self.has_passkey) lost.set(shop, clock.now());
  }

  /** Nobody is found by an address whose mail they do not read; nothing leaves but what was approved. */
  async function allIsRight(): Promise<void> {
    const proven = await db<{ id: string; email: string }>`
      select id, email from person where proven_at is not null and id = any(${people.map(({ id }) => id)})`;
    for (const { id, email } of proven) {
      const who = people.find((each) => each.id === id) as Who;
      assert.equal(
        readerOf(email),
        [...who.visitors.keys()].find((each) => each === readerOf(email)),
        `${who.name} is ${email}`,
      );
    }
    const states = await statesOf();
    for (const { id } of orders)
      if (!letGo.has(id)) assert.ok(waits(states.get(id)), `${id} waits, and is ${states.get(id)}`);
  }

  await gateway.app.pollRates();
  await world.mine(1);
  for (const at of [0, 1]) {
    const shop = await world.shop({ transferApprovalAbove: '0', supportLimit: '1000' });
    shops.push(shop);
    const opened = await shop.open('600.00 USD', 'BITCOIN');
    checkouts.push(opened.id);
    await world.pay(opened, '0.02');
    const human = humans[at] as Human;
    const [address = ''] = human.addresses;
    const token = await accounts.invitation(address, 'owner', shop.merchant.merchantId);
    const who = (await nextPerson(human, accounts.visitor(), address, token)) as Who;
    born.set(`${at} ${who.id}`, clock.now());
  }
  await world.mine(1);
  mail.received.splice(0);

  async function everybodyLeaves(): Promise<void> {
    for (const shop of [0, 1])
      for (const { who } of (await membersOf(shop)).toSorted(
        (a, b) => Number(a.role === 'owner') - Number(b.role === 'owner'),
      ))
        await leave(shop, who);
  }
  return { take, allIsRight, everybodyLeaves, done, refusals };
}

const refused = (error: unknown): false => {
  assert.ok(error instanceof Error && 'code' in error, String(error));
  return false;
};

async function play(
  house: House,
  steps: readonly PeopleStep[],
): Promise<{ done: ReadonlyMap<string, number>; refusals: readonly string[] }> {
  const history = await openHistory(house);
  for (const step of steps) {
    await history.take(step);
    await history.allIsRight();
  }
  await history.everybodyLeaves();
  return history;
}

/** Ada owns the shop; Ben, who has joined it as its second who approves, for more than a day. */
const withBen: readonly PeopleStep[] = [
  { what: 'invite', shop: 0, by: 0, address: 3, role: 'admin' },
  { what: 'handOver', human: 0, link: 0, to: 1 },
  { what: 'open', human: 1, link: 0, asNew: true },
  { what: 'pass', hours: 25 },
];
const [ada, newest, newestKey] = [
  { kind: 'person', place: -1 },
  { kind: 'person', place: 0 },
  { kind: 'key', place: 0 },
] as const;
const underOwnName = (role: Role): readonly PeopleStep[] => [
  { what: 'invite', shop: 0, by: 0, address: 1, role },
  { what: 'open', human: 0, link: 0, asNew: true },
];

type Way = {
  readonly name: string;
  readonly steps: readonly PeopleStep[];
  readonly asker: Hand;
  readonly approver: Hand;
  /** Once everybody else has had a day to see it; before that nothing is approved in any way. */
  readonly isApprovedAfterDay: boolean;
  /** Left out: both with and without a mail server. */
  readonly isMailing?: boolean;
  readonly isInSample?: boolean;
};

/** The table of docs/decisions/0138-nobody-becomes-somebody-else.md. */
const ways: readonly Way[] = [
  {
    name: 'inviting oneself under another name, who asks',
    steps: underOwnName('accountant'),
    ...{ asker: newest, approver: ada, isApprovedAfterDay: true },
  },
  {
    name: 'inviting oneself as support, whose refunds may be large enough to wait',
    steps: underOwnName('support'),
    ...{ asker: newest, approver: ada, isApprovedAfterDay: true, isMailing: false, isInSample: true },
  },
  {
    name: 'inviting oneself where there is another who approves: that one has to agree',
    steps: [...withBen, ...underOwnName('admin')],
    ...{ asker: ada, approver: { kind: 'key', place: 0 }, isApprovedAfterDay: false },
  },
  {
    name: 'opening the invitation of somebody else',
    steps: [
      { what: 'invite', shop: 0, by: 0, address: 3, role: 'admin' },
      { what: 'open', human: 0, link: 0, asNew: true },
    ],
    ...{ asker: ada, approver: newest, isApprovedAfterDay: true, isMailing: false },
  },
  {
    name: 'letting the other in anew',
    steps: [
      ...withBen,
      { what: 'recover', shop: 0, by: -1, who: 0 },
      { what: 'pass', hours: 24 },
      { what: 'open', human: 1, link: 0, asNew: false },
    ],
    ...{ asker: ada, approver: newest, isApprovedAfterDay: true, isMailing: true, isInSample: true },
  },
  {
    name: 'a passkey added in an open browser',
    steps: [...withBen, { what: 'addPasskey', who: 0, human: 0 }],
    ...{ asker: ada, approver: newest, isApprovedAfterDay: true },
  },
  {
    name: 'a larger role for the second name of oneself',
    steps: [
      ...underOwnName('viewer'),
      { what: 'pass', hours: 25 },
      { what: 'role', shop: 0, by: -1, who: 0, role: 'admin' },
    ],
    ...{ asker: newest, approver: ada, isApprovedAfterDay: true },
  },
  {
    name: 'removing the other, and inviting oneself within the week',
    steps: [...withBen, { what: 'remove', shop: 0, by: -1, who: 0 }, ...underOwnName('admin')],
    ...{ asker: ada, approver: newest, isApprovedAfterDay: false },
  },
  {
    name: 'an own key',
    steps: [{ what: 'key', shop: 0, by: 0, key: 0 }],
    ...{ asker: newestKey, approver: ada, isApprovedAfterDay: false },
  },
  {
    name: 'a key of the other',
    steps: [
      ...withBen,
      { what: 'key', shop: 0, by: -1, key: 0 },
      { what: 'pass', hours: 25 },
      { what: 'rotate', shop: 0, by: -1, key: 0 },
    ],
    ...{ asker: newestKey, approver: newest, isApprovedAfterDay: true },
  },
  {
    name: 'a role that the operator gives',
    steps: [
      ...underOwnName('viewer'),
      { what: 'pass', hours: 25 },
      { what: 'roleByOperator', shop: 0, who: 0, role: 'admin' },
    ],
    ...{ asker: ada, approver: newest, isApprovedAfterDay: true },
  },
  {
    name: 'a link to sign in anew of the operator',
    steps: [...withBen, { what: 'linkByOperator', who: 0 }, { what: 'open', human: 1, link: 0, asNew: false }],
    ...{ asker: ada, approver: newest, isApprovedAfterDay: true },
  },
];

for (const isMailing of [true, false])
  for (const way of ways.filter((each) => (each.isMailing ?? isMailing) === isMailing)) {
    const story = async (): Promise<void> => {
      const { asker, approver, steps } = way;
      const approve: PeopleStep = { what: 'approve', shop: 0, order: 0, by: approver };
      const { done, refusals } = await play(isMailing ? mailing : mailless, [
        { what: 'pass', hours: 25 },
        ...steps,
        { what: 'ask', shop: 0, by: asker },
        approve,
        { what: 'pass', hours: 23 },
        approve,
        { what: 'pass', hours: 1 },
        approve,
      ]);
      const counted = [done.get('asked') ?? 0, done.get('approved') ?? 0];
      assert.deepEqual(counted, [1, way.isApprovedAfterDay ? 1 : 0], refusals.join('\n'));
    };
    const name = `one human as two hands by ${way.name}: ${isMailing ? 'links go by e-mail' : 'links are handed over'}`;
    if (way.isInSample) void test(name, story);
    else deepTest(name, story);
  }

const tell = (house: () => House) =>
  fc.assert(
    fc.asyncProperty(peopleSteps(isSample() ? 8 : 20), async (steps) => void (await play(house(), steps))),
    { numRuns: isSample() ? 1 : 4, endOnFailure: true, seed: Number(process.env['TEST_SEED'] ?? 7) },
  );

test('whoever does what under whichever name, nobody is two hands unseen: links go by e-mail', () =>
  tell(() => mailing));

test('whoever does what under whichever name, nobody is two hands unseen: links are handed over', () =>
  tell(() => mailless));
