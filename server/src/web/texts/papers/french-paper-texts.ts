import type { PaperTexts } from '../page-texts.ts';

export const frenchPaperTexts: PaperTexts = {
  paperNumber: 'Numéro',
  issuedOn: 'Date d’émission',
  creditNote: 'Avoir',
  creditNotePdf: 'Avoir en PDF',
  printCreditNote: 'Imprimer cet avoir',
  corrects: 'Rectifie',
  paperOfDay: '{paper} {number} du {day}',
  creditReason: 'Motif',
  creditForRefund: 'De l’argent a été renvoyé',
  creditForReversal: 'Le réseau a annulé le paiement',
  creditByHand: 'Correction par la boutique',
  creditMovesNoMoney: 'Ce document seul n’envoie pas d’argent.',
  takenBack: 'Annulé',
  priceReduction: 'Réduction du prix',
  creditedPart: 'Partie du montant',
  creditedPartUntaxed: 'Partie sans taxe',
};
