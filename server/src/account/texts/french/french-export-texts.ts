import type { englishExportTexts } from '../english-export-texts.ts';

export const frenchExportTexts = {
  exportList: 'Exporter',
  columnDays: 'jours',
  columnEntries: 'historique',
  columnCheckout: 'ID du paiement',
  columnCurrency: 'Devise',
  columnPaidAsset: 'Payé en',
  columnAlsoPaid: 'Payé aussi',
  columnAsset: 'Actif',
  columnAbout: 'ID de l’opération',
  columnReference: 'Référence',
  columnTransfer: 'ID du transfert',
  columnFee: 'Frais',
  columnApprover: 'Approuvé par',
  columnEnded: 'Terminé le',
  columnNote: 'Remarque',
} as const satisfies Record<keyof typeof englishExportTexts, string>;
