/** Pix pays out nothing by the central bank's interface: what came can go back, and that by the bank alone. */
import type { NetworkAddress } from '../port/sending.ts';

export const destinationProblem = (_destination: NetworkAddress): string =>
  'Nothing can be sent over Pix: what a customer paid goes back through your bank, to the account it came from.';
