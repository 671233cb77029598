import type { englishReportTexts } from './english-report-texts.ts';

export const germanReportTexts = {
  menuReports: 'Berichte',
  reportStatement: 'Kontoauszug',
  period_day: 'Tag',
  period_month: 'Monat',
  period_quarter: 'Quartal',
  period_year: 'Jahr',
  quarterOfYear: '{quarter}. Quartal {year}',
  periodBefore: 'Nichts davor',
  periodAfter: 'Nichts danach',
  periodSoFar: 'Dieser Zeitraum ist noch nicht zu Ende: enthalten ist er bis {day}, dem letzten abgeschlossenen Tag.',
  coveredDays: '{first} bis {last}, abgeschlossene Tage in der Zeitzone {timeZone}',
  format_csv: 'CSV',
  format_pdf: 'PDF',
  format_json: 'JSON',
  format_camt: 'camt.053',
  problem_days_being_counted:
    'Die Tage des Kontos werden gerade gezählt. Öffnen Sie die Seite in einer Minute noch einmal.',
  problem_no_closed_day:
    'In diesem Zeitraum ist noch kein Tag abgeschlossen. Ein Tag ist zehn Minuten nach seinem Ende in der Zeitzone des Kontos abgeschlossen.',
  problem_too_long_for_pdf:
    'Das ist zu lang für ein PDF. Nehmen Sie die CSV-Datei mit allen Zeilen oder einen kürzeren Zeitraum.',
  statementOpening: 'Anfangsbestand',
  statementIn: 'Eingang',
  statementOut: 'Ausgang',
  statementClosing: 'Endbestand',
} as const satisfies Record<keyof typeof englishReportTexts, string>;
