/** The local ledger as a server: its queue, its streams, its errors, and what it keeps. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Asset, Claimant, Horizon, Keypair, Operation, TransactionBuilder, xdr } from '@stellar/stellar-sdk';
import { type StellarNetwork, sandboxPassphrase, sandboxUsdc, startStellarNetwork } from './stellar-network.ts';
import { SubmissionRefused } from './transaction-outcome.ts';

let network: StellarNetwork;
let horizon: Horizon.Server;
const now = new Date('2026-03-01T12:00:00Z');
before(async () => {
  network = await startStellarNetwork({ user: 'owner', password: 'secret', now: () => now });
  horizon = new Horizon.Server(network.url, { allowHttp: true });
});
after(() => network.stop());

const usdc = new Asset(sandboxUsdc.code, sandboxUsdc.issuer);
const usdcKey = `${sandboxUsdc.code}:${sandboxUsdc.issuer}`;

function newcomer(): Keypair {
  const keypair = Keypair.random();
  network.openAccount(keypair, '100');
  return keypair;
}

const payLumens = (to: Keypair, amount: string): xdr.Operation =>
  Operation.payment({ destination: to.publicKey(), asset: Asset.native(), amount });

async function post(path: string, envelope: string): Promise<any> {
  const reply = await fetch(`${network.url}${path}`, { method: 'POST', body: new URLSearchParams({ tx: envelope }) });
  return reply.json();
}

test('an account can have one transaction waiting, as with stellar-core', async () => {
  const payer = newcomer();
  network.send(payer, [payLumens(payer, '1')]);
  const reply = await post('/transactions_async', network.build(payer, [payLumens(payer, '1')]).toXdr());
  assert.equal(reply.tx_status, 'TRY_AGAIN_LATER');
  network.close();
});

test('a fee bump takes the place of a waiting transaction at ten times its fee, and both hashes lead to it', async () => {
  const [payer, sponsor] = [newcomer(), newcomer()];
  const inner = network.build(payer, [payLumens(payer, '1')]);
  const bumped = (fee: string) => {
    const tx = TransactionBuilder.buildFeeBumpTransaction(sponsor, fee, inner, sandboxPassphrase);
    tx.sign(sponsor);
    return tx;
  };
  network.ledger.demand(1_000n);
  const first = bumped('100');
  assert.equal((await post('/transactions_async', first.toXdr())).tx_status, 'PENDING');
  assert.equal((await post('/transactions_async', first.toXdr())).tx_status, 'DUPLICATE');
  network.close();
  const shy = await post('/transactions_async', bumped('999').toXdr());
  const result = xdr.TransactionResult.fromXdr(shy.error_result_xdr, 'base64').result;
  assert.deepEqual([shy.tx_status, result.type], ['ERROR', 'txInsufficientFee']);
  const second = bumped('1000');
  assert.equal((await post('/transactions_async', second.toXdr())).tx_status, 'PENDING');
  network.close();
  network.ledger.demand(null);
  const [outer, inside] = [second.hash(), inner.hash()].map((hash) => Buffer.from(hash).toString('hex'));
  for (const hash of [outer, inside]) {
    const record: any = await (await fetch(`${network.url}/transactions/${hash}`)).json();
    assert.deepEqual([record.hash, record.fee_bump_transaction.hash, record.fee_charged], [hash, outer, '2000']);
  }
  const loser = Buffer.from(first.hash()).toString('hex');
  assert.equal((await fetch(`${network.url}/transactions/${loser}`)).status, 404);
});

test('what ledger after ledger leaves out is forgotten, and not wanted for a while', async () => {
  const payer = newcomer();
  const cheap = network.build(payer, [payLumens(payer, '1')]).toXdr();
  network.ledger.demand(1_000n);
  await post('/transactions_async', cheap);
  network.close(4);
  assert.equal((await post('/transactions_async', cheap)).tx_status, 'TRY_AGAIN_LATER');
  network.close(10);
  assert.equal((await post('/transactions_async', cheap)).tx_status, 'PENDING');
  network.ledger.demand(null);
  network.close();
});

test('a stream tells what comes, and goes on where a client was cut off', async () => {
  const payee = newcomer();
  const url = `${network.url}/accounts/${payee.publicKey()}/payments?cursor=now`;
  async function firstEvents(count: number, headers: Record<string, string>): Promise<string[]> {
    const abort = new AbortController();
    const response = await fetch(url, { headers: { accept: 'text/event-stream', ...headers }, signal: abort.signal });
    const ids: string[] = [];
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      ids.push(
        ...Array.from(
          Buffer.from(chunk)
            .toString('utf8')
            .matchAll(/^id: (\d+)$/gm),
          ([, id]) => id ?? '',
        ),
      );
      if (ids.length >= count) break;
      if (ids.length === 0) {
        network.pay(null, { address: payee.publicKey(), units: 10n });
        network.close();
      }
    }
    abort.abort();
    return ids;
  }
  const [first = ''] = await firstEvents(1, {});
  network.pay(null, { address: payee.publicKey(), units: 10n });
  network.close();
  const [second = ''] = await firstEvents(1, { 'last-event-id': first });
  assert.ok(BigInt(second) > BigInt(first));
  const { records } = await horizon.payments().forAccount(payee.publicKey()).cursor(first).call();
  assert.equal(records[0]?.id, second, 'nothing was left out between the two');
});

test('what is malformed is refused in words that a client can read', async () => {
  const reply = await post('/transactions', 'AAAA');
  assert.deepEqual([reply.status, reply.type], [400, 'https://stellar.org/horizon-errors/transaction_malformed']);
  const limit: any = await (await fetch(`${network.url}/ledgers?limit=500`)).json();
  assert.deepEqual([limit.status, limit.extras.invalid_field], [400, 'limit']);
  const [payer, payee] = [newcomer(), newcomer()];
  const clawback = Operation.clawback({ asset: usdc, amount: '1', from: payee.publicKey() });
  assert.throws(() => network.send(payer, [clawback]), SubmissionRefused);
});

test('a ledger survives the end of its process', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-stellar-'));
  const options = { user: 'owner', password: 'secret', folder, now: () => now };
  const first = await startStellarNetwork(options);
  const account = Keypair.random();
  first.openAccount(account, '50', usdcKey);
  first.pay('x', { address: account.publicKey(), units: 70n, asset: usdcKey });
  first.close(3);
  const { latest } = first.ledger.history;
  const before = latest();
  await first.stop();
  const second = await startStellarNetwork(options);
  assert.deepEqual(second.ledger.history.latest(), before);
  assert.equal(second.ledger.entries.trustlines.get(`${account.publicKey()}/${usdcKey}`)?.balance, 70n);
  await second.stop();
  await rm(folder, { recursive: true });
});

test('a ledger that closes by itself never goes back to a number that somebody may have read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-stellar-'));
  let time = now.getTime();
  const options = { user: 'owner', password: 'secret', folder, now: () => new Date(time), closeEveryMs: 10 };
  const first = await startStellarNetwork(options);
  const started = first.ledger.history.latest().sequence;
  while (first.ledger.history.latest().sequence < started + 5) await new Promise((resolve) => setTimeout(resolve, 10));
  const read = first.ledger.history.latest().sequence;
  await first.stop();
  time += 1_000;
  const second = await startStellarNetwork(options);
  assert.ok(second.ledger.history.latest().sequence > read);
  await second.stop();
  await rm(folder, { recursive: true });
});

test('an asset is told with all that is held of it, in accounts and in balances to be claimed', async () => {
  const [issuer, holder, stranger] = [newcomer(), newcomer(), newcomer()];
  const gold = new Asset('GOLD', issuer.publicKey());
  assert.deepEqual((await horizon.assets().forIssuer(issuer.publicKey()).call()).records, []);
  network.openAccount(holder, '100', `GOLD:${issuer.publicKey()}`);
  network.send(issuer, [
    Operation.payment({ destination: holder.publicKey(), asset: gold, amount: '10' }),
    Operation.createClaimableBalance({ asset: gold, amount: '2.5', claimants: [new Claimant(holder.publicKey())] }),
  ]);
  network.close();
  network.send(issuer, [Operation.setOptions({ setFlags: 1 })]); // From now on whoever wants to hold it must ask.
  network.close();
  network.openAccount(stranger, '100', `GOLD:${issuer.publicKey()}`);
  const { records } = await horizon.assets().forCode('GOLD').forIssuer(issuer.publicKey()).call();
  assert.equal(records.length, 1);
  const [found] = records;
  assert.deepEqual(found?.balances, {
    authorized: '10.0000000',
    authorized_to_maintain_liabilities: '0.0000000',
    unauthorized: '0.0000000',
  });
  assert.deepEqual([found?.accounts.authorized, found?.accounts.unauthorized], [1, 1]);
  assert.deepEqual(
    [found?.claimable_balances_amount, found?.num_claimable_balances, found?.asset_type, found?.paging_token],
    ['2.5000000', 1, 'credit_alphanum4', `GOLD_${issuer.publicKey()}_credit_alphanum4`],
  );
});
