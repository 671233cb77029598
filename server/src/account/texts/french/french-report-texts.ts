import type { englishReportTexts } from '../english-report-texts.ts';

export const frenchReportTexts = {
  menuReports: 'Rapports',
  reportStatement: 'Relevé',
  period_day: 'Jour',
  period_month: 'Mois',
  period_quarter: 'Trimestre',
  period_year: 'Année',
  quarterOfYear: 'T{quarter} {year}',
  periodBefore: 'Rien avant',
  periodAfter: 'Rien après',
  periodSoFar: 'Cette période n’est pas terminée : elle est couverte jusqu’au {day}, dernier jour clos.',
  coveredDays: 'Du {first} au {last}, jours clos dans le fuseau horaire {timeZone}',
  format_csv: 'CSV',
  format_pdf: 'PDF',
  format_json: 'JSON',
  format_camt: 'camt.053',
  problem_days_being_counted: 'Les jours du compte sont en cours de calcul. Rouvrez la page dans une minute.',
  problem_no_closed_day:
    'Aucun jour de cette période n’est clos. Un jour est clos dix minutes après sa fin dans le fuseau horaire du compte.',
  problem_too_long_for_pdf:
    'C’est trop long pour un PDF. Prenez le CSV, qui contient toutes les lignes, ou une période plus courte.',
  statementOpening: 'Solde initial',
  statementIn: 'Entrées',
  statementOut: 'Sorties',
  statementClosing: 'Solde final',
} as const satisfies Record<keyof typeof englishReportTexts, string>;
