/** Whoever brings a statement is told in one look what it brought, and whether the books agree with the bank. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { MischiefName } from '@quittance/sandbox/bank/statement-mischief';
import { zipSync } from 'fflate';
import { forgetBytes } from '../src/bank-files/accept-store.ts';
import { whatItBrought } from '../src/bank-files/what-it-brought.ts';
import { present } from '../src/lib/assert.ts';
import { addMs } from '../src/lib/clock.ts';
import { DocumentRefused } from '../src/networks/port/documents.ts';
import { signed } from './account-world.ts';
import { ada, jörg, openPaymentWorld, type PaymentWorld, plainText } from './payment-file-world.ts';
import { changedTables, digestsWithout } from './tenant-world.ts';

let world: PaymentWorld;
before(async () => {
  world = await openPaymentWorld();
});
after(() => world.stop());

const newest = async (): Promise<string> => {
  const [row] = await world.gateway.db<{ id: string }>`
    select file_id as id from bank_document order by position desc limit 1`;
  return row?.id ?? '';
};

/** The job that compares the books waits a second, so that what was told is read first. */
async function compared(): Promise<void> {
  world.gateway.clock.advance({ seconds: 1 });
  await world.gateway.runUntilIdle();
}

const brought = async (): Promise<string> => world.page(`/operator/bank/SEPA/brought/${await newest()}`);

const newestDocument = async (): Promise<string> => {
  const [row] = await world.gateway.db<{ position: string }>`select max(position) as position from bank_document`;
  return world.page(`/operator/bank/SEPA/${row?.position}`);
};

test('one screen says what was matched, what waits for a person, fees, the balance, and whether the books agree', async () => {
  const shop = await world.paidShop(50_000n);
  const { id, reply } = await shop.open('25.00 EUR', 'SEPA');
  world.bank.pay({ units: 2_500n, from: ada, text: reply.depositInstructions.memo });
  world.bank.pay({ units: 300n, from: jörg, text: 'no idea' });
  world.bank.charge(390n, { text: 'Kontoführung' });
  await world.bringStatement();
  assert.match(await brought(), /The books are being compared with it/);
  await compared();
  const text = await brought();
  assert.match(text, /Matched 1 €25\.00/);
  assert.match(text, new RegExp(`€25\\.00 for checkout ${id}`));
  assert.match(text, /Matched nobody Waits under Suspense: .* 1 €3\.00/);
  assert.match(text, /Fees 1 −€3\.90/);
  assert.match(text, /The books agree with the balance of the bank/);
});

test('each booking says what the bank wrote and what became of it, and leads there', async () => {
  const link = /href="(\/operator\/bank\/SEPA\/\d+)"/.exec(
    (await world.operator.get(`/operator/bank/SEPA/brought/${await newest()}`)).text,
  )?.[1];
  const { text } = await world.operator.get(link ?? '');
  assert.match(plainText(text), /no idea.*Matched nobody/);
  assert.match(plainText(text), /Ada|Kontoführung/);
  assert.match(text, /href="\/operator\/suspense\/[a-z0-9]+"/);
});

test('what a notice announces has no sum: it counts when it is booked, and its amount stands in what the bank wrote', async () => {
  world.bank.pay({ units: 1_234n, from: ada, text: 'soon' });
  for (const { bytes } of world.bank.statement({ kind: 'camt.054' }).files) await world.bring(bytes);
  const text = await brought();
  assert.match(text, /Announced It counts when it is booked\. 5 Documents/);
  assert.doesNotMatch(text, /€0\.00/);
  assert.match(await newestDocument(), /5 · announced 12\.34 EUR · Änne Grünwald · soon/);
  for (const { bytes } of world.bank.statement({ kind: 'camt.052' }).files) await world.bring(bytes);
  await compared();
  const report = await brought();
  assert.match(
    report,
    /It ends with \d+\.\d\d EUR, and credits nothing: the books are compared with messages that do\./,
  );
  assert.doesNotMatch(report, /agree|DIFFER/);
  await world.bringStatement();
});

test('an answer to a payment file says that something was refused, and each line what and why; it has no bookings and no sums', async () => {
  const shop = await world.paidShop();
  const [refused] = [await world.pay(shop, '3'), await world.pay(shop, '4')];
  const bytes = await world.download(await world.make());
  const { messageId } = world.bank.takeFile(bytes, { isSigned: false });
  const [order] = new RegExp(`${refused?.toUpperCase()}-\\w+`).exec(bytes.toString()) ?? [];
  world.bank.reject(order ?? '', 'AC04');
  await world.bring(world.bank.report(messageId ?? ''));
  const text = await brought();
  assert.match(text, /The bank refuses payments of ours The payment file says what became of each\. The bank answers/);
  assert.doesNotMatch(text, /€0\.00|bookings/);
  const document = await newestDocument();
  assert.match(document, new RegExp(`rejected payment ${order} · RJCT · AC04`));
  assert.doesNotMatch(document, /€0\.00/);
});

test('an answer to a payment file of another bank is refused, and one to files of other programs says that of them', async () => {
  const shop = await world.paidShop();
  await world.pay(shop, '5');
  const { messageId } = world.bank.takeFile(await world.download(await world.make()), { isSigned: false });
  const report = Buffer.from(world.bank.report(present(messageId, 'what the file is called'))).toString();
  await world.gateway.db`
    insert into payment_file
    select (jsonb_populate_record(payment_file, '{"id": "aaaabbbbcccc", "network": "SWIFT", "file_name": "other.xml"}')).*
      from payment_file limit 1`;
  await assert.rejects(world.bring(Buffer.from(report.replaceAll(messageId ?? '', 'PAY-AAAABBBBCCCC'))), (error) => {
    assert.ok(error instanceof DocumentRefused);
    assert.equal(error.message, 'It answers the payment file other.xml, which was made for SWIFT: import it there.');
    return true;
  });
  const others = report.replaceAll(messageId ?? '', 'SALARIES-11').replaceAll(/[A-Z0-9]{12}-[A-Z0-9]{12}/g, 'SALARY-1');
  await world.bring(Buffer.from(others.replace('</GrpHdr>', '</GrpHdr><!-- of other payments -->')));
  const text = await brought();
  assert.match(text, /The bank answers for payments that were not made here/);
  assert.doesNotMatch(text, /refuses payments of ours/);
});

test('a payment of ours that came back whole is one that came back, not one that was made', async () => {
  const shop = await world.paidShop();
  const id = await world.pay(shop, '2');
  const bytes = await world.download(await world.make());
  assert.ok(world.bank.takeFile(bytes).isTaken);
  await world.later(1);
  await world.bringStatement();
  assert.match(await brought(), /Payments of ours 1 −€2\.00/);
  world.bank.giveBack(new RegExp(`${id.toUpperCase()}-\\w+`).exec(bytes.toString())?.[0] ?? '', {});
  await world.bringStatement();
  assert.match(await brought(), /Payments of ours that came back 1 €2\.00/);
});

test('what is not read yet of a document that was begun is no payment of ours', async () => {
  const undone = new Error('nothing of this stays');
  const looked = world.gateway.db.begin(async (tx) => {
    await tx`
      insert into bank_record (network, position, number, identity, kind, units, told)
      select network, position, number + 1, 'not read yet', kind, units, told from bank_record
       order by position desc, number desc limit 1`;
    const { sums, isSettled } = await whatItBrought(tx, () => 7, { id: await newest(), network: 'SEPA' });
    assert.deepEqual(
      [sums.filter(({ fate }) => fate === 'sent' || fate === 'unread').length, sums.at(-1)?.fate],
      [1, 'unread'],
    );
    assert.equal(isSettled, false);
    throw undone;
  });
  await assert.rejects(looked, undone);
});

test('books that differ from the balance are said so, with by how much', async () => {
  await world.gateway.db`update reconciliation set difference = -1 where network = 'SEPA'`;
  assert.match(await brought(), /the books DIFFER: the bank holds 0\.0*1 EUR less than they say/);
});

test('the file as it came is given to whoever may bring one, and that is written down; after its time it is not there', async () => {
  const id = await newest();
  const path = `/operator/bank/SEPA/brought/${id}/download`;
  const answer = await world.press(path);
  assert.match(answer.text, /<BkToCstmrStmt>/);
  assert.equal(answer.headers['content-type'], 'application/octet-stream');
  assert.match(answer.headers['content-disposition'] ?? '', /^attachment; filename\*=UTF-8''bank\.xml$/);
  assert.match(await world.page('/operator/audit'), /Downloaded bank\.xml of SEPA as it came/);
  const viewer = await world.world.staff('viewer', 'eyes@operator.example');
  assert.equal((await world.press(path, {}, viewer)).status, 403);
  await forgetBytes(world.gateway.db, addMs(world.gateway.clock.now(), 1));
  const gone = await world.press(path);
  assert.equal(gone.status, 410);
  assert.match(gone.text, /not kept any more, by BANK_FILE_DAYS/);
  assert.match(await brought(), /The file as it came is not kept any more/);
});

const suspended = async (): Promise<number> =>
  (await world.gateway.db`select from unmatched_payment where reversed_at is null and assigned_at is null`).length;

test('a booking that matched nobody and is taken back by the bank is gone at once, and nobody has to explain it', async () => {
  const before = await suspended();
  const entryId = world.bank.pay({ units: 700n, from: ada, text: 'no idea either' });
  await world.bringStatement();
  assert.equal(await suspended(), before + 1);
  world.bank.correct(entryId);
  await world.bringStatement();
  assert.equal(await suspended(), before);
  assert.match(await brought(), /Taken back by the bank 1 −€7\.00/);
  assert.doesNotMatch(await world.page('/operator/suspense'), /Moved, and nobody knows why/);
  await world.gateway.count();
});

test('so it is when both are in one statement', async () => {
  const before = await suspended();
  const entryId = world.bank.pay({ units: 800n, from: ada, text: 'by mistake' });
  world.bank.correct(entryId);
  await world.bringStatement();
  assert.equal(await suspended(), before);
  assert.doesNotMatch(await world.page('/operator/suspense'), /Moved, and nobody knows why/);
});

test('of two of one payer the one with the same text is taken back', async () => {
  const before = await suspended();
  world.bank.pay({ units: 900n, from: ada, text: 'first' });
  await world.bringStatement();
  world.gateway.clock.advance({ minutes: 1 }); // It is the older one.
  const second = world.bank.pay({ units: 900n, from: ada, text: 'second' });
  await world.bringStatement();
  world.bank.correct(second);
  await world.bringStatement();
  assert.equal(await suspended(), before + 1);
  assert.match(await world.page('/operator/suspense'), /first/);
  assert.doesNotMatch(await world.page('/operator/suspense'), /second/);
});

test('what left and names nothing is not taken for it; a person says which it was, and it is gone', async () => {
  const before = await suspended();
  world.bank.moveOwn(-900n);
  await world.bringStatement();
  assert.equal(await suspended(), before);
  const [movement] = await world.gateway.db<{ id: string }>`select id from network_movement where open_units <> 0`;
  const [arrival] = await world.gateway.db<{ id: string }>`
    select id from unmatched_payment where memo like '%first%'`;
  for (const page of [`movements/${movement?.id}`, `${arrival?.id}`]) {
    const told = await world.page(`/operator/suspense/${page}`);
    assert.match(told, /Told in camt\.053 .*, booking \d+/, page);
    assert.doesNotMatch(told, /[0-9a-f]{64}/, page);
  }
  const form = { as: 'REVERSAL', of: arrival?.id ?? '' };
  const answer = await signed(world.operator, `/operator/suspense/movements/${movement?.id}/assign`, form);
  assert.equal(answer.status, 303, answer.text);
  assert.equal(await suspended(), before - 1);
  assert.doesNotMatch(await world.page('/operator/suspense'), /Moved, and nobody knows why/);
  await world.gateway.count();
});

test('a payment that its payer calls back is taken from its merchant when the operator agreed, and stays otherwise', async () => {
  const [agreed, kept] = [await world.paidShop(2_000n), await world.paidShop(3_000n)];
  for (const { bookingId } of [agreed, kept]) {
    const recall = world.bank.recall(bookingId, 'CUST');
    world.bank.answerRecall(recall, bookingId === agreed.bookingId);
  }
  await world.bringStatement();
  assert.match(await brought(), /Taken back by the bank 1 −€20\.00/);
  assert.deepEqual(agreed.eventsOf(agreed.checkoutId), [
    'CHECKOUT_COMPLETED COMPLETED',
    'CHECKOUT_REVERSED PROCESSING',
  ]);
  assert.deepEqual(await agreed.balances(), {});
  assert.deepEqual(kept.eventsOf(kept.checkoutId), ['CHECKOUT_COMPLETED COMPLETED']);
  assert.equal(await kept.state(kept.checkoutId), 'COMPLETED');
  assert.doesNotMatch(await world.page('/operator/suspense'), /Moved, and nobody knows why/);
  await world.gateway.count();
});

test('a hostile file is refused whole, with one sentence, and nothing has changed anywhere', async () => {
  const { bank, gateway } = world;
  const { id, reply } = await (await world.paidShop(1_000n)).open('25.00 EUR', 'SEPA');
  const { memo } = reply.depositInstructions;
  for (const units of [2_500n, 100n, 200n, 300n, 400n, 500n]) bank.pay({ units, from: ada, text: memo });
  await gateway.runUntilIdle();
  await gateway.count();
  const issued = bank.statement();
  const hostile = [
    ...['leaveEntryOut', 'wrongClosing', 'wrongOpening', 'otherAccount', 'otherCurrency', 'entityBomb', 'cutOff'],
  ] as MischiefName[];
  const mischief = (name: MischiefName): Uint8Array[] => bank.mischief(name, issued.id).files.map(({ bytes }) => bytes);
  const together = (files: readonly Uint8Array[]): Uint8Array =>
    zipSync(Object.fromEntries(files.map((bytes, place) => [`${place}.xml`, bytes])));
  const refused = async (names: readonly MischiefName[], inOne = false): Promise<void> => {
    for (const name of names) {
      const files = mischief(name);
      await refusedAs(name, inOne ? [together(files)] : files);
    }
  };
  const refusedAs = async (name: string, files: readonly Uint8Array[]): Promise<void> => {
    const before = await digestsWithout(gateway.db, '');
    const sentences: string[] = [];
    for (const bytes of files)
      await world.importBy(gateway, [bytes]).catch((error: unknown) => {
        assert.ok(error instanceof DocumentRefused, `${name}: ${String(error)}`);
        sentences.push(error.problem.sentence);
      });
    assert.ok(sentences.length > 0, `${name} was taken`);
    for (const each of sentences) assert.match(each, /^[A-Z“][^\n]*\.$/, name);
    assert.deepEqual(changedTables(before, await digestsWithout(gateway.db, '')), [], name);
  };
  const text = Buffer.from(mischief('repeat')[0] ?? []).toString();
  const spoilt = (what: RegExp, into: string): Buffer => {
    assert.match(text, what);
    return Buffer.from(text.replace(what, into));
  };
  const amount = /(<Ntry>.*?<Amt Ccy="EUR">)25\.00/s;
  const broken: Readonly<Record<string, Uint8Array>> = {
    'an encoding that it is not in': Buffer.from(spoilt(/UTF-8/, 'UTF-16')),
    'letters of another encoding': Buffer.from(text, 'latin1'),
    'a huge number': spoilt(amount, `$1${'9'.repeat(400)}.00`),
    'a number of the balance that is too long': spoilt(/(CLBD.*?<Amt Ccy="EUR">)\d+/s, `$1${'9'.repeat(19)}`),
    'a negative amount': spoilt(amount, '$1-25.00'),
    'a page twice': together([...mischief('pages'), mischief('pages')[1] ?? Buffer.alloc(0)]),
  };
  for (const [name, bytes] of Object.entries(broken)) await refusedAs(name, [bytes]);
  await refused(hostile);
  await refused(['leavePageOut'], true);
  for (const page of mischief('pages')) await world.importBy(gateway, [page]);
  await gateway.runUntilIdle();
  const [first] = await gateway.db<{ units: string }>`
    select sum(units)::text as units from payment where owner_id = ${id} and state = 'CONFIRMED'`;
  assert.equal(first?.units, '400000000', 'and what is right of it counts once');
  await refused([...hostile, 'alter']);
  for (const page of mischief('pages').toReversed()) await world.importBy(gateway, [page]);
  await refused(['repeat']); // All of it is known, and nobody can tell that it is not told a second time.
});
