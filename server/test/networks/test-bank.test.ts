/** The bank of the stories is held to what a connector must do. */
import { addMs, hours } from '../../src/lib/clock.ts';
import { quietContext } from './quiet-context.ts';
import { describeReversals } from './reversal-conformance.ts';
import { createTestBank } from './test-bank.ts';

describeReversals('the bank of the stories', () => {
  let now = new Date('2026-03-01T12:00:00Z');
  const bank = createTestBank(() => now);
  return {
    createConnector: () => bank.connector,
    context: quietContext,
    pay: async (units) => ({ txHash: bank.pay('somebody', units), index: '0' }),
    takeBack: async (txHash, units) => void bank.takeBack(txHash, units),
    takeFee: async (units) => void bank.move('FEE', -units),
    pass: (days) => void (now = addMs(now, hours(24 * days))),
  };
});
