/**
 * What can go wrong with a call. `ApiError` and its children: the server answered, and said why in `sentences`.
 * `ConnectionError`: there was no answer.
 */
export class QuittanceError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** There was no answer: no connection, a certificate that is not good, or nobody answered in time. */
export class ConnectionError extends QuittanceError {
  readonly isTimeout: boolean;

  constructor(message: string, { isTimeout = false, cause }: { isTimeout?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.isTimeout = isTimeout;
  }
}

/** An answer, before anybody has judged it. The names of headers are in lower case. */
export type Answer = {
  readonly status: number;
  readonly statusText?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What the body says, or its text when it is no JSON. */
  readonly data: unknown;
  readonly isJson: boolean;
};

/** The server answered with something else than success. */
export class ApiError extends QuittanceError {
  /** HTTP status. */
  readonly status: number;
  /** Every problem, one plain sentence each. The first may be shown to a shopper. */
  readonly sentences: readonly string[];
  /** When to come back, if the server said so. */
  readonly retryAfterSeconds: number | null;
  /** Whether the same call may succeed later: only the moment was wrong. It was repeated already, as often as allowed. */
  readonly canRetry: boolean;
  /** By which the operator of the service finds the request in the log. */
  readonly requestId: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** What the body said. */
  readonly data: unknown;

  constructor(answer: Answer) {
    const sentences = sentencesOf(answer);
    super(sentences.join(' '));
    this.status = answer.status;
    this.sentences = sentences;
    this.retryAfterSeconds = retryAfterOf(answer);
    this.canRetry = canRetry(answer);
    this.requestId = answer.headers['x-request-id'] ?? null;
    this.headers = answer.headers;
    this.data = answer.data;
  }
}

/** 400: the request is not as the API describes it. */
export class InvalidRequestError extends ApiError {}
/** 401: key or signature are wrong. */
export class AuthenticationError extends ApiError {}
/** 403: the key may not do this, or not from here. */
export class NotAllowedError extends ApiError {}
/** 404: there is nothing with this id. */
export class NotFoundError extends ApiError {}
/** 409: not in the present state. */
export class ConflictError extends ApiError {}
/** 422: understood, but it cannot be done. */
export class CannotBeDoneError extends ApiError {}
/** 429: too many requests. */
export class TooManyRequestsError extends ApiError {}
/** 502, 503, 504: not at the moment. */
export class UnavailableError extends ApiError {}
/** 500: a fault of the server. */
export class ServerError extends ApiError {}

const classes: Readonly<Record<number, typeof ApiError>> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  403: NotAllowedError,
  404: NotFoundError,
  409: ConflictError,
  422: CannotBeDoneError,
  429: TooManyRequestsError,
  502: UnavailableError,
  503: UnavailableError,
  504: UnavailableError,
};

export function errorFrom(answer: Answer): ApiError {
  const named = classes[answer.status] ?? (answer.status >= 500 ? ServerError : ApiError);
  return new named(answer);
}

/** Success is exactly 200, with a JSON object. */
export const isSuccess = ({ status, data, isJson }: Answer): boolean =>
  status === 200 && isJson && typeof data === 'object' && data !== null && !Array.isArray(data);

/** The server says when only the moment was wrong. Nothing was done then, or it is done again without harm. */
export const canRetry = (answer: Answer): boolean =>
  answer.status !== 200 && (answer.status === 429 || answer.status >= 500 || 'retry-after' in answer.headers);

/** A date, as proxies write it, counts from the date of the same answer: our own clock may be wrong. */
export function retryAfterOf({ headers }: Answer): number | null {
  const text = headers['retry-after'] ?? '';
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const [from, to] = [headers['date'], text].map(secondsOfDate);
  return from === undefined || to === undefined ? null : Math.max(0, to - from);
}

/** Of a date as HTTP writes it: `Wed, 18 Nov 2026 00:00:00 GMT`. */
function secondsOfDate(text = ''): number | undefined {
  const ms = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms / 1000;
}

/** Our time is wrong: the server's is to be asked for again. */
export const isClockProblem = (answer: Answer): boolean =>
  answer.status === 401 && sentencesOf(answer).some((sentence) => sentence.includes('GET /time'));

function sentencesOf({ status, data }: Answer): readonly string[] {
  if (status === 200) return ['The server answered 200 with something that is not JSON.'];
  const errors = typeof data === 'object' && data !== null && 'errors' in data ? data.errors : [];
  const sentences = Array.isArray(errors) ? errors.filter((each) => typeof each === 'string') : [];
  return sentences.length > 0 ? sentences : [`The server answered ${status} without a reason.`];
}
