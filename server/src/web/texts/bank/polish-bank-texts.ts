import type { englishBankTexts } from './english-bank-texts.ts';

export const polishBankTexts: Readonly<Record<keyof typeof englishBankTexts, string>> = {
  feeNoneBank: 'Z naszej strony żadna; bank może pobrać opłatę za przelew.',
  newHereBank: 'Z banku:',
  bankOverText: 'Nic nie przepadło, a zamówienie nadal tu jest: możesz je jeszcze opłacić.',
  bankSentText:
    'Przelew w drodze nie przepada i nadal liczy się w całości: nie wysyłaj go ponownie. Czuwamy, a ta strona zmieni się sama.',
  bankProcessingText: 'Liczy się, gdy tylko zaksięguje ją bank sklepu. Nie musisz czekać, możesz zamknąć tę stronę.',
  bankSeesNothingText:
    'Przelew pojawi się tutaj, gdy zaksięguje go bank sklepu. {usually} Jeśli nadal go nie będzie, podaj sklepowi kod zamówienia oraz dzień i tytuł przelewu.',
  sentToAccount: 'Wysłano na ten rachunek',
  backToAccount: 'Możemy odesłać pieniądze na rachunek, z którego przyszły.',
  sendItBack: 'Odeślij',
  backToAccountOnItsWay: 'Pieniądze wracają na rachunek, z którego przyszły. Może to potrwać kilka dni roboczych.',
  backToAccountAtShop: 'Najpierw musi się zgodzić sklep. Potem pieniądze wracają na rachunek, z którego przyszły.',
  refundOrdered: 'Zwrot zlecony',
  refundOrderedTitle: 'Zlecono zwrot {amount}',
  refundsOfPaidText: 'Twoje zamówienie jest opłacone. To, co do Ciebie wraca, jest tutaj.',
  toThisAccount: 'Na ten rachunek',
  refundOrderedOn: 'Zlecono {date}, jeszcze nie dotarło. {takes}',
  refundMayFail:
    'Jeśli bank tego nie wykona, sklep się o tym dowie i może wysłać pieniądze ponownie. Jeśli trwa to dłużej, zapytaj sklep.',
  placeKept:
    'Miejsce jest dla Ciebie zarezerwowane do {date}. Jeśli płatność dotrze później, a inni zajmą do tego czasu wszystkie miejsca, sklep zdecyduje, czy może jeszcze zrealizować zamówienie, czy odeśle pieniądze.',
  placeGoneText:
    'Płatność nie dotarła w czasie, na który miejsce było zarezerwowane, i zajął je ktoś inny. Nie wysyłaj teraz niczego. Jeśli przelew jest już w drodze, nic nie przepadnie: sklep zdecyduje, czy może jeszcze zrealizować zamówienie, czy odeśle pieniądze.',
};
