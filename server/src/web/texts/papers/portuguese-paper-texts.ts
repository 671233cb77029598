import type { PaperTexts } from '../page-texts.ts';

export const portuguesePaperTexts: PaperTexts = {
  paperNumber: 'Número',
  issuedOn: 'Data de emissão',
  creditNote: 'Nota de crédito',
  creditNotePdf: 'Nota de crédito em PDF',
  printCreditNote: 'Imprimir esta nota',
  corrects: 'Retifica',
  paperOfDay: '{paper} {number} de {day}',
  creditReason: 'Motivo',
  creditForRefund: 'Foi devolvido dinheiro',
  creditForReversal: 'A rede desfez o pagamento',
  creditByHand: 'Correção da loja',
  creditMovesNoMoney: 'Este documento por si só não envia dinheiro.',
  takenBack: 'Anulado',
  priceReduction: 'Redução do preço',
  creditedPart: 'Parte do valor',
  creditedPartUntaxed: 'Parte sem imposto',
};
