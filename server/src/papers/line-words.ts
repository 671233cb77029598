/** What a line of a paper is called: by the shop, or by us in the language of whoever reads it. */
import type { Say, TextKey } from '../web/texts/page-texts.ts';
import type { FactLine } from './paper-facts.ts';

const ourWords: Readonly<Record<Exclude<FactLine['kind'], 'item'>, TextKey>> = {
  discount: 'discount',
  shipping: 'shipping',
  accepted: 'priceReduction',
  part: 'creditedPart',
};

export function lineText(say: Say, { kind, label, isTaxed }: FactLine): string {
  if (label !== null || kind === 'item') return label ?? '';
  return say(kind === 'part' && !isTaxed ? 'creditedPartUntaxed' : ourWords[kind]);
}
