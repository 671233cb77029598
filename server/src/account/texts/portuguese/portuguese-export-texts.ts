import type { englishExportTexts } from '../english-export-texts.ts';

/** Listas como arquivos, com as chaves do texto inglês. */
export const portugueseExportTexts = {
  exportList: 'Exportar',
  columnDays: 'dias',
  columnEntries: 'movimentações',
  columnCheckout: 'ID do pagamento',
  columnCurrency: 'Moeda',
  columnPaidAsset: 'Pago em',
  columnAlsoPaid: 'Também pago',
  columnAsset: 'Ativo',
  columnAbout: 'ID da operação',
  columnReference: 'Referência',
  columnTransfer: 'ID da transferência',
  columnFee: 'Taxa',
  columnApprover: 'Aprovada por',
  columnEnded: 'Encerrada em',
  columnNote: 'Observação',
} as const satisfies Record<keyof typeof englishExportTexts, string>;
