import type { PaperTexts } from '../page-texts.ts';

export const arabicPaperTexts: PaperTexts = {
  paperNumber: 'الرقم',
  issuedOn: 'تاريخ الإصدار',
  creditNote: 'إشعار دائن',
  creditNotePdf: 'إشعار دائن PDF',
  printCreditNote: 'طباعة هذا الإشعار',
  corrects: 'يصحّح',
  paperOfDay: '{paper} {number} بتاريخ {day}',
  creditReason: 'السبب',
  creditForRefund: 'أُعيد مال',
  creditForReversal: 'ألغت الشبكة الدفعة',
  creditByHand: 'تصحيح من المتجر',
  creditMovesNoMoney: 'هذا المستند وحده لا يرسل أي مبلغ.',
  takenBack: 'أُلغي',
  priceReduction: 'تخفيض السعر',
  creditedPart: 'جزء من المبلغ',
  creditedPartUntaxed: 'جزء بلا ضريبة',
};
