import type { englishReportTexts } from '../english-report-texts.ts';

export const arabicReportTexts = {
  menuReports: 'التقارير',
  reportStatement: 'كشف الحساب',
  period_day: 'يوم',
  period_month: 'شهر',
  period_quarter: 'ربع سنة',
  period_year: 'سنة',
  quarterOfYear: 'الربع {quarter} من {year}',
  periodBefore: 'لا شيء قبله',
  periodAfter: 'لا شيء بعده',
  periodSoFar: 'لم تنتهِ هذه الفترة بعد: تشمل حتى {day}، آخر يوم مغلق.',
  coveredDays: 'من {first} إلى {last}، أيام مغلقة حسب المنطقة الزمنية {timeZone}',
  format_csv: 'CSV',
  format_pdf: 'PDF',
  format_json: 'JSON',
  format_camt: 'camt.053',
  problem_days_being_counted: 'يجري احتساب أيام الحساب. افتح الصفحة مجددًا بعد دقيقة.',
  problem_no_closed_day:
    'لم يُغلق أي يوم من هذه الفترة بعد. يُغلق اليوم بعد عشر دقائق من نهايته حسب المنطقة الزمنية للحساب.',
  problem_too_long_for_pdf: 'هذا أطول من أن يوضع في ملف PDF. استخدم ملف CSV الذي يضم كل الصفوف أو فترة أقصر.',
  statementOpening: 'الرصيد الافتتاحي',
  statementIn: 'الوارد',
  statementOut: 'الصادر',
  statementClosing: 'الرصيد الختامي',
} as const satisfies Record<keyof typeof englishReportTexts, string>;
