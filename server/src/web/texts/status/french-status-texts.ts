import type { englishStatusTexts } from './english-status-texts.ts';

export const frenchStatusTexts: Readonly<Record<keyof typeof englishStatusTexts, string>> = {
  createdMailSubject: 'Votre commande chez {shop}\u00a0: comment payer',
  createdMailTitle: 'Votre commande peut être payée',
  createdMailText:
    'Sur la page de paiement, vous choisissez comment payer. Si vous avez déjà payé, vous n’avez rien à faire.',
  partMailTitle: 'Une partie de votre paiement à {shop} est arrivée',
  shortMailSubject: 'Votre paiement à {shop} n’est pas complet',
  refundMailSubject: 'Votre remboursement de {shop}',
  toPaymentPage: 'Aller à la page de paiement',
  seeInvoice: 'Voir la facture',
  statusMailReason: 'Vous recevez ce message parce que {shop} a indiqué votre adresse avec cette commande.',
  stopMails: 'Ne plus recevoir ces messages',
  stopMailsTitle: 'Messages sur vos commandes',
  stopMailsText:
    '{shop} nous fait vous écrire quand il se passe quelque chose avec une de vos commandes\u00a0: quand elle est payée, quand il manque de l’argent, quand une somme a été renvoyée.',
  stopMailsKept:
    'Les reçus que vous demandez sur une page de paiement et les liens vers votre propre argent arrivent toujours.',
  stopMailsButton: 'Arrêter ces messages',
  mailsStopped: 'C’est fait. Nous n’envoyons plus à cette adresse de messages sur les commandes chez {shop}.',
  startMailsButton: 'Les recevoir à nouveau',
  mailsStarted: 'Vous les recevez à nouveau.',
};
