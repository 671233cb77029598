import { lightningCannot, startLightningHarness } from '@quittance/sandbox/lightning/lightning-harness';
import { describeConformance } from '@quittance/server/test/networks/conformance';
import { describeSending } from '@quittance/server/test/networks/sending-conformance';

describeConformance('LIGHTNING on two LDK nodes', () => startLightningHarness(), lightningCannot);
describeSending('LIGHTNING on two LDK nodes', () => startLightningHarness());
