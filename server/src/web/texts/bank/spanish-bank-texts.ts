import type { englishBankTexts } from './english-bank-texts.ts';

export const spanishBankTexts: Readonly<Record<keyof typeof englishBankTexts, string>> = {
  feeNoneBank: 'Ninguna nuestra; su banco puede cobrar por la transferencia.',
  newHereBank: 'Desde su banco:',
  bankOverText: 'No se ha perdido nada y su pedido sigue aquí: todavía puede pagarlo.',
  bankSentText:
    'Una transferencia en camino no se pierde y sigue contando por completo: no la envíe otra vez. Estamos atentos, y esta página cambia sola.',
  bankProcessingText:
    'Cuenta en cuanto el banco de la tienda lo registra. No hace falta esperar: puede cerrar esta página.',
  bankSeesNothingText:
    'Su transferencia aparece aquí en cuanto el banco de la tienda la registra. {usually} Si entonces sigue sin aparecer, dé a la tienda el código del pedido, el día y el concepto de la transferencia.',
  sentToAccount: 'Enviado a esta cuenta',
  backToAccount: 'Podemos devolverlo a la cuenta de la que vino.',
  sendItBack: 'Devolver',
  backToAccountOnItsWay: 'Se está devolviendo a la cuenta de la que vino. Puede tardar algunos días hábiles.',
  backToAccountAtShop: 'Primero la tienda debe aceptarlo. Después vuelve a la cuenta de la que vino.',
  refundOrdered: 'Reembolso ordenado',
  refundOrderedTitle: 'Se ha ordenado un reembolso de {amount}',
  refundsOfPaidText: 'Su pedido está pagado. Lo que se le devuelve aparece aquí.',
  toThisAccount: 'A esta cuenta',
  refundOrderedOn: 'Ordenado el {date} y aún no ha llegado. {takes}',
  refundMayFail:
    'Si un banco no lo ejecuta, la tienda se entera y puede enviarlo de nuevo. Pregunte a la tienda si tarda más.',
  placeKept:
    'Se le guarda una plaza hasta {date}. Si su pago llega después y otros ya han ocupado todas las plazas, la tienda decide si aún puede entregar o le devuelve el dinero.',
  placeGoneText:
    'Su pago no ha llegado en el tiempo en que se le guardaba la plaza, y otros la han ocupado. No envíe nada ahora. Si su transferencia está en camino, no se pierde nada: la tienda decide si aún puede entregar o le devuelve el dinero.',
};
