import type { englishExportTexts } from '../english-export-texts.ts';

export const arabicExportTexts = {
  exportList: 'تصدير',
  columnDays: 'الأيام',
  columnEntries: 'القيود',
  columnCheckout: 'معرّف عملية الدفع',
  columnCurrency: 'العملة',
  columnPaidAsset: 'عملة الدفع',
  columnAlsoPaid: 'مدفوع أيضًا',
  columnAsset: 'العملة',
  columnAbout: 'معرّف ما يخصه القيد',
  columnReference: 'المرجع',
  columnTransfer: 'معرّف التحويل',
  columnFee: 'الرسوم',
  columnApprover: 'بموافقة',
  columnEnded: 'وقت الانتهاء',
  columnNote: 'ملاحظة',
} as const satisfies Record<keyof typeof englishExportTexts, string>;
