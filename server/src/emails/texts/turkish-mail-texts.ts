import type { MailTexts } from './mail-texts.ts';

export const turkishMailTexts = {
  direction: 'ltr',
  signInSubject: 'Oturum açma bağlantınız',
  signInText: 'Bu bağlantıyla, onu istediğiniz tarayıcıda oturum açarsınız. Bağlantı 15 dakika ve bir kez geçerlidir:',
  invitationSubject: '{account} hesabına davetlisiniz',
  invitationText: 'Quittance’ta {account} hesabına davet edildiniz. Bu bağlantı yedi gün ve bir kez geçerlidir:',
  invitationLaterText:
    'Quittance’ta {account} hesabına davet edildiniz. Bu bağlantı {from} tarihinden itibaren yedi gün boyunca ve bir kez geçerlidir:',
  staffInvitationSubject: 'Quittance ekibine davetlisiniz',
  staffInvitationText: 'Bu Quittance’ı işleten ekibe davet edildiniz. Bu bağlantı yedi gün ve bir kez geçerlidir:',
  recoverySubject: '{account} hesabına geri dönüş bağlantınız',
  recoveryText:
    '{account} hesabında yetkili biri yeniden oturum açmanızı sağlıyor. Bu bağlantı {from} tarihinden itibaren iki gün boyunca ve bir kez geçerlidir:',
  recoveryAnnouncedSubject: '{name}, {account} hesabına yeniden alınıyor',
  recoveryAnnouncedText:
    '{name} ({email}) artık {account} hesabında hiçbir yolla oturum açamıyor ve {from} tarihinden itibaren geçerli bir bağlantı aldı. Bu doğru değilse o zamana kadar bağlantıyı bu sayfada geri alın:',
  ownerInvitedSubject: '{account} hesabına bir sahip atanıyor',
  ownerInvitedText:
    'Bu hizmeti işleten, henüz sahibi olmayan {account} hesabının sahibi olması için {email} adresini davet etti. Bağlantı {from} itibarıyla çalışır. Bu doğru değilse daha önce haber verin:',
  approverLostSubject: '{account} hesabında artık onay vermiyorsunuz',
  approverLostText:
    'Yetkili biri sizi {account} hesabından çıkardı veya size onay vermeyen bir rol verdi. Yedi gün boyunca orada kimse sınırları tek başına değiştiremez. Bu doğru değilse hemen diğerlerine ve bu hizmetin işletmecisine haber verin:',
  signUpSubject: 'E-posta adresinizi doğrulayın',
  signUpText:
    'Biri bu e-posta adresiyle Quittance’ta bir hesap istedi. Bu siz idiyseniz bu bağlantıyla devam edin. Bağlantı 24 saat ve bir kez geçerlidir:',
  signUpApprovedSubject: '{account} hesabı açıldı',
  signUpApprovedText: 'İşletmeci {account} hesabını sizin için açtı. Hesabın sahibi sizsiniz. Buradan oturum açın:',
  signUpRefusedSubject: '{account} hesabı açılmadı',
  signUpRefusedText:
    'İşletmeci {account} hesabını açmamaya karar verdi. Bu konuda bir sorunuz varsa bu hizmetin işletmecisine sorun:',
  ignore: 'Bu iletiyi beklemiyorduysanız yok sayabilirsiniz.',
  askOperator: 'Sorularınız mı var? Bu hizmetin işletmecisine sorun: {contact}',
  exportReadySubject: '{account}: dosyanız hazır',
  exportReadyText: '{account} hesabında istediğiniz dosya hazır. Yedi gün boyunca yalnızca siz indirebilirsiniz:',
  statementSubject: '{account}: {month} hesap özeti',
  statementText: '{account} hesabının {month} özeti hazır. Oturum açtıktan sonra burada okuyabilirsiniz:',
  needsSubject: '{account}: sizi bekleyen bir şey var',
  needsDigestSubject: '{account}: bugün sizi bekleyenler',
  needsOpening: '{account} hesabında sizi bekleyenler:',
  needsMore:
    '{count, plural, one {“Sizi bekleyenler” sayfasında bir konu daha var.} other {“Sizi bekleyenler” sayfasında # konu daha var.}}',
  needsChange: 'Size nelerin ve ne sıklıkta bildirileceğini burada seçersiniz:',
  need_policyToApprove: 'Bir kural değişikliği onay bekliyor',
  need_transferToApprove: 'Bir transfer onay bekliyor',
  need_refundToApprove: 'Bir iade onay bekliyor',
  need_takenBack: 'Ağ veya banka bir ödemeyi geri aldı',
  need_balanceOwed: 'Hesabın işletmeciye borcu var',
  need_underpaid: 'Bir sipariş eksik ödendi',
  need_surplus: 'Bir sipariş fazla, iki kez veya istenenden farklı ödendi',
  need_refundFailed: 'Bir iade başarısız oldu',
  need_claimExpires: 'Bir iade henüz alınmadı ve bağlantısının süresi dolmak üzere',
  need_webhooksGivenUp: 'Webhook gönderiminden vazgeçildi',
  need_webhooksFailing: 'Webhooklar bir saattir başarısız',
  need_destinationUsable: 'Bir hedef artık kullanılabilir',
  need_noPasskey: 'Geçiş anahtarınız yok',
  need_onlyOneOwner: 'Hesabın yalnızca bir sahibi var',
  need_keyUnused: 'Bir anahtar 90 gündür kullanılmadı',
  need_newHand: 'Biri onayda yeni ya da yeniden içeri alınıyor',
  proveSubject: 'Bu adres sizin mi?',
  proveText:
    'Quittance’a giriş yapan biri bu adresin kendisinin olduğunu söylüyor. Bu sizseniz, bu bağlantıyı bir gün içinde, giriş yaptığınız tarayıcıda açın:',
  newHandSubject: '{name}, {account} hesabında onayda yeni',
  newHandText:
    '{name} ({email}) {account} hesabına katıldı, orada daha büyük bir rol aldı, yeniden içeri alındı ya da bir geçiş anahtarı ekledi. {from} tarihinden itibaren orada onaylayabilir ya da başkalarının onayladığını isteyebilir. Doğru değilse önce onu çıkarın ve bekleyeni reddedin:',
  credentialSubject: 'Girişinizi yeni bir şey açıyor',
  credentialText:
    'Girişinize {at} tarihinde şu eklendi: {what}. Bu siz değilseniz onu kaldırın, parolanızı değiştirin ve hesabınızın bir sahibine ve işletmeciye bildirin:',
  credential_passkey: 'bir geçiş anahtarı',
  credential_password: 'bir parola',
  credential_app: 'kod veren bir uygulama',
  credential_codes: 'basılı kodlar',
} as const satisfies MailTexts;
