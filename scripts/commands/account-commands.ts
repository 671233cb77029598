/** What a merchant does with its balance, through the API and with the key in access.json, as a shop would. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { DepositAddressReply } from '@quittance/contract/deposit';
import type { SwapRecord } from '@quittance/contract/swap';
import type { TransferRecord } from '@quittance/contract/transfer';
import { type ApiClient, createApiClient } from '../api-client.ts';
import { type Command, command } from '../command-line.ts';
import { targetFacts } from '../target-facts.ts';
import { factList } from '../text-table.ts';

/** Much longer than needed: a worker looks for orders about once a second. */
const patienceMs = 30_000;

/**
 * Waits until the transfer is signed, so that it is on the network before somebody mines. One that waits for something
 * else, such as an approval, is shown as it is.
 */
async function afterSigning(api: ApiClient, id: string): Promise<TransferRecord> {
  for (const deadline = performance.now() + patienceMs; ; ) {
    const { transfer } = await api.get<{ transfer: TransferRecord }>('/transfer', { id });
    if (transfer.state !== 'QUEUED' || performance.now() > deadline) return transfer;
    await sleep(100);
  }
}

export const accountCommands: readonly Command[] = [
  command({
    name: 'deposit create',
    summary:
      'Get an address, or an account at a bank with a reference, for money that arrives without a charge, through the API, as a shop would.',
    arguments: ['network', 'amount?'],
    options: { asset: { value: 'code', meaning: "USDC …; the network's first." } },
    examples: ['deposit create BITCOIN', 'deposit create ETHEREUM 25 --asset USDC'],
    async run({ openAccess }, { network, amount }, { asset }) {
      const api = createApiClient(await openAccess());
      const wish = { ...(amount !== undefined && { amount }), ...(asset !== undefined && { asset }) };
      const made = await api.post<DepositAddressReply>('/deposit-address', { network: network.toUpperCase(), ...wish });
      const { assetCode, amount: due } = made.depositInstructions;
      const id = network.toUpperCase();
      const pays = `npx quittance pay ${made.id}${due === null ? ' --amount <amount>' : ''} pays it.`;
      const target = targetFacts(id, made.depositInstructions);
      const facts = { deposit: made.id, network: id, asset: assetCode, amount: due, ...target };
      return { data: made, text: `${factList(facts)}\n${pays}` };
    },
  }),
  command({
    name: 'swap create',
    summary: 'Exchange something that the account holds, through the API, as a shop would.',
    arguments: ['sourceAsset', 'targetAsset', 'sourceAmount'],
    examples: ['swap create BTC USDC 0.001'],
    async run({ openAccess }, { sourceAsset, targetAsset, sourceAmount }) {
      const api = createApiClient(await openAccess());
      const body = { sourceAsset, targetAsset, sourceAmount };
      const { id, swap } = await api.post<{ id: string; swap: SwapRecord }>('/swap', body);
      const given = `${swap.sourceAmount} ${swap.sourceAssetCode}`;
      const taken = `${swap.targetAmount} ${swap.targetAssetCode}`;
      return { data: swap, text: `Swap ${id} of ${given} for ${taken} is ${swap.state}.` };
    },
  }),
  command({
    name: 'transfer create',
    summary: 'Send something that the account holds, through the API, as a shop would.',
    details: 'The fee is on top of the amount. In the sandbox, mine until it has arrived for good.',
    arguments: ['network', 'asset', 'amount', 'address'],
    options: { memo: { value: 'text', meaning: 'What the receiver asks for, on networks with memos.' } },
    examples: ['transfer create BITCOIN BTC 0.0005 bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'],
    async run({ openAccess }, { network, asset, amount, address }, { memo }) {
      const api = createApiClient(await openAccess());
      const body = { network: network.toUpperCase(), asset, amount, address, ...(memo !== undefined && { memo }) };
      const { id } = await api.post<{ id: string }>('/transfer', body);
      const transfer = await afterSigning(api, id);
      const sent = `${transfer.amount} ${transfer.assetCode} to ${transfer.address} for a fee of ${transfer.fee}`;
      return { data: transfer, text: `Transfer ${id} of ${sent} is ${transfer.state}.` };
    },
  }),
];
