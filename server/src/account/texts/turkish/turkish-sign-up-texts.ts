import type { englishSignUpTexts } from '../english-sign-up-texts.ts';

export const turkishSignUpTexts = {
  signUpQuestion: 'Henüz hesabınız yok mu?',
  signUpLink: 'Bir hesap isteyin',
  signUpTitle: 'Hesap isteyin',
  signUpText:
    'İşletmenizin adını ve size nereden ulaşabileceğimizi yazın. Size bir bağlantı göndeririz; ardından bu hizmetin işletmecisi hesabı açar.',
  signUpBusiness: 'İşletmenin adı',
  signUpBusinessHelp: 'Müşterileriniz öderken bunu görür. Daha sonra değiştirebilirsiniz.',
  signUpSend: 'Bağlantıyı gönder',
  signUpHasAccount: 'Zaten hesabınız var mı?',
  signUpSent:
    '{email} e-posta alabiliyorsa bir bağlantı yola çıktı. 24 saat boyunca, bir kez çalışır. Hiçbir şey gelmezse spam klasörüne bakın; bir adrese en fazla on dakikada bir yazarız.',
  signUpAsks: '{business} hesabını istiyorsunuz. Adınızı yazdıktan sonra bu hizmetin işletmecisine sorulur.',
  signUpAsk: 'İste',
  signUpWaitingTitle: 'Hesabınız işletmeciyi bekliyor',
  signUpWaiting:
    'Bu hizmetin işletmecisinden {business} hesabını açması istendi. O zamana kadar burada yapılacak bir şey yok. Karar verilir verilmez {email} adresine yazarız.',
  signUpRefusedTitle: 'Hesabınız açılmadı',
  signUpRefused: 'Bu hizmetin işletmecisi {business} hesabını açmamaya karar verdi. Sorunuz varsa ona başvurun.',
  signUpOtherAccount: 'Diğer hesabınıza',
  problem_business_wrong: 'İşletmenin adı 1 ile 100 karakter arasında olmalıdır.',
  problem_sign_up_closed: 'Burada hesaplar davetle açılır. Bu hizmetin işletmecisinden bir davet isteyin.',
  problem_sign_ups_full: 'Şu anda çok fazla kişi hesap bekliyor. Yarın yeniden deneyin.',
  problem_sign_ups_from_here: 'Ağınızdan çok fazla hesap istendi. Yarın yeniden deneyin.',
} as const satisfies Record<keyof typeof englishSignUpTexts, string>;
