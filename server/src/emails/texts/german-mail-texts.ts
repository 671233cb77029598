import type { MailTexts } from './mail-texts.ts';

export const germanMailTexts = {
  direction: 'ltr',
  signInSubject: 'Ihr Link zum Anmelden',
  signInText:
    'Mit diesem Link melden Sie sich an, in dem Browser, in dem Sie ihn verlangt haben. Er gilt 15 Minuten, einmal:',
  invitationSubject: 'Sie sind zu {account} eingeladen',
  invitationText: 'Sie sind zum Konto {account} bei Quittance eingeladen. Dieser Link gilt sieben Tage, einmal:',
  invitationLaterText:
    'Sie sind zum Konto {account} bei Quittance eingeladen. Dieser Link gilt einmal, ab {from}, sieben Tage lang:',
  staffInvitationSubject: 'Sie sind ins Team von Quittance eingeladen',
  staffInvitationText:
    'Sie sind in das Team eingeladen, das dieses Quittance betreibt. Dieser Link gilt sieben Tage, einmal:',
  recoverySubject: 'Ihr Weg zurück zu {account}',
  recoveryText:
    'Jemand, der das in {account} darf, lässt Sie neu anmelden. Dieser Link gilt einmal, ab {from}, zwei Tage lang:',
  recoveryAnnouncedSubject: '{name} wird bei {account} neu hereingelassen',
  recoveryAnnouncedText:
    '{name} ({email}) kann sich bei {account} nicht mehr anmelden und hat einen Link bekommen, der ab {from} gilt. Ist das nicht richtig, nehmen Sie ihn vorher auf dieser Seite zurück:',
  ownerInvitedSubject: '{account} soll einen Inhaber bekommen',
  ownerInvitedText:
    'Der Betreiber dieses Dienstes hat {email} eingeladen, Inhaber von {account} zu werden; bisher hat das Konto keinen. Der Link gilt ab {from}. Wenn das nicht stimmt, sagen Sie es dem Betreiber vorher:',
  approverLostSubject: 'Sie geben bei {account} nicht mehr frei',
  approverLostText:
    'Jemand, der das darf, hat Sie aus {account} entfernt oder Ihnen eine Rolle gegeben, die nicht freigibt. Sieben Tage lang ändert dort niemand allein Grenzen. Ist das nicht richtig, sagen Sie es sofort den anderen und dem Betreiber dieses Dienstes:',
  signUpSubject: 'Bestätigen Sie Ihre E-Mail-Adresse',
  signUpText:
    'Jemand hat mit dieser E-Mail-Adresse ein Konto bei Quittance verlangt. Waren Sie es, machen Sie mit diesem Link weiter. Er gilt 24 Stunden, einmal:',
  signUpApprovedSubject: '{account} ist eröffnet',
  signUpApprovedText:
    'Der Betreiber hat das Konto {account} für Sie eröffnet. Sie sind der Inhaber. Melden Sie sich hier an:',
  signUpRefusedSubject: '{account} wurde nicht eröffnet',
  signUpRefusedText:
    'Der Betreiber hat entschieden, das Konto {account} nicht zu eröffnen. Haben Sie dazu eine Frage, wenden Sie sich an den Betreiber dieses Dienstes:',
  ignore: 'Wenn Sie diese Nachricht nicht erwartet haben, können Sie sie ignorieren.',
  askOperator: 'Fragen? Wenden Sie sich an den Betreiber dieses Dienstes: {contact}',
  exportReadySubject: '{account}: Ihre Datei ist fertig',
  exportReadyText:
    'Die Datei, die Sie im Konto {account} angefordert haben, ist fertig. Nur Sie können sie herunterladen, sieben Tage lang:',
  statementSubject: '{account}: Kontoauszug für {month}',
  statementText: 'Der Auszug des Kontos {account} für {month} ist da. Nach der Anmeldung können Sie ihn hier lesen:',
  needsSubject: '{account}: Etwas wartet auf Sie',
  needsDigestSubject: '{account}: Was heute auf Sie wartet',
  needsOpening: 'Im Konto {account} wartet das auf Sie:',
  needsMore: '{count, plural, one {Und noch etwas, unter „Für Sie“.} other {Und # weitere, unter „Für Sie“.}}',
  needsChange: 'Worüber und wie oft wir Ihnen schreiben, wählen Sie hier:',
  need_policyToApprove: 'Eine Änderung der Regeln wartet auf Freigabe',
  need_transferToApprove: 'Eine Auszahlung wartet auf Freigabe',
  need_refundToApprove: 'Eine Erstattung wartet auf Freigabe',
  need_takenBack: 'Eine Zahlung wurde von Netzwerk oder Bank zurückgenommen',
  need_balanceOwed: 'Das Konto schuldet dem Betreiber etwas',
  need_underpaid: 'Eine Bestellung ist zu wenig bezahlt',
  need_surplus: 'Eine Bestellung wurde zu viel, doppelt oder anders bezahlt als verlangt',
  need_refundFailed: 'Eine Erstattung ist fehlgeschlagen',
  need_claimExpires: 'Eine Erstattung wurde noch nicht abgeholt, und ihr Link endet bald',
  need_webhooksGivenUp: 'Webhooks wurden aufgegeben',
  need_webhooksFailing: 'Webhooks schlagen seit einer Stunde fehl',
  need_destinationUsable: 'Ein Auszahlungsziel ist jetzt nutzbar',
  need_noPasskey: 'Sie haben keinen Passkey',
  need_onlyOneOwner: 'Das Konto hat nur einen Inhaber',
  need_keyUnused: 'Ein Schlüssel wurde 90 Tage nicht benutzt',
  need_newHand: 'Jemand gibt neu frei oder wird neu hereingelassen',
  proveSubject: 'Ist das Ihre Adresse?',
  proveText:
    'Jemand, der sich bei Quittance anmeldet, sagt, dass diese Adresse die eigene ist. Sind Sie das, öffnen Sie diesen Link binnen einem Tag in dem Browser, in dem Sie angemeldet sind:',
  newHandSubject: '{name} gibt bei {account} neu frei',
  newHandText:
    '{name} ({email}) ist zu {account} gekommen, hat dort eine größere Rolle bekommen, wurde neu hereingelassen oder hat einen Passkey angelegt. Ab {from} kann die Person dort freigeben oder verlangen, was andere freigeben. Ist das nicht richtig, entfernen Sie sie vorher und lehnen Sie ab, was wartet:',
  credentialSubject: 'Etwas Neues öffnet Ihre Anmeldung',
  credentialText:
    'Das kam am {at} zu Ihrer Anmeldung hinzu: {what}. Waren das nicht Sie, entfernen Sie es, ändern Sie Ihr Passwort und sagen Sie es einem Inhaber Ihres Kontos und dem Betreiber:',
  credential_passkey: 'ein Passkey',
  credential_password: 'ein Passwort',
  credential_app: 'eine App mit Codes',
  credential_codes: 'gedruckte Codes',
} as const satisfies MailTexts;
