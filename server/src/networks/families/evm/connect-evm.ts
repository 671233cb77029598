import { createRequire } from 'node:module';
import type { Connector } from '../../port/connector.ts';
import type { NetworkDefinition } from '../../port/definition.ts';
import type * as Evm from './evm-connector.ts';

const load = createRequire(import.meta.url);

/** Loaded only when a network of this family is configured: its library takes a third of the time of a start. */
export const connectEvm = (definition: NetworkDefinition, options: Evm.EvmOptions): Connector =>
  (load('./evm-connector.ts') as typeof Evm).createEvmConnector(definition, options);
