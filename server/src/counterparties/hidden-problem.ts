import { type Problem, told } from '../lib/errors.ts';
import { hasHidden } from '../lib/hidden-characters.ts';

/** Who decides by a text must see all of it. `field`: what the API calls it; some may be written in lines. */
export const hiddenProblem = (field: string, text: string, { inLines = false } = {}): Problem[] =>
  hasHidden(inLines ? text.replaceAll(/\r?\n/g, '') : text)
    ? [
        told(
          'hidden_characters',
          `${field} must not contain characters that nobody can see: type it anew instead of pasting it.`,
          { field },
        ),
      ]
    : [];
