/**
 * Two kinds of failure. Expected ones are a GatewayError: a code for programs, a status, and sentences that tell the
 * caller what would be right. Everything else is a bug, is logged with its stack and answered 500.
 */

/** A sentence with a name of its own and what it names, for who says it in another language. */
export type ToldProblem = {
  readonly code: string;
  readonly sentence: string;
  readonly facts: Readonly<Record<string, string>>;
};

/** What no person is told in another language is a sentence alone. */
export type Problem = string | ToldProblem;

export const told = (code: string, sentence: string, facts: Readonly<Record<string, string>> = {}): ToldProblem => ({
  code,
  sentence,
  facts,
});

export const sentenceOf = (problem: Problem): string => (typeof problem === 'string' ? problem : problem.sentence);

export class GatewayError extends Error {
  readonly code: string;
  readonly httpStatus: number;
  /** All problems at once, one sentence each. The first is the one that shops show to people. */
  readonly problems: readonly string[];
  /** The same, each with its name where it has one. */
  readonly told: readonly Problem[];
  readonly headers: Readonly<Record<string, string>>;
  /** What its sentence names, for who says it in another language. */
  readonly facts: Readonly<Record<string, string>>;

  constructor(failure: {
    code: string;
    httpStatus: number;
    message: string | readonly Problem[];
    headers?: Record<string, string>;
    facts?: Record<string, string>;
  }) {
    const told = typeof failure.message === 'string' ? [failure.message] : failure.message;
    const problems = told.map(sentenceOf);
    super(problems.join(' '));
    this.name = 'GatewayError';
    this.code = failure.code;
    this.httpStatus = failure.httpStatus;
    this.problems = problems;
    this.told = told;
    this.headers = failure.headers ?? {};
    this.facts = failure.facts ?? {};
  }
}

export const invalidRequest = (problems: string | readonly Problem[]): GatewayError =>
  new GatewayError({ code: 'invalid_request', httpStatus: 400, message: problems });

/**
 * Only the moment is wrong, not the request: the same request may succeed later. An answer with a Retry-After is never
 * kept for an Idempotency-Key.
 */
export const tryLater = (
  code: string,
  message: string | readonly Problem[],
  seconds: number,
  httpStatus: 503 | 409 | 422 = 503,
  facts: Record<string, string> = {},
): GatewayError => new GatewayError({ code, httpStatus, message, facts, headers: { 'retry-after': String(seconds) } });

/** The id of another merchant gets the same answer as one that never existed. */
export const notFound = (what: string, id: string): GatewayError =>
  new GatewayError({
    code: 'not_found',
    httpStatus: 404,
    message: `There is no ${what} with the id ${JSON.stringify(id)}.`,
  });
