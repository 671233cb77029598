import type { englishStatusTexts } from './english-status-texts.ts';

export const arabicStatusTexts: Readonly<Record<keyof typeof englishStatusTexts, string>> = {
  createdMailSubject: 'طلبك لدى {shop}: كيفية الدفع',
  createdMailTitle: 'يمكنك الآن دفع ثمن طلبك',
  createdMailText: 'تختار طريقة الدفع في صفحة الدفع. إذا كنت قد دفعت بالفعل، فلا يلزمك فعل أي شيء.',
  partMailTitle: 'وصل جزء من دفعتك إلى {shop}',
  shortMailSubject: 'دفعتك إلى {shop} غير مكتملة',
  refundMailSubject: 'المبلغ المردود إليك من {shop}',
  toPaymentPage: 'الانتقال إلى صفحة الدفع',
  seeInvoice: 'عرض الفاتورة',
  statusMailReason: 'تصلك هذه الرسالة لأن {shop} قدّم عنوانك مع هذا الطلب.',
  stopMails: 'إيقاف مثل هذه الرسائل',
  stopMailsTitle: 'رسائل عن طلباتك',
  stopMailsText:
    'نكتب إليك نيابة عن {shop} عندما يحدث شيء في أحد طلباتك: عندما يُدفع ثمنه، أو ينقص مبلغ، أو يُعاد إليك مال.',
  stopMailsKept: 'تستمر في الوصول الإيصالاتُ التي تطلبها في صفحة دفع والروابطُ إلى أموالك.',
  stopMailsButton: 'إيقاف هذه الرسائل',
  mailsStopped: 'تم الإيقاف. لن نرسل إلى هذا العنوان رسائل أخرى عن الطلبات لدى {shop}.',
  startMailsButton: 'استلامها من جديد',
  mailsStarted: 'ستصلك من جديد.',
};
