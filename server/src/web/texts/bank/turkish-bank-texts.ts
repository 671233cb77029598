import type { englishBankTexts } from './english-bank-texts.ts';

export const turkishBankTexts: Readonly<Record<keyof typeof englishBankTexts, string>> = {
  feeNoneBank: 'Bizden yok; bankanız havale için ücret alabilir.',
  newHereBank: 'Bankanızdan:',
  bankOverText: 'Hiçbir şey kaybolmadı ve siparişiniz hâlâ burada: yine de ödeyebilirsiniz.',
  bankSentText:
    'Yoldaki bir havale kaybolmaz ve tamamı sayılır: yeniden göndermeyin. Takip ediyoruz, bu sayfa kendiliğinden değişir.',
  bankProcessingText: 'Mağazanın bankası işler işlemez geçerli olur. Beklemeniz gerekmez, bu sayfayı kapatabilirsiniz.',
  bankSeesNothingText:
    'Havaleniz, mağazanın bankası onu işler işlemez burada görünür. {usually} O zaman hâlâ görünmüyorsa mağazaya sipariş kodunu, havalenin gününü ve açıklamasını bildirin.',
  sentToAccount: 'Gönderildiği hesap',
  backToAccount: 'Geldiği hesaba geri gönderebiliriz.',
  sendItBack: 'Geri gönder',
  backToAccountOnItsWay: 'Geldiği hesaba geri gönderiliyor. Bu birkaç iş günü sürebilir.',
  backToAccountAtShop: 'Önce mağazanın onaylaması gerekir. Ardından para geldiği hesaba döner.',
  refundOrdered: 'İade emri verildi',
  refundOrderedTitle: '{amount} için iade emri verildi',
  refundsOfPaidText: 'Siparişiniz ödendi. Size geri gelecek olan burada yazar.',
  toThisAccount: 'Bu hesaba',
  refundOrderedOn: '{date} tarihinde emri verildi, henüz ulaşmadı. {takes}',
  refundMayFail:
    'Bir banka bunu yerine getirmezse mağaza öğrenir ve yeniden gönderebilir. Daha uzun sürerse mağazaya sorun.',
  placeKept:
    '{date} tarihine kadar sizin için bir yer ayrılmıştır. Ödemeniz daha sonra ulaşır ve o zamana kadar bütün yerler dolmuş olursa, mağaza hâlâ teslim edip edemeyeceğine ya da paranızı geri göndereceğine karar verir.',
  placeGoneText:
    'Ödemeniz, yerinizin ayrıldığı süre içinde ulaşmadı ve yeri başkaları aldı. Lütfen şimdi bir şey göndermeyin. Havaleniz yoldaysa hiçbir şey kaybolmaz: mağaza hâlâ teslim edip edemeyeceğine ya da paranızı geri göndereceğine karar verir.',
};
