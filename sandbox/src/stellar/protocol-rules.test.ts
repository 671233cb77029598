/** Rules of the protocol that the local ledger lacked when it was compared with stellar-core. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Account, Asset, Keypair, Operation, TransactionBuilder, type xdr } from '@stellar/stellar-sdk';
import { toStroops } from './ledger-entries.ts';
import { type StellarNetwork, sandboxPassphrase, sandboxUsdc, startStellarNetwork } from './stellar-network.ts';

let network: StellarNetwork;
let now = new Date('2026-03-01T12:00:00Z');
before(async () => {
  network = await startStellarNetwork({ user: 'owner', password: 'secret', now: () => now });
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

const payLumens = (to: Keypair, amount: string): xdr.Operation =>
  Operation.payment({ destination: to.publicKey(), asset: native, amount });

async function submit(envelope: { toXdr(): string }): Promise<any> {
  const body = new URLSearchParams({ tx: envelope.toXdr() });
  const answer = fetch(`${network.url}/transactions`, { method: 'POST', body });
  const timer = setInterval(() => network.close(), 20);
  const reply = await (await answer).json();
  clearInterval(timer);
  return reply;
}

async function codesOf(envelope: { toXdr(): string }): Promise<any> {
  return (await submit(envelope)).extras?.result_codes;
}

test('a transaction whose time is over while it waits is left out, and costs nothing', async () => {
  const payer = newcomer();
  const account = new Account(payer.publicKey(), String(network.ledger.nextSequence(payer.publicKey()) - 1n));
  const seconds = Math.floor(now.getTime() / 1000);
  const tx = new TransactionBuilder(account, {
    fee: '100',
    networkPassphrase: sandboxPassphrase,
    timebounds: { minTime: 0, maxTime: seconds + 10 },
  })
    .addOperation(payLumens(payer, '1'))
    .build();
  tx.sign(payer);
  network.ledger.submit(tx.toXdr());
  now = new Date(now.getTime() + 11_000);
  network.close();
  assert.equal(network.ledger.history.transactionByHash.has(Buffer.from(tx.hash()).toString('hex')), false);
  assert.equal(lumensOf(payer), toStroops('100'));
});

test('what the protocol refuses in flags, names, limits and old envelopes is refused', async () => {
  const payer = newcomer();
  const codeOf = async (operation: xdr.Operation) => (await codesOf(network.build(payer, [operation]))).operations;
  assert.deepEqual(await codeOf(Operation.changeTrust({ asset: usdc, limit: '0' })), ['op_invalid_limit']);
  const clawback = 8 as const;
  assert.deepEqual(await codeOf(Operation.setOptions({ setFlags: clawback })), ['op_auth_revocable_required']); // CAP-35
  assert.deepEqual(await codeOf(Operation.setOptions({ homeDomain: 'quittance.ex\u00e4mple' })), [
    'op_invalid_home_domain',
  ]);
  assert.deepEqual(await codeOf(Operation.manageData({ name: 'tab\t', value: 'x' })), ['op_data_invalid_name']);
  const inflationDest = Keypair.random().publicKey();
  assert.deepEqual(await codeOf(Operation.setOptions({ inflationDest })), ['op_invalid_inflation']);
});

test('lumens that an offer has promised pay no fee', async () => {
  const maker = newcomer('2.50001', usdcKey);
  network.send(maker, [Operation.manageSellOffer({ selling: native, buying: usdc, amount: '0.49999', price: '1' })]);
  network.close();
  assert.deepEqual(await codesOf(network.build(maker, [Operation.bumpSequence({ bumpTo: '0' })])), {
    transaction: 'tx_insufficient_balance',
  });
});

test('an asset goes back to its issuer, also to one that is gone', async () => {
  const issuer = newcomer();
  const coin = new Asset('COIN', issuer.publicKey());
  const holder = newcomer('10', `COIN:${issuer.publicKey()}`);
  network.send(issuer, [Operation.payment({ destination: holder.publicKey(), asset: coin, amount: '5' })]);
  network.close();
  network.send(issuer, [Operation.accountMerge({ destination: holder.publicKey() })]);
  network.close();
  const back = Operation.payment({ destination: issuer.publicKey(), asset: coin, amount: '5' });
  assert.equal((await submit(network.build(holder, [back]))).successful, true);
});
