import type { englishExportTexts } from '../english-export-texts.ts';

/** Elenchi come file, con le chiavi del testo inglese. */
export const italianExportTexts = {
  exportList: 'Esporta',
  columnDays: 'giorni',
  columnEntries: 'movimenti',
  columnCheckout: 'ID del pagamento',
  columnCurrency: 'Valuta',
  columnPaidAsset: 'Pagato in',
  columnAlsoPaid: 'Pagato inoltre',
  columnAsset: 'Asset',
  columnAbout: 'ID dell’operazione',
  columnReference: 'Riferimento',
  columnTransfer: 'ID del trasferimento',
  columnFee: 'Commissione',
  columnApprover: 'Approvato da',
  columnEnded: 'Terminato il',
  columnNote: 'Nota',
} as const satisfies Record<keyof typeof englishExportTexts, string>;
