/** The sandbox chain over HTTP, in the words of Bitcoin Core: what the connector asks, and the owner's own commands. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { decimal, formatFixed, fromUnits, toUnits } from '@quittance/server/money/decimal';
import { HDKey } from '@scure/bip32';
import { p2pkh, p2wpkh } from '@scure/btc-signer';
import { type LocalServer, startLocalServer } from './local-server.ts';
import type { UtxoChain } from './utxo-chain.ts';
import { type ChainBlock, type ChainState, rawBlock } from './utxo-chain-state.ts';
import type { UtxoCoin } from './utxo-coin.ts';
import { type ChainTransaction, describeScript, InvalidTransaction, scriptOf } from './utxo-transaction.ts';

type Commands = Pick<
  UtxoChain,
  'pay' | 'fund' | 'mine' | 'reorganise' | 'replace' | 'drop' | 'submit' | 'faucetAddress'
>;

type Served = {
  readonly coin: UtxoCoin;
  readonly state: ChainState;
  readonly chain: Commands;
  readonly user: string;
  readonly password: string;
  readonly port?: number;
};

class RpcFailure extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

type RpcMethod = (...params: never[]) => unknown;
type RpcRequest = { id?: unknown; method: string; params?: unknown[] };

export async function serveUtxoChain(served: Served): Promise<LocalServer & { url: string }> {
  const methods: Record<string, RpcMethod> = { ...nodeMethods(served), ...ownerMethods(served) };
  const authorization = `Basic ${Buffer.from(`${served.user}:${served.password}`).toString('base64')}`;

  function answer({ id = null, method, params = [] }: RpcRequest) {
    try {
      const run = Object.hasOwn(methods, method) ? methods[method] : undefined;
      if (!run) throw new RpcFailure(-32601, 'Method not found');
      return { result: run(...(params as never[])) ?? null, error: null, id };
    } catch (error) {
      const code = error instanceof RpcFailure ? error.code : error instanceof InvalidTransaction ? -26 : -1;
      return { result: null, error: { code, message: (error as Error).message }, id };
    }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.headers.authorization !== authorization) return void response.writeHead(401).end();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as RpcRequest | RpcRequest[];
    const reply = Array.isArray(body) ? body.map(answer) : answer(body);
    // As Core does for calls of JSON-RPC 1: a single refusal is an HTTP error, one in a batch is not.
    const status = !Array.isArray(reply) && reply.error ? 500 : 200;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
  }

  const server = await startLocalServer((request, response) => {
    handle(request, response).catch(() => response.writeHead(400).end());
  }, served.port);
  return {
    ...server,
    url: `http://${encodeURIComponent(served.user)}:${encodeURIComponent(served.password)}@127.0.0.1:${server.port}`,
  };
}

/** An amount as a node writes it, `0.10000000`: a JSON number, made without a float. */
const coins = (units: bigint): unknown => rawJson(formatFixed(fromUnits(units, 8), 8));
const rawJson = (JSON as unknown as { rawJSON: (this: void, text: string) => unknown }).rawJSON;

function nodeMethods({ state, coin, chain }: Served): Record<string, RpcMethod> {
  const { feeRate, leastRate, isOldNode } = coin;
  const height = () => state.active.length - 1;

  function blockAt(hash: string): ChainBlock {
    const block = state.blockByHash.get(hash);
    if (!block) throw new RpcFailure(-5, 'Block not found');
    return block;
  }

  function header(block: ChainBlock) {
    const isActive = state.active[block.height] === block;
    const next = isActive ? state.active[block.height + 1]?.hash : undefined;
    return {
      hash: block.hash,
      confirmations: isActive ? height() - block.height + 1 : -1,
      height: block.height,
      merkleroot: block.merkleRoot,
      time: block.time,
      nTx: block.transactions.length,
      ...(block.height > 0 && { previousblockhash: block.previousHash }),
      ...(next !== undefined && { nextblockhash: next }),
    };
  }

  function scriptPubKey(script: string) {
    const { type, address } = describeScript(script, coin);
    if (address === undefined) return { hex: script, type };
    return { hex: script, type, ...(isOldNode ? { reqSigs: 1, addresses: [address] } : { address }) };
  }

  function transaction(tx: ChainTransaction) {
    const vin = tx.isCoinbase
      ? [{ coinbase: tx.hex.slice(84, 110), sequence: 0xffffffff }]
      : tx.inputs.map(({ outpoint, sequence }) => {
          const [txid, vout] = outpoint.split(':');
          return { txid, vout: Number(vout), sequence };
        });
    const vout = tx.outputs.map(({ units, script }, n) => ({
      value: coins(units),
      n,
      scriptPubKey: scriptPubKey(script),
    }));
    return { txid: tx.txid, vin, vout, hex: tx.hex };
  }

  return {
    getblockchaininfo: () => ({
      chain: 'regtest',
      blocks: height(),
      headers: height(),
      bestblockhash: state.tip()?.hash,
      initialblockdownload: false,
      pruned: false,
    }),
    getnetworkinfo: () => ({
      version: 250000,
      subversion: '/quittance-sandbox/',
      connections: 0,
      relayfee: coins(leastRate),
      incrementalfee: coins(leastRate),
    }),
    getblockcount: height,
    getbestblockhash: () => state.tip()?.hash,
    getblockhash(at: number) {
      const block = state.active[at];
      if (!block) throw new RpcFailure(-8, 'Block height out of range');
      return block.hash;
    },
    getblockheader: (hash: string) => header(blockAt(hash)),
    getblock(hash: string, verbosity = 1) {
      const block = blockAt(hash);
      if (verbosity === 0) return rawBlock(block);
      const tx = verbosity >= 2 ? block.transactions.map(transaction) : block.transactions.map(({ txid }) => txid);
      return { ...header(block), tx };
    },
    getrawmempool: () => [...state.mempool.keys()],
    getmempoolinfo: () => ({
      size: state.mempool.size,
      ...(isOldNode
        ? { mempoolminfee: coins(0n) }
        : { loaded: true, mempoolminfee: coins(leastRate), minrelaytxfee: coins(leastRate) }),
    }),
    getmempoolentry(txid: string) {
      const [tx, ...descendants] = new Set(state.withDescendants(txid));
      if (!tx) throw new RpcFailure(-5, 'Transaction not in mempool');
      const fee = state.feeOf(tx);
      const descendant = descendants.reduce((sum, each) => sum + state.feeOf(each), fee);
      if (isOldNode) return { size: tx.vsize, fee: coins(fee), descendantfees: Number(descendant) };
      return { vsize: tx.vsize, fees: { base: coins(fee), descendant: coins(descendant) } };
    },
    getrawtransaction(txid: string, isVerbose: boolean | number = false) {
      // Like a node without a transaction index.
      const tx = state.mempool.get(txid);
      if (!tx) throw new RpcFailure(-5, 'No such mempool transaction. Use -txindex to enable blockchain queries.');
      return isVerbose ? transaction(tx) : tx.hex;
    },
    gettxout(txid: string, n: number, withMempool = true) {
      const outpoint = `${txid}:${n}`;
      if (withMempool && state.mempoolSpender.has(outpoint)) return null;
      const output = withMempool ? state.outputAt(outpoint) : state.coins.get(outpoint);
      if (!output) return null;
      const confirmed = state.coins.get(outpoint);
      return {
        bestblock: state.tip()?.hash,
        confirmations: confirmed ? height() - confirmed.height + 1 : 0,
        value: coins(output.units),
        scriptPubKey: scriptPubKey(output.script),
        coinbase: confirmed?.isCoinbase ?? false,
      };
    },
    scantxoutset(_action: string, [descriptor]: [string | AccountDescriptor]) {
      const scripts = new Set(
        typeof descriptor === 'string'
          ? [scriptOf(descriptor.slice('addr('.length, -1), coin)]
          : scriptsOfAccount(descriptor, coin),
      );
      const found = [...state.coins.values()].filter((output) => scripts.has(output.script));
      return {
        success: true,
        bestblock: state.active.at(-1)?.hash,
        total_amount: coins(found.reduce((sum, { units }) => sum + units, 0n)),
      };
    },
    sendrawtransaction(hex: string) {
      try {
        return chain.submit(hex);
      } catch (error) {
        const isMined = error instanceof InvalidTransaction && error.message.includes('already in block chain');
        throw isMined ? new RpcFailure(-27, error.message) : error;
      }
    },
    estimatesmartfee(blocks: number, mode?: string) {
      if (isOldNode && mode !== undefined) throw new RpcFailure(-1, 'estimatesmartfee nblocks');
      return { feerate: coins(feeRate), blocks };
    },
  };
}

/** The addresses of an account's branch up to an index: `wpkh(tpub…/0/*)`, or `pkh(…)` without segwit. */
type AccountDescriptor = { readonly desc: string; readonly range: number };

const accounts = new Map<string, { readonly branch: HDKey; readonly scripts: string[] }>();

function scriptsOfAccount({ desc, range }: AccountDescriptor, coin: UtxoCoin): readonly string[] {
  const [, kind, key] = /^(wpkh|pkh)\((\w+)\/0\/\*\)$/.exec(desc) ?? [];
  if (key === undefined) throw new RpcFailure(-5, `The sandbox cannot read the descriptor ${desc}`);
  const account = accounts.get(desc) ?? {
    branch: HDKey.fromExtendedKey(key, { private: 0x04358394, public: 0x043587cf }).deriveChild(0),
    scripts: [],
  };
  accounts.set(desc, account);
  const { branch, scripts } = account;
  const payTo = kind === 'pkh' ? p2pkh : p2wpkh;
  for (let index = scripts.length; index <= range; index += 1) {
    const { publicKey } = branch.deriveChild(index);
    if (!publicKey) throw new Error('the branch has no public key');
    scripts.push(Buffer.from(payTo(publicKey, coin.network).script).toString('hex'));
  }
  return scripts;
}

type PaymentParam = { address: string; amount: string };

function ownerMethods({ chain }: Served): Record<string, RpcMethod> {
  const payment = ({ address, amount }: PaymentParam) => ({ address, units: toUnits(decimal(amount), 8, 'down') });
  return {
    sandbox_pay: (...payments: PaymentParam[]) => chain.pay(...payments.map(payment)),
    sandbox_fundWallet: (to: PaymentParam) => chain.fund(payment(to)),
    sandbox_address: () => chain.faucetAddress,
    sandbox_mine: (count = 1) => chain.mine(count),
    sandbox_reorganise: ({ depth, keepTransactions = true }: { depth: number; keepTransactions?: boolean }) =>
      chain.reorganise(depth, { keepTransactions }),
    sandbox_replace: ({ txid, payments }: { txid: string; payments?: PaymentParam[] }) =>
      chain.replace(txid, payments?.map(payment)),
    sandbox_drop: (txid: string) => chain.drop(txid),
  };
}
