import type { MailTexts } from './mail-texts.ts';

export const arabicMailTexts = {
  direction: 'rtl',
  signInSubject: 'رابط تسجيل الدخول',
  signInText: 'بهذا الرابط تسجّل الدخول في المتصفح الذي طلبته منه. يعمل لمدة 15 دقيقة، مرة واحدة:',
  invitationSubject: 'دعوة إلى {account}',
  invitationText: 'تلقيت دعوة إلى الحساب {account} على Quittance. يعمل هذا الرابط لمدة سبعة أيام، مرة واحدة:',
  invitationLaterText:
    'تلقيت دعوة إلى الحساب {account} على Quittance. يعمل هذا الرابط مرة واحدة، ابتداءً من {from}، لمدة سبعة أيام:',
  staffInvitationSubject: 'دعوة إلى فريق Quittance',
  staffInvitationText: 'تلقيت دعوة إلى الفريق الذي يدير خدمة Quittance هذه. يعمل هذا الرابط لمدة سبعة أيام، مرة واحدة:',
  recoverySubject: 'طريقك للعودة إلى {account}',
  recoveryText:
    'أتاح لك أحد المخوّلين في {account} تسجيل الدخول من جديد. يعمل هذا الرابط مرة واحدة، ابتداءً من {from}، لمدة يومين:',
  recoveryAnnouncedSubject: 'سيعود {name} إلى {account}',
  recoveryAnnouncedText:
    'لم يعد لدى {name} ({email}) أي طريقة لتسجيل الدخول إلى {account}، وأُرسل إليه رابط يعمل ابتداءً من {from}. إذا لم يكن ذلك صحيحًا، فاسحبه قبل ذلك من هذه الصفحة:',
  ownerInvitedSubject: 'سيصبح لحساب {account} مالك',
  ownerInvitedText:
    'دعا مشغّل هذه الخدمة {email} ليكون مالك {account} الذي لا مالك له حتى الآن. يعمل الرابط ابتداءً من {from}. إذا لم يكن هذا صحيحًا فأخبر المشغّل قبل ذلك:',
  approverLostSubject: 'لم تعد تمنح الموافقة في {account}',
  approverLostText:
    'أزالك أحد المخوّلين من {account} أو أعطاك دورًا لا يمنح الموافقة. ولمدة سبعة أيام لا يغيّر أحد الحدود هناك بمفرده. إذا لم يكن ذلك صحيحًا، فأبلغ الآخرين ومشغّل هذه الخدمة فورًا:',
  signUpSubject: 'أكّد عنوان بريدك الإلكتروني',
  signUpText:
    'طلب أحدهم حسابًا على Quittance بعنوان البريد الإلكتروني هذا. إذا كنت أنت، فتابع بهذا الرابط. يعمل لمدة 24 ساعة، مرة واحدة:',
  signUpApprovedSubject: 'فُتح الحساب {account}',
  signUpApprovedText: 'فتح مشغّل الخدمة الحساب {account} لك، وأنت مالكه. سجّل الدخول من هنا:',
  signUpRefusedSubject: 'لم يُفتح الحساب {account}',
  signUpRefusedText: 'قرر مشغّل الخدمة عدم فتح الحساب {account}. إذا كان لديك سؤال عن ذلك، فتوجّه إلى مشغّل هذه الخدمة:',
  ignore: 'إذا لم تكن تتوقع هذه الرسالة، فيمكنك تجاهلها.',
  askOperator: 'هل لديك سؤال؟ توجّه إلى مشغّل هذه الخدمة: {contact}',
  exportReadySubject: '{account}: ملفك جاهز',
  exportReadyText: 'الملف الذي طلبته في الحساب {account} جاهز. أنت وحدك من يستطيع تنزيله، لمدة سبعة أيام:',
  statementSubject: '{account}: كشف حساب {month}',
  statementText: 'كشف الحساب {account} عن {month} متوفر. يمكنك قراءته هنا بعد تسجيل الدخول:',
  needsSubject: '{account}: هناك ما ينتظرك',
  needsDigestSubject: '{account}: ما ينتظرك اليوم',
  needsOpening: 'في الحساب {account} ينتظرك ما يلي:',
  needsMore:
    '{count, plural, zero {ولا شيء آخر في «بانتظارك».} one {وأمر واحد آخر في «بانتظارك».} two {وأمران آخران في «بانتظارك».} few {و# أمور أخرى في «بانتظارك».} many {و# أمرًا آخر في «بانتظارك».} other {و# أمر آخر في «بانتظارك».}}',
  needsChange: 'تختار من هنا ما يُبلَّغ إليك وعدد مرات ذلك:',
  need_policyToApprove: 'تغيير في القواعد في انتظار الموافقة',
  need_transferToApprove: 'تحويل في انتظار الموافقة',
  need_refundToApprove: 'رد مبلغ في انتظار الموافقة',
  need_takenBack: 'تراجعت الشبكة أو البنك عن دفعة',
  need_balanceOwed: 'على الحساب مستحقات لمشغّل الخدمة',
  need_underpaid: 'طلب دُفع أقل من المطلوب له',
  need_surplus: 'طلب دُفع زيادةً أو مرتين أو بغير ما طُلب',
  need_refundFailed: 'فشل رد مبلغ',
  need_claimExpires: 'لم يُستلم رد مبلغ بعد، ويوشك رابطه أن ينتهي',
  need_webhooksGivenUp: 'تُركت إشعارات webhook',
  need_webhooksFailing: 'تفشل إشعارات webhook منذ ساعة',
  need_destinationUsable: 'وجهة يمكن استخدامها من الآن',
  need_noPasskey: 'ليس لديك مفتاح مرور',
  need_onlyOneOwner: 'للحساب مالك واحد فقط',
  need_keyUnused: 'مفتاح لم يُستخدم منذ 90 يومًا',
  need_newHand: 'شخص جديد في الموافقة أو يُدخل من جديد',
  proveSubject: 'هل هذا العنوان لك؟',
  proveText:
    'يقول شخص يدخل إلى Quittance إن هذا العنوان له. إن كنت أنت، فافتح هذا الرابط خلال يوم في المتصفح الذي دخلت فيه:',
  newHandSubject: '{name} جديد في الموافقة في {account}',
  newHandText:
    'انضم {name} ({email}) إلى {account}، أو نال فيه دورًا أكبر، أو أُدخل من جديد، أو أضاف مفتاح مرور. ابتداءً من {from} يستطيع الموافقة هناك أو طلب ما يوافق عليه غيره. إن لم يكن هذا صحيحًا فأزله قبل ذلك وارفض ما ينتظر:',
  credentialSubject: 'شيء جديد يفتح دخولك',
  credentialText:
    'أضيف هذا إلى دخولك في {at}: {what}. إن لم تكن أنت فأزله وغيّر كلمة المرور وأخبر مالكًا لحسابك والمشغّل:',
  credential_passkey: 'مفتاح مرور',
  credential_password: 'كلمة مرور',
  credential_app: 'تطبيق رموز',
  credential_codes: 'رموز مطبوعة',
} as const satisfies MailTexts;
