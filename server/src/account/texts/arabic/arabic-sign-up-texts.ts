import type { englishSignUpTexts } from '../english-sign-up-texts.ts';

export const arabicSignUpTexts = {
  signUpQuestion: 'ليس لديك حساب بعد؟',
  signUpLink: 'اطلب حسابًا',
  signUpTitle: 'طلب حساب',
  signUpText: 'اذكر اسم نشاطك التجاري وأين نراسلك. نرسل إليك رابطًا، ثم يفتح مشغّل هذه الخدمة الحساب.',
  signUpBusiness: 'اسم النشاط التجاري',
  signUpBusinessHelp: 'يراه عملاؤك عند الدفع. يمكنك تغييره لاحقًا.',
  signUpSend: 'أرسل إليّ الرابط',
  signUpHasAccount: 'لديك حساب بالفعل؟',
  signUpSent:
    'إذا كان {email} يستقبل البريد، فالرابط في طريقه إليه. يعمل لمدة 24 ساعة، مرة واحدة. إذا لم يصل شيء، فانظر في مجلد البريد غير المرغوب؛ لا نراسل العنوان نفسه أكثر من مرة كل عشر دقائق.',
  signUpAsks: 'أنت تطلب الحساب {business}. بعد أن تذكر اسمك، يُسأل مشغّل هذه الخدمة.',
  signUpAsk: 'اطلبه',
  signUpWaitingTitle: 'حسابك ينتظر المشغّل',
  signUpWaiting:
    'طُلب من مشغّل هذه الخدمة فتح {business}. حتى ذلك الحين لا شيء تفعله هنا. سنكتب إلى {email} فور اتخاذ القرار.',
  signUpRefusedTitle: 'لم يُفتح حسابك',
  signUpRefused: 'قرر مشغّل هذه الخدمة عدم فتح {business}. إذا كان لديك سؤال عن ذلك، فتوجّه إليه.',
  signUpOtherAccount: 'إلى حسابك الآخر',
  problem_business_wrong: 'يجب أن يتكون اسم النشاط التجاري من 1 إلى 100 حرف.',
  problem_sign_up_closed: 'الحسابات هنا بدعوة. اطلب دعوة من مشغّل هذه الخدمة.',
  problem_sign_ups_full: 'ينتظر حسابًا عدد كبير من الأشخاص بالفعل. حاول مجددًا غدًا.',
  problem_sign_ups_from_here: 'طُلبت حسابات كثيرة من شبكتك. حاول مجددًا غدًا.',
} as const satisfies Record<keyof typeof englishSignUpTexts, string>;
