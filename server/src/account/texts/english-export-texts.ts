/** Lists as files: the button, and columns that only a file has. */
export const englishExportTexts = {
  exportList: 'Export',
  columnDays: 'days',
  columnEntries: 'entries',
  columnCheckout: 'Checkout id',
  columnCurrency: 'Currency',
  columnPaidAsset: 'Paid in',
  columnAlsoPaid: 'Also paid',
  columnAsset: 'Asset',
  columnAbout: 'Id of what it is about',
  columnReference: 'Reference',
  columnTransfer: 'Transfer id',
  columnFee: 'Fee',
  columnApprover: 'Approved by',
  columnEnded: 'Ended',
  columnNote: 'Note',
} as const;
