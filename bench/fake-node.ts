/** A node that answers at once: full blocks are made beforehand, so that its own time is the time to send them. */
import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type BlockTask = { readonly ours: readonly string[]; readonly transactions: number };

type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] };
type Block = { readonly hash: string; readonly height: number; readonly time: number; readonly json: string };

process.once('message', ({ ours, transactions }: BlockTask) => {
  const blocks: Block[] = [aBlock(0, null, [], 1)];
  const tip = (): Block => blocks.at(-1) as Block;
  const blockOf = (hash: unknown): Block => blocks.find((block) => block.hash === hash) ?? tip();

  const methods: Record<string, (params: readonly unknown[]) => string> = {
    /** A block that pays the given addresses, or those of the task. */
    mine([paid]) {
      blocks.push(aBlock(tip().height + 1, tip().hash, (paid as string[] | undefined) ?? ours, transactions));
      return JSON.stringify(tip().hash);
    },
    getblockchaininfo: () => JSON.stringify({ chain: 'regtest', blocks: tip().height, bestblockhash: tip().hash }),
    getbestblockhash: () => JSON.stringify(tip().hash),
    getblockhash: ([height]) => JSON.stringify(blocks[height as number]?.hash),
    getblockheader: ([hash]) => JSON.stringify({ ...blockOf(hash), json: undefined }),
    getblock: ([hash]) => blockOf(hash).json,
    getmempoolinfo: () => '{"loaded":true}',
    getrawmempool: () => '[]',
  };
  const answer = ({ id, method, params }: Call): string =>
    `{"result":${methods[method]?.(params) ?? 'null'},"error":null,"id":${id}}`;

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const asked = JSON.parse(Buffer.concat(chunks).toString()) as Call | Call[];
      response.end(Array.isArray(asked) ? `[${asked.map(answer).join(',')}]` : answer(asked));
    });
  });
  server.listen(0, '127.0.0.1', () => {
    process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
});
process.send?.('ready');

/** As Bitcoin Core writes blocks with verbosity 2: scripts, witnesses and the hex of every transaction included. */
function aBlock(height: number, parent: string | null, ours: readonly string[], transactions: number): Block {
  const hash = randomHex(32);
  const time = Math.floor(Date.now() / 1000);
  const tx = Array.from({ length: transactions }, (_, position) => aTransaction(position, ours[position - 1]));
  const json = JSON.stringify({ hash, height, time, ...(parent !== null && { previousblockhash: parent }), tx });
  return { hash, height, time, json };
}

function aTransaction(position: number, ours: string | undefined): object {
  const addresses = [ours ?? `bcrt1q${randomHex(19)}`, `bcrt1q${randomHex(19)}`];
  return {
    txid: randomHex(32),
    hash: randomHex(32),
    version: 2,
    size: 222,
    vsize: 141,
    weight: 561,
    locktime: 0,
    vin: [
      position === 0
        ? { coinbase: randomHex(20), sequence: 4294967295 }
        : {
            txid: randomHex(32),
            vout: position % 3,
            scriptSig: { asm: '', hex: '' },
            txinwitness: [randomHex(71), randomHex(33)],
            sequence: 4294967293,
          },
    ],
    vout: addresses.map((address, n) => {
      const script = createHash('sha256').update(address).digest('hex').slice(0, 40);
      const scriptPubKey = {
        asm: `0 ${script}`,
        desc: `addr(${address})#${randomHex(4)}`,
        hex: `0014${script}`,
        address,
        type: 'witness_v0_keyhash',
      };
      return { value: 0.001, n, scriptPubKey };
    }),
    fee: 0.00001,
    hex: randomHex(222),
  };
}

function randomHex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}
