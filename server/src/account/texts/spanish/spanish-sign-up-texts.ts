import type { englishSignUpTexts } from '../english-sign-up-texts.ts';

export const spanishSignUpTexts = {
  signUpQuestion: '¿Aún no tiene cuenta?',
  signUpLink: 'Solicite una',
  signUpTitle: 'Solicitar una cuenta',
  signUpText:
    'Indique cómo se llama su negocio y dónde podemos escribirle. Le enviamos un enlace; después, el operador de este servicio abre la cuenta.',
  signUpBusiness: 'Nombre del negocio',
  signUpBusinessHelp: 'Sus clientes lo ven al pagar. Puede cambiarlo más tarde.',
  signUpSend: 'Enviarme el enlace',
  signUpHasAccount: '¿Ya tiene una cuenta?',
  signUpSent:
    'Si {email} puede recibir correo, hay un enlace en camino. Funciona durante 24 horas, una sola vez. Si no llega nada, mire en la carpeta de spam; escribimos a una dirección como mucho cada diez minutos.',
  signUpAsks: 'Solicita la cuenta {business}. En cuanto indique su nombre, se preguntará al operador de este servicio.',
  signUpAsk: 'Solicitarla',
  signUpWaitingTitle: 'Su cuenta espera al operador',
  signUpWaiting:
    'Se ha pedido al operador de este servicio que abra {business}. Hasta entonces no hay nada que hacer aquí. Escribiremos a {email} en cuanto se decida.',
  signUpRefusedTitle: 'Su cuenta no se ha abierto',
  signUpRefused:
    'El operador de este servicio ha decidido no abrir {business}. Si tiene alguna pregunta, diríjase a él.',
  signUpOtherAccount: 'A su otra cuenta',
  problem_business_wrong: 'El nombre del negocio debe tener de 1 a 100 caracteres.',
  problem_sign_up_closed: 'Aquí las cuentas se abren por invitación. Pida una al operador de este servicio.',
  problem_sign_ups_full: 'Ya hay demasiadas personas esperando una cuenta. Inténtelo de nuevo mañana.',
  problem_sign_ups_from_here: 'Se han solicitado demasiadas cuentas desde su red. Inténtelo de nuevo mañana.',
} as const satisfies Record<keyof typeof englishSignUpTexts, string>;
