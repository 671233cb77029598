/** The sandbox's Pix for the conformance suite, with a clock that stands still. Minutes take the place of blocks. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret } from '@quittance/server/lib/secret';
import { createPixConnector, type PixSettings } from '@quittance/server/networks/pix/pix';
import type { Connector } from '@quittance/server/networks/port/connector';
import type { Capability, ConformanceHarness } from '@quittance/server/test/networks/conformance';
import { quietContext } from '@quittance/server/test/networks/quiet-context';
import type { ReversalHarness } from '@quittance/server/test/networks/reversal-conformance';
import type { SendingHarness } from '@quittance/server/test/networks/sending-conformance';
import type { Watched } from '@quittance/server/test/networks/watched-connector';
import { type PixSandbox, type PixSandboxOptions, startPixSandbox } from './pix-sandbox.ts';

/** A charge is paid once, and what was paid is there; nobody sees a payment before that. */
export const pixCannot: readonly Capability[] = [
  'show unconfirmed transfers',
  'wait for blocks',
  'pay a target again',
  'pay several targets at once',
  'fill a block',
  'reorganise',
  'replace',
  'drop',
];

export type PixHarness = ConformanceHarness & {
  readonly node: PixSandbox;
  createConnector(changed?: Partial<PixSettings>): Connector;
  now(): Date;
  advance(time: { minutes?: number; days?: number }): void;
};

export async function startPixHarness(changed: Partial<PixSandboxOptions> = {}): Promise<PixHarness> {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-pix-'));
  let now = new Date('2026-03-01T12:00:00.000Z');
  const options = { folder, password: 'sandbox', now: () => now, ...changed };
  let node = await startPixSandbox(options);
  const { port } = node;
  const advance: PixHarness['advance'] = ({ minutes = 0, days = 0 }) => {
    now = new Date(now.getTime() + (minutes + days * 24 * 60) * 60_000);
  };
  return {
    get node() {
      return node;
    },
    now: () => now,
    advance,
    asset: 'BRL:NATIVE',
    assetCode: 'BRL',
    ordinaryUnits: 12_345n,
    smallestUnits: 1n,
    createConnector: (other: Partial<PixSettings> = {}) =>
      createPixConnector({
        baseUrl: node.baseUrl,
        tokenUrl: node.tokenUrl,
        clientId: node.clientId,
        clientSecret: new Secret(node.clientSecret),
        certificate: null,
        certificateKey: null,
        authority: null,
        returns: true,
        receiver: { key: node.key, name: 'LOJA', city: 'RECIFE' },
        pauseMs: 0,
        againMs: 600_000,
        now: () => now,
        ...other,
      }),
    async pay(payment) {
      if (!payment) throw new Error('there is nothing to pay');
      return node.pay({ address: payment.target.address, units: payment.units });
    },
    async mine(count) {
      for (let passed = 0; passed < count; passed += 1) {
        node.payKey({ centavos: 500n });
        advance({ minutes: 1 });
      }
    },
    stopNode: () => node.stop(),
    async startNode() {
      node = await startPixSandbox({ ...options, port });
    },
    async stop() {
      await node.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** Who can be sent to is who paid: each recipient has paid a charge of its own before. */
export async function startPixSendingHarness(): Promise<SendingHarness> {
  const harness = await startPixHarness();
  let watched: Watched | undefined;
  let charges = 0;
  return Object.assign(harness, {
    async fund(funded: Watched) {
      watched = funded;
    },
    async recipient() {
      const { connector, targets, observe, payments } = watched ?? fail();
      const targetId = `payer-${charges++}`;
      const now = new Date('2026-03-01T12:00:00.000Z');
      const target = await connector.createTarget({
        targetId,
        index: charges,
        reference: targetId,
        assetCode: harness.assetCode,
        amount: { asset: harness.asset, units: harness.ordinaryUnits },
        requestedAt: now,
        expiresAt: new Date(now.getTime() + 3_600_000),
      });
      targets.add(target.key);
      const paid = harness.node.pay(target);
      await observe();
      const trace = payments.get(`${paid}:0`)?.observation.trace ?? fail();
      return {
        destination: (connector.payerOf?.(trace) ?? fail()).account,
        received: async () => {
          const gone = harness.node.findPix(paid).returns.filter(({ status }) => status === 'DEVOLVIDO');
          return gone.reduce((sum, { centavos }) => sum + BigInt(centavos), 0n);
        },
      };
    },
    badAddresses: ['pix@shop.example', '7d9f0335-8dcc-4054-9bf9-0dbd61d36906', 'E9999999920260301120', ''],
  });
}

/** Payers contest what they paid; the bank takes it back without asking (MED). */
export async function startPixReversalHarness(): Promise<ReversalHarness> {
  const harness = await startPixHarness();
  let charges = 0;
  return {
    createConnector: () => harness.createConnector(),
    context: quietContext,
    async pay(units) {
      const target = await harness.createConnector().createTarget({
        targetId: `contested-${charges++}`,
        index: charges,
        reference: `contested-${charges}`,
        assetCode: harness.assetCode,
        amount: { asset: harness.asset, units },
        requestedAt: harness.now(),
        expiresAt: new Date(harness.now().getTime() + 3_600_000),
      });
      return { txHash: harness.node.pay(target), index: '0' };
    },
    async takeBack(txHash, units) {
      harness.node.contest(txHash, { centavos: units });
    },
    pass: (days) => harness.advance({ days }),
    stop: () => harness.stop(),
  };
}

const fail = (): never => {
  throw new Error('the story has not come so far');
};
