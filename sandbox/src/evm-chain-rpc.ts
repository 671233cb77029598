/** The sandbox's Ethereum over HTTP: what any node answers, and the owner's own commands. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { decimal, toUnits } from '@quittance/server/money/decimal';
import { type Hex, toHex } from 'viem';
import type { SandboxEvmChain } from './evm-chain.ts';
import { faucet } from './evm-faucet.ts';
import { EvmNodeError } from './evm-node.ts';
import { type LocalServer, startLocalServer } from './local-server.ts';

type Served = {
  readonly chain: Omit<SandboxEvmChain, 'url' | 'port' | 'stop'>;
  readonly user: string;
  readonly password: string;
  readonly port?: number;
};

type RpcRequest = { id?: unknown; method: string; params?: unknown[] };
type RpcMethod = (...params: never[]) => Promise<unknown>;
type PaymentParam = { address: string; amount: string; asset?: string };

export async function serveEvmChain(served: Served): Promise<LocalServer & { url: string }> {
  const { chain, user, password } = served;
  const methods = ownerMethods(chain);
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

  async function run(method: string, params: unknown[]): Promise<unknown> {
    const own = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (own) return own(...(params as never[]));
    // The node itself calls its newest block safe and final, which no chain with validators does.
    const [tag, ...rest] = params;
    if (method === 'eth_getBlockByNumber' && (tag === 'safe' || tag === 'finalized'))
      return chain.node.call(method, toHex(await chain.votedHeight(tag)), ...rest);
    // The node's own commands would change the chain, and the journal would not have it.
    if (!/^(eth|net|web3)_/.test(method)) throw new EvmNodeError({ code: -32601, message: 'Method not found' });
    return chain.node.call(method, ...params);
  }

  async function answer({ id = null, method, params = [] }: RpcRequest) {
    try {
      return { jsonrpc: '2.0', id, result: (await run(method, params)) ?? null };
    } catch (error) {
      const code = error instanceof EvmNodeError ? error.code : -32000;
      return { jsonrpc: '2.0', id, error: { code, message: (error as Error).message } };
    }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.headers.authorization !== authorization) return void response.writeHead(401).end();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as RpcRequest | RpcRequest[];
    const reply = Array.isArray(body) ? await Promise.all(body.map(answer)) : await answer(body);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
  }

  const server = await startLocalServer((request, response) => {
    handle(request, response).catch(() => response.writeHead(400).end());
  }, served.port);
  return {
    ...server,
    url: `http://${encodeURIComponent(user)}:${encodeURIComponent(password)}@127.0.0.1:${server.port}`,
  };
}

function ownerMethods(chain: Served['chain']): Record<string, RpcMethod> {
  const payment = ({ address, amount, asset = 'ETH' }: PaymentParam) => ({
    address,
    units: toUnits(decimal(amount), asset === 'ETH' ? 18 : 6, 'down'),
    assetCode: asset,
  });
  return {
    eth_sendRawTransaction: (raw: Hex) => chain.submit(raw),
    sandbox_pay: (to: PaymentParam) => chain.pay(payment(to)),
    sandbox_address: async () => faucet.address,
    sandbox_mine: (count = 1) => chain.mine(count),
    sandbox_reorganise: ({ depth, keepTransactions = true }: { depth: number; keepTransactions?: boolean }) =>
      chain.reorganise(depth, { keepTransactions }),
    sandbox_replace: ({ txid }: { txid: string }) => chain.replace(txid),
    sandbox_drop: (txid: string) => chain.drop(txid),
  };
}
