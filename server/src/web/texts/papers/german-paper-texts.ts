import type { PaperTexts } from '../page-texts.ts';

export const germanPaperTexts: PaperTexts = {
  paperNumber: 'Nummer',
  issuedOn: 'Ausstellungsdatum',
  creditNote: 'Rechnungskorrektur',
  creditNotePdf: 'Rechnungskorrektur als PDF',
  printCreditNote: 'Rechnungskorrektur drucken',
  corrects: 'Korrigiert',
  paperOfDay: '{paper} {number} vom {day}',
  creditReason: 'Grund',
  creditForRefund: 'Geld wurde zurückgesendet',
  creditForReversal: 'Das Netzwerk hat die Zahlung rückgängig gemacht',
  creditByHand: 'Korrektur durch den Shop',
  creditMovesNoMoney: 'Durch dieses Dokument allein wird kein Geld gesendet.',
  takenBack: 'Storniert',
  priceReduction: 'Preisnachlass',
  creditedPart: 'Teil des Betrags',
  creditedPartUntaxed: 'Teil ohne Steuer',
};
