import type { englishStatusTexts } from './english-status-texts.ts';

export const polishStatusTexts: Readonly<Record<keyof typeof englishStatusTexts, string>> = {
  createdMailSubject: 'Twoje zamówienie w {shop}: jak zapłacić',
  createdMailTitle: 'Możesz już opłacić zamówienie',
  createdMailText:
    'Na stronie płatności wybierzesz, jak zapłacić. Jeśli płatność jest już wysłana, nie musisz nic robić.',
  partMailTitle: 'Dotarła część Twojej płatności dla {shop}',
  shortMailSubject: 'Twoja płatność dla {shop} jest niepełna',
  refundMailSubject: 'Twój zwrot od {shop}',
  toPaymentPage: 'Przejdź do strony płatności',
  seeInvoice: 'Zobacz fakturę',
  statusMailReason: 'Otrzymujesz tę wiadomość, ponieważ {shop} podał Twój adres przy tym zamówieniu.',
  stopMails: 'Nie chcę takich wiadomości',
  stopMailsTitle: 'Wiadomości o Twoich zamówieniach',
  stopMailsText:
    'W imieniu {shop} piszemy do Ciebie, gdy coś dzieje się z Twoim zamówieniem: gdy jest opłacone, gdy brakuje pieniędzy, gdy coś zostało odesłane.',
  stopMailsKept:
    'Potwierdzenia, o które prosisz na stronie płatności, i linki do Twoich pieniędzy nadal będą przychodzić.',
  stopMailsButton: 'Zatrzymaj te wiadomości',
  mailsStopped: 'Zatrzymano. Na ten adres nie wysyłamy już wiadomości o zamówieniach w {shop}.',
  startMailsButton: 'Otrzymuj je znowu',
  mailsStarted: 'Znowu je otrzymujesz.',
};
