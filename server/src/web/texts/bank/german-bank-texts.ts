import type { englishBankTexts } from './english-bank-texts.ts';

export const germanBankTexts: Readonly<Record<keyof typeof englishBankTexts, string>> = {
  feeNoneBank: 'Keine von uns; Ihre Bank berechnet die Überweisung vielleicht.',
  newHereBank: 'Von Ihrer Bank:',
  bankOverText: 'Nichts ist verloren, und Ihre Bestellung ist noch da: Sie können sie doch noch bezahlen.',
  bankSentText:
    'Eine Überweisung, die unterwegs ist, geht nicht verloren und zählt voll: Senden Sie sie nicht noch einmal. Wir achten darauf, und diese Seite ändert sich von selbst.',
  bankProcessingText:
    'Sie zählt, sobald die Bank des Shops sie gebucht hat. Sie müssen nicht warten und können diese Seite schließen.',
  bankSeesNothingText:
    'Ihre Überweisung erscheint hier, sobald die Bank des Shops sie gebucht hat. {usually} Fehlt sie dann noch, nennen Sie dem Shop den Bestellcode sowie Tag und Verwendungszweck Ihrer Überweisung.',
  sentToAccount: 'Gesendet auf dieses Konto',
  backToAccount: 'Wir können es auf das Konto zurücksenden, von dem es kam.',
  sendItBack: 'Zurücksenden',
  backToAccountOnItsWay:
    'Es wird auf das Konto zurückgesendet, von dem es kam. Das kann einige Bankarbeitstage dauern.',
  backToAccountAtShop: 'Erst muss der Shop zustimmen. Dann geht es auf das Konto zurück, von dem es kam.',
  refundOrdered: 'Erstattung beauftragt',
  refundOrderedTitle: 'Eine Erstattung von {amount} ist beauftragt',
  refundsOfPaidText: 'Ihre Bestellung ist bezahlt. Was an Sie zurückgeht, steht hier.',
  toThisAccount: 'Auf dieses Konto',
  refundOrderedOn: 'Am {date} beauftragt und noch nicht angekommen. {takes}',
  refundMayFail:
    'Führt eine Bank sie nicht aus, erfährt es der Shop und kann das Geld noch einmal senden. Fragen Sie den Shop, wenn es länger dauert.',
  placeKept:
    'Bis {date} ist ein Platz für Sie frei gehalten. Kommt Ihre Zahlung später an und haben andere bis dahin alle Plätze, entscheidet der Shop, ob er noch liefern kann oder Ihr Geld zurücksendet.',
  placeGoneText:
    'Ihre Zahlung ist nicht in der Zeit angekommen, für die Ihr Platz frei gehalten war, und andere haben ihn genommen. Bitte senden Sie jetzt nichts. Ist Ihre Überweisung schon unterwegs, ist nichts verloren: Der Shop entscheidet, ob er noch liefern kann oder Ihr Geld zurücksendet.',
};
