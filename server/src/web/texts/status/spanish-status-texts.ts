import type { englishStatusTexts } from './english-status-texts.ts';

export const spanishStatusTexts: Readonly<Record<keyof typeof englishStatusTexts, string>> = {
  createdMailSubject: 'Su pedido en {shop}: cómo pagar',
  createdMailTitle: 'Ya puede pagar su pedido',
  createdMailText: 'En la página de pago elige cómo pagar. Si ya ha pagado, no tiene que hacer nada.',
  partMailTitle: 'Ha llegado una parte de su pago a {shop}',
  shortMailSubject: 'Su pago a {shop} no está completo',
  refundMailSubject: 'Su reembolso de {shop}',
  toPaymentPage: 'Ir a la página de pago',
  seeInvoice: 'Ver la factura',
  statusMailReason: 'Recibe este mensaje porque {shop} indicó su dirección con este pedido.',
  stopMails: 'Dejar de recibir estos mensajes',
  stopMailsTitle: 'Mensajes sobre sus pedidos',
  stopMailsText:
    '{shop} nos pide que le escribamos cuando ocurre algo con un pedido suyo: cuando está pagado, cuando falta dinero, cuando se ha devuelto algo.',
  stopMailsKept: 'Seguirá recibiendo los recibos que pida en una página de pago y los enlaces a su propio dinero.',
  stopMailsButton: 'Detener estos mensajes',
  mailsStopped: 'Hecho. Ya no le enviamos a esta dirección mensajes sobre pedidos en {shop}.',
  startMailsButton: 'Volver a recibirlos',
  mailsStarted: 'Vuelve a recibirlos.',
};
