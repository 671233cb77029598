/** Mails about an order to its customer, and the page where they are stopped. */
export const englishStatusTexts = {
  createdMailSubject: 'Your order at {shop}: how to pay',
  createdMailTitle: 'Your order can be paid now',
  createdMailText: 'On the payment page you choose how to pay. If you have already paid, you need not do anything.',
  partMailTitle: 'Part of your payment to {shop} has arrived',
  shortMailSubject: 'Your payment to {shop} is not complete',
  refundMailSubject: 'Your refund from {shop}',
  toPaymentPage: 'Go to the payment page',
  seeInvoice: 'See the invoice',
  statusMailReason: 'You get this message because {shop} gave your address with this order.',
  stopMails: 'Stop such messages',
  stopMailsTitle: 'Messages about your orders',
  stopMailsText:
    '{shop} has us write to you when something happens with an order of yours: when it is paid, when money is missing, when some was sent back.',
  stopMailsKept: 'Receipts that you ask for on a payment page, and links to your own money, still come.',
  stopMailsButton: 'Stop these messages',
  mailsStopped: 'Stopped. You get no more messages about orders at {shop} from us at this address.',
  startMailsButton: 'Get them again',
  mailsStarted: 'You get them again.',
};
