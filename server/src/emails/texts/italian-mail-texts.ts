import type { MailTexts } from './mail-texts.ts';

export const italianMailTexts = {
  direction: 'ltr',
  signInSubject: 'Il suo link di accesso',
  signInText: 'Con questo link accede, nel browser in cui lo ha chiesto. Vale 15 minuti, una volta sola:',
  invitationSubject: 'Invito a {account}',
  invitationText:
    'Ha ricevuto un invito all’account {account} su Quittance. Questo link vale sette giorni, una volta sola:',
  invitationLaterText:
    'Ha ricevuto un invito all’account {account} su Quittance. Questo link vale una volta sola, dal {from}, per sette giorni:',
  staffInvitationSubject: 'Invito nel team di Quittance',
  staffInvitationText:
    'Ha ricevuto un invito nel team che gestisce questo Quittance. Questo link vale sette giorni, una volta sola:',
  recoverySubject: 'Tornare in {account}',
  recoveryText:
    'Una persona autorizzata di {account} le consente di accedere di nuovo. Questo link vale una volta sola, dal {from}, per due giorni:',
  recoveryAnnouncedSubject: '{name} sta per riavere l’accesso a {account}',
  recoveryAnnouncedText:
    '{name} ({email}) non ha più alcun modo di accedere a {account} e ha ricevuto un link valido dal {from}. Se non è corretto, lo annulli prima di allora in questa pagina:',
  ownerInvitedSubject: '{account} sta per avere un proprietario',
  ownerInvitedText:
    'Chi gestisce questo servizio ha invitato {email} a diventare proprietario di {account}, che finora non ne ha. Il link funziona dal {from}. Se non è corretto, avvisatelo prima:',
  approverLostSubject: 'Non approva più in {account}',
  approverLostText:
    'Una persona autorizzata ha rimosso il suo accesso a {account} o le ha dato un ruolo che non approva. Per sette giorni nessuno vi modifica i limiti da solo. Se non è corretto, avvisi subito gli altri e il gestore di questo servizio:',
  signUpSubject: 'Confermi il suo indirizzo e-mail',
  signUpText:
    'Qualcuno ha chiesto un account su Quittance con questo indirizzo e-mail. Se è stato lei, continui con questo link. Vale 24 ore, una volta sola:',
  signUpApprovedSubject: '{account} è aperto',
  signUpApprovedText: 'Il gestore ha aperto per lei l’account {account}. Lei ne è il proprietario. Acceda qui:',
  signUpRefusedSubject: '{account} non è stato aperto',
  signUpRefusedText:
    'Il gestore ha deciso di non aprire l’account {account}. Per domande al riguardo si rivolga al gestore di questo servizio:',
  ignore: 'Se non si aspettava questo messaggio, può ignorarlo.',
  askOperator: 'Domande? Si rivolga al gestore di questo servizio: {contact}',
  exportReadySubject: '{account}: il Suo file è pronto',
  exportReadyText: 'Il file che ha richiesto nel conto {account} è pronto. Solo Lei può scaricarlo, per sette giorni:',
  statementSubject: '{account}: estratto conto di {month}',
  statementText: 'L’estratto del conto {account} per {month} è disponibile. Può leggerlo qui, dopo l’accesso:',
  needsSubject: '{account}: qualcosa la attende',
  needsDigestSubject: '{account}: che cosa la attende oggi',
  needsOpening: 'Nell’account {account} la attende questo:',
  needsMore: '{count, plural, one {E ancora # voce, in “Da gestire”.} other {E altre # voci, in “Da gestire”.}}',
  needsChange: 'Che cosa le viene segnalato, e quanto spesso, lo sceglie qui:',
  need_policyToApprove: 'Una modifica delle regole attende l’approvazione',
  need_transferToApprove: 'Un trasferimento attende l’approvazione',
  need_refundToApprove: 'Un rimborso attende l’approvazione',
  need_takenBack: 'Un pagamento è stato stornato dalla rete o dalla banca',
  need_balanceOwed: 'L’account deve qualcosa al gestore',
  need_underpaid: 'Un ordine non è pagato per intero',
  need_surplus: 'Un ordine è stato pagato in più, due volte o diversamente da quanto richiesto',
  need_refundFailed: 'Un rimborso è fallito',
  need_claimExpires: 'Un rimborso non è ancora stato riscosso, e il suo link scade presto',
  need_webhooksGivenUp: 'Dei webhook sono stati abbandonati',
  need_webhooksFailing: 'I webhook falliscono da un’ora',
  need_destinationUsable: 'Una destinazione è ora utilizzabile',
  need_noPasskey: 'Non ha una passkey',
  need_onlyOneOwner: 'L’account ha un solo proprietario',
  need_keyUnused: 'Una chiave API non è usata da 90 giorni',
  need_newHand: 'Qualcuno è nuovo nell’approvare, o rientra',
  proveSubject: 'Questo indirizzo è suo?',
  proveText:
    'Qualcuno che accede a Quittance dice che questo indirizzo è suo. Se è lei, apra questo link entro un giorno, nel browser in cui ha effettuato l’accesso:',
  newHandSubject: '{name} è nuovo nell’approvare in {account}',
  newHandText:
    '{name} ({email}) è entrato in {account}, vi ha avuto un ruolo più ampio, è stato riammesso o ha aggiunto una passkey. Dal {from} può approvare lì, o chiedere ciò che altri approvano. Se non è giusto, lo rimuova prima e rifiuti ciò che aspetta:',
  credentialSubject: 'Qualcosa di nuovo apre il suo accesso',
  credentialText:
    'Questo è stato aggiunto al suo accesso il {at}: {what}. Se non è stato lei, lo rimuova, cambi la password e avvisi un proprietario del suo account e il gestore:',
  credential_passkey: 'una passkey',
  credential_password: 'una password',
  credential_app: 'un’app con codici',
  credential_codes: 'codici stampati',
} as const satisfies MailTexts;
