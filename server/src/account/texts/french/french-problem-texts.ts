import type { englishProblemTexts } from '../english-problem-texts.ts';

export const frenchProblemTexts = {
  problemUnsaid: 'Cela ne peut pas être accepté ainsi. Vérifiez ce que vous avez saisi, ou rouvrez la page.',
  fieldUnnamed: 'Un champ',
  problem_input_missing: '{field}\u00a0: il manque une indication.',
  problem_input_too_long: '{field}\u00a0: {most} caractères au plus.',
  problem_input_no_email: '{field}\u00a0: ce n’est pas une adresse e-mail. Elle a la forme name@example.com.',
  problem_input_wrong_form: '{field}\u00a0: cela n’a pas la bonne forme.',
  problem_hidden_characters:
    '{field}\u00a0: cela contient des caractères invisibles. Saisissez-le à nouveau au lieu de le coller.',
  problem_input_too_small: '{field}\u00a0: au moins {least}.',
  problem_input_too_large: '{field}\u00a0: au plus {most}.',
  problem_amount_too_many_digits: 'Un montant a au plus 18 chiffres avant et 18 après la virgule.',
  problem_amount_asset_decimals: 'Un montant en {asset} a au plus {most} décimales.',
  problem_country_unknown: 'Ce pays n’existe pas\u00a0: écrivez ses deux lettres, comme DE ou US.',
  problem_vat_id_form: 'Le numéro de TVA {id} ne peut pas être juste\u00a0: ceux de {country} ont une autre forme.',
  problem_beneficiary_unnamed: 'Dites à qui est l’adresse\u00a0: le nom de l’entreprise ou un nom de famille.',
  problem_key_name_long: 'Le nom d’une clé a au plus {most} caractères.',
  problem_key_rotated_often:
    'Cette clé a été renouvelée {most} fois en 24 heures, et tous ses secrets fonctionnent encore. Mettez-y d’abord fin\u00a0: renouvelez-la avec effet immédiat.',
  problem_setting_note_long: 'Une note a au plus {most} caractères.',
  problem_setting_list_full: 'La liste peut avoir au plus {most} adresses.',
  problem_setting_not_on_list: 'Cette adresse n’est plus sur la liste.',
  problem_framers_too_many: 'Au plus {most} sites peuvent encadrer les pages.',
  problem_framer_wrong:
    '«\u00a0{what}\u00a0» ne peut pas encadrer les pages\u00a0: écrivez «\u00a0self\u00a0» ou une adresse comme https://shop.example.',
  problem_domain_wrong: 'Ce n’est pas un domaine\u00a0: il doit être comme pay.shop.example.',
  problem_domain_keys_full: 'Un domaine a au plus {most} clés\u00a0: révoquez-en d’abord une.',
  problem_webhook_no_url: 'Ce n’est pas une adresse web\u00a0: elle commence par https:// ou http://.',
  problem_webhook_not_https: 'Ce compte n’accepte que des webhooks dont l’adresse commence par https://.',
  problem_asset_not_sent: '{asset} ne peut pas être envoyé pour le moment.',
  problem_asset_not_on_network: 'Cela ne peut pas être envoyé sur {network}, seulement {assets}.',
  problem_address_needed: 'L’adresse manque\u00a0: dites où va l’argent.',
  problem_receiver_refuses:
    'Sur {network}, cela ne peut pas être envoyé là. Demandez au destinataire si l’adresse accepte cet actif et cette quantité.',
  problem_nothing_is_sent: 'Rien ne peut être envoyé sur {network} pour le moment.',
  problem_network_only_receives: 'Rien ne peut être envoyé sur {network}\u00a0: ce service y reçoit seulement.',
  problem_destination_gone: 'Cette destination n’existe plus. Choisissez-en une autre.',
  problem_destination_not_for_asset:
    '{asset} ne peut pas être envoyé à «\u00a0{label}\u00a0»\u00a0: cette destination est pour d’autres actifs.',
  problem_swap_same_asset: 'Choisissez deux actifs différents.',
  problem_market_short: 'Le marché ne peut pas prendre autant pour le moment. Essayez avec moins, ou plus tard.',
  problem_being_unsettled: 'Un paiement de cette commande est confirmé de nouveau. Réessayez dans une minute.',
  problem_period_wrong: 'Ce n’est pas une période\u00a0: choisissez un jour, un mois, un trimestre ou une année.',
  problem_body_too_large: 'C’est trop grand pour être accepté.',
  problem_not_correctable: 'Un avoir rectifie une facture, ou un reçu sans facture.',
  problem_nothing_left_to_credit: 'Des avoirs ont déjà repris tout le montant de {number}.',
  problem_more_than_left: '{most} au plus peut être repris\u00a0: c’est ce qu’il en reste.',
  problem_credit_amount: 'Le montant doit être un nombre positif avec au plus {decimals} décimales.',
  problem_credit_reason: 'Le motif doit avoir au plus {most} caractères.',
  problem_too_many_requests: 'Trop de demandes sont venues d’ici. Réessayez dans une minute.',
  problem_heavy_work_waits:
    'Beaucoup de documents et d’images sont en cours de création. Réessayez dans quelques secondes.',
  problem_heavy_work_late: 'Cela a pris trop de temps et a été abandonné. Réessayez dans une minute.',
  problem_storage_full:
    'Ce compte conserve {megabytes} Mo de paiements, clients, liens de paiement et autres données, le maximum permis. Demandez plus d’espace à l’exploitant.',
  problem_idempotency_key_in_use: 'C’est en train de se faire. Attendez, puis rouvrez la page.',
} as const satisfies Record<keyof typeof englishProblemTexts, string>;
