import type { englishReportTexts } from '../english-report-texts.ts';

export const turkishReportTexts = {
  menuReports: 'Raporlar',
  reportStatement: 'Hesap özeti',
  period_day: 'Gün',
  period_month: 'Ay',
  period_quarter: 'Çeyrek',
  period_year: 'Yıl',
  quarterOfYear: '{year}, {quarter}. çeyrek',
  periodBefore: 'Öncesi yok',
  periodAfter: 'Sonrası yok',
  periodSoFar: 'Bu dönem henüz bitmedi: son kapanan gün olan {day} dahil edilmiştir.',
  coveredDays: '{first} – {last}, {timeZone} saat diliminde kapanan günler',
  format_csv: 'CSV',
  format_pdf: 'PDF',
  format_json: 'JSON',
  format_camt: 'camt.053',
  problem_days_being_counted: 'Hesabın günleri sayılıyor. Sayfayı bir dakika sonra yeniden açın.',
  problem_no_closed_day:
    'Bu dönemde henüz kapanan gün yok. Bir gün, hesabın saat diliminde bitişinden on dakika sonra kapanır.',
  problem_too_long_for_pdf:
    'Bu, bir PDF için çok uzun. Tüm satırları içeren CSV’yi alın veya daha kısa bir dönem seçin.',
  statementOpening: 'Açılış',
  statementIn: 'Giren',
  statementOut: 'Çıkan',
  statementClosing: 'Kapanış',
} as const satisfies Record<keyof typeof englishReportTexts, string>;
