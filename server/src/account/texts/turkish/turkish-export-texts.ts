import type { englishExportTexts } from '../english-export-texts.ts';

export const turkishExportTexts = {
  exportList: 'Dışa aktar',
  columnDays: 'günler',
  columnEntries: 'hareketler',
  columnCheckout: 'Ödeme kimliği',
  columnCurrency: 'Para birimi',
  columnPaidAsset: 'Ödendiği varlık',
  columnAlsoPaid: 'Ayrıca ödenen',
  columnAsset: 'Varlık',
  columnAbout: 'İlgili kaydın kimliği',
  columnReference: 'Referans',
  columnTransfer: 'Transfer kimliği',
  columnFee: 'Ücret',
  columnApprover: 'Onaylayan',
  columnEnded: 'Bitiş zamanı',
  columnNote: 'Not',
} as const satisfies Record<keyof typeof englishExportTexts, string>;
