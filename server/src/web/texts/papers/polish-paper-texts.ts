import type { PaperTexts } from '../page-texts.ts';

export const polishPaperTexts: PaperTexts = {
  paperNumber: 'Numer',
  issuedOn: 'Data wystawienia',
  creditNote: 'Faktura korygująca',
  creditNotePdf: 'Korekta w PDF',
  printCreditNote: 'Drukuj korektę',
  corrects: 'Dotyczy',
  paperOfDay: '{paper} {number} z dnia {day}',
  creditReason: 'Powód',
  creditForRefund: 'Odesłano pieniądze',
  creditForReversal: 'Sieć cofnęła płatność',
  creditByHand: 'Korekta sklepu',
  creditMovesNoMoney: 'Sam ten dokument nie wysyła pieniędzy.',
  takenBack: 'Anulowano',
  priceReduction: 'Obniżka ceny',
  creditedPart: 'Część kwoty',
  creditedPartUntaxed: 'Część bez podatku',
};
