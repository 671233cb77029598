import type { englishSignUpTexts } from './english-sign-up-texts.ts';

export const germanSignUpTexts = {
  signUpQuestion: 'Noch kein Konto?',
  signUpLink: 'Eines beantragen',
  signUpTitle: 'Ein Konto beantragen',
  signUpText:
    'Sagen Sie, wie Ihr Geschäft heißt und wo wir Sie erreichen. Wir schicken Ihnen einen Link; danach eröffnet der Betreiber dieses Dienstes das Konto.',
  signUpBusiness: 'Name des Geschäfts',
  signUpBusinessHelp: 'Ihre Kunden sehen ihn beim Bezahlen. Sie können ihn später ändern.',
  signUpSend: 'Link schicken',
  signUpHasAccount: 'Sie haben schon ein Konto?',
  signUpSent:
    'Wenn {email} E-Mails empfangen kann, ist ein Link dorthin unterwegs. Er gilt 24 Stunden, einmal. Kommt nichts an, sehen Sie im Spam-Ordner nach; wir schreiben einer Adresse höchstens alle zehn Minuten.',
  signUpAsks:
    'Sie beantragen das Konto {business}. Sobald Sie Ihren Namen genannt haben, wird der Betreiber dieses Dienstes gefragt.',
  signUpAsk: 'Beantragen',
  signUpWaitingTitle: 'Ihr Konto wartet auf den Betreiber',
  signUpWaiting:
    'Der Betreiber dieses Dienstes ist gebeten, {business} zu eröffnen. Bis dahin ist hier nichts zu tun. Wir schreiben an {email}, sobald es entschieden ist.',
  signUpRefusedTitle: 'Ihr Konto wurde nicht eröffnet',
  signUpRefused:
    'Der Betreiber dieses Dienstes hat entschieden, {business} nicht zu eröffnen. Haben Sie dazu eine Frage, wenden Sie sich dorthin.',
  signUpOtherAccount: 'Zu Ihrem anderen Konto',
  problem_business_wrong: 'Der Name des Geschäfts muss 1 bis 100 Zeichen haben.',
  problem_sign_up_closed: 'Konten gibt es hier auf Einladung. Bitten Sie den Betreiber dieses Dienstes um eine.',
  problem_sign_ups_full: 'Es warten schon zu viele auf ein Konto. Versuchen Sie es morgen wieder.',
  problem_sign_ups_from_here: 'Aus Ihrem Netz wurden zu viele Konten beantragt. Versuchen Sie es morgen wieder.',
} as const satisfies Record<keyof typeof englishSignUpTexts, string>;
