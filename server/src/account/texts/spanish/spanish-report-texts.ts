import type { englishReportTexts } from '../english-report-texts.ts';

export const spanishReportTexts = {
  menuReports: 'Informes',
  reportStatement: 'Extracto',
  period_day: 'Día',
  period_month: 'Mes',
  period_quarter: 'Trimestre',
  period_year: 'Año',
  quarterOfYear: '{quarter}.º trimestre de {year}',
  periodBefore: 'Nada anterior',
  periodAfter: 'Nada posterior',
  periodSoFar: 'Este período aún no ha terminado: se incluye hasta {day}, el último día cerrado.',
  coveredDays: 'Del {first} al {last}, días cerrados en la zona horaria {timeZone}',
  format_csv: 'CSV',
  format_pdf: 'PDF',
  format_json: 'JSON',
  format_camt: 'camt.053',
  problem_days_being_counted: 'Se están contando los días de la cuenta. Vuelva a abrir la página en un minuto.',
  problem_no_closed_day:
    'Ningún día de este período está cerrado. Un día se cierra diez minutos después de su fin en la zona horaria de la cuenta.',
  problem_too_long_for_pdf:
    'Es demasiado largo para un PDF. Use el CSV, que tiene todas las filas, o un período más corto.',
  statementOpening: 'Saldo inicial',
  statementIn: 'Entradas',
  statementOut: 'Salidas',
  statementClosing: 'Saldo final',
} as const satisfies Record<keyof typeof englishReportTexts, string>;
