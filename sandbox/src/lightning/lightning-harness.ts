/** The sandbox's Lightning, driven by the conformance suite. It has no blocks: what goes on is other people's invoices. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret } from '@quittance/server/lib/secret';
import type { Capability, ConformanceHarness } from '@quittance/server/networks/conformance';
import { createLightningConnector } from '@quittance/server/networks/lightning/lightning';
import type { FundingChain } from './channel-pair.ts';
import { type LightningSandbox, startLightningSandbox } from './lightning-sandbox.ts';

/** An invoice is paid once and then settled for good; nobody sees it before. */
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

export type LightningHarness = ConformanceHarness & { readonly node: LightningSandbox };

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
      }),
    async pay(payment) {
      if (!payment) throw new Error('there is nothing to pay');
      return node.pay({ address: payment.target.address, units: payment.units });
    },
    async mine(count) {
      for (let paid = 0; paid < count; paid += 1) await node.pay({ address: node.createInvoice(5_000n) });
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
