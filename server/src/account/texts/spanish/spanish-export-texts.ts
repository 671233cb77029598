import type { englishExportTexts } from '../english-export-texts.ts';

export const spanishExportTexts = {
  exportList: 'Exportar',
  columnDays: 'días',
  columnEntries: 'movimientos',
  columnCheckout: 'ID del pago',
  columnCurrency: 'Moneda',
  columnPaidAsset: 'Pagado en',
  columnAlsoPaid: 'Pagado además',
  columnAsset: 'Activo',
  columnAbout: 'ID de la operación',
  columnReference: 'Referencia',
  columnTransfer: 'ID de la transferencia',
  columnFee: 'Comisión',
  columnApprover: 'Aprobada por',
  columnEnded: 'Terminada',
  columnNote: 'Nota',
} as const satisfies Record<keyof typeof englishExportTexts, string>;
