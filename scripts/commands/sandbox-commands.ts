import { merchantOfDeposit } from '@quittance/server/deposits/custom-deposit-store';
import { parseDecimal } from '@quittance/server/money/decimal';
import { registeredNetworks } from '@quittance/server/networks/registry';
import { type Command, command, readCount, UsageError } from '../command-line.ts';
import { type Paid, payCheckout } from '../pay-checkout.ts';
import { type PaidDeposit, payDeposit } from '../pay-deposit.ts';
import { openSandboxChain } from '../sandbox-chain.ts';

const blocksMax = 1_000;
const withInvoices = registeredNetworks
  .filter(({ identity }) => identity.hasInvoices && identity.type === 'BLOCKCHAIN')
  .map(({ identity }) => identity.id);

export const sandboxCommands: readonly Command[] = [
  command({
    name: 'pay',
    summary: 'Pay a checkout, or a custom deposit, on its sandbox chain and wait for the outcome.',
    details:
      'Commits a checkout first if nobody has, pays what is missing, and mines until the payment is confirmed. Of a deposit whose amount is open, say it.',
    arguments: ['id'],
    options: {
      amount: { value: 'amount', meaning: 'Pay this many coins instead of what is missing.' },
      network: { value: 'network', meaning: 'BITCOIN, ETHEREUM …; the one committed to, or the first offered.' },
      asset: {
        value: 'code',
        meaning: 'USDC …, on a network that carries several; the one committed to, or its first.',
      },
      unconfirmed: { meaning: 'Mine nothing: the payment stays seen and unconfirmed.' },
    },
    examples: [
      'pay 8fk2m1x0c3ab',
      'pay latest --network LIGHTNING',
      'pay latest --network STELLAR --asset USDC',
      'pay 8fk2m1x0c3ab --amount 0.0001 --unconfirmed',
    ],
    async run(installation, { id }, { amount, network, asset, unconfirmed }) {
      if (amount !== undefined && (parseDecimal(amount)?.digits ?? 0n) <= 0n)
        throw new UsageError('--amount must be a positive number such as 0.001.');
      const paid = await installation.withDatabase(async (db) => {
        const merchantId = await merchantOfDeposit(db, id);
        if (merchantId === undefined)
          return payCheckout({ db, installation }, id, { amount, network, asset, isConfirmed: !unconfirmed });
        if (network !== undefined || asset !== undefined)
          throw new UsageError('A deposit has one network and one asset: leave out --network and --asset.');
        return payDeposit({ db, installation }, { merchantId, id }, { amount, isConfirmed: !unconfirmed });
      });
      const state = [paid.state, ...paid.exceptions].join(' ');
      const deed = `${paid.amount} ${paid.assetCode} to ${paid.address} in transaction ${paid.txid}`;
      const what = 'depositId' in paid ? 'Deposit' : 'Checkout';
      return { data: paid, text: `Paid ${deed}.\n${what} ${idOf(paid)} is ${state}.` };
    },
  }),
  command({
    name: 'invoice',
    summary: 'Get an invoice of somebody else on a sandbox chain that has invoices, to send money to.',
    arguments: ['amount?'],
    options: { network: { value: 'network', meaning: `${withInvoices.join(', ')}; the first, if left out.` } },
    examples: ['invoice 0.0001', 'invoice'],
    async run(installation, { amount }, { network = withInvoices[0] ?? '' }) {
      if (amount !== undefined && (parseDecimal(amount)?.digits ?? 0n) <= 0n)
        throw new UsageError('[amount] must be a positive number of coins such as 0.0001.');
      const invoice = await (await openSandboxChain(installation, network)).requestInvoice(amount ?? null);
      return { data: { invoice, amount: amount ?? null }, text: invoice };
    },
  }),
  command({
    name: 'mine',
    summary: 'Mine blocks on a sandbox chain.',
    arguments: ['network', 'blocks?'],
    examples: ['mine BITCOIN', 'mine litecoin 6'],
    async run(installation, { network, blocks = '1' }) {
      const count = readCount('[blocks]', blocks, blocksMax);
      const chain = await openSandboxChain(installation, network);
      const hashes = await chain.mine(count);
      return { data: { network: chain.network, blocks: hashes }, text: `${counted(count)} mined on ${chain.network}.` };
    },
  }),
  command({
    name: 'reorganise',
    summary: 'Replace the newest blocks of a sandbox chain by other ones.',
    details: 'What they confirmed waits again in the mempool, or is gone for good with --drop.',
    arguments: ['network', 'depth'],
    options: { drop: { meaning: 'Their transactions are gone, as if they had been spent otherwise.' } },
    examples: ['reorganise BITCOIN 1', 'reorganise BITCOIN 3 --drop'],
    async run(installation, { network, depth }, { drop }) {
      const count = readCount('<depth>', depth, blocksMax);
      const chain = await openSandboxChain(installation, network);
      const hashes = await chain.reorganise(count, { keepTransactions: !drop });
      const fate = drop ? 'what they held is gone' : 'what they held waits again';
      const text = `${counted(count)} of ${chain.network} given up for ${hashes.length} empty ones; ${fate}.`;
      return { data: { network: chain.network, blocks: hashes }, text };
    },
  }),
  command({
    name: 'replace',
    summary: 'Replace a waiting transaction by one with a higher fee.',
    arguments: ['network', 'txid'],
    examples: [`replace BITCOIN ${'0123abcd'.repeat(8)}`],
    async run(installation, { network, txid }) {
      const chain = await openSandboxChain(installation, network);
      const replacement = await chain.replace(txid);
      return { data: { network: chain.network, txid, replacement }, text: `Replaced by ${replacement}.` };
    },
  }),
  command({
    name: 'drop',
    summary: 'Let a sandbox node forget a waiting transaction.',
    arguments: ['network', 'txid'],
    examples: [`drop BITCOIN ${'0123abcd'.repeat(8)}`],
    async run(installation, { network, txid }) {
      const chain = await openSandboxChain(installation, network);
      await chain.drop(txid);
      return { data: { network: chain.network, txid }, text: `${chain.network} has forgotten ${txid}.` };
    },
  }),
  command({
    name: 'contest',
    summary: "Let a payer's bank take back what was paid at a bank of the sandbox.",
    details: 'Nobody asks us: the checkout is no longer covered, and what was credited is taken back.',
    arguments: ['network', 'txid', 'amount?'],
    options: { portal: { meaning: "You give it back yourself, in your bank's own portal, and not with Quittance." } },
    examples: ['contest PIX E99999999202611181400abcdefghijk', 'contest PIX E99999999202611181400abcdefghijk 10.00'],
    async run(installation, { network, txid, amount }, { portal }) {
      if (amount !== undefined && (parseDecimal(amount)?.digits ?? 0n) <= 0n)
        throw new UsageError('[amount] must be a positive number such as 10.00.');
      const chain = await openSandboxChain(installation, network);
      const name = await chain.takeBack(txid, { amount, by: portal ? 'receiver' : 'payer' });
      const text = `${amount ?? 'All'} of ${txid} went back, as ${name}.`;
      return { data: { network: chain.network, txid, amount: amount ?? null, takenBack: name }, text };
    },
  }),
];

const idOf = (paid: Paid | PaidDeposit): string => ('depositId' in paid ? paid.depositId : paid.checkoutId);

const counted = (blocks: number): string => (blocks === 1 ? '1 block' : `${blocks} blocks`);
