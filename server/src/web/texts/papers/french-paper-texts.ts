import type { PaperTexts } from '../page-texts.ts';

export const frenchPaperTexts: PaperTexts = {
  andMore: '{count, plural, one {et # autre ligne} other {et # autres lignes}}',
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
  furtherRows: 'et {count, plural, one {# autre} other {# autres}}',
  manyDocumentsTitle: 'Réessayez dans un instant',
  manyDocumentsText:
    'Beaucoup de documents sont en cours de création. Rechargez la page dans quelques secondes ; rien n’est perdu.',
  invoiceXml: 'Facture électronique (XML)',
  invoiceUbl: 'Facture électronique pour Peppol (UBL)',
  noEInvoiceTitle: 'Il n’y a pas de facture électronique ici',
  noEInvoiceText:
    'La boutique n’a pas indiqué tout ce qu’il faut pour une facture électronique. Le PDF dit tout ce qu’elle dirait.',
  noEInvoiceOfReceipt: 'Seules les factures et les avoirs en ont une, pas les reçus.',
  noEInvoiceVeiled:
    'Une facture électronique nomme l’acheteur. Seul l’acheteur la reçoit donc\u00a0: avec le lien de l’e-mail, ou sur la page de la facture.',
  untaxed_AE: 'Autoliquidation\u00a0: la TVA est due par l’acheteur.',
  untaxed_G: 'Exportation hors de l’UE, exonérée de TVA.',
  untaxed_K: 'Livraison intracommunautaire, exonérée de TVA.',
  untaxed_O: 'Hors du champ de la TVA.',
  paperMail_receipt: 'Reçu {number}',
  paperMail_invoice: 'Facture {number}',
  paperMail_creditNote: 'Avoir {number}',
  paperMailText:
    '{shop} vous envoie ce document. Il s’ouvre dans votre navigateur, où vous pouvez l’enregistrer en PDF.',
  paperMailButton: 'Ouvrir le document',
  paperMailReason: 'Vous recevez cet e-mail parce que {shop} nous a demandé de vous envoyer ce document.',
};
