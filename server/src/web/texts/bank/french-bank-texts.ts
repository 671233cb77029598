import type { englishBankTexts } from './english-bank-texts.ts';

export const frenchBankTexts: Readonly<Record<keyof typeof englishBankTexts, string>> = {
  feeNoneBank: 'Aucun de notre part\u00a0; votre banque peut facturer le virement.',
  newHereBank: 'Depuis votre banque\u00a0:',
  bankOverText: 'Rien n’est perdu et votre commande est toujours là\u00a0: vous pouvez encore la payer.',
  bankSentText:
    'Un virement en cours n’est pas perdu et compte toujours en entier\u00a0: ne l’envoyez pas une seconde fois. Nous veillons, et cette page change toute seule.',
  bankProcessingText:
    'Il compte dès que la banque de la boutique l’a enregistré. Inutile d’attendre\u00a0: vous pouvez fermer cette page.',
  bankSeesNothingText:
    'Votre virement apparaît ici dès que la banque de la boutique l’a enregistré. {usually} S’il manque encore après cela, donnez à la boutique le code de commande, le jour et le motif du virement.',
  sentToAccount: 'Envoyé sur ce compte',
  backToAccount: 'Nous pouvons le renvoyer sur le compte d’où il vient.',
  sendItBack: 'Renvoyer',
  backToAccountOnItsWay: 'Le montant est renvoyé sur le compte d’où il vient. Cela peut prendre quelques jours ouvrés.',
  backToAccountAtShop: 'Le magasin doit d’abord l’accepter. Ensuite, le montant revient sur le compte d’où il vient.',
  refundOrdered: 'Remboursement ordonné',
  refundOrderedTitle: 'Un remboursement de {amount} a été ordonné',
  refundsOfPaidText: 'Votre commande est payée. Ce qui vous revient est indiqué ici.',
  toThisAccount: 'Sur ce compte',
  refundOrderedOn: 'Ordonné le {date}, et pas encore arrivé. {takes}',
  refundMayFail:
    'Si une banque ne l’exécute pas, le magasin l’apprend et peut renvoyer l’argent. Si cela dure plus longtemps, demandez au magasin.',
  placeKept:
    'Une place vous est réservée jusqu’au {date}. Si votre paiement arrive plus tard et que toutes les places sont prises d’ici là, la boutique décide si elle peut encore livrer ou vous rembourse.',
  placeGoneText:
    'Votre paiement n’est pas arrivé pendant le temps où votre place était réservée, et d’autres l’ont prise. N’envoyez rien maintenant. Si votre virement est en cours, rien n’est perdu\u00a0: la boutique décide si elle peut encore livrer ou vous rembourse.',
};
