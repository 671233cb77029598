import type { englishSignUpTexts } from '../english-sign-up-texts.ts';

export const frenchSignUpTexts = {
  signUpQuestion: 'Pas encore de compte\u00a0?',
  signUpLink: 'Demandez-en un',
  signUpTitle: 'Demander un compte',
  signUpText:
    'Indiquez le nom de votre entreprise et comment vous joindre. Nous vous envoyons un lien\u202f; ensuite, l’exploitant de ce service ouvre le compte.',
  signUpBusiness: 'Nom de l’entreprise',
  signUpBusinessHelp: 'Vos clients le voient quand ils paient. Vous pourrez le changer plus tard.',
  signUpSend: 'M’envoyer le lien',
  signUpHasAccount: 'Vous avez déjà un compte\u00a0?',
  signUpSent:
    'Si {email} peut recevoir des e-mails, un lien est en route. Il est valable 24 heures, une seule fois. Si rien n’arrive, regardez dans le dossier de spam\u202f; nous écrivons à une adresse au plus toutes les dix minutes.',
  signUpAsks:
    'Vous demandez le compte {business}. Dès que vous aurez indiqué votre nom, la demande sera soumise à l’exploitant de ce service.',
  signUpAsk: 'Demander',
  signUpWaitingTitle: 'Votre compte attend l’exploitant',
  signUpWaiting:
    'La demande d’ouverture de {business} a été soumise à l’exploitant de ce service. D’ici là, il n’y a rien à faire ici. Nous écrirons à {email} dès que la décision sera prise.',
  signUpRefusedTitle: 'Votre compte n’a pas été ouvert',
  signUpRefused:
    'L’exploitant de ce service a décidé de ne pas ouvrir {business}. Pour toute question, adressez-vous à lui.',
  signUpOtherAccount: 'Vers votre autre compte',
  problem_business_wrong: 'Le nom de l’entreprise doit compter de 1 à 100 caractères.',
  problem_sign_up_closed: 'Ici, les comptes s’ouvrent sur invitation. Demandez-en une à l’exploitant de ce service.',
  problem_sign_ups_full: 'Trop de personnes attendent déjà un compte. Réessayez demain.',
  problem_sign_ups_from_here: 'Trop de comptes ont été demandés depuis votre réseau. Réessayez demain.',
} as const satisfies Record<keyof typeof englishSignUpTexts, string>;
