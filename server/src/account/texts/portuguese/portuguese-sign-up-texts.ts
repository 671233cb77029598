import type { englishSignUpTexts } from '../english-sign-up-texts.ts';

export const portugueseSignUpTexts = {
  signUpQuestion: 'Ainda não tem conta?',
  signUpLink: 'Solicite uma',
  signUpTitle: 'Solicitar uma conta',
  signUpText:
    'Informe o nome da sua empresa e onde podemos falar com você. Enviamos um link; depois disso, o operador deste serviço abre a conta.',
  signUpBusiness: 'Nome da empresa',
  signUpBusinessHelp: 'Seus clientes o veem ao pagar. Você pode alterá-lo depois.',
  signUpSend: 'Enviar o link',
  signUpHasAccount: 'Já tem uma conta?',
  signUpSent:
    'Se {email} puder receber e-mails, um link está a caminho. Ele vale por 24 horas, uma única vez. Se nada chegar, veja a pasta de spam; escrevemos para um endereço no máximo a cada dez minutos.',
  signUpAsks:
    'Você solicita a conta {business}. Assim que informar seu nome, o operador deste serviço será consultado.',
  signUpAsk: 'Solicitar',
  signUpWaitingTitle: 'Sua conta aguarda o operador',
  signUpWaiting:
    'Pedimos ao operador deste serviço que abra {business}. Até lá, não há nada a fazer aqui. Escreveremos para {email} assim que houver uma decisão.',
  signUpRefusedTitle: 'Sua conta não foi aberta',
  signUpRefused: 'O operador deste serviço decidiu não abrir {business}. Se tiver alguma dúvida, fale com ele.',
  signUpOtherAccount: 'Para sua outra conta',
  problem_business_wrong: 'O nome da empresa deve ter de 1 a 100 caracteres.',
  problem_sign_up_closed: 'Aqui as contas são abertas por convite. Peça um ao operador deste serviço.',
  problem_sign_ups_full: 'Já há pessoas demais aguardando uma conta. Tente novamente amanhã.',
  problem_sign_ups_from_here: 'Foram solicitadas contas demais a partir da sua rede. Tente novamente amanhã.',
} as const satisfies Record<keyof typeof englishSignUpTexts, string>;
