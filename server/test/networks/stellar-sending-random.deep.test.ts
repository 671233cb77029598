/** Whatever happens to nodes, replies, clocks and fees: a transfer on Stellar is made once, and in the end it is made. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testStellarKey } from '@quittance/sandbox/stellar/stellar-harness';
import { sandboxPassphrase, startStellarNetwork } from '@quittance/sandbox/stellar/stellar-network';
import { Secret } from '@quittance/server/lib/secret';
import { senderOf } from '@quittance/server/networks/outgoing-memory';
import { NetworkError } from '@quittance/server/networks/port/connector';
import { NotEnoughFunds, type Payout } from '@quittance/server/networks/port/sending';
import { createStellarNetworkConnector } from '@quittance/server/networks/stellar/stellar';
import { createWatched } from '@quittance/server/test/networks/watched-connector';
import { Keypair } from '@stellar/stellar-sdk';
import fc from 'fast-check';

const transferCount = 6;
const events = ['send', 'sign only', 'broadcast', 'close', 'wait', 'crowd', 'calm', 'replace', 'restart'] as const;

async function tell(story: readonly (typeof events)[number][]): Promise<void> {
  let now = new Date('2026-03-01T12:00:00Z');
  const network = await startStellarNetwork({ user: 'owner', password: 'secret', now: () => now });
  try {
    const payee = Keypair.random();
    network.openAccount(testStellarKey, '1000');
    network.openAccount(payee, '10');
    const connect = () =>
      createStellarNetworkConnector({
        horizonUrl: new Secret(network.url),
        account: testStellarKey.publicKey(),
        passphrase: sandboxPassphrase,
        assets: ['XLM'],
        secret: new Secret(testStellarKey.secret()),
        channels: 2,
      });
    const watched = createWatched(connect());
    watched.outgoing.setClock(() => now);
    const sender = () => senderOf(watched.connector);
    const queued: Payout[] = Array.from({ length: transferCount }, (_, at) => ({
      id: `${at}`,
      address: payee.publicKey(),
      memo: `${at}`,
      memoType: 'id',
      holder: null,
      assetCode: 'XLM',
      units: 10_000_000n,
    }));
    const asked = new Map(queued.map((transfer) => [transfer.id, transfer]));
    const replaced = new Set<string>();

    /** As the service does it: a transfer is free again when no version of its transaction can happen any more. */
    async function observe(): Promise<void> {
      await watched.observe();
      for (const transfer of asked.values()) {
        if (queued.includes(transfer)) continue;
        const versions = [...watched.outgoing.transactions.values()].filter(({ payoutIds }) =>
          payoutIds.includes(transfer.id),
        );
        const isOver = versions.every(({ update }) => update !== null && update.outcome !== 'included');
        if (isOver) queued.push(transfer);
      }
    }
    async function sign(): Promise<string | null> {
      if (queued.length === 0) return null;
      try {
        const signed = watched.outgoing.keep(await sender().prepare(queued, watched.sendContext()));
        const carried = watched.outgoing.transactions.get(signed.txHash)?.payoutIds ?? [];
        for (const id of carried) queued.splice(queued.indexOf(asked.get(id) as Payout), 1);
        return signed.txHash;
      } catch (error) {
        if (error instanceof NotEnoughFunds) return null; // All channels are in use.
        throw error;
      }
    }
    const isOpen = (txHash: string) => watched.outgoing.transactions.get(txHash)?.update === null;
    async function broadcast(txHash: string): Promise<void> {
      try {
        await sender().broadcast(watched.outgoing.asOutgoing(txHash));
      } catch (error) {
        if (!(error instanceof NetworkError)) throw error; // It is uncertain, and will be repeated.
      }
    }
    const open = () => [...watched.outgoing.transactions.keys()].filter((each) => isOpen(each) && !replaced.has(each));

    async function happen(event: (typeof events)[number]): Promise<void> {
      if (event === 'close') network.close();
      if (event === 'wait') now = new Date(now.getTime() + 400_000);
      if (event === 'crowd') network.ledger.demand(800n);
      if (event === 'calm') network.ledger.demand(null);
      if (event === 'restart') watched.restart(connect());
      if (event === 'broadcast') for (const txHash of open()) await broadcast(txHash);
      if (event === 'send' || event === 'sign only') {
        const txHash = await sign();
        if (txHash !== null && event === 'send') await broadcast(txHash);
      }
      if (event === 'replace') {
        for (const txHash of open()) {
          const next = await sender().replace?.(watched.outgoing.asOutgoing(txHash), watched.sendContext());
          if (!next || watched.outgoing.transactions.get(txHash)?.trace['feeRate'] !== '100') continue;
          replaced.add(txHash);
          await broadcast(watched.outgoing.keep(next, txHash).txHash);
        }
      }
      await observe();
    }

    await observe();
    const [opening] = (await sender().housekeeping?.(watched.sendContext())) ?? [];
    assert.ok(opening?.note === 'open channel accounts');
    await broadcast(watched.outgoing.keep(opening).txHash);
    await happen('close');
    for (const event of story) await happen(event);
    await happen('calm');
    for (let round = 0; round < 40 && (queued.length > 0 || open().length > 0); round += 1)
      for (const event of ['send', 'broadcast', 'close', 'wait'] as const) await happen(event);

    const memos = network.ledger.history.transactions
      .filter((record) => record['successful'] === true && record['memo_type'] === 'id')
      .map((record) => String(record['memo']));
    assert.deepEqual(memos.toSorted(), [...asked.keys()].toSorted());
  } finally {
    await network.stop();
  }
}

test('in any order of events every transfer is made exactly once', async () => {
  const stories = fc.array(fc.constantFrom(...events), { minLength: 5, maxLength: 30 });
  const examples: [(typeof events)[number][]][] = [
    // It waits in a crowd for longer than anybody's patience, and gets in after all.
    [['crowd', 'send', 'wait', 'close', 'send', 'calm', 'close']],
    [['crowd', 'send', 'wait', 'replace', 'close', 'restart', 'wait', 'close', 'send', 'calm', 'close']],
    // It is never broadcast, and its time passes.
    [['sign only', 'wait', 'wait', 'close', 'send', 'close', 'broadcast', 'close']],
  ];
  await fc.assert(fc.asyncProperty(stories, tell), { numRuns: 8, examples });
});
