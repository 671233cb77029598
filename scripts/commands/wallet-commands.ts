/** The operator's own money: where to bring it in, and what we hold. */
import { setTimeout as sleep } from 'node:timers/promises';
import { findNetwork } from '@quittance/server/catalog/network-catalog';
import type { Db } from '@quittance/server/db/database';
import { type FundingTarget, findFundingTarget } from '@quittance/server/deposits/deposit-target-store';
import { loadNetworkStatus } from '@quittance/server/deposits/network-health';
import { enqueue } from '@quittance/server/jobs/enqueue';
import { fundingAddressJob } from '@quittance/server/jobs/job-store';
import { listHoldings } from '@quittance/server/ledger/ledger-store';
import { systemClock as clock } from '@quittance/server/lib/clock';
import { newId } from '@quittance/server/lib/ids';
import { formatDecimal, parseDecimal } from '@quittance/server/money/decimal';
import { type Command, CommandError, command, UsageError } from '../command-line.ts';
import { withDatabase } from '../installation.ts';
import { amountText, assetCode, factList, textTable } from '../text-table.ts';

const patienceMs = 15_000;

export const walletCommands: readonly Command[] = [
  command({
    name: 'wallet address',
    summary: "Make an address at which the operator's own money comes in; it is booked as equity.",
    details: 'The running service makes it. Where a target is an invoice (LIGHTNING), say the amount.',
    arguments: ['network'],
    options: {
      amount: { value: 'amount', meaning: 'Of an invoice, in the asset: 0.001 for a thousandth of a bitcoin.' },
    },
    examples: ['wallet address BITCOIN', 'wallet address LIGHTNING --amount 0.001'],
    async run({ network: name }, { amount }) {
      const network = name.toUpperCase();
      const given = readAmount(network, amount);
      const { address, memo, memoType } = await withDatabase((db) => askForTarget(db, network, given));
      const data = { network, address, memo, memoType };
      return { data, text: factList(memo === null ? { network, address } : { network, address, memo, memoType }) };
    },
  }),
  command({
    name: 'wallet list',
    summary: 'List what we hold on every network, by the books.',
    examples: ['wallet list'],
    async run() {
      const holdings = await withDatabase(listHoldings);
      const data = holdings.map(({ network, asset, units }) => ({ network, asset, amount: amountText(units, asset) }));
      const rows = data.map(({ network, asset, amount }) => [network, `${amount} ${assetCode(asset)}`]);
      return { data, text: textTable(['NETWORK', 'HELD'], rows) };
    },
  }),
];

function readAmount(network: string, text: string | undefined): string | null {
  const hasInvoices = findNetwork(network)?.hasInvoices === true;
  if (text === undefined && hasInvoices) throw new UsageError(`An invoice on ${network} is for one amount: --amount.`);
  if (text === undefined) return null;
  const amount = parseDecimal(text);
  if (!amount || amount.digits <= 0n) throw new UsageError('--amount must be a number greater than zero.');
  return formatDecimal(amount);
}

async function askForTarget(db: Db, network: string, amount: string | null): Promise<FundingTarget> {
  const watched = (await loadNetworkStatus(db)).map((status) => status.network);
  if (!watched.includes(network))
    throw new CommandError(`${network} has not been watched yet. These have: ${watched.join(', ') || 'none'}.`);
  const targetId = newId();
  const payload = { network, targetId, amount };
  await db.begin((tx) => enqueue(tx, [{ name: 'funding.address', payload, runAt: clock.now() }]));
  const until = clock.now().getTime() + patienceMs;
  for (;;) {
    const job = await fundingAddressJob(db, targetId);
    const target = job === null ? await findFundingTarget(db, network, targetId) : undefined;
    if (target) return target;
    if (job?.isParked) throw new CommandError(job.lastError ?? 'The address could not be made.');
    if (clock.now().getTime() > until)
      throw new CommandError(
        `The service has not made the address yet${job?.lastError ? `: ${job.lastError}` : '. Is a worker running?'}`,
      );
    await sleep(100);
  }
}
