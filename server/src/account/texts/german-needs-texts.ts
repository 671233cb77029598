import type { englishNeedsTexts } from './english-needs-texts.ts';

export const germanNeedsTexts: Readonly<Record<keyof typeof englishNeedsTexts, string>> = {
  menuNeedsYou: 'Für Sie',
  needsYou: 'Für Sie zu tun',
  nothingNeedsYou:
    'Nichts wartet auf Sie. Was entschieden werden muss, steht hier und verschwindet mit seiner Ursache.',
  thingsWait:
    '{count, plural, one {Eine Sache wartet auf einen Menschen.} other {# Sachen warten auf einen Menschen, das Schlimmste zuerst.}} Ein Eintrag verschwindet mit seiner Ursache.',
  needKinds: 'Arten',
  needGroup_all: 'Alle',
  needGroup_approvals: 'Freigaben',
  needGroup_payments: 'Zahlungen',
  needGroup_technical: 'Technik',
  noneOfThis: 'Davon wartet nichts.',
  needsMore: '{count, plural, one {Dahinter wartet noch eine Sache.} other {Dahinter warten noch # Sachen.}}',
  thatIsAll:
    'Das ist alles. Verspätete Zahlungen, die den Preis wert sind, werden gutgeschrieben und nur in der Liste vermerkt.',
  need_transferToApprove: 'Eine Auszahlung von {amounts} wartet auf Freigabe',
  need_refundToApprove: '{order}: Eine Erstattung von {amounts} wartet auf Freigabe',
  need_takenBack: '{order} wurde vom Netzwerk zurückgenommen',
  need_balanceOwed: '{amounts} schulden Sie dem Betreiber',
  need_underpaid: '{order} ist zu wenig bezahlt',
  need_surplus: '{order} ist zu viel bezahlt',
  need_refundFailed: '{order}: Eine Erstattung von {amounts} ist gescheitert',
  need_claimExpires: '{order}: Eine Erstattung von {amounts} wurde noch nicht abgeholt',
  need_webhooksGivenUp:
    '{count, plural, one {# Webhook an {host} wurde aufgegeben} other {# Webhooks an {host} wurden aufgegeben}}',
  need_webhooksFailing: 'Webhooks an {host} scheitern seit mindestens einer Stunde',
  need_keyUnused: 'Der Schlüssel {key} wurde 90 Tage nicht benutzt',
  needWaiting: '{amounts} liegt bereit',
  needTo: 'an {address}',
  needUntil: 'der Link endet {when}',
  needOwedMeans: 'wird zuerst aus dem zurückgezahlt, was hereinkommt',
  needDo_review: 'Prüfen',
  needDo_decide: 'Entscheiden',
  needDo_explain: 'Was das heißt',
  needDo_open: 'Öffnen',
  needDo_details: 'Einzelheiten',
  needDid_approved: 'Freigegeben. Die Auszahlung ist unterwegs.',
  needDid_refused: 'Abgelehnt. Das Geld ist wieder verfügbar.',
  needTakenBackMeans:
    'Das Netzwerk hat den Block mit dieser Zahlung verworfen, und die Gutschrift wurde zurückgenommen. Meist kommt die Zahlung in einem anderen Block wieder und wird neu gutgeschrieben, ohne dass jemand etwas tut. Versenden Sie vorher keine Ware.',
  needOwedExplained:
    'Eine Gutschrift wurde zurückgenommen, nachdem ihr Geld das Konto verlassen hatte. Was als Nächstes hereinkommt, zahlt sie zuerst zurück; von Hand ist nichts zu zahlen.',
  needGone: 'Das wurde inzwischen entschieden.',
  transferGoesTo: 'Sie geht an',
  openCheckout: 'Checkout öffnen',
  needElsewhere: 'Ihr Link betrifft {account}, und Sie sehen gerade ein anderes Konto.',
  needElsewhereGo: 'Zu {account}',
  close: 'Schließen',
};
