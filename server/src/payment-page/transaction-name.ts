/** What that is called by which people know a payment: its transaction, or at banks what banks print. */
import { findNetwork } from '../catalog/network-catalog.ts';
import type { PageLanguage, Say } from '../web/texts/page-texts.ts';

type Speaking = { readonly say: Say; readonly language: PageLanguage };

/** Of what was paid. */
export const paidName = ({ say, language }: Speaking, network: string): string =>
  findNetwork(network)?.knownAs?.reference[language] ?? say('transaction');

/** Of what was sent back. */
export const sentName = ({ say, language }: Speaking, network: string): string =>
  findNetwork(network)?.knownAs?.sentName[language] ?? say('transaction');
