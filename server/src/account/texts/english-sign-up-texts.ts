/** Asking for an account of one's own. */
export const englishSignUpTexts = {
  signUpQuestion: 'No account yet?',
  signUpLink: 'Ask for one',
  signUpTitle: 'Ask for an account',
  signUpText:
    'Say what your business is called and where we reach you. We send you a link; after that the operator of this service opens the account.',
  signUpBusiness: 'Name of the business',
  signUpBusinessHelp: 'Your customers see it when they pay. You can change it later.',
  signUpSend: 'Send me the link',
  signUpHasAccount: 'You have an account already?',
  signUpSent:
    'If {email} can receive e-mail, a link is on its way there. It works for 24 hours, once. If nothing comes, look into the folder for spam; we write to an address at most every ten minutes.',
  signUpAsks:
    'You ask for the account {business}. Once you have named yourself, the operator of this service is asked.',
  signUpAsk: 'Ask for it',
  signUpWaitingTitle: 'Your account waits for the operator',
  signUpWaiting:
    'The operator of this service has been asked to open {business}. Until then there is nothing to do here. We write to {email} as soon as it is decided.',
  signUpRefusedTitle: 'Your account was not opened',
  signUpRefused:
    'The operator of this service has decided not to open {business}. If you have a question about that, ask there.',
  signUpOtherAccount: 'To your other account',
  problem_business_wrong: 'The name of the business must be 1 to 100 characters.',
  problem_sign_up_closed: 'Accounts are by invitation here. Ask whoever runs this service for one.',
  problem_sign_ups_full: 'Too many people wait for an account already. Try again tomorrow.',
  problem_sign_ups_from_here: 'Too many accounts were asked for from your network. Try again tomorrow.',
} as const;
