import type { englishReportTexts } from '../english-report-texts.ts';

export const portugueseReportTexts = {
  menuReports: 'Relatórios',
  reportStatement: 'Extrato',
  period_day: 'Dia',
  period_month: 'Mês',
  period_quarter: 'Trimestre',
  period_year: 'Ano',
  quarterOfYear: '{quarter}.º trimestre de {year}',
  periodBefore: 'Nada antes',
  periodAfter: 'Nada depois',
  periodSoFar: 'Este período ainda não terminou: está coberto até {day}, o último dia encerrado.',
  coveredDays: '{first} a {last}, dias encerrados no fuso horário {timeZone}',
  format_csv: 'CSV',
  format_pdf: 'PDF',
  format_json: 'JSON',
  format_camt: 'camt.053',
  problem_days_being_counted: 'Os dias da conta estão a ser contados. Abra a página novamente dentro de um minuto.',
  problem_no_closed_day:
    'Nenhum dia deste período está encerrado. Um dia é encerrado dez minutos após o seu fim no fuso horário da conta.',
  problem_too_long_for_pdf:
    'É demasiado longo para um PDF. Use o CSV, que tem todas as linhas, ou um período mais curto.',
  statementOpening: 'Saldo inicial',
  statementIn: 'Entradas',
  statementOut: 'Saídas',
  statementClosing: 'Saldo final',
} as const satisfies Record<keyof typeof englishReportTexts, string>;
