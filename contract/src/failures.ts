/** What is answered when something is not done: which status, and what it means. */
import type { Endpoint } from './endpoints.ts';

export const failures = {
  400: 'The request is not as described here. Every problem is told, at most 20.',
  401: 'Authentication is missing or wrong.',
  403: 'Authenticated, but not allowed: the address, the method of authentication, a scope that the API key lacks, or a suspended account.',
  404: 'There is nothing with this id. Ids of other accounts are answered in the same way.',
  409: 'Not possible in the present state, or the same Idempotency-Key is still running.',
  413: 'The request body is larger than 256 KiB.',
  422: 'Understood, but it cannot be done; or the Idempotency-Key was used for another request.',
  429: 'Too many requests. Wait for Retry-After seconds.',
  500: 'Something went wrong on our side. The request can be retried.',
  503: 'Not at the moment: the service is busy, a network is away, a rate or stock is missing. Retry after Retry-After seconds.',
} as const;

export type FailureStatus = keyof typeof failures;

/** What an endpoint says itself: that it answers so at all, and in which case. */
export type OwnFailures = Readonly<Partial<Record<403 | 404 | 409 | 422, string>>>;

/** Every status but 200 with which an endpoint can answer, and what it means there if that is more than everywhere. */
export function failuresOf(endpoint: Endpoint): Map<FailureStatus, string | undefined> {
  const { access, method, query, body, isUnlimited = false } = endpoint;
  const own: OwnFailures = endpoint.failures ?? {};
  const isKnown: Record<FailureStatus, boolean> = {
    400: query !== undefined || body !== undefined,
    401: access !== 'public',
    403: access !== 'public',
    404: own[404] !== undefined,
    // Whatever changes something takes an Idempotency-Key, which may be in use, or have been used for something else.
    409: own[409] !== undefined || method !== 'GET',
    413: body !== undefined,
    422: own[422] !== undefined || method !== 'GET',
    429: !isUnlimited,
    500: true,
    503: true,
  };
  const statuses = (Object.keys(failures).map(Number) as FailureStatus[]).filter((status) => isKnown[status]);
  return new Map(statuses.map((status) => [status, own[status as keyof OwnFailures]]));
}
