import type { englishReportTexts } from '../english-report-texts.ts';

export const italianReportTexts = {
  menuReports: 'Resoconti',
  reportStatement: 'Estratto conto',
  period_day: 'Giorno',
  period_month: 'Mese',
  period_quarter: 'Trimestre',
  period_year: 'Anno',
  quarterOfYear: '{quarter}º trimestre {year}',
  periodBefore: 'Niente prima',
  periodAfter: 'Niente dopo',
  periodSoFar: 'Questo periodo non è finito: è coperto fino al {day}, l’ultimo giorno chiuso.',
  coveredDays: 'Dal {first} al {last}, giorni chiusi nel fuso orario {timeZone}',
  format_csv: 'CSV',
  format_pdf: 'PDF',
  format_json: 'JSON',
  format_camt: 'camt.053',
  problem_days_being_counted: 'I giorni del conto vengono calcolati. Riaprire la pagina tra un minuto.',
  problem_no_closed_day:
    'Nessun giorno di questo periodo è chiuso. Un giorno si chiude dieci minuti dopo la sua fine nel fuso orario del conto.',
  problem_too_long_for_pdf:
    'È troppo lungo per un PDF. Usare il CSV, che contiene tutte le righe, o un periodo più breve.',
  statementOpening: 'Saldo iniziale',
  statementIn: 'Entrate',
  statementOut: 'Uscite',
  statementClosing: 'Saldo finale',
} as const satisfies Record<keyof typeof englishReportTexts, string>;
