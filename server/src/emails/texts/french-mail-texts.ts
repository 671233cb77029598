import type { MailTexts } from './mail-texts.ts';

export const frenchMailTexts = {
  direction: 'ltr',
  signInSubject: 'Votre lien de connexion',
  signInText:
    'Ce lien vous connecte, dans le navigateur où vous l’avez demandé. Il est valable 15 minutes, une seule fois\u00a0:',
  invitationSubject: 'Invitation à rejoindre {account}',
  invitationText:
    'Vous êtes invité à rejoindre le compte {account} sur Quittance. Ce lien est valable sept jours, une seule fois\u00a0:',
  invitationLaterText:
    'Vous êtes invité à rejoindre le compte {account} sur Quittance. Ce lien est valable une seule fois, à partir du {from}, pendant sept jours\u00a0:',
  staffInvitationSubject: 'Invitation à rejoindre l’équipe de Quittance',
  staffInvitationText:
    'Vous êtes invité à rejoindre l’équipe qui exploite ce Quittance. Ce lien est valable sept jours, une seule fois\u00a0:',
  recoverySubject: 'Retrouver l’accès à {account}',
  recoveryText:
    'Une personne habilitée de {account} vous permet de vous connecter de nouveau. Ce lien est valable une seule fois, à partir du {from}, pendant deux jours\u00a0:',
  recoveryAnnouncedSubject: '{name} va retrouver l’accès à {account}',
  recoveryAnnouncedText:
    '{name} ({email}) n’a plus aucun moyen de se connecter à {account} et a reçu un lien valable à partir du {from}. Si ce n’est pas normal, annulez-le avant cette date sur cette page\u00a0:',
  ownerInvitedSubject: '{account} va avoir un propriétaire',
  ownerInvitedText:
    'L’exploitant de ce service a invité {email} à devenir propriétaire de {account}, qui n’en a pas encore. Le lien fonctionne à partir du {from}. Si ce n’est pas correct, prévenez-le avant :',
  approverLostSubject: 'Vous n’approuvez plus dans {account}',
  approverLostText:
    'Une personne habilitée vous a retiré de {account} ou vous a donné un rôle qui n’approuve pas. Pendant sept jours, personne n’y modifie seul les limites. Si ce n’est pas normal, prévenez immédiatement les autres et l’opérateur de ce service\u00a0:',
  signUpSubject: 'Confirmez votre adresse e-mail',
  signUpText:
    'Quelqu’un a demandé un compte sur Quittance avec cette adresse e-mail. Si c’était vous, continuez avec ce lien. Il est valable 24 heures, une seule fois\u00a0:',
  signUpApprovedSubject: '{account} est ouvert',
  signUpApprovedText:
    'L’opérateur a ouvert le compte {account} pour vous. Vous en êtes le propriétaire. Connectez-vous ici\u00a0:',
  signUpRefusedSubject: '{account} n’a pas été ouvert',
  signUpRefusedText:
    'L’opérateur a décidé de ne pas ouvrir le compte {account}. Pour toute question à ce sujet, adressez-vous à l’opérateur de ce service\u00a0:',
  ignore: 'Si vous n’attendiez pas ce message, vous pouvez l’ignorer.',
  askOperator: 'Des questions\u00a0? Adressez-vous à l’opérateur de ce service\u00a0: {contact}',
  exportReadySubject: '{account}\u00a0: votre fichier est prêt',
  exportReadyText:
    'Le fichier que vous avez demandé dans le compte {account} est prêt. Vous seul pouvez le télécharger, pendant sept jours\u00a0:',
  statementSubject: '{account}\u00a0: relevé de {month}',
  statementText: 'Le relevé du compte {account} pour {month} est là. Vous pouvez le lire ici, une fois connecté\u00a0:',
  needsSubject: '{account}\u00a0: quelque chose vous attend',
  needsDigestSubject: '{account}\u00a0: ce qui vous attend aujourd’hui',
  needsOpening: 'Dans le compte {account}, ceci vous attend\u00a0:',
  needsMore:
    '{count, plural, one {Et # autre élément, sous «\u00a0À traiter\u00a0».} other {Et # autres éléments, sous «\u00a0À traiter\u00a0».}}',
  needsChange: 'Choisissez ici ce qui vous est signalé, et à quelle fréquence\u00a0:',
  need_policyToApprove: 'Une modification des règles attend une approbation',
  need_transferToApprove: 'Un transfert attend une approbation',
  need_refundToApprove: 'Un remboursement attend une approbation',
  need_takenBack: 'Un paiement a été invalidé par le réseau ou la banque',
  need_balanceOwed: 'Le compte doit quelque chose à l’opérateur',
  need_underpaid: 'Une commande n’est pas entièrement payée',
  need_surplus: 'Une commande a été trop payée, payée deux fois ou autrement que demandé',
  need_refundFailed: 'Un remboursement a échoué',
  need_claimExpires: 'Un remboursement n’a pas encore été récupéré, et son lien expire bientôt',
  need_webhooksGivenUp: 'Des webhooks ont été abandonnés',
  need_webhooksFailing: 'Des webhooks échouent depuis une heure',
  need_destinationUsable: 'Une destination est maintenant utilisable',
  need_noPasskey: 'Vous n’avez pas de clé d’accès',
  need_onlyOneOwner: 'Le compte n’a qu’un seul propriétaire',
  need_keyUnused: 'Une clé API n’a pas été utilisée depuis 90 jours',
  need_newHand: 'Quelqu’un est nouveau pour approuver, ou revient',
  proveSubject: 'Cette adresse est-elle la vôtre ?',
  proveText:
    'Quelqu’un qui se connecte à Quittance dit que cette adresse est la sienne. Si c’est vous, ouvrez ce lien dans la journée, dans le navigateur où vous êtes connecté :',
  newHandSubject: '{name} est nouveau pour approuver dans {account}',
  newHandText:
    '{name} ({email}) a rejoint {account}, y a reçu un rôle plus large, y a été réadmis ou a ajouté une clé d’accès. À partir du {from}, cette personne peut y approuver, ou demander ce que d’autres approuvent. Si ce n’est pas juste, retirez-la avant et refusez ce qui attend :',
  credentialSubject: 'Quelque chose de nouveau ouvre votre connexion',
  credentialText:
    'Ceci a été ajouté à votre connexion le {at} : {what}. Si ce n’était pas vous, supprimez-le, changez votre mot de passe et prévenez un propriétaire de votre compte et l’opérateur :',
  credential_passkey: 'une clé d’accès',
  credential_password: 'un mot de passe',
  credential_app: 'une application à codes',
  credential_codes: 'des codes imprimés',
} as const satisfies MailTexts;
