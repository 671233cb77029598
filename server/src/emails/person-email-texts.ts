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
    ignore: 'Wenn Sie diese Nachricht nicht erwartet haben, können Sie sie ignorieren.',
  },
} as const;

export const isPersonEmailLanguage = (code: string): code is keyof typeof personEmailTexts =>
  Object.hasOwn(personEmailTexts, code);
