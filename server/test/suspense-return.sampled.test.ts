/** The operator sends back what named no checkout. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCommandLine } from '../../scripts/run-command-line.ts';
import { saveMembership } from '../src/people/person-store.ts';
import { findPayout } from '../src/sending/payout-store.ts';
import { assignUnmatched } from '../src/watching/assign-unmatched.ts';
import { advanceReturn, returnUnmatched, whyNotFree } from '../src/watching/return-unmatched.ts';
import { findWaitingReturn } from '../src/watching/unmatched-return-store.ts';
import { listUnmatched } from '../src/watching/unmatched-store.ts';
import { accountsAt, signed, type Visitor, words } from './account-world.ts';
import { deepTest } from './depth.ts';
import { type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { type MailServer, mailSettings, startMailServer } from './mail-server.ts';
import { meetAt } from './meet-at.ts';
import { returnDeps } from './return-deps.ts';
import { balancesOf, openShop } from './shop.ts';
import { stockTreasury } from './stock-treasury.ts';

let gateway: Gateway;
let mail: MailServer;
before(async () => {
  mail = await startMailServer();
  const env = { ...withoutLitecoin, ...mailSettings(mail) };
  gateway = await startGateway({ hasStellar: true, hasAccount: true, env });
});
after(async () => {
  await gateway?.stop();
  await mail?.stop();
});

/** What was written to somebody of the staff since the last time, as its first line. */
async function toldTo(name: string): Promise<string[]> {
  gateway.clock.advance({ minutes: 2 }); // What waits is looked at once a minute.
  await gateway.runUntilIdle();
  const received = mail.received.splice(0).filter(({ to }) => to.includes(`${name}@operator.example`));
  return received.map(({ text }) => text.split('\r\n')[0] ?? '').sort();
}

/** As the sender would say it, had the network refused. */
async function failTransfer(id: string | null, failure: string): Promise<void> {
  await gateway.db`update outgoing_transfer set state = 'FAILED', failure = ${failure} where id = ${id}`;
  await advanceTwice(id);
}

/** A job may run twice. */
async function advanceTwice(id: string | null): Promise<void> {
  const job = { merchantId: 'operator', transferId: id ?? '' };
  await advanceReturn(gateway, job);
  await advanceReturn(gateway, job);
}

async function ownLumens(): Promise<bigint> {
  const books = await balancesOf(gateway, 'operator/');
  return ['equity', 'fees', 'costs'].reduce((sum, purpose) => sum + BigInt(books[`${purpose}/XLM`] ?? 0), 0n);
}

/** Channels are opened and transactions sent in ledgers that close when they are told to. */
async function closeLedgers(): Promise<void> {
  for (let ledger = 0; ledger < 8; ledger += 1) {
    await gateway.runUntilIdle();
    gateway.stellar.close();
  }
  await gateway.runUntilIdle();
}

test('money without a memo goes back to where it came from, less the fee, once', async () => {
  const shop = await openShop(gateway);
  const { address, id: checkoutId } = await shop.open('25.00 USD', 'STELLAR');
  gateway.stellar.pay(null, { address, units: 100_000_000n });
  gateway.stellar.close();
  await gateway.runUntilIdle();
  const [unmatched] = await listUnmatched(gateway.db);
  assert.ok(unmatched?.sender);
  assert.equal((await balancesOf(gateway, 'operator/'))['suspense/XLM'], '100000000');

  for (const feeUnits of [-1n, unmatched.units])
    await assert.rejects(
      returnUnmatched(returnDeps(gateway), unmatched.id, { destination: null, feeUnits }),
      /fee must be less/,
    );
  assert.match(whyNotFree({ ...unmatched, assignedCheckoutId: checkoutId }) ?? '', /was assigned to checkout/);
  const order = { destination: null, feeUnits: 100n };
  const first = await returnUnmatched(returnDeps(gateway), unmatched.id, order);
  assert.equal(first.returnAddress, unmatched.sender);
  await assert.rejects(returnUnmatched(returnDeps(gateway), unmatched.id, order), /already on its way back/);
  await assert.rejects(assignUnmatched(gateway, unmatched.id, checkoutId), /already on its way back/);

  await failTransfer(first.returnId, 'The account does not exist.');
  const [failed] = await listUnmatched(gateway.db);
  assert.deepEqual([failed?.returnId, failed?.returnFailure], [null, 'The account does not exist.']);
  assert.equal((await balancesOf(gateway, 'operator/'))['suspense/XLM'], '100000000');

  const second = await returnUnmatched(returnDeps(gateway), unmatched.id, order);
  await advanceTwice(second.returnId);
  assert.equal((await balancesOf(gateway, 'operator/'))['suspense/XLM'], '100000000', 'it has not left yet');
  await closeLedgers();
  await advanceTwice(second.returnId);
  assert.equal((await findPayout(gateway.db, second.returnId ?? ''))?.state, 'DONE');
  assert.deepEqual(await listUnmatched(gateway.db), []);
  assert.equal((await balancesOf(gateway, 'operator/'))['suspense/XLM'], undefined);
  await assert.rejects(returnUnmatched(returnDeps(gateway), unmatched.id, order), /was sent back before/);

  const returned = await gateway.db<{ actor: string }>`
    select actor from audit_log where action = 'unmatched.returned' and detail ->> 'id' = ${unmatched.id}`;
  assert.deepEqual(
    returned.map(({ actor }) => actor),
    ['operator', 'operator'],
    'each time somebody decided it',
  );
});

/** As if the network had only so much; gives back how to have it as it was. */
async function whenSendable(units: object): Promise<() => Promise<void>> {
  const [row] = await gateway.db<{ sendable: object }>`
    select facts -> 'sendable' as sendable from network_cursor where network = 'STELLAR'`;
  const say = async (sendable: object): Promise<void> => {
    await gateway.db`
      update network_cursor set facts = facts || jsonb_build_object('sendable', ${JSON.stringify(sendable)}::jsonb)
       where network = 'STELLAR'`;
    await gateway.app.refresh();
  };
  await say(units);
  return () => say(row?.sendable ?? {});
}

/** The only one who moves money, until there are two. */
let tom: Visitor;

test('staff assign it on a page, or send it back with a passkey that signs where it goes', async () => {
  tom = await accountsAt(gateway).staff('treasury', 'tom@operator.example');
  const shop = await openShop(gateway);
  const { address, id: checkoutId } = await shop.open('25.00 USD', 'STELLAR');
  for (const units of [100_000_000n, 200_000_000n]) {
    gateway.stellar.pay(null, { address, units });
    gateway.stellar.close();
    await gateway.runUntilIdle();
  }
  const waiting = await listUnmatched(gateway.db);
  const [first, second] = [100_000_000n, 200_000_000n].map((units) => waiting.find((each) => each.units === units));
  assert.ok(first && second?.sender);
  const pathOf = ({ id }: { readonly id: string }): string => `/operator/suspense/${id}`;
  assert.match((await tom.get('/operator/suspense')).text, new RegExp(`${pathOf(first)}.*?>10[^<]*XLM<`, 's'));

  const assign = `${pathOf(first)}/assign`;
  assert.equal((await tom.post(assign, { checkout: checkoutId })).status, 403, 'a passkey signs what goes to whom');
  const nowhere = await signed(tom, assign, { checkout: 'nowhere' });
  const changed = await signed(tom, assign, { checkout: 'nowhere' }, { checkout: checkoutId });
  assert.equal(changed.status, 409, 'a signature of another order');
  assert.match(nowhere.text, /Checkout nowhere was never committed on STELLAR/);
  const { merchantId } = shop.merchant;
  const [person] = await gateway.db<{ id: string }>`select id from person where email = 'tom@operator.example'`;
  await gateway.db.begin((tx) =>
    saveMembership(tx, { merchantId, personId: person?.id ?? '', role: 'viewer' }, gateway.clock.now()),
  );
  const own = await signed(tom, assign, { checkout: checkoutId });
  assert.equal(own.status, 403, own.text);
  assert.match(own.text, /You belong to this account: somebody else of the staff assigns money to it/);
  await gateway.db`delete from membership where person_id = ${person?.id}`;
  await toldTo('tom');
  assert.equal((await signed(tom, assign, { checkout: checkoutId })).location, '/operator/suspense?did=assigned');
  assert.ok((await shop.timeline(checkoutId)).includes('payment_assigned'));
  const assigned = 'The treasury (tom@operator.example) assigned 10 XLM, which nobody asked for, to the checkout';
  assert.ok((await toldTo('tom'))[0]?.startsWith(`${assigned} ${checkoutId} of `));

  const back = { address: '', memo: '1042', 'memo-type': 'id', fee: '0.5' };
  assert.equal((await tom.post(`${pathOf(second)}/return`, back)).status, 403, 'a fresh sign-in signs nothing');
  const other = await signed(tom, `${pathOf(second)}/return`, back, { ...back, fee: '0.6' });
  assert.equal(other.status, 409, 'a signature of another sum');
  const wrong = await signed(tom, `${pathOf(second)}/return`, { ...back, address: 'GNOWHERE' });
  assert.deepEqual([wrong.status, wrong.text.includes('GNOWHERE')], [400, true]);
  const wordy = await signed(tom, `${pathOf(second)}/return`, { ...back, memo: 'of my customer' });
  assert.deepEqual(
    [wordy.status, /Nothing can be sent there on Stellar: .* and the memo/.test(wordy.text)],
    [400, true],
    wordy.text,
  );
  const lumens = await ownLumens();
  await stockTreasury(gateway, 'XLM:NATIVE', -lumens);
  const unpaid = await signed(tom, `${pathOf(second)}/return`, { ...back, fee: '0' });
  assert.deepEqual([unpaid.status, /The network takes up to 0\.0\d+ XLM for this/.test(unpaid.text)], [422, true]);
  await stockTreasury(gateway, 'XLM:NATIVE', 10_000_000n);
  gateway.clock.advance({ seconds: 1 }); // After what earlier stories have sent back.
  const sent = await signed(tom, `${pathOf(second)}/return`, back);
  assert.equal(sent.location, '/operator/suspense?did=returned', sent.text);
  assert.match((await tom.get(pathOf(second))).text, /already on its way back/);
  const [payout] = await gateway.db<{ address: string; units: string; memo: string; memo_type: string }>`
    select address, units, memo, memo_type from outgoing_transfer where purpose = 'return'
     order by requested_at desc, id limit 1`;
  const goal = { address: second.sender, memo: '1042', memo_type: 'id' };
  assert.deepEqual({ ...payout }, { ...goal, units: '195000000' }, 'to where it came from, with the memo');
  const [row] = await gateway.db<{ actor: string; proof: string }>`
    select actor, proof from audit_log where action = 'unmatched.returned' order by id desc limit 1`;
  assert.match(row?.actor ?? '', /^person:/);
  assert.ok(row?.proof.includes(`signed: send back payment ${second.id}: 19.5 `), row?.proof);
  assert.ok(row?.proof.includes(` to ${second.sender} with the memo 1042 (id)`), row?.proof);
  await closeLedgers();
});

deepTest(
  'what cannot be sent back is refused before anything waits for it, on the page and by the command',
  async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: gateway.clock.now() }); // The command asks now, which is when it is here.
    const shop = await openShop(gateway);
    const { address } = await shop.open('25.00 USD', 'STELLAR');
    gateway.stellar.pay(null, { address, units: 150_000_000n });
    gateway.stellar.close();
    await gateway.runUntilIdle();
    const payment = (await listUnmatched(gateway.db)).find(({ units }) => units === 150_000_000n);
    assert.ok(payment?.sender);
    const path = `/operator/suspense/${payment.id}/return`;
    const commanded = async (words: string): Promise<string> => {
      const said: string[] = [];
      const paper = { log: (text: string) => said.push(text), error: (text: unknown) => said.push(String(text)) };
      const line = ['suspense', 'return', payment.id, ...words.split(' ')];
      const running = runCommandLine(line, { ...process.env, DATABASE_URL: gateway.databaseUrl }, paper);
      let isOver = false;
      const ended = running.finally(() => {
        isOver = true;
      });
      while (!isOver) {
        await gateway.runUntilIdle();
        await sleep(20);
      }
      return `${await ended} ${said.join(' ')}`;
    };
    const dust = { address: '', fee: '14.9999999' };
    const ours = { address, memo: 'x', 'memo-type': 'text', fee: '0' };
    const tooLittle = /At least 0\.\d+ XLM must be left: less costs more to send on Stellar/;
    assert.match((await signed(tom, path, dust)).text, tooLittle);
    assert.match(await commanded('--to-sender --fee 14.9999999'), tooLittle);
    assert.match((await signed(tom, path, ours)).text, /Nothing can be sent there on Stellar/);
    const toOurselves = await commanded(`--address ${address} --memo x`);
    assert.match(toOurselves, /^1 .*This is the account that the payment would be sent from/);
    assert.match(await commanded('--address GNOWHERE'), /^1 .*this is none, or it is misspelt/);

    // Others have asked for all that the network has: it would wait, and everybody behind it.
    const mended = await whenSendable({ XLM: '149999999' });
    const tooMuch = /So much cannot be sent on Stellar at the moment: the most is 14\.9999999 XLM/;
    assert.match((await signed(tom, path, { address: '', fee: '0' })).text, tooMuch);
    assert.deepEqual(await gateway.db`select from unmatched_return where unmatched_id = ${payment.id}`, []);
    assert.equal((await listUnmatched(gateway.db)).find(({ id }) => id === payment.id)?.returnId, null);
    await mended();

    assert.match(await commanded('--to-sender --fee 0.5'), /^0 14\.5 XLM are on their way to G/);
    assert.match(await commanded('--to-sender'), /^1 .*already on its way back/);
    assert.match(await commanded('--address A --to-sender'), /^2 Say where to/);
    await closeLedgers();
    assert.equal((await balancesOf(gateway, 'operator/'))['suspense/XLM'], undefined);
  },
);

deepTest(
  'once two move money one of the staff asks to send it back and another approves, and meanwhile it goes nowhere',
  async () => {
    const world = accountsAt(gateway);
    const uma = await world.staff('operator', 'uma@operator.example');
    const vic = await world.staff('treasury', 'vic@operator.example');
    const wil = await world.staff('treasury', 'wil@operator.example');
    const sam = await world.staff('support', 'sam@operator.example');
    gateway.clock.advance({ hours: 25 }); // Who is new approves nothing for a day.
    await gateway.runUntilIdle();
    for (const each of [uma, vic, wil, sam]) await each.signInWithPasskey();
    const shop = await openShop(gateway);
    const { address, id: checkoutId } = await shop.open('25.00 USD', 'STELLAR');
    gateway.stellar.pay(null, { address, units: 300_000_000n });
    gateway.stellar.close();
    await gateway.runUntilIdle();
    const payment = (await listUnmatched(gateway.db)).find(({ units }) => units === 300_000_000n);
    assert.ok(payment?.sender);
    const path = `/operator/suspense/${payment.id}`;
    const waitingId = async (): Promise<string> => (await findWaitingReturn(gateway.db, payment.id))?.id ?? 'none';
    const ask = (who: Visitor, fee: string) => signed(who, `${path}/return`, { address: '', memo: '77', fee });
    const payouts = () => gateway.db`select from outgoing_transfer where purpose = 'return' and units > 250000000`;

    await toldTo('vic');
    assert.equal((await ask(uma, '1')).location, '/operator/suspense?did=waiting');
    const first = await waitingId();
    const waits = 'This waits for you in the house:';
    const whoAsks =
      'The operator (uma@operator.example) asks to send back 29 XLM, which nobody asked for, on Stellar to';
    assert.deepEqual(await toldTo('vic'), [
      `${whoAsks} ${payment.sender}, memo 77. It leaves once somebody else of the staff approves it.`,
      waits,
    ]);
    assert.match((await ask(vic, '0')).text, /waits for a second signature: refuse that first/);
    const assigned = await signed(vic, `${path}/assign`, { checkout: checkoutId });
    assert.match(assigned.text, /waits for a second signature: refuse that first/);
    assert.match(
      words(await vic.get('/operator/needs-you')),
      /Sending back 29 XLM waits for a second signature Stellar · To \w+, memo 77 /,
    );
    assert.match(
      words(await vic.get(path)),
      /Send back 29 XLM To \w+ , memo 77 Asked for by The operator \(uma@operator\.example\), who counts as one of the two since /,
    );
    const approve = (who: Visitor, id: string) => signed(who, `/operator/suspense/returns/${id}/approve`, {});
    assert.match((await approve(uma, first)).text, /You asked for this: somebody else of the staff approves it/);
    assert.equal((await sam.post(`/operator/suspense/returns/${first}/approve`)).status, 403);
    assert.equal((await vic.post(`/operator/suspense/returns/${first}/approve`)).status, 403, 'nobody signed that');
    assert.deepEqual(await payouts(), [], 'nothing was sent meanwhile');

    assert.equal(
      (await vic.post(`/operator/suspense/returns/${first}/refuse`)).location,
      '/operator/suspense?did=refused',
    );
    assert.equal((await approve(vic, first)).status, 409, 'what was refused is not approved any more');
    assert.equal((await ask(vic, '2')).location, '/operator/suspense?did=waiting');
    const second = await waitingId();
    assert.ok((await toldTo('uma')).includes(waits), 'refused and asked for anew between two looks: another one');
    const mended = await whenSendable({ XLM: '279999999' });
    assert.match((await approve(uma, second)).text, /So much cannot be sent on Stellar at the moment/, 'not by now');
    assert.deepEqual([await waitingId(), await payouts()], [second, []]);
    await mended();
    const hands = [uma, wil];
    const approval = `/operator/suspense/returns/${second}/approve`;
    const proofs = await Promise.all(
      hands.map(async (who) => who.device.answer((await who.post(approval, {}, { 'x-ask': 'passkey' })).json)),
    );
    const answers = await meetAt(
      gateway.db,
      (tx) => tx`select from unmatched_payment where id = ${payment.id} for update`,
      hands.map((who, at) => () => who.post(approval, { proof: proofs[at] ?? '' })),
    );
    assert.deepEqual(new Set(answers.map((answer) => answer?.status)), new Set([303, 409]), 'two at once are one');
    const [left = ''] = await toldTo('vic');
    assert.ok(
      left.startsWith(
        `28 XLM, which nobody asked for, go back on Stellar to ${payment.sender}, memo 77. The treasury (vic@`,
      ),
    );
    await closeLedgers();
    assert.equal((await payouts()).length, 1);
    assert.equal((await findPayout(gateway.db, second))?.state, 'DONE');
    assert.equal((await findPayout(gateway.db, second))?.units, 280_000_000n);
    const log = await gateway.db<{ action: string }>`
    select action from audit_log where detail ->> 'id' = ${payment.id} order by id`;
    assert.deepEqual(
      log.map(({ action }) => action),
      ['unmatched.return_requested', 'unmatched.return_refused', 'unmatched.return_requested', 'unmatched.returned'],
    );

    // A command is nobody of the staff: any of them approves it.
    gateway.stellar.pay(null, { address, units: 400_000_000n });
    gateway.stellar.close();
    await gateway.runUntilIdle();
    const other = (await listUnmatched(gateway.db)).find(({ units }) => units === 400_000_000n);
    const commanded = await returnUnmatched(returnDeps(gateway), other?.id ?? '', { destination: null, feeUnits: 0n });
    assert.equal(commanded.returnId, null);
    const order = await findWaitingReturn(gateway.db, other?.id ?? '');
    assert.equal((await approve(uma, order?.id ?? '')).location, '/operator/suspense?did=returned');
    const reserved = async () => (await balancesOf(gateway, 'operator/'))['reserved/XLM'];
    assert.ok(BigInt((await reserved()) ?? 0) > 0n, 'nothing was kept back for the fee: the operator pays it');
    await closeLedgers();
    assert.equal(await reserved(), undefined);
  },
);
