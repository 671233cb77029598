import type { englishExportTexts } from './english-export-texts.ts';

export const germanExportTexts = {
  exportList: 'Exportieren',
  columnDays: 'Tage',
  columnEntries: 'Buchungen',
  columnCheckout: 'Checkout-ID',
  columnCurrency: 'Währung',
  columnPaidAsset: 'Bezahlt in',
  columnAlsoPaid: 'Außerdem bezahlt',
  columnAsset: 'Währung',
  columnAbout: 'ID des Vorgangs',
  columnReference: 'Referenz',
  columnTransfer: 'Auszahlungs-ID',
  columnFee: 'Gebühr',
  columnApprover: 'Freigegeben von',
  columnEnded: 'Beendet',
  columnNote: 'Hinweis',
} as const satisfies Record<keyof typeof englishExportTexts, string>;
