/**
 * Two kinds of failure. Expected ones are a GatewayError: a code for programs, a status, and sentences that tell the
 * caller what would be right. Everything else is a bug, is logged with its stack and answered 500.
 */
export class GatewayError extends Error {
  readonly code: string;
  readonly httpStatus: number;
  /** All problems at once, one sentence each. The first is the one that shops show to people. */
  readonly problems: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** What its sentence names, for who says it in another language. */
  readonly facts: Readonly<Record<string, string>>;

  constructor(failure: {
    code: string;
    httpStatus: number;
    message: string | readonly string[];
    headers?: Record<string, string>;
    facts?: Record<string, string>;
  }) {
    const problems = typeof failure.message === 'string' ? [failure.message] : failure.message;
    super(problems.join(' '));
    this.name = 'GatewayError';
    this.code = failure.code;
    this.httpStatus = failure.httpStatus;
    this.problems = problems;
    this.headers = failure.headers ?? {};
    this.facts = failure.facts ?? {};
  }
}

export const invalidRequest = (problems: string | readonly string[]): GatewayError =>
  new GatewayError({ code: 'invalid_request', httpStatus: 400, message: problems });

/**
 * Only the moment is wrong, not the request: the same request may succeed later. An answer with a Retry-After is never
 * kept for an Idempotency-Key.
 */
export const tryLater = (
  code: string,
  message: string | readonly string[],
  seconds: number,
  httpStatus: 503 | 409 | 422 = 503,
): GatewayError => new GatewayError({ code, httpStatus, message, headers: { 'retry-after': String(seconds) } });

/** The id of another merchant gets the same answer as one that never existed. */
export const notFound = (what: string, id: string): GatewayError =>
  new GatewayError({
    code: 'not_found',
    httpStatus: 404,
    message: `There is no ${what} with the id ${JSON.stringify(id)}.`,
  });
