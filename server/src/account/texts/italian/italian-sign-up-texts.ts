import type { englishSignUpTexts } from '../english-sign-up-texts.ts';

export const italianSignUpTexts = {
  signUpQuestion: 'Non ha ancora un account?',
  signUpLink: 'Ne richieda uno',
  signUpTitle: 'Richiedere un account',
  signUpText:
    'Indichi come si chiama la Sua attività e dove possiamo scriverLe. Le inviamo un link; poi il gestore di questo servizio apre l’account.',
  signUpBusiness: 'Nome dell’attività',
  signUpBusinessHelp: 'I Suoi clienti lo vedono quando pagano. Può cambiarlo in seguito.',
  signUpSend: 'Inviami il link',
  signUpHasAccount: 'Ha già un account?',
  signUpSent:
    'Se {email} può ricevere e-mail, un link è in arrivo. Vale 24 ore, una sola volta. Se non arriva nulla, guardi nella cartella dello spam; scriviamo a un indirizzo al massimo ogni dieci minuti.',
  signUpAsks:
    'Lei richiede l’account {business}. Appena avrà indicato il Suo nome, la richiesta andrà al gestore di questo servizio.',
  signUpAsk: 'Richiedere',
  signUpWaitingTitle: 'Il Suo account attende il gestore',
  signUpWaiting:
    'Al gestore di questo servizio è stato chiesto di aprire {business}. Fino ad allora qui non c’è nulla da fare. Scriveremo a {email} appena sarà deciso.',
  signUpRefusedTitle: 'Il Suo account non è stato aperto',
  signUpRefused:
    'Il gestore di questo servizio ha deciso di non aprire {business}. Per qualsiasi domanda, si rivolga a lui.',
  signUpOtherAccount: 'Al Suo altro account',
  problem_business_wrong: 'Il nome dell’attività deve avere da 1 a 100 caratteri.',
  problem_sign_up_closed: 'Qui gli account si aprono su invito. Ne chieda uno al gestore di questo servizio.',
  problem_sign_ups_full: 'Troppe persone attendono già un account. Riprovi domani.',
  problem_sign_ups_from_here: 'Sono stati richiesti troppi account dalla Sua rete. Riprovi domani.',
} as const satisfies Record<keyof typeof englishSignUpTexts, string>;
