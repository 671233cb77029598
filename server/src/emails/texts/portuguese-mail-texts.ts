import type { MailTexts } from './mail-texts.ts';

export const portugueseMailTexts = {
  direction: 'ltr',
  signInSubject: 'Seu link para entrar',
  signInText: 'Com este link você entra, no navegador em que o solicitou. Ele vale por 15 minutos, uma única vez:',
  invitationSubject: 'Convite para {account}',
  invitationText:
    'Você recebeu um convite para a conta {account} no Quittance. Este link vale por sete dias, uma única vez:',
  invitationLaterText:
    'Você recebeu um convite para a conta {account} no Quittance. Este link vale uma única vez, a partir de {from}, por sete dias:',
  staffInvitationSubject: 'Convite para a equipe do Quittance',
  staffInvitationText:
    'Você recebeu um convite para a equipe que opera este Quittance. Este link vale por sete dias, uma única vez:',
  recoverySubject: 'Recuperar o acesso a {account}',
  recoveryText:
    'Uma pessoa autorizada de {account} permite que você entre de novo. Este link vale uma única vez, a partir de {from}, por dois dias:',
  recoveryAnnouncedSubject: '{name} vai recuperar o acesso a {account}',
  recoveryAnnouncedText:
    '{name} ({email}) não tem mais como entrar em {account} e recebeu um link que vale a partir de {from}. Se isso não estiver certo, cancele-o antes nesta página:',
  ownerInvitedSubject: '{account} vai ter um proprietário',
  ownerInvitedText:
    'Quem opera este serviço convidou {email} para ser proprietário de {account}, que ainda não tem nenhum. O link funciona a partir de {from}. Se isso não estiver certo, avise antes:',
  approverLostSubject: 'Você não aprova mais em {account}',
  approverLostText:
    'Uma pessoa autorizada removeu você de {account} ou lhe deu uma função que não aprova. Durante sete dias, ninguém altera limites ali sem outra pessoa. Se isso não estiver certo, avise imediatamente os outros e o operador deste serviço:',
  signUpSubject: 'Confirme seu endereço de e-mail',
  signUpText:
    'Alguém solicitou uma conta no Quittance com este endereço de e-mail. Se foi você, continue com este link. Ele vale por 24 horas, uma única vez:',
  signUpApprovedSubject: '{account} está aberta',
  signUpApprovedText: 'O operador abriu a conta {account} para você. Você é o proprietário dela. Entre aqui:',
  signUpRefusedSubject: '{account} não foi aberta',
  signUpRefusedText:
    'O operador decidiu não abrir a conta {account}. Se tiver alguma dúvida, fale com o operador deste serviço:',
  ignore: 'Se você não esperava esta mensagem, pode ignorá-la.',
  askOperator: 'Dúvidas? Fale com o operador deste serviço: {contact}',
  exportReadySubject: '{account}: seu arquivo está pronto',
  exportReadyText: 'O arquivo que você pediu na conta {account} está pronto. Só você pode baixá-lo, durante sete dias:',
  statementSubject: '{account}: extrato de {month}',
  statementText: 'O extrato da conta {account} de {month} está disponível. Você pode lê-lo aqui, depois de entrar:',
  needsSubject: '{account}: algo espera por você',
  needsDigestSubject: '{account}: o que espera por você hoje',
  needsOpening: 'Na conta {account}, isto espera por você:',
  needsMore: '{count, plural, one {E mais # item, em “A resolver”.} other {E mais # itens, em “A resolver”.}}',
  needsChange: 'O que é avisado a você, e com que frequência, você escolhe aqui:',
  need_policyToApprove: 'Uma alteração das regras aguarda aprovação',
  need_transferToApprove: 'Uma transferência aguarda aprovação',
  need_refundToApprove: 'Um reembolso aguarda aprovação',
  need_takenBack: 'Um pagamento foi revertido pela rede ou pelo banco',
  need_balanceOwed: 'A conta deve algo ao operador',
  need_underpaid: 'Um pedido não foi pago por completo',
  need_surplus: 'Um pedido foi pago a mais, duas vezes ou de forma diferente da pedida',
  need_refundFailed: 'Um reembolso falhou',
  need_claimExpires: 'Um reembolso ainda não foi resgatado, e o link expira em breve',
  need_webhooksGivenUp: 'Webhooks foram abandonados',
  need_webhooksFailing: 'Webhooks falham há uma hora',
  need_destinationUsable: 'Um destino já pode ser usado',
  need_noPasskey: 'Você não tem uma chave de acesso',
  need_onlyOneOwner: 'A conta tem um único proprietário',
  need_keyUnused: 'Uma chave de API não é usada há 90 dias',
  need_newHand: 'Alguém é novo a aprovar, ou entra de novo',
  proveSubject: 'Este endereço é seu?',
  proveText:
    'Alguém que entra no Quittance diz que este endereço é seu. Se for você, abra este link no prazo de um dia, no navegador em que entrou:',
  newHandSubject: '{name} é novo a aprovar em {account}',
  newHandText:
    '{name} ({email}) entrou em {account}, recebeu ali um papel maior, foi readmitido ou adicionou uma chave de acesso. A partir de {from} pode aprovar ali, ou pedir o que outros aprovam. Se não está certo, remova antes a pessoa e recuse o que espera:',
  credentialSubject: 'Algo novo abre o seu acesso',
  credentialText:
    'Isto foi adicionado ao seu acesso em {at}: {what}. Se não foi você, remova-o, mude a palavra-passe e avise um proprietário da sua conta e o operador:',
  credential_passkey: 'uma chave de acesso',
  credential_password: 'uma palavra-passe',
  credential_app: 'uma aplicação com códigos',
  credential_codes: 'códigos impressos',
} as const satisfies MailTexts;
