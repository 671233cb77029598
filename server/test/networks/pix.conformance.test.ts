import {
  pixCannot,
  startPixHarness,
  startPixReversalHarness,
  startPixSendingHarness,
} from '@quittance/sandbox/pix/pix-harness';
import { describeConformance } from '@quittance/server/test/networks/conformance';
import { describeReversals } from '@quittance/server/test/networks/reversal-conformance';
import { describeSending } from '@quittance/server/test/networks/sending-conformance';

describeConformance('PIX at the bank of the sandbox', () => startPixHarness(), pixCannot);
describeSending('PIX at the bank of the sandbox', startPixSendingHarness);
describeReversals('PIX at the bank of the sandbox', startPixReversalHarness);
