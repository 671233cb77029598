/**
 * A real Litecoin Core on its own regression-test chain, for the conformance suite. Payments are signed here and not by
 * the node's wallet, which would send again by itself what a test wants to be forgotten.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@quittance/server/lib/free-port';
import { Secret } from '@quittance/server/lib/secret';
import { unitsOf } from '@quittance/server/networks/families/utxo/utxo-block';
import type { UtxoSettings } from '@quittance/server/networks/families/utxo/utxo-connector';
import { createUtxoRpc, type UtxoRpc } from '@quittance/server/networks/families/utxo/utxo-rpc';
import type { Connector } from '@quittance/server/networks/port/connector';
import type { SendingHarness } from '@quittance/server/test/networks/sending-conformance';
import { createFaucetWallet, type FaucetCoin, type Payment, walletOf } from './faucet-wallet.ts';
import { sendingSide, testAccountKey, testAccountSecret, toPayment } from './utxo-chain-harness.ts';
import type { UtxoCoin } from './utxo-coin.ts';

// Debian's /usr/bin/litecoind is a wrapper that starts something else; the program itself is in /usr/lib.
const places = ['/usr/lib/litecoin/litecoind', '/usr/local/bin/litecoind', '/opt/litecoin/bin/litecoind'];

export const findLitecoind = (): string | undefined => places.find((place) => existsSync(place));

export type Litecoind = { readonly rpc: UtxoRpc; readonly url: string; stop(): Promise<void>; start(): Promise<void> };

export async function startLitecoind(program: string, folder: string): Promise<Litecoind> {
  const port = await freePort('127.0.0.1');
  const url = `http://test:test@127.0.0.1:${port}`;
  const rpc = createUtxoRpc(url, 30_000);
  let child: ChildProcess;

  async function start(): Promise<void> {
    const flags = [
      '-regtest',
      `-datadir=${folder}`,
      '-conf=/dev/null',
      '-server=1',
      '-listen=0',
      '-connect=0',
      '-dnsseed=0',
      '-discover=0',
      '-upnp=0',
      '-disablewallet=1',
      '-rpcbind=127.0.0.1',
      '-rpcallowip=127.0.0.1',
      `-rpcport=${port}`,
      '-rpcuser=test',
      '-rpcpassword=test',
      '-rpcservertimeout=1', // Otherwise it waits half a minute for our idle connections before it ends.
      '-txindex=0', // The connector must work without it, so that a pruned node is enough.
      '-printtoconsole=0',
      '-mempoolreplacement=1', // Otherwise this version accepts no replacement at all.
      '-vbparams=mweb:4000000000:4100000000', // Otherwise mining stops when the extension blocks begin.
    ];
    child = spawn(program, flags, { stdio: 'ignore' });
    // A test process that dies takes its node with it.
    const started = child;
    const killIt = () => started.kill('SIGKILL');
    process.once('exit', killIt);
    started.once('exit', () => process.off('exit', killIt));
    for (let attempt = 0; attempt < 6_000; attempt += 1) {
      try {
        await rpc.call('getblockchaininfo');
        return;
      } catch {
        if (child.exitCode !== null) throw new Error(`litecoind ended with ${child.exitCode} while starting`);
        await sleep(50);
      }
    }
    throw new Error('litecoind runs, but does not answer');
  }

  await start();
  return {
    rpc,
    url,
    start,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      await rpc.call('stop');
      await ended;
    },
  };
}

/** The dust limit of a p2wpkh output: ten times Bitcoin's. */
const dustUnits = 2_940n;

export type LitecoindHarness = Required<Omit<SendingHarness, 'settledAfterBlocks' | 'documents'>> &
  Pick<Litecoind, 'url' | 'rpc'>;

/**
 * `coin`: Litecoin, or another that plays by its rules here: with the version bytes of Litecoin's regtest chain, and
 * nothing below the node's dust limit.
 */
export async function startLitecoindHarness(
  program: string,
  coin: UtxoCoin,
  assetCode: string,
  createConnector: (settings: UtxoSettings) => Connector,
): Promise<LitecoindHarness> {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-litecoind-'));
  const node = await startLitecoind(program, folder);
  const { rpc } = node;
  const faucet = createFaucetWallet(coin);
  const signedBy = new Map<string, { coins: readonly FaucetCoin[]; fee: bigint }>();
  const sending = sendingSide(coin, rpc);
  const ordinaryUnits = 1_234_567n;
  let demandedRate = 0n;
  await rpc.call('generatetoaddress', 140, faucet.address);

  /** The faucet's confirmed coins that nothing in the mempool spends yet. */
  async function spendableCoins(count: number): Promise<FaucetCoin[]> {
    type Unspent = { txid: string; vout: number; amount: number; height: number };
    const scan = await rpc.call<{ unspents: Unspent[] }>('scantxoutset', 'start', [`addr(${faucet.address})`]);
    const chosen: FaucetCoin[] = [];
    for (const { txid, vout, amount } of scan.unspents.sort((a, b) => a.height - b.height)) {
      if (chosen.length === count) break;
      const output = await rpc.call<{ coinbase: boolean; confirmations: number } | null>('gettxout', txid, vout, true);
      if (!output || (output.coinbase && output.confirmations <= 100) || unitsOf(amount) < 100_000_000n) continue;
      chosen.push({ outpoint: `${txid}:${vout}`, units: unitsOf(amount) });
    }
    if (chosen.length < count) throw new Error('the faucet has too few spendable coins');
    return chosen;
  }

  async function send(coins: readonly FaucetCoin[], payments: readonly Payment[], fee: bigint): Promise<string> {
    const signed = faucet.sign(coins, payments, fee);
    await rpc.call('sendrawtransaction', signed.hex);
    signedBy.set(signed.txid, { coins, fee });
    return signed.txid;
  }

  async function pay(...payments: readonly Payment[]): Promise<string> {
    const [spent] = await spendableCoins(1);
    return send([spent as FaucetCoin], payments, faucet.feeFor(1, payments.length));
  }

  /** By itself the node would mine every transaction that it has, so it is told what to put into its blocks. */
  async function mine(count: number): Promise<void> {
    if (demandedRate === 0n) return void (await rpc.call('generatetoaddress', count, faucet.address));
    for (let mined = 0; mined < count; mined += 1) {
      type Entry = { vsize: number; fees: { base: number } };
      const waiting = Object.entries(await rpc.call<Record<string, Entry>>('getrawmempool', true));
      const paying = waiting.filter(
        ([, { vsize, fees }]) => unitsOf(fees.base) * 1_000n >= demandedRate * BigInt(vsize),
      );
      await rpc.call(
        'generateblock',
        faucet.address,
        paying.map(([txid]) => txid),
      );
    }
  }

  async function forgetMempool(): Promise<void> {
    await node.stop();
    await rm(join(folder, 'regtest', 'mempool.dat'));
    await node.start();
  }

  return {
    url: node.url,
    rpc,
    asset: `${assetCode}:NATIVE`,
    assetCode,
    ordinaryUnits,
    smallestUnits: coin.dustUnits > dustUnits ? coin.dustUnits : dustUnits,
    createConnector: () =>
      createConnector({
        rpcUrl: new Secret(node.url),
        xpub: testAccountKey,
        xprv: testAccountSecret,
        chain: 'regtest',
      }),
    ...sending,
    fund: (watched) =>
      sending.fund(watched, { ordinaryUnits, mine, pay: (...payments) => pay(...payments.map(toPayment)) }),
    async stick() {
      demandedRate = coin.feeRate * 3n; // One and a half times what the connector pays when a node has no estimate.
    },
    async unstick() {
      demandedRate = 0n;
    },
    stuckAfterMs: 30 * 60_000,
    pay: (...payments) => pay(...payments.map(toPayment)),
    async payEach(payments) {
      // One coin for each: a node relays no more than 25 unconfirmed transactions in a row.
      const parts = payments.map(({ units }) => ({ address: faucet.address, units: units + 10_000n }));
      const split = await pay(...parts);
      await rpc.call('generatetoaddress', 1, faucet.address);
      for (const [at, payment] of payments.entries()) {
        const part = { outpoint: `${split}:${at}`, units: payment.units + 10_000n };
        await send([part], [toPayment(payment)], 10_000n);
      }
    },
    mine,
    async reorganise(depth, { keepTransactions }) {
      const height = await rpc.call<number>('getblockcount');
      await rpc.call('invalidateblock', await rpc.call<string>('getblockhash', height - depth + 1));
      if (!keepTransactions) await forgetMempool();
      // To another address: with the same one, an empty block in the same second would be identical to the block that
      // was just taken away.
      const { address } = walletOf(randomBytes(32), coin);
      for (let count = 0; count <= depth; count += 1) await rpc.call('generateblock', address, []);
    },
    async replace(txHash, ...payments) {
      const original = signedBy.get(txHash);
      if (!original) throw new Error(`${txHash} was not paid by the faucet`);
      return send(original.coins, payments.map(toPayment), original.fee * 2n);
    },
    drop: forgetMempool,
    stopNode: () => node.stop(),
    startNode: () => node.start(),
    async stop() {
      await node.stop();
      await rm(folder, { recursive: true });
    },
  };
}
