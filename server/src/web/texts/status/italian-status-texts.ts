import type { englishStatusTexts } from './english-status-texts.ts';

export const italianStatusTexts: Readonly<Record<keyof typeof englishStatusTexts, string>> = {
  createdMailSubject: 'Il suo ordine presso {shop}: come pagare',
  createdMailTitle: 'Il suo ordine può essere pagato',
  createdMailText: 'Nella pagina di pagamento sceglie come pagare. Se ha già pagato, non deve fare nulla.',
  partMailTitle: 'È arrivata una parte del suo pagamento a {shop}',
  shortMailSubject: 'Il suo pagamento a {shop} non è completo',
  refundMailSubject: 'Il suo rimborso da {shop}',
  toPaymentPage: 'Vai alla pagina di pagamento',
  seeInvoice: 'Vedi la fattura',
  statusMailReason: 'Riceve questo messaggio perché {shop} ha indicato il suo indirizzo con questo ordine.',
  stopMails: 'Non ricevere più questi messaggi',
  stopMailsTitle: 'Messaggi sui suoi ordini',
  stopMailsText:
    '{shop} ci fa scrivere a lei quando succede qualcosa con un suo ordine: quando è pagato, quando manca del denaro, quando qualcosa è stato restituito.',
  stopMailsKept: 'Le ricevute che chiede su una pagina di pagamento e i link al suo denaro continuano ad arrivare.',
  stopMailsButton: 'Ferma questi messaggi',
  mailsStopped: 'Fatto. A questo indirizzo non le inviamo più messaggi sugli ordini presso {shop}.',
  startMailsButton: 'Riceverli di nuovo',
  mailsStarted: 'Li riceve di nuovo.',
};
