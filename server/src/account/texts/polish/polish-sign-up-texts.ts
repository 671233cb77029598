import type { englishSignUpTexts } from '../english-sign-up-texts.ts';

export const polishSignUpTexts = {
  signUpQuestion: 'Nie masz jeszcze konta?',
  signUpLink: 'Poproś o nie',
  signUpTitle: 'Poproś o konto',
  signUpText:
    'Podaj nazwę firmy i adres, pod którym możemy się odezwać. Wyślemy link; potem operator tej usługi otworzy konto.',
  signUpBusiness: 'Nazwa firmy',
  signUpBusinessHelp: 'Klienci widzą ją przy płaceniu. Można ją później zmienić.',
  signUpSend: 'Wyślij mi link',
  signUpHasAccount: 'Masz już konto?',
  signUpSent:
    'Jeśli {email} może odbierać e-maile, link jest już w drodze. Działa przez 24 godziny, jeden raz. Jeśli nic nie przyjdzie, sprawdź folder ze spamem; na jeden adres piszemy najwyżej co dziesięć minut.',
  signUpAsks: 'Prosisz o konto {business}. Gdy podasz swoje imię i nazwisko, zapytamy operatora tej usługi.',
  signUpAsk: 'Poproś',
  signUpWaitingTitle: 'Twoje konto czeka na operatora',
  signUpWaiting:
    'Operator tej usługi został poproszony o otwarcie konta {business}. Do tego czasu nie ma tu nic do zrobienia. Napiszemy na {email}, gdy tylko zapadnie decyzja.',
  signUpRefusedTitle: 'Twoje konto nie zostało otwarte',
  signUpRefused: 'Operator tej usługi postanowił nie otwierać konta {business}. W razie pytań zwróć się do niego.',
  signUpOtherAccount: 'Do drugiego konta',
  problem_business_wrong: 'Nazwa firmy musi mieć od 1 do 100 znaków.',
  problem_sign_up_closed: 'Konta są tu tylko na zaproszenie. Poproś o nie operatora tej usługi.',
  problem_sign_ups_full: 'Zbyt wiele osób czeka już na konto. Spróbuj ponownie jutro.',
  problem_sign_ups_from_here: 'Z Twojej sieci poproszono o zbyt wiele kont. Spróbuj ponownie jutro.',
} as const satisfies Record<keyof typeof englishSignUpTexts, string>;
