import type { englishStatusTexts } from './english-status-texts.ts';

export const portugueseStatusTexts: Readonly<Record<keyof typeof englishStatusTexts, string>> = {
  createdMailSubject: 'Seu pedido em {shop}: como pagar',
  createdMailTitle: 'Seu pedido já pode ser pago',
  createdMailText: 'Na página de pagamento você escolhe como pagar. Se já pagou, não precisa fazer nada.',
  partMailTitle: 'Chegou uma parte do seu pagamento a {shop}',
  shortMailSubject: 'Seu pagamento a {shop} não está completo',
  refundMailSubject: 'Seu reembolso de {shop}',
  toPaymentPage: 'Ir para a página de pagamento',
  seeInvoice: 'Ver a fatura',
  statusMailReason: 'Você recebe esta mensagem porque {shop} informou seu endereço com este pedido.',
  stopMails: 'Parar de receber estas mensagens',
  stopMailsTitle: 'Mensagens sobre seus pedidos',
  stopMailsText:
    '{shop} nos pede que escrevamos a você quando algo acontece com um pedido seu: quando está pago, quando falta dinheiro, quando algo foi devolvido.',
  stopMailsKept:
    'Os recibos que você pede em uma página de pagamento e os links para o seu próprio dinheiro continuam chegando.',
  stopMailsButton: 'Parar estas mensagens',
  mailsStopped: 'Pronto. Não enviamos mais a este endereço mensagens sobre pedidos em {shop}.',
  startMailsButton: 'Voltar a recebê-las',
  mailsStarted: 'Você volta a recebê-las.',
};
