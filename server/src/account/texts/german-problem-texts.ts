import type { englishProblemTexts } from './english-problem-texts.ts';

export const germanProblemTexts = {
  problemUnsaid: 'Das kann so nicht angenommen werden. Prüfen Sie Ihre Angaben, oder öffnen Sie die Seite neu.',
  fieldUnnamed: 'Ein Feld',
  problem_input_missing: '{field}: Hier fehlt eine Angabe.',
  problem_input_too_long: '{field}: höchstens {most} Zeichen.',
  problem_input_no_email: '{field}: Das ist keine E-Mail-Adresse. Sie hat die Form name@example.com.',
  problem_input_wrong_form: '{field}: Das hat nicht die richtige Form.',
  problem_hidden_characters: '{field}: Das enthält unsichtbare Zeichen. Tippen Sie es neu, statt es einzufügen.',
  problem_input_too_small: '{field}: mindestens {least}.',
  problem_input_too_large: '{field}: höchstens {most}.',
  problem_amount_too_many_digits: 'Ein Betrag hat höchstens 18 Stellen vor und 18 nach dem Komma.',
  problem_amount_asset_decimals: 'Ein Betrag in {asset} hat höchstens {most} Nachkommastellen.',
  problem_country_unknown: 'Dieses Land gibt es nicht: Schreiben Sie seine zwei Buchstaben, etwa DE oder US.',
  problem_vat_id_form: 'Die USt-IdNr. {id} kann nicht stimmen: Die von {country} haben eine andere Form.',
  problem_beneficiary_unnamed: 'Sagen Sie, wem die Adresse gehört: den Namen der Firma oder einen Nachnamen.',
  problem_key_name_long: 'Der Name eines Schlüssels hat höchstens {most} Zeichen.',
  problem_key_rotated_often:
    'Dieser Schlüssel wurde in 24 Stunden {most} Mal erneuert, und alle seine Geheimnisse gelten noch. Beenden Sie diese zuerst: Erneuern Sie ihn mit sofortiger Wirkung.',
  problem_setting_note_long: 'Eine Notiz hat höchstens {most} Zeichen.',
  problem_setting_list_full: 'Auf der Liste können höchstens {most} Adressen stehen.',
  problem_setting_not_on_list: 'Diese Adresse steht nicht mehr auf der Liste.',
  problem_framers_too_many: 'Höchstens {most} Orte dürfen die Seiten einrahmen.',
  problem_framer_wrong:
    '„{what}“ kann die Seiten nicht einrahmen: Schreiben Sie „self“ oder eine Adresse wie https://shop.example.',
  problem_domain_wrong: 'Das ist keine Domain: Sie muss wie pay.shop.example sein.',
  problem_domain_keys_full: 'Eine Domain hat höchstens {most} Schlüssel: Widerrufen Sie zuerst einen.',
  problem_webhook_no_url: 'Das ist keine Webadresse: Sie beginnt mit https:// oder http://.',
  problem_webhook_not_https: 'Dieses Konto nimmt nur Webhooks, deren Adresse mit https:// beginnt.',
  problem_asset_not_sent: '{asset} kann zurzeit nicht gesendet werden.',
  problem_asset_not_on_network: 'Das kann auf {network} nicht gesendet werden, nur {assets}.',
  problem_address_needed: 'Die Adresse fehlt: Sagen Sie, wohin das Geld geht.',
  problem_receiver_refuses:
    'Auf {network} kann das nicht dorthin gesendet werden. Fragen Sie den Empfänger, ob die Adresse diesen Wert und so viel davon annimmt.',
  problem_nothing_is_sent: 'Auf {network} kann zurzeit nichts gesendet werden.',
  problem_network_only_receives: 'Auf {network} kann nichts gesendet werden: Dieser Dienst empfängt dort nur.',
  problem_destination_gone: 'Dieses Ziel gibt es nicht mehr. Wählen Sie ein anderes.',
  problem_destination_not_for_asset:
    '{asset} darf nicht an „{label}“ gesendet werden: Dieses Ziel ist für andere Werte.',
  problem_swap_same_asset: 'Wählen Sie zwei verschiedene Werte.',
  problem_market_short:
    'Der Markt kann zurzeit nicht so viel aufnehmen. Versuchen Sie es mit weniger oder später noch einmal.',
  problem_being_unsettled:
    'Eine Zahlung dieser Bestellung wird gerade neu bestätigt. Versuchen Sie es in einer Minute noch einmal.',
  problem_period_wrong: 'Das ist kein Zeitraum: Wählen Sie einen Tag, einen Monat, ein Quartal oder ein Jahr.',
  problem_body_too_large: 'Das ist zu groß, um angenommen zu werden.',
  problem_not_correctable: 'Korrigiert wird eine Rechnung, oder eine Quittung ohne Rechnung.',
  problem_nothing_left_to_credit: '{number} ist schon vollständig korrigiert.',
  problem_more_than_left: 'Höchstens {most} können korrigiert werden: So viel ist noch übrig.',
  problem_credit_amount: 'Der Betrag muss eine positive Zahl mit höchstens {decimals} Nachkommastellen sein.',
  problem_credit_reason: 'Der Grund darf höchstens {most} Zeichen haben.',
  problem_too_many_requests: 'Von hier kamen zu viele Anfragen. Versuchen Sie es in einer Minute noch einmal.',
  problem_heavy_work_waits:
    'Gerade werden viele Dokumente und Bilder erstellt. Versuchen Sie es in ein paar Sekunden noch einmal.',
  problem_heavy_work_late:
    'Das hat zu lange gedauert und wurde abgebrochen. Versuchen Sie es in einer Minute noch einmal.',
  problem_storage_full:
    'Dieses Konto bewahrt {megabytes} MB an Zahlungen, Kunden, Zahlungslinks und anderen Daten auf; mehr darf es nicht sein. Bitten Sie den Betreiber um mehr Platz.',
  problem_idempotency_key_in_use: 'Das wird gerade getan. Warten Sie, und öffnen Sie die Seite neu.',
} as const satisfies Record<keyof typeof englishProblemTexts, string>;
