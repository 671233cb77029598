import type { englishReportTexts } from '../english-report-texts.ts';

export const polishReportTexts = {
  menuReports: 'Raporty',
  reportStatement: 'Wyciąg',
  period_day: 'Dzień',
  period_month: 'Miesiąc',
  period_quarter: 'Kwartał',
  period_year: 'Rok',
  quarterOfYear: '{quarter}. kwartał {year}',
  periodBefore: 'Nic wcześniej',
  periodAfter: 'Nic później',
  periodSoFar: 'Ten okres jeszcze trwa: ujęto go do {day}, ostatniego zamkniętego dnia.',
  coveredDays: 'Od {first} do {last}, zamknięte dni w strefie czasowej {timeZone}',
  format_csv: 'CSV',
  format_pdf: 'PDF',
  format_json: 'JSON',
  format_camt: 'camt.053',
  problem_days_being_counted: 'Trwa podliczanie dni konta. Proszę otworzyć stronę ponownie za minutę.',
  problem_no_closed_day:
    'Żaden dzień tego okresu nie jest jeszcze zamknięty. Dzień zamyka się dziesięć minut po jego końcu w strefie czasowej konta.',
  problem_too_long_for_pdf: 'To za dużo na PDF. Proszę użyć pliku CSV ze wszystkimi wierszami lub krótszego okresu.',
  statementOpening: 'Saldo początkowe',
  statementIn: 'Wpływy',
  statementOut: 'Wypływy',
  statementClosing: 'Saldo końcowe',
} as const satisfies Record<keyof typeof englishReportTexts, string>;
