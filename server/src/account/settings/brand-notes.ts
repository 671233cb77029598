/** What stands below a field of the payment page: what is wrong with it, or how well it can be read. */
import type { Brand } from '../../merchants/brand.ts';
import { type Html, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import { shopColours } from '../../web/page-brand.ts';
import { contrast } from '../../web/readable-colour.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { type BrandField, type BrandWish, brandFields } from './brand-form.ts';

export type BrandNotes = ReadonlyMap<BrandField, Html>;

export function brandNotes(look: AccountLook, brand: Brand, problems: BrandWish['problems']): BrandNotes {
  const wrong = Array.from(problems, ([field, sentence]): [BrandField, Html] => [
    field,
    html`<p class="error">${icon('alert')}<span>${sentence}</span></p>`,
  ]);
  return new Map([...colourNotes(look, brand), ...wrong]);
}

/** The colour is not changed; the contrast of what stands on it is told. */
function colourNotes({ say, language }: AccountLook, brand: Brand): [BrandField, Html][] {
  const colours = shopColours(brand);
  if (colours === null) return [];
  const { accentColour, pageColour, textColour } = brand;
  const { ground, accent, onAccent } = colours;
  const numbers = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const ratioOf = (one: string, other: string): string => numbers.format(contrast(one, other));
  const nameOf = (colour: string): string =>
    colour === '#ffffff' ? say('brandWhite') : colour === '#000000' ? say('brandBlack') : colour;
  const good = (sentence: string): Html => html`<p class="state paid">${icon('paid')}<span>${sentence}</span></p>`;
  const odd = (sentence: string): Html => html`<p class="state decide">${icon('decide')}<span>${sentence}</span></p>`;
  const onGround =
    ground === null
      ? odd(say('brandNeon'))
      : good(say('brandContrast', { text: nameOf(ground.text), ratio: ratioOf(ground.text, ground.colour) }));

  const notes: [BrandField, Html][] = [];
  if (accentColour !== null) {
    const onButton = good(say('brandContrast', { text: nameOf(onAccent), ratio: ratioOf(onAccent, accent) }));
    notes.push(['accent', ground === null && pageColour === null ? html`${onButton}${onGround}` : onButton]);
  }
  if (pageColour !== null) notes.push(['page', onGround]);
  if (textColour !== null && ground !== null) {
    const isUsed = ground.text === textColour;
    const ratio = ratioOf(textColour, ground.colour);
    notes.push([
      'text',
      isUsed
        ? good(say('brandContrast', { text: textColour, ratio }))
        : odd(say('brandTextUnread', { ratio, instead: nameOf(ground.text) })),
    ]);
  }
  return notes;
}

/** Filled anew as the form is filled in. */
export const noteOf = (notes: BrandNotes, field: BrandField): Html =>
  html`<div class="note" id="note-${field}" aria-live="polite">${notes.get(field)}</div>`;

/** All of them, for the page around the preview to take out of it. */
export const notesTemplate = (notes: BrandNotes): Html =>
  html`<template id="brand-notes">${brandFields.map((field) => noteOf(notes, field))}</template>`;
