import { lightningCannot, startLightningHarness } from '@quittance/sandbox/lightning/lightning-harness';
import { describeConformance } from '@quittance/server/networks/conformance';

describeConformance('LIGHTNING on two LDK nodes', () => startLightningHarness(), lightningCannot);
