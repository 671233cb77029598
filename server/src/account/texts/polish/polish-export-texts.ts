import type { englishExportTexts } from '../english-export-texts.ts';

export const polishExportTexts = {
  exportList: 'Eksportuj',
  columnDays: 'dni',
  columnEntries: 'księgowania',
  columnCheckout: 'ID płatności',
  columnCurrency: 'Waluta',
  columnPaidAsset: 'Zapłacono w',
  columnAlsoPaid: 'Zapłacono też',
  columnAsset: 'Waluta',
  columnAbout: 'ID operacji',
  columnReference: 'Numer referencyjny',
  columnTransfer: 'ID wypłaty',
  columnFee: 'Opłata',
  columnApprover: 'Zatwierdzenie',
  columnEnded: 'Zakończono',
  columnNote: 'Uwaga',
} as const satisfies Record<keyof typeof englishExportTexts, string>;
