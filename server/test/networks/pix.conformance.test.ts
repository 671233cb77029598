import { pixCannot, startPixHarness } from '@quittance/sandbox/pix/pix-harness';
import { describeConformance } from '@quittance/server/test/networks/conformance';

describeConformance('PIX at the bank of the sandbox', () => startPixHarness(), pixCannot);
