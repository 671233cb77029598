import type { englishBankTexts } from './english-bank-texts.ts';

export const italianBankTexts: Readonly<Record<keyof typeof englishBankTexts, string>> = {
  feeNoneBank: 'Nessuna da parte nostra; la Sua banca può addebitare il bonifico.',
  newHereBank: 'Dalla Sua banca:',
  bankOverText: 'Nulla è andato perduto e il Suo ordine è ancora qui: può ancora pagarlo.',
  bankSentText:
    'Un bonifico già inviato non va perso e vale ancora per intero: non lo invii di nuovo. Stiamo controllando, e questa pagina cambia da sola.',
  bankProcessingText:
    'Vale appena la banca del negozio lo contabilizza. Non deve aspettare: può chiudere questa pagina.',
  bankSeesNothingText:
    'Il bonifico compare qui appena la banca del negozio lo contabilizza. {usually} Se allora manca ancora, comunichi al negozio il codice dell’ordine, il giorno e la causale del bonifico.',
  sentToAccount: 'Inviato a questo conto',
  backToAccount: 'Possiamo restituirlo sul conto da cui è arrivato.',
  sendItBack: 'Restituisci',
  backToAccountOnItsWay: 'Viene restituito sul conto da cui è arrivato. Possono servire alcuni giorni lavorativi.',
  backToAccountAtShop: 'Prima il negozio deve accettarlo. Poi torna sul conto da cui è arrivato.',
  refundOrdered: 'Rimborso ordinato',
  refundOrderedTitle: 'È stato ordinato un rimborso di {amount}',
  refundsOfPaidText: 'Il Suo ordine è pagato. Quanto Le viene restituito è indicato qui.',
  toThisAccount: 'Su questo conto',
  refundOrderedOn: 'Ordinato il {date} e non ancora arrivato. {takes}',
  refundMayFail:
    'Se una banca non lo esegue, il negozio lo viene a sapere e può inviarlo di nuovo. Chieda al negozio se ci vuole di più.',
  placeKept:
    'Un posto resta riservato per Lei fino a {date}. Se il pagamento arriva dopo e altri hanno ormai preso tutti i posti, il negozio decide se può ancora consegnare o se restituisce il denaro.',
  placeGoneText:
    'Il pagamento non è arrivato nel tempo in cui il posto era riservato, e altri lo hanno preso. Non invii nulla adesso. Se il bonifico è già partito, nulla va perso: il negozio decide se può ancora consegnare o se restituisce il denaro.',
};
