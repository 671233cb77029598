import type { PaperTexts } from '../page-texts.ts';

export const turkishPaperTexts: PaperTexts = {
  paperNumber: 'Numara',
  issuedOn: 'Düzenleme tarihi',
  creditNote: 'Alacak dekontu',
  creditNotePdf: 'PDF alacak dekontu',
  printCreditNote: 'Dekontu yazdır',
  corrects: 'Düzelttiği belge',
  paperOfDay: '{paper} {number}, {day}',
  creditReason: 'Neden',
  creditForRefund: 'Para geri gönderildi',
  creditForReversal: 'Ağ ödemeyi geri aldı',
  creditByHand: 'Mağazanın düzeltmesi',
  creditMovesNoMoney: 'Bu belge tek başına para göndermez.',
  takenBack: 'İptal edildi',
  priceReduction: 'Fiyat indirimi',
  creditedPart: 'Tutarın bir kısmı',
  creditedPartUntaxed: 'Vergisiz kısım',
};
