import type { englishStatusTexts } from './english-status-texts.ts';

export const germanStatusTexts: Readonly<Record<keyof typeof englishStatusTexts, string>> = {
  createdMailSubject: 'Ihre Bestellung bei {shop}: so bezahlen Sie',
  createdMailTitle: 'Ihre Bestellung kann jetzt bezahlt werden',
  createdMailText:
    'Auf der Zahlungsseite wählen Sie, wie Sie bezahlen. Wenn Sie schon bezahlt haben, müssen Sie nichts tun.',
  partMailTitle: 'Ein Teil Ihrer Zahlung an {shop} ist angekommen',
  shortMailSubject: 'Ihre Zahlung an {shop} ist nicht vollständig',
  refundMailSubject: 'Ihre Erstattung von {shop}',
  toPaymentPage: 'Zur Zahlungsseite',
  seeInvoice: 'Rechnung ansehen',
  statusMailReason: 'Sie erhalten diese Nachricht, weil {shop} Ihre Adresse mit dieser Bestellung angegeben hat.',
  stopMails: 'Solche Nachrichten abbestellen',
  stopMailsTitle: 'Nachrichten zu Ihren Bestellungen',
  stopMailsText:
    '{shop} lässt uns Ihnen schreiben, wenn sich bei einer Ihrer Bestellungen etwas tut: wenn sie bezahlt ist, wenn Geld fehlt, wenn etwas zurückgeschickt wurde.',
  stopMailsKept:
    'Quittungen, die Sie auf einer Zahlungsseite anfordern, und Links zu Ihrem eigenen Geld kommen weiterhin.',
  stopMailsButton: 'Diese Nachrichten abbestellen',
  mailsStopped: 'Abbestellt. An diese Adresse schicken wir Ihnen keine Nachrichten zu Bestellungen bei {shop} mehr.',
  startMailsButton: 'Wieder erhalten',
  mailsStarted: 'Sie erhalten sie wieder.',
};
