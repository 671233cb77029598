import type { PaperTexts } from '../page-texts.ts';

export const italianPaperTexts: PaperTexts = {
  paperNumber: 'Numero',
  issuedOn: 'Data di emissione',
  creditNote: 'Nota di credito',
  creditNotePdf: 'Nota di credito in PDF',
  printCreditNote: 'Stampa questa nota',
  corrects: 'Rettifica',
  paperOfDay: '{paper} {number} del {day}',
  creditReason: 'Motivo',
  creditForRefund: 'È stato restituito denaro',
  creditForReversal: 'La rete ha annullato il pagamento',
  creditByHand: 'Correzione del negozio',
  creditMovesNoMoney: 'Questo documento da solo non invia denaro.',
  takenBack: 'Stornato',
  priceReduction: 'Riduzione del prezzo',
  creditedPart: 'Parte dell’importo',
  creditedPartUntaxed: 'Parte senza imposta',
};
