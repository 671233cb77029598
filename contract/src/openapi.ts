/** The OpenAPI 3.1 document of the API, built from the endpoints. */
import type { TSchema } from 'typebox';
import { errorReply } from './account.ts';
import { type Access, type Endpoint, endpoints } from './endpoints.ts';
import { scopeMeanings, scopes, scopesFor } from './permissions.ts';

type Json = { [key: string]: unknown };

const failures: Record<string, string> = {
  '400': 'The request is not as described here. Every problem is told, at most 20.',
  '401': 'Authentication is missing or wrong.',
  '403':
    'Authenticated, but not allowed: the address, the method of authentication, or a scope that the API key lacks.',
  '404': 'There is nothing with this id. Ids of other accounts are answered in the same way.',
  '405': 'The path exists, but not for this method.',
  '409': 'Not possible in the present state, or the same Idempotency-Key is still running.',
  '413': 'The request body is larger than 256 KiB.',
  '422': 'Understood, but it cannot be done; or the Idempotency-Key was used for another request.',
  '429': 'Too many requests. Wait for Retry-After seconds.',
  '500': 'Something went wrong on our side. The request can be retried.',
  '503':
    'Not at the moment: the service is busy, a network is away, a rate or stock is missing. Retry after Retry-After seconds.',
};

const rateLimitHeaders = {
  'RateLimit-Limit': header('How many requests may come at once.'),
  'RateLimit-Remaining': header('How many are left.'),
  'RateLimit-Reset': header('Seconds until all of them are available again.'),
};

const description = `Accept crypto payments: create a checkout from a charge, let the customer pay, get a webhook.

- Success is always HTTP 200. Everything else carries \`{"errors": ["…"]}\`, one plain sentence per problem.
- Bodies are JSON whatever the Content-Type says, at most 256 KiB and 32 levels deep, UTF-8.
- Amounts in requests are JSON numbers or numeric strings with at most 18 digits before and 18 after the point; they are
  read exactly. Amounts in replies are strings.
- \`null\` for an optional key means absent, and so does an empty text where text may not be empty. Unknown keys are
  ignored. An empty list where an object is expected means an empty object.
- Timestamps are ISO 8601 with an offset.
- Paths are matched without regard to case; a trailing slash is harmless.
- An API key has scopes. A request that needs another one gets 403, which names it.
${scopes.map((scope) => `  \`${scope}\`: ${scopeMeanings[scope]}.`).join('\n')}
- A key whose secret was rotated takes the old secret for 24 more hours. Until a request is signed with the new one, the
  old one signs X-Webhook-Auth.`;

export function buildOpenapi(): Json {
  const paths: Record<string, Json> = {};
  for (const endpoint of Object.values(endpoints) as Endpoint[])
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operation(endpoint);
  return {
    openapi: '3.1.0',
    info: { title: 'Quittance API', version: '1', summary: 'Crypto payment checkouts.', description, license },
    servers: [{ url: '/api/v1' }],
    tags: [...new Set(Object.values(endpoints).map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes,
      schemas: { Errors: plain(errorReply) },
      responses: Object.fromEntries(Object.entries(failures).map(([status, what]) => [status, failure(status, what)])),
      headers: rateLimitHeaders,
      parameters: { 'Idempotency-Key': idempotencyKey },
    },
  };
}

const license = { name: 'MIT', identifier: 'MIT' };

const securitySchemes = {
  digestKey: apiKey('X-Digest-Key', 'The API key: 12 lower-case letters and digits.'),
  digestSignature: apiKey(
    'X-Digest-Signature',
    'hex(hmac_sha256(secret, path + timestamp + METHOD + body)). The path is the endpoint as called or in lower case, ' +
      'without /api/v1, with or without its query string. The body is the bytes as sent; empty for GET.',
  ),
  digestTimestamp: apiKey('X-Digest-Timestamp', 'Unix time in seconds, less than 30 seconds away from GET /time.'),
  basic: apiKey('X-Basic', 'hex(sha256(key + ":" + secret)). Static, so for development; it can be switched off.'),
};

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  description:
    'The same key with the same request gives the same answer again, for 24 hours, with the header ' +
    'Idempotency-Replayed. While the first is running: 409. With another request: 422. It is kept together with what ' +
    'was done, so the same request may be sent again at any time. An answer of 403, of 500 or above, or with Retry-After, ' +
    'is not kept: nothing was done.',
};

function operation(endpoint: Endpoint): Json {
  const { id, tag, summary, description, access, method, query, body, reply, isFile = false } = endpoint;
  const parameters = [
    ...queryParameters(query),
    ...(method === 'GET' ? [] : [{ $ref: '#/components/parameters/Idempotency-Key' }]),
  ];
  const statuses = Object.keys(failures).filter(
    (status) => status !== '405' && (access !== 'public' || ['429', '500', '503'].includes(status)),
  );
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: `${description}${scopeSentence(access)}`,
    security: access === 'public' ? [] : [{ digestKey: [], digestSignature: [], digestTimestamp: [] }, { basic: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: true, content: json(request(body)) } } : {}),
    responses: {
      '200': {
        description: 'Done.',
        headers: headerReferences(),
        content: isFile ? file(plain(reply)) : json(plain(reply)),
      },
      ...Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${status}` }])),
    },
  };
}

function scopeSentence(access: Access): string {
  if (access === 'public') return '';
  const enough = scopesFor[access];
  return enough.length === scopes.length
    ? ' Any scope.'
    : ` Scope: ${enough.map((scope) => `\`${scope}\``).join(' or ')}.`;
}

function queryParameters(query: TSchema | undefined): Json[] {
  const schema = query === undefined ? {} : request(query);
  const required = (schema['required'] ?? []) as string[];
  return Object.entries((schema['properties'] ?? {}) as Record<string, Json>).map(([name, property]) => {
    const { description, ...rest } = property;
    return { name, in: 'query', required: required.includes(name), description, schema: rest };
  });
}

const failure = (status: string, what: string): Json => ({
  description: what,
  headers: {
    ...headerReferences(),
    ...(status === '429' || status === '503' ? { 'Retry-After': header('Seconds to wait.') } : {}),
  },
  content: json({ $ref: '#/components/schemas/Errors' }),
});

const headerReferences = (): Json =>
  Object.fromEntries(Object.keys(rateLimitHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]));

function header(what: string): Json {
  return { description: what, schema: { type: 'integer' } };
}

function apiKey(name: string, what: string): Json {
  return { type: 'apiKey', in: 'header', name, description: what };
}

const json = (schema: Json): Json => ({ 'application/json': { schema } });

const file = (schema: Json): Json => ({ 'text/csv': { schema }, 'application/json': { schema: {} } });

const plain = (schema: TSchema): Json => JSON.parse(JSON.stringify(schema)) as Json;

/** A request schema as its sender sees it: a field with a default, or with an older name, is not required. */
function request(schema: TSchema): Json {
  return relaxed(plain(schema)) as Json;
}

function relaxed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relaxed);
  if (typeof value !== 'object' || value === null) return value;
  const schema = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, relaxed(inner)]));
  const properties = schema['properties'] as Record<string, Json> | undefined;
  if (properties && Array.isArray(schema['required'])) {
    const needed = (schema['required'] as string[]).filter((name) => {
      const property = properties[name] ?? {};
      return property['default'] === undefined && property['x-otherNames'] === undefined;
    });
    if (needed.length === 0) delete schema['required'];
    else schema['required'] = needed;
  }
  return schema;
}
