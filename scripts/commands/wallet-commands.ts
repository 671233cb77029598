/** The operator's own money: where to bring it in, and what we hold. */
import { findNetwork } from '@quittance/server/catalog/network-catalog';
import { listHoldings } from '@quittance/server/ledger/ledger-store';
import { formatDecimal, parseDecimal } from '@quittance/server/money/decimal';
import { askForFundingTarget } from '../ask-for-funding-target.ts';
import { type Command, command, UsageError } from '../command-line.ts';
import { targetFacts } from '../target-facts.ts';
import { amountText, assetCode, factList, textTable } from '../text-table.ts';

export const walletCommands: readonly Command[] = [
  command({
    name: 'wallet address',
    summary: "Make an address at which the operator's own money comes in; it is booked as equity.",
    details: 'The running service makes it. Where a target is an invoice, as on LIGHTNING, say the amount.',
    arguments: ['network'],
    options: {
      amount: { value: 'amount', meaning: 'Of an invoice, in the asset: 0.001 for a thousandth of a bitcoin.' },
    },
    examples: ['wallet address BITCOIN', 'wallet address LIGHTNING --amount 0.001'],
    async run({ withDatabase }, { network: name }, { amount }) {
      const network = name.toUpperCase();
      const given = readAmount(network, amount);
      const target = await withDatabase((db) => askForFundingTarget(db, network, given));
      const { address, memo, memoType } = target;
      const data = { network, address, memo, memoType };
      return { data, text: factList({ network, ...targetFacts(network, target) }) };
    },
  }),
  command({
    name: 'wallet list',
    summary: 'List what we hold on every network, by the books.',
    examples: ['wallet list'],
    async run({ withDatabase }) {
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
