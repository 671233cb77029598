import type { MailTexts } from './mail-texts.ts';

export const spanishMailTexts = {
  direction: 'ltr',
  signInSubject: 'Su enlace para iniciar sesión',
  signInText:
    'Con este enlace inicia sesión, en el navegador en el que lo solicitó. Es válido durante 15 minutos, una sola vez:',
  invitationSubject: 'Invitación a {account}',
  invitationText:
    'Tiene una invitación a la cuenta {account} en Quittance. Este enlace es válido durante siete días, una sola vez:',
  invitationLaterText:
    'Tiene una invitación a la cuenta {account} en Quittance. Este enlace es válido una sola vez, a partir del {from}, durante siete días:',
  staffInvitationSubject: 'Invitación al equipo de Quittance',
  staffInvitationText:
    'Tiene una invitación al equipo que gestiona este Quittance. Este enlace es válido durante siete días, una sola vez:',
  recoverySubject: 'Recuperar el acceso a {account}',
  recoveryText:
    'Una persona autorizada de {account} le permite iniciar sesión de nuevo. Este enlace es válido una sola vez, a partir del {from}, durante dos días:',
  recoveryAnnouncedSubject: '{name} recuperará el acceso a {account}',
  recoveryAnnouncedText:
    '{name} ({email}) ya no tiene forma de iniciar sesión en {account} y ha recibido un enlace válido a partir del {from}. Si no es correcto, anúlelo antes en esta página:',
  ownerInvitedSubject: '{account} va a tener un propietario',
  ownerInvitedText:
    'Quien gestiona este servicio ha invitado a {email} a ser propietario de {account}, que aún no tiene ninguno. El enlace funciona a partir del {from}. Si no es correcto, avísele antes:',
  approverLostSubject: 'Ya no aprueba en {account}',
  approverLostText:
    'Una persona autorizada le ha quitado el acceso a {account} o le ha dado un rol que no aprueba. Durante siete días nadie cambia allí los límites por sí solo. Si no es correcto, avise de inmediato a los demás y al operador de este servicio:',
  signUpSubject: 'Confirme su dirección de correo',
  signUpText:
    'Alguien ha solicitado una cuenta en Quittance con esta dirección de correo. Si fue usted, continúe con este enlace. Es válido durante 24 horas, una sola vez:',
  signUpApprovedSubject: '{account} está abierta',
  signUpApprovedText:
    'El operador ha abierto la cuenta {account} para usted. Usted es su propietario. Inicie sesión aquí:',
  signUpRefusedSubject: '{account} no se ha abierto',
  signUpRefusedText:
    'El operador ha decidido no abrir la cuenta {account}. Si tiene alguna pregunta, diríjase al operador de este servicio:',
  ignore: 'Si no esperaba este mensaje, puede ignorarlo.',
  askOperator: '¿Preguntas? Diríjase al operador de este servicio: {contact}',
  exportReadySubject: '{account}: su archivo está listo',
  exportReadyText:
    'El archivo que pidió en la cuenta {account} está listo. Solo usted puede descargarlo, durante siete días:',
  statementSubject: '{account}: extracto de {month}',
  statementText:
    'El extracto de la cuenta {account} de {month} está disponible. Puede leerlo aquí, tras iniciar sesión:',
  needsSubject: '{account}: algo le espera',
  needsDigestSubject: '{account}: lo que le espera hoy',
  needsOpening: 'En la cuenta {account} le espera esto:',
  needsMore: '{count, plural, one {Y # más, en “Por resolver”.} other {Y # más, en “Por resolver”.}}',
  needsChange: 'Qué se le avisa, y con qué frecuencia, lo elige aquí:',
  need_policyToApprove: 'Un cambio de las reglas espera aprobación',
  need_transferToApprove: 'Una transferencia espera aprobación',
  need_refundToApprove: 'Un reembolso espera aprobación',
  need_takenBack: 'La red o el banco revirtió un pago',
  need_balanceOwed: 'La cuenta debe algo al operador',
  need_underpaid: 'Un pedido no está pagado por completo',
  need_surplus: 'Un pedido se pagó de más, dos veces o de forma distinta a la solicitada',
  need_refundFailed: 'Falló un reembolso',
  need_claimExpires: 'Aún no se ha reclamado un reembolso, y su enlace caduca pronto',
  need_webhooksGivenUp: 'Se abandonaron webhooks',
  need_webhooksFailing: 'Los webhooks fallan desde hace una hora',
  need_destinationUsable: 'Un destino ya se puede usar',
  need_noPasskey: 'No tiene ninguna llave de acceso',
  need_onlyOneOwner: 'La cuenta tiene un solo propietario',
  need_keyUnused: 'Una clave API lleva 90 días sin usarse',
  need_newHand: 'Alguien es nuevo para aprobar, o vuelve a entrar',
  proveSubject: '¿Es suya esta dirección?',
  proveText:
    'Alguien que entra en Quittance dice que esta dirección es suya. Si es usted, abra este enlace en un día, en el navegador en el que ha entrado:',
  newHandSubject: '{name} es nuevo para aprobar en {account}',
  newHandText:
    '{name} ({email}) se unió a {account}, recibió allí un papel mayor, volvió a entrar o añadió una clave de acceso. Desde {from} puede aprobar allí, o pedir lo que otros aprueban. Si no es correcto, quítela antes y rechace lo que espera:',
  credentialSubject: 'Algo nuevo abre su acceso',
  credentialText:
    'Esto se añadió a su acceso el {at}: {what}. Si no fue usted, quítelo, cambie su contraseña y avise a un propietario de su cuenta y al operador:',
  credential_passkey: 'una clave de acceso',
  credential_password: 'una contraseña',
  credential_app: 'una aplicación con códigos',
  credential_codes: 'códigos impresos',
} as const satisfies MailTexts;
