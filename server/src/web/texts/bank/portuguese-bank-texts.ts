import type { englishBankTexts } from './english-bank-texts.ts';

export const portugueseBankTexts: Readonly<Record<keyof typeof englishBankTexts, string>> = {
  feeNoneBank: 'Nenhuma nossa; seu banco pode cobrar pela transferência.',
  newHereBank: 'Pelo seu banco:',
  bankOverText: 'Nada se perdeu, e seu pedido continua aqui: você ainda pode pagá-lo.',
  bankSentText:
    'Uma transferência a caminho não se perde e ainda conta por inteiro: não envie de novo. Estamos acompanhando, e esta página muda sozinha.',
  bankProcessingText:
    'Ele vale assim que o banco da loja o registrar. Você não precisa esperar e pode fechar esta página.',
  bankSeesNothingText:
    'Sua transferência aparece aqui assim que o banco da loja a registrar. {usually} Se ainda faltar depois disso, informe à loja o código do pedido, o dia e a referência da transferência.',
  sentToAccount: 'Enviado para esta conta',
  backToAccount: 'Podemos devolvê-lo à conta de onde veio.',
  sendItBack: 'Devolver',
  backToAccountOnItsWay: 'Está sendo devolvido à conta de onde veio. Isso pode levar alguns dias úteis.',
  backToAccountAtShop: 'Primeiro a loja precisa concordar. Depois, o valor volta para a conta de onde veio.',
  refundOrdered: 'Reembolso ordenado',
  refundOrderedTitle: 'Foi ordenado um reembolso de {amount}',
  refundsOfPaidText: 'Seu pedido está pago. O que volta para você aparece aqui.',
  toThisAccount: 'Para esta conta',
  refundOrderedOn: 'Ordenado em {date} e ainda não chegou. {takes}',
  refundMayFail:
    'Se um banco não o executar, a loja fica sabendo e pode enviar de novo. Se demorar mais, pergunte à loja.',
  placeKept:
    'Uma vaga fica guardada para você até {date}. Se o pagamento chegar depois e outros já tiverem ocupado todas as vagas, a loja decide se ainda pode entregar ou se devolve o dinheiro.',
  placeGoneText:
    'Seu pagamento não chegou no tempo em que a vaga ficou guardada, e outros a ocuparam. Não envie nada agora. Se a transferência já está a caminho, nada se perde: a loja decide se ainda pode entregar ou se devolve o dinheiro.',
};
