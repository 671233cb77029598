/** The local ledger seen by Stellar's own client library: what it lets through, what it refuses, and in which words. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  Account,
  Asset,
  Claimant,
  Horizon,
  Keypair,
  Memo,
  MuxedAccount,
  Operation,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk';
import { toStroops } from './ledger-entries.ts';
import { type StellarNetwork, sandboxPassphrase, sandboxUsdc, startStellarNetwork } from './stellar-network.ts';

let network: StellarNetwork;
let horizon: Horizon.Server;
let now = new Date('2026-03-01T12:00:00Z');
before(async () => {
  network = await startStellarNetwork({ user: 'owner', password: 'secret', now: () => now });
  horizon = new Horizon.Server(network.url, { allowHttp: true });
});
after(() => network.stop());

const usdc = new Asset(sandboxUsdc.code, sandboxUsdc.issuer);
const usdcKey = `${sandboxUsdc.code}:${sandboxUsdc.issuer}`;
const native = Asset.native();

function newcomer(lumens = '100', ...assets: string[]): Keypair {
  const keypair = Keypair.random();
  network.openAccount(keypair, lumens, ...assets);
  return keypair;
}

const lumensOf = (account: Keypair): bigint => network.ledger.entries.accounts.get(account.publicKey())?.balance ?? 0n;
const heldOf = (account: Keypair, asset: string): bigint | undefined =>
  network.ledger.entries.trustlines.get(`${account.publicKey()}/${asset}`)?.balance;

const payLumens = (to: Keypair, amount: string): xdr.Operation =>
  Operation.payment({ destination: to.publicKey(), asset: native, amount });

/** Through HTTP as any client does it, with the ledger closed by us meanwhile. */
async function submit(envelope: { toXdr(): string }): Promise<any> {
  const answer = fetch(`${network.url}/transactions`, {
    method: 'POST',
    body: new URLSearchParams({ tx: envelope.toXdr() }),
  });
  const timer = setInterval(() => network.close(), 20);
  const reply = await (await answer).json();
  clearInterval(timer);
  return reply;
}

async function codesOf(envelope: { toXdr(): string }): Promise<unknown> {
  return (await submit(envelope)).extras?.result_codes;
}

test('a payment with a memo is in the next ledger, and Horizon tells of it', async () => {
  const [payer, payee] = [newcomer(), newcomer()];
  const hash = network.send(payer, [payLumens(payee, '12.5')], { memo: Memo.text('hello') });
  assert.equal(lumensOf(payee), toStroops('100'));
  network.close();
  assert.equal(lumensOf(payee), toStroops('112.5'));
  assert.equal(lumensOf(payer), toStroops('87.49999'), 'the fee is 100 stroops');

  const { records } = await horizon
    .payments()
    .forAccount(payee.publicKey())
    .join('transactions')
    .order('desc')
    .limit(1)
    .call();
  const [record] = records as any[];
  assert.deepEqual(
    [record.type, record.from, record.to, record.amount, record.asset_type, record.transaction_hash],
    ['payment', payer.publicKey(), payee.publicKey(), '12.5000000', 'native', hash],
  );
  const transaction = await horizon.transactions().transaction(hash).call();
  assert.deepEqual([transaction.memo_type, transaction.memo, transaction.successful], ['text', 'hello', true]);
});

test('a signature is needed, the right one, and no other', async () => {
  const [payer, stranger] = [newcomer(), newcomer()];
  const unsigned = network.build(payer, [payLumens(stranger, '1')]);
  unsigned.signatures.length = 0;
  assert.deepEqual(await codesOf(unsigned), { transaction: 'tx_bad_auth' });
  const byStranger = network.build(stranger, [payLumens(stranger, '1')], { source: payer.publicKey() });
  assert.deepEqual(await codesOf(byStranger), { transaction: 'tx_bad_auth' });
  const byBoth = network.build(payer, [payLumens(stranger, '1')]);
  byBoth.sign(stranger);
  assert.deepEqual(await codesOf(byBoth), { transaction: 'tx_bad_auth_extra' });
  const forAnother = network.build(payer, [
    Operation.payment({ destination: payer.publicKey(), asset: native, amount: '1', source: stranger.publicKey() }),
  ]);
  assert.deepEqual(await codesOf(forAnother), { transaction: 'tx_failed', operations: ['op_bad_auth'] });
});

test('sequence, fee and time bounds are checked at the door, and cost nothing', async () => {
  const payer = newcomer();
  const build = (sequence: bigint, fee: string, timeout: { minTime: number; maxTime: number }) => {
    const account = new Account(payer.publicKey(), String(sequence));
    const tx = new TransactionBuilder(account, { fee, networkPassphrase: sandboxPassphrase, timebounds: timeout })
      .addOperation(payLumens(payer, '1'))
      .build();
    tx.sign(payer);
    return tx;
  };
  const sequence = network.ledger.nextSequence(payer.publicKey()) - 1n;
  const seconds = now.getTime() / 1000;
  const always = { minTime: 0, maxTime: 0 };
  assert.deepEqual(await codesOf(build(sequence + 1n, '100', always)), { transaction: 'tx_bad_seq' });
  assert.deepEqual(await codesOf(build(sequence, '99', always)), { transaction: 'tx_insufficient_fee' });
  assert.deepEqual(await codesOf(build(sequence, '100', { minTime: 0, maxTime: seconds - 1 })), {
    transaction: 'tx_too_late',
  });
  assert.deepEqual(await codesOf(build(sequence, '100', { minTime: seconds + 60, maxTime: 0 })), {
    transaction: 'tx_too_early',
  });
  assert.equal(lumensOf(payer), toStroops('100'));
  const elsewhere = new TransactionBuilder(new Account(payer.publicKey(), String(sequence)), {
    fee: '100',
    networkPassphrase: 'another network',
  })
    .addOperation(payLumens(payer, '1'))
    .setTimeout(0)
    .build();
  elsewhere.sign(payer);
  assert.deepEqual(await codesOf(elsewhere), { transaction: 'tx_bad_auth' });
});

test('a transaction that fails in its ledger changes nothing but the fee and the sequence', async () => {
  const [payer, payee] = [newcomer(), newcomer()];
  const tooMuch = network.build(payer, [payLumens(payee, '5'), payLumens(payee, '98')], { fee: '100' });
  const reply = await submit(tooMuch);
  assert.equal(reply.type, 'https://stellar.org/horizon-errors/transaction_failed');
  assert.deepEqual(reply.extras.result_codes, {
    transaction: 'tx_failed',
    operations: ['op_success', 'op_underfunded'],
  });
  assert.equal(lumensOf(payer), toStroops('99.99998'));
  assert.equal(lumensOf(payee), toStroops('100'));
  const { records } = await horizon.operations().forAccount(payee.publicKey()).call();
  assert.deepEqual(
    records.map(({ type }) => type),
    ['create_account'],
  );
});

test('an account keeps its reserve', async () => {
  const [payer, payee] = [newcomer('2'), newcomer()];
  // Two base reserves of 0.5, and the fee.
  assert.deepEqual(await codesOf(network.build(payer, [payLumens(payee, '1')])), {
    transaction: 'tx_failed',
    operations: ['op_underfunded'],
  });
  assert.equal((await submit(network.build(payer, [payLumens(payee, '0.9999')]))).successful, true);
  const poor = newcomer('1.2');
  assert.deepEqual(await codesOf(network.build(poor, [Operation.changeTrust({ asset: usdc })])), {
    transaction: 'tx_failed',
    operations: ['op_low_reserve'],
  });
});

test('an asset needs a trustline with room for it', async () => {
  const [without, small] = [newcomer(), newcomer()];
  network.send(small, [Operation.changeTrust({ asset: usdc, limit: '5' })]);
  network.close();
  const payUsdc = (to: Keypair, amount: string) =>
    Operation.payment({ destination: to.publicKey(), asset: usdc, amount });
  const { root } = network.ledger;
  assert.deepEqual(await codesOf(network.build(root, [payUsdc(without, '1')])), {
    transaction: 'tx_failed',
    operations: ['op_no_trust'],
  });
  assert.deepEqual(await codesOf(network.build(root, [payUsdc(small, '6')])), {
    transaction: 'tx_failed',
    operations: ['op_line_full'],
  });
  assert.deepEqual(await codesOf(network.build(without, [payUsdc(small, '1')])), {
    transaction: 'tx_failed',
    operations: ['op_src_no_trust'],
  });
  assert.deepEqual(await codesOf(network.build(root, [payLumens(Keypair.random(), '1')])), {
    transaction: 'tx_failed',
    operations: ['op_no_destination'],
  });
  assert.equal((await submit(network.build(root, [payUsdc(small, '5')]))).successful, true);
  assert.equal(heldOf(small, usdcKey), toStroops('5'));
});

test('thresholds ask for more than one signature, and for more power to change the signers', async () => {
  const [treasury, clerk, payee] = [newcomer(), newcomer(), newcomer()];
  const signer = { ed25519PublicKey: clerk.publicKey(), weight: 1 };
  network.send(treasury, [Operation.setOptions({ signer, medThreshold: 2, highThreshold: 2 })]);
  network.close();
  assert.deepEqual(await codesOf(network.build(treasury, [payLumens(payee, '1')])), {
    transaction: 'tx_failed',
    operations: ['op_bad_auth'],
  });
  const byBoth = network.build(treasury, [payLumens(payee, '1')]);
  byBoth.sign(clerk);
  assert.equal((await submit(byBoth)).successful, true);
  const bump = Operation.bumpSequence({ bumpTo: '0' });
  assert.equal(
    (await submit(network.build(clerk, [bump], { source: treasury.publicKey() }))).successful,
    true,
    'low security',
  );
});

test('a fee bump lets another account pay, if it offers enough', async () => {
  const [poor, sponsor] = [newcomer('1'), newcomer()];
  const inner = network.build(poor, [Operation.bumpSequence({ bumpTo: '0' })]);
  assert.deepEqual(await codesOf(inner), { transaction: 'tx_insufficient_balance' });
  const bump = TransactionBuilder.buildFeeBumpTransaction(sponsor, '200', inner, sandboxPassphrase);
  bump.sign(sponsor);
  const record = await submit(bump);
  assert.equal(record.successful, true);
  assert.equal(record.fee_account, sponsor.publicKey());
  assert.equal(lumensOf(sponsor), toStroops('99.99998'), 'one operation and the bump itself');
  const broken = network.build(poor, [payLumens(sponsor, '1')]);
  const second = TransactionBuilder.buildFeeBumpTransaction(sponsor, '200', broken, sandboxPassphrase);
  second.sign(sponsor);
  assert.deepEqual(await codesOf(second), {
    transaction: 'tx_fee_bump_inner_failed',
    inner_transaction: 'tx_failed',
    operations: ['op_underfunded'],
  });
});

test('offers cross, and path payments go over what is left', async () => {
  const issuer = newcomer('1000');
  const coin = new Asset('COIN', issuer.publicKey());
  const coinKey = `COIN:${issuer.publicKey()}`;
  const [maker, payer, payee] = [newcomer('1000', coinKey), newcomer('1000', coinKey), newcomer('10', coinKey)];
  network.send(issuer, [Operation.payment({ destination: maker.publicKey(), asset: coin, amount: '500' })]);
  network.close();
  network.send(maker, [Operation.manageSellOffer({ selling: coin, buying: native, amount: '100', price: '2' })]);
  network.close();
  // Bids 2.5 for 40: takes them from the book at 2.
  network.send(payer, [Operation.manageSellOffer({ selling: native, buying: coin, amount: '80', price: '0.4' })]);
  network.close();
  assert.equal(heldOf(payer, coinKey), toStroops('40'));
  assert.equal(lumensOf(payer), toStroops('919.99998'));

  const found = await horizon.strictReceivePaths([native], coin, '10').call();
  assert.deepEqual(
    found.records.map((path) => path.source_amount),
    ['20.0000000'],
  );
  const receive = Operation.pathPaymentStrictReceive({
    sendAsset: native,
    sendMax: '20',
    destination: payee.publicKey(),
    destAsset: coin,
    destAmount: '10',
    path: [],
  });
  assert.equal((await submit(network.build(payer, [receive]))).successful, true);
  assert.equal(heldOf(payee, coinKey), toStroops('10'));
  const send = Operation.pathPaymentStrictSend({
    sendAsset: native,
    sendAmount: '10',
    destination: payee.publicKey(),
    destAsset: coin,
    destMin: '5',
    path: [],
  });
  assert.equal((await submit(network.build(payer, [send]))).successful, true);
  assert.equal(heldOf(payee, coinKey), toStroops('15'));
  const dear = Operation.pathPaymentStrictReceive({
    sendAsset: native,
    sendMax: '1',
    destination: payee.publicKey(),
    destAsset: coin,
    destAmount: '10',
    path: [],
  });
  assert.deepEqual(await codesOf(network.build(payer, [dear])), {
    transaction: 'tx_failed',
    operations: ['op_over_source_max'],
  });
  const tooMany = Operation.pathPaymentStrictReceive({
    sendAsset: native,
    sendMax: '900',
    destination: payee.publicKey(),
    destAsset: coin,
    destAmount: '400',
    path: [],
  });
  assert.deepEqual(await codesOf(network.build(payer, [tooMany])), {
    transaction: 'tx_failed',
    operations: ['op_too_few_offers'],
  });
});

test('what rounding leaves of an order that the book could fill is not put on the book', async () => {
  const issuer = newcomer('1000');
  const coin = new Asset('COIN', issuer.publicKey());
  const [maker, taker] = [
    newcomer('1000', `COIN:${issuer.publicKey()}`),
    newcomer('1000', `COIN:${issuer.publicKey()}`),
  ];
  network.send(issuer, [Operation.payment({ destination: maker.publicKey(), asset: coin, amount: '500' })]);
  network.close();
  const price = { n: 1_000, d: 3 }; // Lumens for a coin: not every amount of lumens buys a whole unit.
  network.send(maker, [Operation.manageSellOffer({ selling: coin, buying: native, amount: '1', price })]);
  network.close();
  const bid = { n: 1, d: 400 };
  network.send(taker, [Operation.manageSellOffer({ selling: native, buying: coin, amount: '0.1000', price: bid })]);
  network.close();
  const offers = [...network.ledger.entries.offers.values()];
  assert.ok((heldOf(taker, `COIN:${issuer.publicKey()}`) ?? 0n) > 0n);
  assert.deepEqual(
    offers.filter(({ seller }) => seller === taker.publicKey()),
    [],
  );
  assert.deepEqual(
    await codesOf(
      network.build(taker, [
        Operation.manageSellOffer({ selling: usdc, buying: coin, amount: '1', price: bid, offerId: '9' }),
      ]),
    ),
    { transaction: 'tx_failed', operations: ['op_sell_no_trust'] },
    'trust is asked about before the offer',
  );
});

test('what an offer promises cannot be spent', async () => {
  const [maker, payee] = [newcomer('100', usdcKey), newcomer()];
  network.send(maker, [Operation.manageSellOffer({ selling: native, buying: usdc, amount: '90', price: '0.1' })]);
  network.close();
  assert.deepEqual(await codesOf(network.build(maker, [payLumens(payee, '10')])), {
    transaction: 'tx_failed',
    operations: ['op_underfunded'],
  });
});

test('a claimable balance waits for whom it is for, and for its time', async () => {
  const [payer, payee, stranger] = [newcomer(), newcomer(), newcomer()];
  const deadline = String(now.getTime() / 1000 + 60);
  const claimants = [new Claimant(payee.publicKey(), Claimant.predicateBeforeAbsoluteTime(deadline))];
  const create = network.build(payer, [Operation.createClaimableBalance({ asset: native, amount: '7', claimants })]);
  const balanceId = create.getClaimableBalanceId(0);
  assert.equal((await submit(create)).successful, true);
  const { records } = await horizon.claimableBalances().claimant(payee.publicKey()).call();
  assert.deepEqual(
    records.map(({ id, amount }) => [id, amount]),
    [[balanceId, '7.0000000']],
  );
  const claim = Operation.claimClaimableBalance({ balanceId });
  assert.deepEqual(await codesOf(network.build(stranger, [claim])), {
    transaction: 'tx_failed',
    operations: ['op_cannot_claim'],
  });
  assert.equal((await submit(network.build(payee, [claim]))).successful, true);
  assert.equal(lumensOf(payee), toStroops('106.99999'));
  assert.deepEqual(await codesOf(network.build(payee, [claim])), {
    transaction: 'tx_failed',
    operations: ['op_does_not_exist'],
  });

  const late = network.build(payer, [Operation.createClaimableBalance({ asset: native, amount: '7', claimants })]);
  const lateId = late.getClaimableBalanceId(0);
  await submit(late);
  now = new Date(now.getTime() + 61_000);
  assert.deepEqual(await codesOf(network.build(payee, [Operation.claimClaimableBalance({ balanceId: lateId })])), {
    transaction: 'tx_failed',
    operations: ['op_cannot_claim'],
  });
});

test('a merged account is gone with all it had', async () => {
  const [leaver, heir] = [newcomer(), newcomer()];
  network.send(leaver, [Operation.changeTrust({ asset: usdc })]);
  network.close();
  const merge = Operation.accountMerge({ destination: heir.publicKey() });
  assert.deepEqual(await codesOf(network.build(leaver, [merge])), {
    transaction: 'tx_failed',
    operations: ['op_has_sub_entries'],
  });
  assert.equal(
    (await submit(network.build(leaver, [Operation.changeTrust({ asset: usdc, limit: '0' }), merge], { fee: '100' })))
      .successful,
    true,
  );
  assert.equal(lumensOf(heir), toStroops('199.99996'));
  await assert.rejects(horizon.loadAccount(leaver.publicKey()), /Not Found/);
});

test('a muxed address is an account with a number', async () => {
  const [payer, payee] = [newcomer(), newcomer()];
  const muxed = new MuxedAccount(new Account(payee.publicKey(), '0'), '18446744073709551615').accountId();
  await submit(network.build(payer, [Operation.payment({ destination: muxed, asset: native, amount: '3' })]));
  const { records } = await horizon.payments().forAccount(payee.publicKey()).order('desc').limit(1).call();
  const [record] = records as any[];
  assert.deepEqual(
    [record.to, record.to_muxed, record.to_muxed_id],
    [payee.publicKey(), muxed, '18446744073709551615'],
  );
});
