/**
 * What our own transactions use up, as texts that the caller stores. A transaction uses its number (nonce), because the
 * chain takes only one transaction with a number. A use also says how much the transaction may take from its sender: so
 * the uses alone tell what is under way, also what was signed and never broadcast.
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

export const usesOf = ({ from, nonce, assetCode, units, feeMax, to }: Use): string[] => [
  `nonce:${from}:${nonce}`,
  `use:${from}:${nonce}:${assetCode}:${units}:${feeMax}:${to}`,
];

export const openUses = async (context: SendContext): Promise<Use[]> => usesIn(await context.used('use:'));

export const usesIn = (texts: readonly string[]): Use[] =>
  texts
    .filter((text) => text.startsWith('use:'))
    .map((text) => {
      const [, from = '', nonce, assetCode = '', units = '0', feeMax = '0', to = ''] = text.split(':');
      return { from, nonce: Number(nonce), assetCode, units: BigInt(units), feeMax: BigInt(feeMax), to };
    });
