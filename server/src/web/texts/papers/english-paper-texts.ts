/** What only papers say. */
export const englishPaperTexts = {
  paperNumber: 'Number',
  issuedOn: 'Date of issue',
  creditNote: 'Credit note',
  creditNotePdf: 'Credit note as PDF',
  printCreditNote: 'Print this credit note',
  corrects: 'Corrects',
  paperOfDay: '{paper} {number} of {day}',
  creditReason: 'Reason',
  creditForRefund: 'Money was sent back',
  creditForReversal: 'The network has undone the payment',
  creditByHand: 'Correction by the shop',
  creditMovesNoMoney: 'This paper alone sends no money.',
  takenBack: 'Cancelled',
  priceReduction: 'Price reduction',
  creditedPart: 'Part of the amount',
  creditedPartUntaxed: 'Part without tax',
} as const;
