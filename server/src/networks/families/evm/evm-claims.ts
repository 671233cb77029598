/**
 * What our own transactions use up, as texts that the caller keeps. Besides its number (nonce), of which the chain takes
 * only one, a transaction claims what it may take from its sender, with the number, so that the claims alone tell what
 * is under way, also what was signed and never broadcast.
 */
import type { SendContext } from '../../port/sending.ts';

/** `feeMax` in wei; addresses in lower case. */
export type Use = {
  readonly from: string;
  readonly nonce: number;
  readonly assetCode: string;
  readonly units: bigint;
  readonly feeMax: bigint;
  readonly to: string;
};

export const claimsOf = ({ from, nonce, assetCode, units, feeMax, to }: Use): string[] => [
  `nonce:${from}:${nonce}`,
  `use:${from}:${nonce}:${assetCode}:${units}:${feeMax}:${to}`,
];

export const claimedUses = async (context: SendContext): Promise<Use[]> => usesIn(await context.claimed('use:'));

export const usesIn = (claims: readonly string[]): Use[] =>
  claims
    .filter((claim) => claim.startsWith('use:'))
    .map((claim) => {
      const [, from = '', nonce, assetCode = '', units = '0', feeMax = '0', to = ''] = claim.split(':');
      return { from, nonce: Number(nonce), assetCode, units: BigInt(units), feeMax: BigInt(feeMax), to };
    });
