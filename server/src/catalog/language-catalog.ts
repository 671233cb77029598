/** The languages of the hosted pages (spec §4.4), each by its own name. `auto` is a wish, not a language. */
import type { Language } from '@quittance/contract/catalog';

export const languages: readonly Language[] = [
  { languageCode: 'en', name: 'English' },
  { languageCode: 'de', name: 'Deutsch' },
  { languageCode: 'pt', name: 'Português' },
  { languageCode: 'es', name: 'Español' },
  { languageCode: 'it', name: 'Italiano' },
  { languageCode: 'tr', name: 'Türkçe' },
  { languageCode: 'pl', name: 'Polski' },
  { languageCode: 'fr', name: 'Français' },
];

const codes: ReadonlySet<string> = new Set(languages.map(({ languageCode }) => languageCode));

export const isLanguage = (code: string): boolean => codes.has(code);
