/** What e-mails to people of the account say. */
export const personEmailTexts = {
  en: {
    signInSubject: 'Your link to sign in',
    signInText: 'With this link you sign in, in the browser in which you asked for it. It works for 15 minutes, once:',
    invitationSubject: 'You are invited to {account}',
    invitationText: 'You are invited to the account {account} on Quittance. This link works for seven days, once:',
    recoverySubject: 'Your way back into {account}',
    recoveryText:
      'Somebody who may do so in {account} lets you sign in anew. This link works once, from {from} on, for two days:',
    recoveryAnnouncedSubject: '{name} is let into {account} anew',
    recoveryAnnouncedText:
      '{name} ({email}) has lost every way to sign in to {account} and was sent a link that works from {from} on. If that is not right, take it back on this page before then:',
    approverLostSubject: 'You do not approve in {account} any more',
    approverLostText:
      'Somebody who may do so has removed you from {account}, or given you a role that does not approve. For seven days nobody there changes limits alone. If this is not right, tell the others and whoever runs this service at once:',
    signUpSubject: 'Confirm your e-mail address',
    signUpText:
      'Somebody asked for an account on Quittance with this e-mail address. If it was you, go on with this link. It works for 24 hours, once:',
    signUpApprovedSubject: '{account} is open',
    signUpApprovedText: 'The operator has opened the account {account} for you. You are its owner. Sign in here:',
    signUpRefusedSubject: '{account} was not opened',
    signUpRefusedText:
      'The operator has decided not to open the account {account}. If you have a question about that, ask whoever runs this service:',
    ignore: 'If you did not expect this message, you can ignore it.',
  },
  de: {
    signInSubject: 'Ihr Link zum Anmelden',
    signInText:
      'Mit diesem Link melden Sie sich an, in dem Browser, in dem Sie ihn verlangt haben. Er gilt 15 Minuten, einmal:',
    invitationSubject: 'Sie sind zu {account} eingeladen',
    invitationText: 'Sie sind zum Konto {account} bei Quittance eingeladen. Dieser Link gilt sieben Tage, einmal:',
    recoverySubject: 'Ihr Weg zurück zu {account}',
    recoveryText:
      'Jemand, der das in {account} darf, lässt Sie neu anmelden. Dieser Link gilt einmal, ab {from}, zwei Tage lang:',
    recoveryAnnouncedSubject: '{name} wird bei {account} neu hereingelassen',
    recoveryAnnouncedText:
      '{name} ({email}) kann sich bei {account} nicht mehr anmelden und hat einen Link bekommen, der ab {from} gilt. Ist das nicht richtig, nehmen Sie ihn vorher auf dieser Seite zurück:',
    approverLostSubject: 'Sie geben bei {account} nicht mehr frei',
    approverLostText:
      'Jemand, der das darf, hat Sie aus {account} entfernt oder Ihnen eine Rolle gegeben, die nicht freigibt. Sieben Tage lang ändert dort niemand allein Grenzen. Ist das nicht richtig, sagen Sie es sofort den anderen und dem Betreiber dieses Dienstes:',
    signUpSubject: 'Bestätigen Sie Ihre E-Mail-Adresse',
    signUpText:
      'Jemand hat mit dieser E-Mail-Adresse ein Konto bei Quittance verlangt. Waren Sie es, machen Sie mit diesem Link weiter. Er gilt 24 Stunden, einmal:',
    signUpApprovedSubject: '{account} ist eröffnet',
    signUpApprovedText:
      'Der Betreiber hat das Konto {account} für Sie eröffnet. Sie sind der Inhaber. Melden Sie sich hier an:',
    signUpRefusedSubject: '{account} wurde nicht eröffnet',
    signUpRefusedText:
      'Der Betreiber hat entschieden, das Konto {account} nicht zu eröffnen. Haben Sie dazu eine Frage, wenden Sie sich an den Betreiber dieses Dienstes:',
    ignore: 'Wenn Sie diese Nachricht nicht erwartet haben, können Sie sie ignorieren.',
  },
} as const;

export const isPersonEmailLanguage = (code: string): code is keyof typeof personEmailTexts =>
  Object.hasOwn(personEmailTexts, code);
