/** Money sent on Stellar: what is refused before it is signed, what is sent once whatever happens, what keeps house. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, test } from 'node:test';
import { formatStroops, int64Max } from '@quittance/sandbox/stellar/ledger-entries';
import { testStellarKey } from '@quittance/sandbox/stellar/stellar-harness';
import {
  type StellarNetwork,
  sandboxPassphrase,
  sandboxUsdc,
  startStellarNetwork,
} from '@quittance/sandbox/stellar/stellar-network';
import { Secret } from '@quittance/server/lib/secret';
import { senderOf } from '@quittance/server/networks/outgoing-memory';
import { NotEnoughFunds, type Payout, SendRefused } from '@quittance/server/networks/port/sending';
import { createStellarNetworkConnector, type StellarSettings } from '@quittance/server/networks/stellar/stellar';
import { createWatched, type Watched } from '@quittance/server/test/networks/watched-connector';
import { Account, Asset, Claimant, Keypair, Memo, MuxedAccount, Operation } from '@stellar/stellar-sdk';
import { turns } from '../until.ts';

const usdc = new Asset(sandboxUsdc.code, sandboxUsdc.issuer);
const usdcName = `${sandboxUsdc.code}:${sandboxUsdc.issuer}`;
const ours = testStellarKey.publicKey();
const lumen = 10_000_000n;

let network: StellarNetwork;
let watched: Watched;
let now: Date;
let transfers = 0;

const settings = (change: Partial<StellarSettings> = {}): StellarSettings => ({
  horizonUrl: new Secret(network.url),
  account: ours,
  passphrase: sandboxPassphrase,
  assets: ['XLM', 'USDC'],
  secret: new Secret(testStellarKey.secret()),
  channels: 3,
  ...change,
});

beforeEach(async () => {
  now = new Date('2026-03-01T12:00:00Z');
  network = await startStellarNetwork({ user: 'owner', password: 'secret', now: () => now });
  network.openAccount(testStellarKey, '1000', usdcName);
  network.pay(null, { address: ours, units: 1_000n * lumen, asset: usdcName });
  network.close();
  await start();
});
afterEach(() => network.stop());

async function start(change: Partial<StellarSettings> = {}): Promise<void> {
  watched = createWatched(createStellarNetworkConnector(settings(change)));
  watched.outgoing.setClock(() => now);
  await watched.observe();
  await keepHouse();
}

/** The notes of what was done. Nobody looks twice within a minute when all is well. */
async function keepHouse(): Promise<string[]> {
  const notes: string[] = [];
  now = new Date(now.getTime() + 61_000);
  for (const _ of turns()) {
    const [signed] = (await senderOf(watched.connector).housekeeping?.(watched.sendContext())) ?? [];
    if (!signed) return notes;
    notes.push(signed.note ?? '');
    await senderOf(watched.connector).broadcast(watched.outgoing.keep(signed));
    await settle();
    assert.equal(outcomeOf(signed.txHash), 'included');
  }
  return notes;
}

async function settle(): Promise<void> {
  network.close();
  await watched.observe();
}

const transferTo = (to: string, more: Partial<Payout> = {}): Payout => ({
  id: `transfer-${transfers++}`,
  address: to,
  memo: null,
  memoType: null,
  holder: null,
  assetCode: 'XLM',
  units: 3n * lumen,
  ...more,
});

const prepare = async (...wanted: Payout[]) =>
  watched.outgoing.keep(await senderOf(watched.connector).prepare(wanted, watched.sendContext()));

async function send(...wanted: Payout[]) {
  const signed = await prepare(...wanted);
  await senderOf(watched.connector).broadcast(signed);
  await settle();
  return signed;
}

const updateOf = (txHash: string) => watched.outgoing.transactions.get(txHash)?.update;
const outcomeOf = (txHash: string) => updateOf(txHash)?.outcome;
const lumensOf = (id: string): bigint => network.ledger.entries.accounts.get(id)?.balance ?? 0n;

function newcomer(...assets: string[]): Keypair {
  const keypair = Keypair.random();
  network.openAccount(keypair, '10', ...assets);
  return keypair;
}

const refused = (transfer: Payout, sentence: RegExp) =>
  assert.rejects(
    prepare(transfer),
    (error) => error instanceof SendRefused && error.payoutId === transfer.id && sentence.test(error.message),
  );

test('an account that asks for a memo gets none of our money without one (SEP-29)', async () => {
  const exchange = newcomer();
  network.send(exchange, [Operation.manageData({ name: 'config.memo_required', value: '1' })]);
  network.close();
  const id = exchange.publicKey();
  await refused(transferTo(id), /without a memo \(SEP-29\)/);
  const memo = { memo: '18446744073709551615', memoType: 'id', holder: null };
  const { txHash } = await send(transferTo(id, memo));
  assert.equal(outcomeOf(txHash), 'included');
  const record: any = network.ledger.history.transactionByHash.get(txHash);
  assert.deepEqual([record.memo_type, record.memo], ['id', memo.memo]);
  const muxed = new MuxedAccount(new Account(id, '0'), '7').accountId();
  assert.equal(outcomeOf((await send(transferTo(muxed))).txHash), 'included');
});

test('memos of every type arrive as they were asked for', async () => {
  const { address } = transferTo(newcomer().publicKey());
  const hex = 'ab'.repeat(32);
  for (const [memoType, memo, shown] of [
    ['text', 'Dank schön', 'Dank schön'],
    ['hash', hex, Buffer.from(hex, 'hex').toString('base64')],
    ['return', hex, Buffer.from(hex, 'hex').toString('base64')],
  ] as const) {
    const { txHash } = await send(transferTo(address, { memo, memoType }));
    const record: any = network.ledger.history.transactionByHash.get(txHash);
    assert.deepEqual([record.memo_type, record.memo], [memoType, shown]);
  }
});

test('an asset is not sent where it could not arrive', async () => {
  const toUsdc = { assetCode: 'USDC', units: 20n * lumen };
  await refused(transferTo(newcomer().publicKey(), toUsdc), /no trustline to USDC/);
  await refused(transferTo(Keypair.random().publicKey(), toUsdc), /no account/);
  const small = newcomer();
  network.send(small, [Operation.changeTrust({ asset: usdc, limit: '5' })]);
  network.close();
  await refused(transferTo(small.publicKey(), toUsdc), /no room for 20 USDC/);
  // CAP-3: an account whose offers would bring in all the lumens that can be counted cannot take one more.
  const greedy = newcomer();
  const everything = formatStroops(int64Max - lumensOf(greedy.publicKey()));
  const selling = new Asset('TOKEN', greedy.publicKey());
  network.send(greedy, [
    Operation.manageSellOffer({ selling, buying: Asset.native(), amount: everything, price: { n: 1, d: 1 } }),
  ]);
  network.close();
  await refused(transferTo(greedy.publicKey()), /no room for 3 XLM/);
});

test('lumens open the account that they are sent to, if they are enough', async () => {
  const stranger = Keypair.random().publicKey();
  await refused(transferTo(stranger, { units: lumen - 1n }), /it takes 1 XLM to open it/);
  await send(transferTo(stranger, { units: lumen }));
  assert.equal(lumensOf(stranger), lumen);
  await send(transferTo(stranger, { units: 1n }));
  assert.equal(lumensOf(stranger), lumen + 1n);
});

test('what is not there waits, and what is signed already counts as gone', async () => {
  const to = newcomer(usdcName).publicKey();
  await assert.rejects(prepare(transferTo(to, { units: 2_000n * lumen })), NotEnoughFunds);
  await prepare(transferTo(to, { assetCode: 'USDC', units: 700n * lumen }));
  await assert.rejects(prepare(transferTo(to, { assetCode: 'USDC', units: 700n * lumen })), /has 300 USDC to spend/);
  await prepare(transferTo(to, { assetCode: 'USDC', units: 300n * lumen }));
});

test('what must wait keeps nobody else waiting, not even of its own asset', async () => {
  const [one, other, third] = Array.from({ length: 3 }, () => newcomer(usdcName).publicKey()) as [
    string,
    string,
    string,
  ];
  const tooMuch = transferTo(one, { assetCode: 'USDC', units: 2_000n * lumen });
  const wanted = [tooMuch, transferTo(other), transferTo(third, { assetCode: 'USDC' })];
  const { payoutIds } = await senderOf(watched.connector).prepare(wanted, watched.sendContext());
  assert.deepEqual(
    payoutIds,
    wanted.slice(1).map(({ id }) => id),
  );

  const { trustlines } = network.ledger.entries;
  const key = `${ours}/${usdcName}`;
  const line = trustlines.get(key);
  assert.ok(line);
  trustlines.set(key, { ...line, isAuthorized: false });
  const dollars = transferTo(other, { assetCode: 'USDC' });
  const frozen = [dollars, transferTo(third)];
  assert.deepEqual((await senderOf(watched.connector).prepare(frozen, watched.sendContext())).payoutIds, [
    frozen[1]?.id,
  ]);
  await assert.rejects(prepare(dollars), /The issuer of USDC:\w+ does not let our account send it\.$/);
});

test('what the account can send is told to the operator, without what it must keep', async () => {
  network.send(testStellarKey, [
    Operation.manageSellOffer({ selling: usdc, buying: Asset.native(), amount: '400', price: { n: 9, d: 1 } }),
  ]);
  network.close();
  const spare = lumensOf(ours) - (2n + 2n) * (lumen / 2n); // Of its two entries, the trustline and the offer, too.
  const { facts } = await watched.ask();
  assert.deepEqual(facts, { sendable: { XLM: String(spare), USDC: String(600n * lumen) } });
});

test('a transaction whose time is over is reported so, prepared again and sent once', async () => {
  const to = newcomer().publicKey();
  const before = lumensOf(to);
  const transfer = transferTo(to);
  const late = await prepare(transfer);
  now = new Date(now.getTime() + 599_000);
  await settle();
  assert.equal(outcomeOf(late.txHash), undefined, 'it could still happen');
  now = new Date(now.getTime() + 2_000);
  await settle();
  assert.equal(outcomeOf(late.txHash), 'expired');
  await assert.rejects(senderOf(watched.connector).broadcast(late), /txTooLate/);
  const again = await send(transfer);
  assert.notEqual(again.txHash, late.txHash);
  assert.deepEqual(again.uses[0], late.uses[0], 'the sequence number was free again');
  assert.deepEqual([outcomeOf(again.txHash), lumensOf(to) - before], ['included', transfer.units]);
});

test('a transaction that made it in the last moment is not taken for expired', async () => {
  const to = newcomer().publicKey();
  const signed = await prepare(transferTo(to));
  await senderOf(watched.connector).broadcast(signed);
  network.close();
  now = new Date(now.getTime() + 3_600_000);
  await settle();
  assert.equal(outcomeOf(signed.txHash), 'included');
});

test('a reply that is lost after the submission leaves the outcome unknown until it is seen', async () => {
  const pass = async (method: string, path: string, body: string) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const reply = await fetch(`${network.url}${path}`, { method, headers, ...(method === 'POST' && { body }) });
    return { status: reply.status, text: await reply.text(), ledger: reply.headers.get('latest-ledger') ?? '' };
  };
  const proxy = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      void pass(request.method ?? 'GET', request.url ?? '/', Buffer.concat(chunks).toString()).then((reply) => {
        if (request.method === 'POST') request.socket.destroy();
        else response.writeHead(reply.status, { 'latest-ledger': reply.ledger }).end(reply.text);
      });
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  watched.restart(createStellarNetworkConnector(settings({ horizonUrl: new Secret(`http://127.0.0.1:${port}`) })));
  const to = newcomer().publicKey();
  const before = lumensOf(to);
  const signed = await prepare(transferTo(to));
  await assert.rejects(senderOf(watched.connector).broadcast(signed), /does not answer/);
  await settle();
  assert.deepEqual([outcomeOf(signed.txHash), lumensOf(to) - before], ['included', 3n * lumen]);
  proxy.closeAllConnections();
  await new Promise((resolve) => proxy.close(resolve));
});

test('a stuck payment gets through with a higher fee, once, and the books see what it cost', async () => {
  const to = newcomer().publicKey();
  const before = lumensOf(to);
  network.ledger.demand(900n);
  const stuck = await prepare(transferTo(to));
  const sender = senderOf(watched.connector);
  await sender.broadcast(stuck);
  await settle();
  assert.equal(await sender.replace?.(stuck, watched.sendContext()), null, 'not yet');
  now = new Date(now.getTime() + 61_000);
  const replacement = await sender.replace?.(stuck, watched.sendContext());
  assert.ok(replacement);
  assert.deepEqual(replacement.payoutIds, [`transfer-${transfers - 1}`]);
  await sender.broadcast(watched.outgoing.keep(replacement, stuck.txHash));
  await settle();
  assert.deepEqual([outcomeOf(stuck.txHash), outcomeOf(replacement.txHash)], ['failed', 'included']);
  assert.deepEqual(updateOf(replacement.txHash)?.fee, { assetCode: 'XLM', units: 1_800n });
  assert.match(updateOf(stuck.txHash)?.reason ?? '', /at another fee/);
  assert.equal(lumensOf(to) - before, 3n * lumen);
  await sender.broadcast(stuck);
});

test('a payment is not sent for more than was set aside for it, nor bumped beyond that', async () => {
  const sender = senderOf(watched.connector);
  const quote = (await sender.estimateFee(transferTo(ours), watched.sendContext())).units;
  assert.equal(quote, 2_000n, 'ten times what it takes now: as much as a fee bump must offer');
  const until = new Date(now.getTime() + 3_600_000);
  const holding = (units: bigint) => transferTo(newcomer().publicKey(), { heldFee: { units, until } });
  const [poor, good, friend] = [holding(199n), holding(quote), holding(200n)];
  await assert.rejects(sender.prepare([poor], watched.sendContext()), NotEnoughFunds);
  const signed = await prepare(poor, good, friend);
  assert.deepEqual(watched.outgoing.transactions.get(signed.txHash)?.payoutIds, [good.id, friend.id]);
  await refused({ ...poor, heldFee: { units: 199n, until: now } }, /new quote/);
  now = new Date(now.getTime() + 61_000);
  assert.equal(await sender.replace?.({ ...signed, heldFeeUnits: quote + 200n }, watched.sendContext()), null);
  const bumped = await sender.replace?.({ ...signed, heldFeeUnits: 2n * quote }, watched.sendContext());
  assert.equal(bumped?.fee.units, 3_000n);
});

test('twenty payments at once go out over the channels and arrive, each once', async () => {
  await start({ channels: 20 });
  const recipients = Array.from({ length: 20 }, () => newcomer().publicKey());
  const before = recipients.map(lumensOf);
  const signed = [];
  // With memos of their own: otherwise they would travel together.
  for (const [at, to] of recipients.entries())
    signed.push(await prepare(transferTo(to, { memo: `${at}`, memoType: 'id', holder: null })));
  assert.equal(new Set(signed.flatMap(({ uses }) => uses)).size, 40);
  await Promise.all(signed.map((each) => senderOf(watched.connector).broadcast(each)));
  await settle();
  assert.deepEqual(
    signed.map(({ txHash }) => outcomeOf(txHash)),
    Array(20).fill('included'),
  );
  assert.deepEqual(
    recipients.map((to, at) => lumensOf(to) - (before[at] ?? 0n)),
    Array(20).fill(3n * lumen),
  );
});

test('when all channels are in use, the next payment waits for a ledger', async () => {
  const to = newcomer().publicKey();
  const memo = (at: number) => ({ memo: `${at}`, memoType: 'id', holder: null });
  for (let at = 0; at < 4; at += 1)
    await senderOf(watched.connector).broadcast(await prepare(transferTo(to, memo(at))));
  await assert.rejects(prepare(transferTo(to, memo(5))), /a ledger must close first/);
  await settle();
  await send(transferTo(to, memo(5)));
});

test('payments with one memo travel together, up to a hundred, and the bad ones stay behind', async () => {
  const recipients = Array.from({ length: 3 }, () => newcomer(usdcName).publicKey());
  const bad = transferTo(newcomer().publicKey(), { assetCode: 'USDC' });
  const other = transferTo(recipients[1] ?? '', { memo: 'elsewhere', memoType: 'text', holder: null });
  const good = recipients.map((to, at) => transferTo(to, at === 1 ? { assetCode: 'USDC' } : {}));
  const signed = await senderOf(watched.connector).prepare(
    [good[0] as Payout, bad, other, ...good.slice(1)],
    watched.sendContext(),
  );
  assert.deepEqual(
    signed.payoutIds,
    good.map(({ id }) => id),
  );
  await senderOf(watched.connector).broadcast(watched.outgoing.keep(signed));
  await settle();
  assert.equal(outcomeOf(signed.txHash), 'included');
  assert.deepEqual(updateOf(signed.txHash)?.fee.units, 400n);
});

test('a payment that fails in its ledger says why; of several, only the one to blame has failed', async () => {
  const [first, second] = [newcomer(usdcName), newcomer(usdcName)];
  const closeLine = (of: Keypair) => network.send(of, [Operation.changeTrust({ asset: usdc, limit: '0' })]);
  const dollars = (to: Keypair) => transferTo(to.publicKey(), { assetCode: 'USDC' });
  const alone = await prepare(dollars(first));
  closeLine(first);
  network.close();
  await senderOf(watched.connector).broadcast(alone);
  await settle();
  assert.equal(outcomeOf(alone.txHash), 'failed');
  assert.ok(updateOf(alone.txHash)?.block);
  assert.match(updateOf(alone.txHash)?.reason ?? '', /txFailed, paymentNoTrust/);
  assert.equal(updateOf(alone.txHash)?.fee.units, 200n);

  const third = newcomer(usdcName);
  const [toSecond, toThird] = [dollars(second), dollars(third)];
  const together = await prepare(toSecond, toThird);
  closeLine(second);
  network.close();
  await senderOf(watched.connector).broadcast(together);
  await settle();
  assert.equal(outcomeOf(together.txHash), 'expired');
  const [blamed, ...others] = updateOf(together.txHash)?.toBlame ?? [];
  assert.deepEqual([blamed?.payoutId, others], [toSecond.id, []]);
  assert.match(blamed?.reason ?? '', /^Stellar refused it in ledger \d+: paymentNoTrust\.$/);
  assert.equal(outcomeOf((await send(toThird)).txHash), 'included');
});

test('where we had too little by then, nobody is to blame', async () => {
  const [to, other] = [newcomer(usdcName), newcomer(usdcName)].map((each) => each.publicKey());
  const together = await prepare(
    transferTo(to ?? '', { assetCode: 'USDC' }),
    transferTo(other ?? '', { assetCode: 'USDC' }),
  );
  network.send(testStellarKey, [Operation.payment({ destination: to ?? '', asset: usdc, amount: '995' })]);
  network.close();
  await senderOf(watched.connector).broadcast(together);
  await settle();
  assert.deepEqual([outcomeOf(together.txHash), updateOf(together.txHash)?.toBlame], ['expired', []]);
});

test('a batch whose first version failed after a second was signed is over in both', async () => {
  const [to, gone] = [newcomer(usdcName), newcomer(usdcName)];
  const toGone = transferTo(gone.publicKey(), { assetCode: 'USDC' });
  const first = await prepare(transferTo(to.publicKey(), { assetCode: 'USDC' }), toGone);
  now = new Date(now.getTime() + 61_000);
  const sender = senderOf(watched.connector);
  const replacement = await sender.replace?.(first, watched.sendContext());
  assert.ok(replacement);
  watched.outgoing.keep(replacement, first.txHash);
  network.send(gone, [Operation.changeTrust({ asset: usdc, limit: '0' })]);
  network.close();
  await sender.broadcast(first);
  await settle();
  const updates = [first, replacement].map(({ txHash }) => updateOf(txHash));
  assert.deepEqual(
    updates.map((update) => [update?.outcome, update?.fee.units, update?.toBlame?.map(({ payoutId }) => payoutId)]),
    [
      ['expired', 300n, [toGone.id]],
      ['expired', 0n, [toGone.id]],
    ],
  );
});

test('housekeeping opens channels and trustlines; until then the asset cannot be offered', async () => {
  const bare = Keypair.random();
  network.openAccount(bare, '20');
  const change = { account: bare.publicKey(), secret: new Secret(bare.secret()) };
  watched = createWatched(createStellarNetworkConnector(settings(change)));
  watched.outgoing.setClock(() => now);
  const [observed] = await watched.observe();
  const sendable = { XLM: String(19n * lumen), USDC: '0' };
  assert.deepEqual(observed?.facts, { receivable: { USDC: '0' }, sendable });
  assert.deepEqual(await keepHouse(), ['open a trustline', 'open channel accounts']);
  assert.deepEqual((await watched.observe())[0]?.facts?.receivable, undefined);
  const costs = [...watched.outgoing.transactions.values()].map(({ update }) => update?.fee.units);
  assert.deepEqual(costs, [200n, 3n * lumen + 400n], 'what channels are given is gone from the account like a fee');
  assert.equal(network.ledger.entries.trustlines.get(`${bare.publicKey()}/${usdcName}`)?.balance, 0n);
  assert.deepEqual(await keepHouse(), [], 'and then all is well');

  const poor = Keypair.random();
  network.openAccount(poor, '1.2');
  watched = createWatched(
    createStellarNetworkConnector(settings({ account: poor.publicKey(), secret: new Secret(poor.secret()) })),
  );
  await watched.observe();
  await assert.rejects(keepHouse(), NotEnoughFunds);
  assert.deepEqual(await senderOf(watched.connector).housekeeping?.(watched.sendContext()), [], 'said once a minute');
});

test('a claimable balance is claimed once it may be, and counts for the checkout that its payer named', async () => {
  const payer = newcomer();
  const target = await watched.createOwnTarget(1);
  const after = String(now.getTime() / 1000 + 6_000);
  const later = Claimant.predicateNot(Claimant.predicateBeforeAbsoluteTime(after));
  const offer = (amount: string, predicate?: ReturnType<typeof Claimant.predicateUnconditional>) =>
    Operation.createClaimableBalance({ asset: Asset.native(), amount, claimants: [new Claimant(ours, predicate)] });
  const memo = Memo.text(target.memo ?? '');
  const hash = network.send(payer, [offer('2'), offer('1', later), offer('0.0000001')], { memo });
  await settle();
  assert.deepEqual(watched.paymentsTo(target), []);
  assert.deepEqual(await keepHouse(), ['claim a balance']);
  assert.deepEqual(watched.summary(target), [[hash, 2n * lumen, 'in a block']]);
  now = new Date(now.getTime() + 6_001_000);
  await settle();
  assert.deepEqual(await keepHouse(), ['claim a balance']);
  assert.deepEqual(watched.summary(target), [
    [hash, 2n * lumen, 'in a block'],
    [hash, lumen, 'in a block'],
  ]);
});

test('a balance worth claiming is found behind any number that are not, of other assets or too small', async () => {
  const target = await watched.createOwnTarget(1);
  const payer = newcomer();
  const pest = Keypair.random();
  network.openAccount(pest, '5000');
  const claimants = [new Claimant(ours)];
  const offers = (asset: Asset, amount: string, count: number) =>
    Array.from({ length: count }, () => Operation.createClaimableBalance({ asset, amount, claimants }));
  const junk = new Asset('JUNK', pest.publicKey());
  // Thirteen hundred of them: more than one page, and more than one look reads.
  for (let batch = 0; batch < 2; batch += 1) network.send(pest, offers(junk, '1', 100));
  for (let batch = 0; batch < 11; batch += 1) {
    network.send(pest, offers(Asset.native(), '0.0000001', 100));
    network.close();
  }
  const memo = Memo.text(target.memo ?? '');
  const hash = network.send(payer, offers(Asset.native(), '2', 1), { memo });
  await settle();
  const looks = [await keepHouse(), await keepHouse()];
  assert.deepEqual(looks, [[], ['claim a balance']], 'the second look goes on where the first ended');
  assert.deepEqual(watched.summary(target), [[hash, 2n * lumen, 'in a block']]);
  const further = network.send(payer, offers(Asset.native(), '3', 1), { memo });
  await settle();
  assert.deepEqual([await keepHouse(), await keepHouse()].flat(), ['claim a balance'], 'and then from the beginning');
  assert.deepEqual(watched.summary(target), [
    [hash, 2n * lumen, 'in a block'],
    [further, 3n * lumen, 'in a block'],
  ]);
});

test('a sequence number that another transaction took is given up, and the payment is made with the next', async () => {
  const { channelSigners } = await import('@quittance/server/networks/stellar/stellar-channels');
  const [channel] = channelSigners(Buffer.alloc(32, 7), 1);
  const to = newcomer().publicKey();
  const transfer = transferTo(to);
  const signed = await prepare(transfer);
  const rival = await senderOf(watched.connector).prepare(
    [transferTo(to, { memo: '1', memoType: 'id', holder: null })],
    {
      ...watched.sendContext(),
      used: async () => [],
    },
  );
  assert.equal(signed.uses[0], rival.uses[0]);
  assert.ok(channel && signed.uses[0]?.startsWith(channel.accountId));
  await senderOf(watched.connector).broadcast({ ...rival, signedAt: now, block: null });
  await settle();
  await assert.rejects(senderOf(watched.connector).broadcast(signed), /txBadSeq/);
  assert.equal(outcomeOf(signed.txHash), 'expired');
  assert.equal(outcomeOf((await send(transfer)).txHash), 'included');
});

test('the node that does not know our transaction any more does not make it unsent', async () => {
  const signed = await prepare(transferTo(newcomer().publicKey()));
  await senderOf(watched.connector).broadcast(signed);
  network.close();
  const { transactionByHash, transactionByInnerHash } = network.ledger.history;
  transactionByHash.clear();
  transactionByInnerHash.clear();
  network.ledger.history.transactionsByAccount.clear();
  now = new Date(now.getTime() + 3_600_000);
  await settle();
  assert.equal(outcomeOf(signed.txHash), undefined, 'its sequence number is used');
});
