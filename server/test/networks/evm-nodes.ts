/** The Ethereum nodes that stories are told on: EDR, which the sandbox runs on, and Anvil. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { findAnvil } from '@quittance/sandbox/anvil';
import { startAnvilChain } from '@quittance/sandbox/anvil-chain';
import { type EvmChain, type StartEvmChain, startEvmChain } from '@quittance/sandbox/evm-chain';
import { type Hex, toHex } from 'viem';
import { isSample } from '../depth.ts';

/** Another chain of the sandbox, beside its Ethereum: a rollup, whose transactions pay a fee of the chain below too. */
export const startRollup: StartEvmChain = (options) =>
  startEvmChain({ name: 'base', kind: 'op-stack', chainId: 31_338, ...options });

export type EvmNodeUnderTest = { readonly name: 'EDR' | 'Anvil'; readonly startChain: StartEvmChain };

/** One description per node; a sample does with EDR. Where Anvil cannot be had, a test says by name what was not run. */
export function describeOnEvmNodes(name: string, tellStories: (node: EvmNodeUnderTest) => void): void {
  void describe(`${name}, on EDR`, { concurrency: 1 }, () => tellStories({ name: 'EDR', startChain: startEvmChain }));
  if (isSample()) return;
  const command = findAnvil();
  if (!command) {
    test(`NOT RUN: ${name} on Anvil, which is missing (npm test fetches it)`, () => {
      assert.notEqual(process.env['CI'], 'true', 'Anvil must be there where CI=true');
      console.error(`\n*** ${name} was NOT tested on Anvil. \`npm test\` fetches it where it can run. ***\n`);
    });
    return;
  }
  void describe(`${name}, on Anvil`, { concurrency: 1 }, () => {
    const { startChain, stopAll } = shareAnvil(command);
    after(stopAll);
    tellStories({ name: 'Anvil', startChain });
  });
}

/** Anvil takes seconds to start, so one serves all stories of a description: each begins at the same first blocks. */
function shareAnvil(command: readonly string[]): { startChain: StartEvmChain; stopAll(): Promise<void> } {
  let shared: { readonly chain: EvmChain; snapshot: Hex } | undefined;

  async function startShared(options: Parameters<StartEvmChain>[0]): Promise<EvmChain> {
    if (shared) await shared.chain.node.call('evm_revert', shared.snapshot);
    const chain = shared?.chain ?? (await startAnvilChain(command, options));
    // What earlier stories left waiting, or set for the next block, is not taken back with the blocks.
    await chain.node.call('anvil_dropAllTransactions');
    await chain.node.call('anvil_setNextBlockBaseFeePerGas', toHex(10n ** 9n));
    shared = { chain, snapshot: await chain.node.call<Hex>('evm_snapshot') };
    return { ...chain, stop: async () => undefined };
  }

  return {
    startChain: (options) =>
      options.folder === undefined && options.now === undefined
        ? startShared(options)
        : startAnvilChain(command, options),
    async stopAll() {
      await shared?.chain.stop();
    },
  };
}
