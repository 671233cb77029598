/** SEPA and SWIFT at a bank that is not ours: it reads what the service orders, and writes what the service reads. */
import { startBankHarness } from '@quittance/sandbox/bank/bank-harness';
import { describeConformance } from './conformance.ts';
import { describeFiling } from './filing-conformance.ts';

for (const [network, currency] of [
  ['SEPA', 'EUR'],
  ['SWIFT', 'USD'],
] as const) {
  const name = `${network} at the bank of the sandbox`;
  describeConformance(name, async () => startBankHarness(currency), [
    'pay several targets at once',
    'fill a block',
    'reorganise',
    'replace',
    'drop',
    'lose its node',
  ]);
  describeFiling(name, () => startBankHarness(currency));
}
