import type { PaperTexts } from '../page-texts.ts';

export const spanishPaperTexts: PaperTexts = {
  paperNumber: 'Número',
  issuedOn: 'Fecha de emisión',
  creditNote: 'Nota de crédito',
  creditNotePdf: 'Nota de crédito en PDF',
  printCreditNote: 'Imprimir esta nota',
  corrects: 'Rectifica',
  paperOfDay: '{paper} {number} del {day}',
  creditReason: 'Motivo',
  creditForRefund: 'Se ha devuelto dinero',
  creditForReversal: 'La red ha anulado el pago',
  creditByHand: 'Corrección de la tienda',
  creditMovesNoMoney: 'Este documento por sí solo no envía dinero.',
  takenBack: 'Anulado',
  priceReduction: 'Reducción del precio',
  creditedPart: 'Parte del importe',
  creditedPartUntaxed: 'Parte sin impuesto',
};
