/** The sandbox's Lightning for the conformance suite. It has no blocks: other people's invoices take their place. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Secret } from '@quittance/server/lib/secret';
import { createLightningConnector } from '@quittance/server/networks/lightning/lightning';
import type { Capability } from '@quittance/server/test/networks/conformance';
import type { SendingHarness } from '@quittance/server/test/networks/sending-conformance';
import type { FundingChain } from './channel-pair.ts';
import { type LightningSandbox, startLightningSandbox } from './lightning-sandbox.ts';

/** An invoice is paid once and then settled for good; nobody sees a payment before that. */
export const lightningCannot: readonly Capability[] = [
  'show unconfirmed transfers',
  'wait for blocks',
  'pay a target again',
  'pay several targets at once',
  'fill a block',
  'reorganise',
  'replace',
  'drop',
];

const mainnetInvoice =
  'lnbc2500u1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpuaztrnwngzn3kdzw5hydlzf03qdgm2hdq27cqv3agm2awhz5se903vruatfhq77w3ls4evs3ch9zw97j25emudupq63nyw24cg27h2rsp';

export type LightningHarness = SendingHarness & { readonly node: LightningSandbox };

export async function startLightningHarness(chain?: FundingChain): Promise<LightningHarness> {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-lightning-'));
  const options = { folder, seed: new Uint8Array(32).fill(7), password: 'sandbox', ...(chain && { chain }) };
  let node = await startLightningSandbox({ ...options, channelSat: 100_000_000n });
  const { port } = node;
  return {
    get node() {
      return node;
    },
    asset: 'BTCLN:NATIVE',
    assetCode: 'BTCLN',
    ordinaryUnits: 12_345n,
    smallestUnits: 1n,
    createConnector: () =>
      createLightningConnector({
        restUrl: node.restUrl,
        macaroon: new Secret(node.macaroon),
        tlsCertificate: null,
        chain: 'regtest',
        feeLimit: { partsPerMillion: 10_000n, minimumUnits: 10n },
        quietMs: 0,
      }),
    /** The merchant can send what it has received on its side of the channel, except a reserve of 1,000,000. */
    fund: async () => void (await node.pay({ address: node.createInvoice(2_000_000n) })),
    async recipient() {
      const { invoice, hash } = node.wallet.request({ sat: 12_345n });
      return {
        destination: { address: invoice, memo: null, memoType: null, holder: null },
        received: async () => node.wallet.received(hash) / 1_000n,
      };
    },
    badAddresses: [
      'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
      'lnbcrt1',
      // The standard's example for the real network, and the same with a wrong letter.
      ...['fj9srp', 'fj9srq'].map((checksum) => `${mainnetInvoice}${checksum}`),
    ],
    async pay(payment) {
      if (!payment) throw new Error('there is nothing to pay');
      return node.pay({ address: payment.target.address, units: payment.units });
    },
    async mine(count) {
      for (let paid = 0; paid < count; paid += 1) await node.pay({ address: node.createInvoice(5_000n) });
      while (node.underWay() > 0) await sleep(10);
    },
    stopNode: () => node.stop(),
    async startNode() {
      node = await startLightningSandbox({ ...options, channelSat: 100_000_000n, port });
    },
    async stop() {
      await node.stop();
      await rm(folder, { recursive: true });
    },
  };
}
