/** What names nobody may be the operator's own: staff say so with a reason, and it is equity, until a bank takes it back. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { runCommandLine } from '../../scripts/run-command-line.ts';
import { present } from '../src/lib/assert.ts';
import { adoptUnmatched } from '../src/watching/adopt-unmatched.ts';
import { findWaitingReturn } from '../src/watching/unmatched-return-store.ts';
import { findUnmatched, listUnmatched, type UnmatchedPayment } from '../src/watching/unmatched-store.ts';
import { signed, type Visitor } from './account-world.ts';
import { type MailServer, mailSettings, startMailServer } from './mail-server.ts';
import { meetAt } from './meet-at.ts';
import { ada, jörg, openPaymentWorld, type PaymentWorld } from './payment-file-world.ts';
import { balancesOf } from './shop.ts';

let world: PaymentWorld;
let mail: MailServer;
before(async () => {
  mail = await startMailServer();
  world = await openPaymentWorld({ env: mailSettings(mail) });
});
after(async () => {
  await world?.stop();
  await mail?.stop();
});

/** In ten-millionths of a euro. */
const books = async (): Promise<{ suspense: bigint; equity: bigint }> => {
  const all = await balancesOf(world.gateway, 'operator/');
  return { suspense: BigInt(all['suspense/EUR'] ?? 0), equity: BigInt(all['equity/EUR'] ?? 0) };
};

async function changes(act: () => Promise<unknown>): Promise<{ suspense: bigint; equity: bigint }> {
  const was = await books();
  await act();
  const is = await books();
  return { suspense: is.suspense - was.suspense, equity: is.equity - was.equity };
}

/** So many cents arrive, and name nobody. */
async function arrived(cents: bigint, text: string, from = ada): Promise<{ payment: UnmatchedPayment; entry: string }> {
  const entry = world.bank.pay({ units: cents, from, text });
  await world.bringStatement();
  const payment = (await listUnmatched(world.gateway.db)).find(({ memo }) => memo?.includes(text));
  return { payment: present(payment, text), entry };
}

const pathOf = ({ id }: { readonly id: string }): string => `/operator/suspense/${id}`;
const adoption = (who: Visitor, payment: UnmatchedPayment, reason: string) =>
  signed(who, `${pathOf(payment)}/own`, { reason });

async function broughtLast(): Promise<string> {
  const [row] = await world.gateway.db<{ id: string }>`
    select file_id as id from bank_document order by position desc limit 1`;
  return world.page(`/operator/bank/SEPA/brought/${row?.id}`);
}

/** What was written to all who move money since the last time. */
async function told(): Promise<string> {
  world.gateway.clock.advance({ minutes: 2 });
  await world.gateway.runUntilIdle();
  return mail.received
    .splice(0)
    .map(({ text }) => text.replaceAll(/\s+/g, ' '))
    .join('\n');
}

const actionsOn = async ({ id }: UnmatchedPayment): Promise<string[]> => {
  const rows = await world.gateway.db<{ action: string }>`
    select action from audit_log where merchant_id = 'operator' and detail ->> 'id' = ${id} order by id`;
  return rows.map(({ action }) => action);
};

test('a top-up is the operator’s own once, with a reason, however often it is pressed', async () => {
  const { operator, gateway } = world;
  const { payment } = await arrived(70_000n, 'top-up of March');
  const path = `${pathOf(payment)}/own`;
  assert.match(await broughtLast(), /Matched nobody .* 1 €700\.00/);
  assert.match(await world.page('/operator'), / EUR [\d,]+\.\d\d held [\d,]+\.\d\d/);
  assert.match(await world.page('/operator/money'), / EUR Euro Held 1,700\.00 Suspense 1,700\.00 /);
  for (const reason of ['', '   ', 'x'.repeat(201)]) {
    const answer = await adoption(operator, payment, reason);
    assert.equal(answer.status, 400, answer.text);
    assert.match(answer.text, /Say why it is the operator.*s own, in 1 to 200 characters/);
  }
  assert.equal((await operator.post(path, { reason: 'ours' })).status, 403, 'nobody signed that');
  assert.equal((await signed(operator, path, { reason: 'ours' }, { reason: 'mine' })).status, 409, 'of another reason');
  assert.deepEqual(await actionsOn(payment), []);

  const reason = 'from our other account';
  const proof = operator.device.answer((await operator.post(path, { reason }, { 'x-ask': 'passkey' })).json);
  await told();
  const moved = await changes(async () => {
    const [pressed, commanded] = await meetAt<unknown>(
      gateway.db,
      (tx) => tx`select from unmatched_payment where id = ${payment.id} for update`,
      [
        async () => (await operator.post(path, { reason, proof })).location,
        () => adoptUnmatched(gateway, payment.id, reason).catch((error: unknown) => String(error)),
      ],
    );
    assert.equal(pressed, '/operator/suspense?did=own');
    assert.match(String(commanded), /was taken as the operator's own before/, 'two at once are one');
  });
  assert.deepEqual(moved, { suspense: -7_000_000_000n, equity: 7_000_000_000n });
  assert.match(
    await told(),
    /(?<!\d)700\.00 EUR, which nobody asked for, are the operator's own now\. .* one was enough\. Why: from our other account/,
  );
  await gateway.count();

  assert.doesNotMatch(await world.page('/operator/suspense'), /700(\.00)? EUR/);
  assert.doesNotMatch(await world.page('/operator/needs-you'), /700(\.00)? EUR/);
  assert.match(await broughtLast(), /Our own money 1 €700\.00/);
  assert.match(await world.page(pathOf(payment)), /our own money.*Why from our other account/);
  assert.deepEqual(await actionsOn(payment), ['unmatched.own']);
  assert.match(await world.page('/operator/audit'), /Took payment \w+ as our own: from our other account/);
  const shop = await world.paidShop(50_000n);
  const { id: checkout } = await shop.open('700.00 EUR', 'SEPA');
  const before = /was taken as the operator.*s own before/;
  assert.match((await signed(operator, `${pathOf(payment)}/assign`, { checkout })).text, before);
  assert.match((await signed(operator, `${pathOf(payment)}/return`, { address: '', fee: '0' })).text, before);
  assert.match((await adoption(operator, payment, reason)).text, before);
});

test('what the bank takes back of it is equity no more, in part when a person says so, and whole by itself', async () => {
  const { bank, gateway, operator } = world;
  const { payment } = await arrived(9_000n, 'refund of taxes', jörg);
  const topUp = await arrived(70_000n, 'top-up of April');
  for (const own of [payment, topUp.payment])
    assert.equal((await adoption(operator, own, 'taxes and a top-up')).status, 303);
  bank.moveOwn(-2_000n);
  await world.bringStatement();
  const [movement] = await gateway.db<{ id: string }>`select id from network_movement where open_units <> 0`;
  const path = `/operator/suspense/movements/${movement?.id}/assign`;
  const part = await changes(() => signed(operator, path, { as: 'REVERSAL', of: payment.txHash }));
  assert.deepEqual(part, { suspense: 200_000_000n, equity: -200_000_000n });
  assert.equal((await findUnmatched(gateway.db, payment.id))?.units, 700_000_000n);

  const whole = await changes(async () => {
    bank.correct(topUp.entry);
    await world.bringStatement();
  });
  assert.deepEqual(whole, { suspense: 0n, equity: -7_000_000_000n });
  assert.match(await broughtLast(), /Taken back by the bank 1 −€700\.00/);
  assert.doesNotMatch(await world.page('/operator/suspense'), /Moved, and nobody knows why/);
  assert.match(await world.page(pathOf(topUp.payment)), /The network took the payment \w+ back/);
  await gateway.count();
});

test('what shall be sent back and is taken back by the bank is in no file until somebody has said what it was', async () => {
  const { gateway, operator, bank } = world;
  const { payment, entry } = await arrived(5_100n, 'not for us');
  const answer = await signed(operator, `${pathOf(payment)}/return`, { address: '', fee: '0' });
  assert.equal(answer.location, '/operator/suspense?did=returned', answer.text);
  bank.correct(entry);
  await world.bringStatement();
  const made = await world.press('/operator/bank/SEPA/files');
  assert.match(made.text, /No payment waits for a file of SEPA/, 'else it leaves twice');
  const [movement] = await gateway.db<{ id: string }>`select id from network_movement where open_units <> 0`;
  const returnId = present((await findUnmatched(gateway.db, payment.id))?.returnId, 'the payout');
  const moved = await changes(async () => {
    const said = await signed(operator, `/operator/suspense/movements/${movement?.id}/assign`, {
      as: 'PAYOUT',
      of: returnId,
    });
    assert.equal(said.status, 303, said.text);
    await world.later(7);
  });
  assert.equal(moved.equity, 0n);
  assert.match(await world.page(pathOf(payment)), /[Ss]ent back/);
  assert.deepEqual(await gateway.db`select from network_movement where open_units <> 0`, []);
  assert.equal(await world.payoutState(returnId), 'DONE');
  await gateway.count();
});

test('once two move money another one approves it, and meanwhile it is nobody’s', async (t) => {
  const { gateway, operator } = world;
  const vic = await world.world.staff('treasury', 'vic@operator.example');
  const wil = await world.world.staff('treasury', 'wil@operator.example');
  gateway.clock.advance({ hours: 25 }); // Who is new approves nothing for a day.
  await gateway.runUntilIdle();
  for (const each of [operator, vic, wil]) await each.signInWithPasskey();
  const { payment } = await arrived(4_000n, 'credit note');
  const waitingId = async (): Promise<string> => {
    const [row] = await gateway.db<{ id: string }>`
      select id from unmatched_adoption where unmatched_id = ${payment.id} and state = 'AWAITING_APPROVAL'`;
    return row?.id ?? 'none';
  };
  await told();
  const asked = await changes(async () => {
    const answer = await adoption(vic, payment, 'a supplier gave it back');
    assert.equal(answer.location, '/operator/suspense?did=own-waiting', answer.text);
  });
  assert.deepEqual(asked, { suspense: 0n, equity: 0n });
  assert.match(
    await told(),
    /asks to take 40(\.00)? EUR, which nobody asked for, as the operator's own\. .* Why: a supplier gave it back/,
  );
  const first = await waitingId();
  const waits = /waits for a second signature: refuse that first/;
  const shop = await world.paidShop(50_000n);
  const { id: checkout } = await shop.open('40.00 EUR', 'SEPA');
  assert.match((await signed(operator, `${pathOf(payment)}/assign`, { checkout })).text, waits);
  assert.match((await signed(operator, `${pathOf(payment)}/return`, { address: '', fee: '0' })).text, waits);
  assert.match((await adoption(operator, payment, 'ours')).text, waits);
  assert.match(await world.page('/operator/needs-you'), /Taking 40\.00 EUR as our own waits for a second signature/);
  assert.match(await world.page(pathOf(payment)), /Take 40\.00 EUR as our own a supplier gave it back Asked for by/);
  const deed = (id: string, what: string): string => `/operator/suspense/adoptions/${id}/${what}`;
  assert.match((await signed(vic, deed(first, 'approve'), {})).text, /You asked for this: somebody else/);
  assert.equal((await operator.post(deed(first, 'approve'))).status, 403, 'nobody signed that');
  const refused = await world.press(deed(first, 'refuse'));
  assert.equal(refused.location, '/operator/suspense?did=own-refused', refused.text);
  assert.equal((await signed(operator, deed(first, 'approve'), {})).status, 409, 'what was refused is over');

  assert.equal((await adoption(vic, payment, 'as the supplier wrote')).status, 303);
  const second = await waitingId();
  const hands = [operator, wil];
  const proofs = await Promise.all(
    hands.map(async (who) =>
      who.device.answer((await who.post(deed(second, 'approve'), {}, { 'x-ask': 'passkey' })).json),
    ),
  );
  const approved = await changes(async () => {
    const answers = await meetAt(
      gateway.db,
      (tx) => tx`select from unmatched_payment where id = ${payment.id} for update`,
      hands.map((who, at) => () => who.post(deed(second, 'approve'), { proof: proofs[at] ?? '' })),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([303, 409]), 'two at once are one');
  });
  assert.deepEqual(approved, { suspense: -400_000_000n, equity: 400_000_000n });
  assert.deepEqual(await actionsOn(payment), [
    'unmatched.own_requested',
    'unmatched.own_refused',
    'unmatched.own_requested',
    'unmatched.own',
  ]);

  // A command is nobody of the staff: any of them approves it.
  t.mock.timers.enable({ apis: ['Date'], now: gateway.clock.now() });
  const { payment: other } = await arrived(5_000n, 'another top-up');
  const said: string[] = [];
  const paper = { log: (text: string) => said.push(text), error: (text: unknown) => said.push(String(text)) };
  const command = (...words: string[]) =>
    runCommandLine(
      ['suspense', 'own', other.id, ...words],
      { ...process.env, DATABASE_URL: gateway.databaseUrl },
      paper,
    );
  assert.equal(await command(), 2);
  assert.equal(await command('--reason', ' '), 1);
  assert.equal(await command('--reason', 'ours'), 0);
  assert.match(
    said.join('\n'),
    /Say why it is yours.*in 1 to 200 characters.*50.* EUR are the operator's own once one of the staff approves/s,
  );
  assert.equal(await command('--reason', 'ours'), 1);
  assert.match(said.at(-1) ?? '', waits);
  await gateway.count();
});

test('what waits for a second signature and is taken back by the bank neither leaves as well nor is the operator’s own', async () => {
  const { gateway, operator, bank } = world;
  const xia = await world.world.staff('treasury', 'xia@operator.example');
  gateway.clock.advance({ hours: 25 }); // Who is new approves nothing for a day.
  await gateway.runUntilIdle();
  for (const each of [operator, xia]) await each.signInWithPasskey();
  const waiting = async (payment: UnmatchedPayment): Promise<string> =>
    present(await findWaitingReturn(gateway.db, payment.id), 'the order that waits').id;
  const deed = (id: string, what: string): string => `/operator/suspense/returns/${id}/${what}`;
  const askedBack = async (cents: bigint, text: string) => {
    const { payment, entry } = await arrived(cents, text);
    const asked = await signed(xia, `${pathOf(payment)}/return`, { address: '', fee: '0' });
    assert.equal(asked.location, '/operator/suspense?did=waiting', asked.text);
    return { payment, entry, order: await waiting(payment) };
  };

  const whole = await askedBack(6_100n, 'sent by mistake');
  bank.correct(whole.entry);
  await world.bringStatement();
  assert.match(
    (await signed(operator, deed(whole.order, 'approve'), {})).text,
    /The network took the payment \w+ back/,
  );
  assert.equal((await world.press(deed(whole.order, 'refuse'))).status, 303);
  assert.equal((await findUnmatched(gateway.db, whole.payment.id))?.returnId, null);

  const topUp = await arrived(6_300n, 'a top-up by mistake');
  const adopting = await adoption(xia, topUp.payment, 'ours');
  assert.equal(adopting.location, '/operator/suspense?did=own-waiting', adopting.text);
  bank.correct(topUp.entry);
  await world.bringStatement();
  const [adopted] = await gateway.db<{ id: string }>`
    select id from unmatched_adoption where unmatched_id = ${topUp.payment.id} and state = 'AWAITING_APPROVAL'`;
  const decision = (what: string): string => `/operator/suspense/adoptions/${adopted?.id}/${what}`;
  const nothingLeft = await changes(async () => {
    const answer = await signed(operator, decision('approve'), {});
    assert.match(answer.text, /The network took the payment \w+ back/);
  });
  assert.deepEqual(nothingLeft, { suspense: 0n, equity: 0n });
  assert.equal((await world.press(decision('refuse'))).status, 303);

  const part = await askedBack(6_200n, 'sent by mistake too');
  bank.moveOwn(-1_200n);
  await world.bringStatement();
  const [movement] = await gateway.db<{ id: string }>`select id from network_movement where open_units <> 0`;
  const explained = { as: 'REVERSAL', of: part.payment.txHash };
  assert.equal((await signed(operator, `/operator/suspense/movements/${movement?.id}/assign`, explained)).status, 303);
  const late = await signed(operator, deed(part.order, 'approve'), {});
  assert.match(late.text, /A part of the payment \w+ was taken back meanwhile: refuse this, and ask for the rest/);
  assert.equal((await world.press(deed(part.order, 'refuse'))).status, 303);

  const rest = await signed(xia, `${pathOf(part.payment)}/return`, { address: '', fee: '0' });
  assert.equal(rest.location, '/operator/suspense?did=waiting', rest.text);
  const approved = await signed(operator, deed(await waiting(part.payment), 'approve'), {});
  assert.equal(approved.location, '/operator/suspense?did=returned', approved.text);
  const sent = await gateway.db<{ units: string; holder: string }>`
    select units::text, holder ->> 'name' as holder from outgoing_transfer
     where purpose = 'return' and units in (500000000, 610000000, 620000000)`;
  assert.deepEqual(sent, [{ units: '500000000', holder: 'Änne Grünwald' }]);
  await gateway.count();
});
