import type { englishStatusTexts } from './english-status-texts.ts';

export const turkishStatusTexts: Readonly<Record<keyof typeof englishStatusTexts, string>> = {
  createdMailSubject: '{shop} siparişiniz: nasıl ödenir',
  createdMailTitle: 'Siparişiniz artık ödenebilir',
  createdMailText: 'Nasıl ödeyeceğinizi ödeme sayfasında seçersiniz. Zaten ödediyseniz bir şey yapmanız gerekmez.',
  partMailTitle: '{shop} için ödemenizin bir kısmı geldi',
  shortMailSubject: '{shop} için ödemeniz tamamlanmadı',
  refundMailSubject: '{shop} iadeniz',
  toPaymentPage: 'Ödeme sayfasına git',
  seeInvoice: 'Faturayı gör',
  statusMailReason: 'Bu iletiyi, {shop} bu siparişle birlikte adresinizi verdiği için alıyorsunuz.',
  stopMails: 'Bu tür iletileri durdur',
  stopMailsTitle: 'Siparişlerinizle ilgili iletiler',
  stopMailsText:
    'Bir siparişinizde bir şey olduğunda {shop} adına size yazarız: ödendiğinde, para eksik olduğunda, bir tutar geri gönderildiğinde.',
  stopMailsKept: 'Bir ödeme sayfasında istediğiniz makbuzlar ve kendi paranıza giden bağlantılar gelmeye devam eder.',
  stopMailsButton: 'Bu iletileri durdur',
  mailsStopped: 'Durduruldu. Bu adrese {shop} siparişleriyle ilgili ileti artık göndermiyoruz.',
  startMailsButton: 'Yeniden al',
  mailsStarted: 'Onları yeniden alıyorsunuz.',
};
