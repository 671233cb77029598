/**
 * Buttons that copy what a wallet needs. They do nothing without the script, so they are hidden until it runs. The
 * value is copied without spaces and without its unit.
 */
import { type Html, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import type { Say, TextKey } from '../web/texts/page-texts.ts';
import type { PayInstructions } from './public-checkout.ts';

export const copyButton = (say: Say, what: 'Address' | 'Invoice' | 'Amount' | 'Memo' | 'Link', value: string): Html =>
  button(say, say(`copy${what}` satisfies TextKey), value, say(`copied${what}` satisfies TextKey));

/** For a further value that only some networks have. */
export const copyNamed = (say: Say, name: string, value: string): Html =>
  button(say, name, value, say('copiedNamed', { name }));

export const targetButton = (say: Say, { address, instructions }: PayInstructions): Html =>
  copyButton(say, instructions.target === 'invoice' ? 'Invoice' : 'Address', address);

const button = (say: Say, name: string, value: string, copied: string): Html =>
  html`<button type="button" class="btn copy" aria-label="${say('labelled', { name: say('copy') })} ${name}" hidden data-copy="${value}" data-copied="${copied}" data-failed="${say('copyFailed')}" data-done="✓ ${say('copied')}">${icon('copy')}<span class="word">${say('copy')}</span> <span class="name">${name}</span></button>`;
