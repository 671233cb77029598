/** A refusal in the words of the interface (RFC 7807), with the types of error that it names. */
export class PixProblem extends Error {
  readonly status: number;
  readonly type: string;
  readonly violations: readonly string[];

  constructor(status: number, type: string, ...violations: string[]) {
    super(`${type}: ${violations.join(' ')}`);
    this.status = status;
    this.type = type;
    this.violations = violations;
  }

  get body(): unknown {
    return {
      type: `https://pix.bcb.gov.br/api/v2/error/${this.type}`,
      title: titles[this.status] ?? 'Operação inválida.',
      status: this.status,
      detail: this.violations[0] ?? 'A requisição não pode ser atendida.',
      violacoes: this.violations.map((razao) => ({ razao })),
    };
  }
}

const titles: Readonly<Record<number, string>> = {
  401: 'Não Autorizado',
  403: 'Acesso Negado',
  404: 'Não Encontrado',
  500: 'Erro Interno do Servidor',
  503: 'Serviço Indisponível',
};
