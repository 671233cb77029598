import type { Saboteur } from '../../server/test/saboteurs/saboteur.ts';

export class DoesNotApply extends Error {}

/** The text of a file with the fault in it. It throws where the list of saboteurs no longer follows the code. */
export function sabotage(text: string, { find, replace }: Saboteur): string {
  const occurrences = find === '' ? 0 : text.split(find).length - 1;
  if (occurrences !== 1) {
    throw new DoesNotApply(`${JSON.stringify(find)} occurs ${occurrences} times in the file; it must occur once.`);
  }
  if (find === replace) throw new DoesNotApply('What is found and what stands there instead are the same.');
  return text.replace(find, () => replace);
}
