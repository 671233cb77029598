/** Death at any point while a file is made, and while a month is announced. See die-everywhere. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { saveChoice } from '../src/finding/notification-store.ts';
import { newId } from '../src/lib/ids.ts';
import { insertPerson, saveMembership } from '../src/people/person-store.ts';
import { foldDays } from '../src/reports/fold-days.ts';
import { dieEverywhere, workAll } from './die-everywhere.ts';
import { type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { type MailServer, mailUser, startMailServer } from './mail-server.ts';
import { assets } from './statement-world.ts';

let mail: MailServer;
let gateway: Gateway;
before(async () => {
  mail = await startMailServer();
  const smtp = `smtp://${encodeURIComponent(mailUser.user)}:${encodeURIComponent(mailUser.pass)}@127.0.0.1:${mail.port}`;
  const env = { ...withoutLitecoin, SMTP_URL: smtp, MAIL_FROM: 'Quittance <account@pay.test>' };
  gateway = await startGateway({ env });
});
after(async () => {
  await gateway?.stop();
  await mail?.stop();
});

const customers = 5_000;

test('a file is made to its end and once, whoever dies while it is made', async () => {
  const shop = await gateway.createMerchant('Long');
  await gateway.db`
    insert into customer (merchant_id, id, email, fields, updated_at, created_at)
    select ${shop.merchantId}, 'aaaa' || lpad(n::text, 8, '0'), n || '@example.com', '{}', '2026-01-01',
           '2026-01-01'::timestamptz + make_interval(secs => n)
      from generate_series(1, ${customers}::integer) as n`;
  const ask = (method: string, path: string, body?: unknown) =>
    gateway.request(method, `/reports/exports${path}`, body, { as: shop });
  await dieEverywhere<string>(
    gateway,
    {
      async begin() {
        // Only so many are kept.
        await gateway.db`delete from export where merchant_id = ${shop.merchantId}`;
        return (await ask('POST', '', { list: 'customers' })).body.export.id;
      },
      live: [workAll],
      async end(id) {
        await gateway.runUntilIdle();
        const { export: made } = (await ask('GET', `?id=${id}`)).body;
        assert.deepEqual([made.state, made.rowsDone], ['READY', customers]);
        const { body } = await ask('GET', `/file?id=${id}`);
        const rows: string[] = body.trimEnd().split('\r\n').slice(1);
        assert.deepEqual(
          rows.map((row) => Number(row.slice(4, 12))),
          Array.from({ length: customers }, (_, at) => customers - at),
        );
        const jobs = await gateway.db<{ name: string }>`select name from job where payload ->> 'exportId' = ${id}`;
        assert.deepEqual(
          jobs.map(({ name }) => name),
          ['export.delete'],
        );
      },
    },
    // It is counted, written in three parts, and somebody is told; each run of the job begins and ends.
    { atLeast: 12 },
  );
});

test('a month is announced once to each, whoever dies while it is told', async () => {
  const { clock, db } = gateway;
  const { merchantId } = await gateway.createMerchant('Monthly');
  await gateway.runUntilIdle();
  await dieEverywhere<string>(
    gateway,
    {
      async begin() {
        const personId = newId();
        const email = `${personId}@example.com`;
        await db.begin(async (tx) => {
          // One reader at a time, or every death would have more to tell.
          await tx`delete from membership where merchant_id = ${merchantId}`;
          await insertPerson(
            tx,
            { id: personId, email, name: 'Who reads', language: 'en', isProven: true },
            clock.now(),
          );
          await saveMembership(tx, { merchantId, personId, role: 'viewer' }, clock.now());
          const choice = { personId, kind: 'monthlyStatement', choice: 'atOnce', chosenAt: clock.now() } as const;
          await saveChoice(tx, merchantId, choice);
        });
        const next = Date.UTC(clock.now().getUTCFullYear(), clock.now().getUTCMonth() + 1, 1, 0, 11);
        clock.advance({ seconds: (next - clock.now().getTime()) / 1000 });
        return email;
      },
      live: [
        (_, __, living) => foldDays({ ...living, assets }, merchantId, { timeZone: 'UTC', currency: 'USD' }),
        workAll,
      ],
      async end(email) {
        await gateway.runUntilIdle();
        assert.equal((await db`select from statement_mail where merchant_id = ${merchantId}`).length, 1);
        const received = mail.received.filter(({ to }) => to.includes(email));
        // A mail server that has taken it and was not heard may get it again: the same message, which mail programs know.
        assert.equal(new Set(received.map(({ headers }) => headers.get('message-id'))).size, 1);
      },
    },
    { atLeast: 5 },
  );
});
