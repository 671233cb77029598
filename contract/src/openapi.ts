/** The OpenAPI 3.1 document of the API, built from the endpoints. */
import type { TSchema } from 'typebox';
import { errorReply } from './account.ts';
import { type Components, createComponents, type Json } from './components.ts';
import { type Access, type Endpoint, endpoints } from './endpoints.ts';
import { events, type WebhookEvent } from './events.ts';
import { type Example, readExamples } from './examples.ts';
import { failures, failuresOf } from './failures.ts';
import { scopeMeanings, scopes, scopesFor } from './permissions.ts';
import { webhookHeaders } from './webhook-headers.ts';

/** Of every reply. */
const usualHeaders = {
  'X-Request-Id': header(
    'Names the request in the logs of the service. It is the one that was sent, if that was good.',
    'string',
  ),
  'RateLimit-Limit': header('How many requests may come at once.'),
  'RateLimit-Remaining': header('How many are left.'),
  'RateLimit-Reset': header('Seconds until all of them are available again.'),
};

const furtherHeaders = {
  'Idempotency-Replayed': header(
    '`true`: this is the answer that was given to the same Idempotency-Key before.',
    'string',
  ),
  'Retry-After': header('Seconds to wait. Absent where the same request would be answered in the same way later.'),
};

export const description = `Accept crypto payments: create a checkout from a charge, let the customer pay, get a webhook.

- Success is always HTTP 200. Everything else carries \`{"errors": ["…"]}\`, one plain sentence per problem.
- Bodies are JSON whatever the Content-Type says, at most 256 KiB and 32 levels deep, UTF-8.
- Amounts in requests are JSON numbers or numeric strings with at most 18 digits before and 18 after the point; they are
  read exactly. Amounts in replies are strings.
- \`null\` for an optional key means absent, and so does an empty text where text may not be empty. Unknown keys are
  ignored. An empty list where an object is expected means an empty object.
- Some fields have had other names (\`x-otherNames\`; \`a.b\` is the field \`b\` inside \`a\`). Such a name is understood where
  the field itself is absent. What is required is written here under the name to use. Where shop plugins send a word while
  nothing is chosen in their settings (\`x-absentWord\`), it means absent, too.
- Timestamps are ISO 8601 with an offset.
- Paths are matched without regard to case; a trailing slash is harmless. Where a path has no such method the answer is 405,
  and where there is no such path 404.
- An API key has scopes. A request that needs another one gets 403, which names it.
${scopes.map((scope) => `  \`${scope}\`: ${scopeMeanings[scope]}.`).join('\n')}
- A key whose secret was rotated takes the old secret for 24 more hours. Until a request is signed with the new one, the
  old one signs X-Webhook-Auth.`;

export function buildOpenapi(): Json {
  const components = createComponents();
  const examples = readExamples();
  const paths: Record<string, Json> = {};
  for (const endpoint of Object.values(endpoints) as Endpoint[])
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operation(
      components,
      endpoint,
      examples.operations[endpoint.id],
    );
  const webhooks = events.map((event) => [
    event.type,
    { post: webhook(components, event, examples.events[event.type]) },
  ]);
  const errors = components.use(errorReply);
  const responses = Object.entries(failures).map(([status, what]) => [status, failure(status, what, errors)]);
  const document = {
    openapi: '3.1.0',
    info: { title: 'Quittance API', version: '1', summary: 'Crypto payment checkouts.', description, license },
    servers: [{ url: '/api/v1' }],
    tags: Object.entries(tags).map(([name, what]) => ({ name, description: what })),
    paths,
    webhooks: Object.fromEntries(webhooks),
    components: {
      securitySchemes,
      schemas: Object.fromEntries(Object.entries(components.schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
      responses: Object.fromEntries(responses),
      headers: { ...usualHeaders, ...furtherHeaders },
      parameters: { 'Idempotency-Key': idempotencyKey, ...webhookParameters() },
    },
  };
  return JSON.parse(JSON.stringify(document)) as Json;
}

/** In the order in which they are read. */
export const tags: Readonly<Record<string, string>> = {
  Account: 'Whether the service is there, what time it is, and who is asking.',
  Catalog: 'What can be paid with, billed in, credited and spoken.',
  Checkouts: 'Charges that customers pay.',
  'Payment links': 'What can be paid many times: a product, a donation, amounts that a shop signs.',
  Refunds: 'Money that goes back to customers.',
  Papers: 'Receipts, invoices and credit notes, numbered without gaps.',
  Customers: 'The people a merchant sells to.',
  Wallets: 'What the account holds, what happened to it, and reports about that.',
  Swaps: 'One asset for another.',
  Deposits: 'Money that arrives without a charge.',
  Destinations: 'Where money is sent to, and to whom.',
  Transfers: 'Money that leaves the account.',
  Webhooks: 'Events that are sent to the merchant, and the log of them.',
};

const license = { name: 'MIT', identifier: 'MIT' };

export const securitySchemes = {
  digestKey: apiKey('X-Digest-Key', 'The API key: 12 lower-case letters and digits.'),
  digestSignature: apiKey(
    'X-Digest-Signature',
    'hex(hmac_sha256(secret, path + timestamp + METHOD + body)). The path is the endpoint as called or in lower case, ' +
      'without /api/v1, with or without its query string. The body is the bytes as sent; empty for GET.',
  ),
  digestTimestamp: apiKey('X-Digest-Timestamp', 'Unix time in seconds, less than 30 seconds away from GET /time.'),
  basic: apiKey('X-Basic', 'hex(sha256(key + ":" + secret)). Static, so for development; it can be switched off.'),
};

export const idempotencyKey = {
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

function operation(components: Components, endpoint: Endpoint, example: Example | undefined): Json {
  const { id, tag, summary, description, access, method, query, body, reply, isFile = false } = endpoint;
  const parameters = [
    ...queryParameters(components, query, example?.query),
    ...(method === 'GET' ? [] : [{ $ref: '#/components/parameters/Idempotency-Key' }]),
  ];
  const refusals = [...failuresOf(endpoint)].map(([status, what]) => [
    status,
    { $ref: `#/components/responses/${status}`, description: what },
  ]);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: `${description}${scopeSentence(access)}`,
    security: access === 'public' ? [] : [{ digestKey: [], digestSignature: [], digestTimestamp: [] }, { basic: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: true, content: json(components.use(body), example?.body) } } : {}),
    responses: {
      '200': {
        description: 'Done.',
        headers: headersNamed(method === 'GET' ? [] : ['Idempotency-Replayed']),
        content: isFile ? file(components.use(reply), example?.reply) : json(components.use(reply), example?.reply),
      },
      ...Object.fromEntries(refusals),
    },
  };
}

function webhook(components: Components, { type, when, body }: WebhookEvent, example: unknown): Json {
  return {
    operationId: `receive${(body as { title: string }).title}`,
    tags: ['Webhooks'],
    summary: type,
    description: when,
    security: [],
    parameters: Object.keys(webhookHeaders).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: { required: true, content: json(components.use(body), example) },
    responses: {
      '2XX': { description: 'Received. Answer within 15 seconds, and do the work afterwards.' },
      '410': { description: 'Nothing is sent to this URL any more, until somebody asks for it again.' },
      default: {
        description:
          'Anything else, also a redirect or no answer: it is sent again, at growing gaps, for about four days. An older ' +
          'event of the same subject never follows a newer one.',
      },
    },
  };
}

const webhookParameters = (): Json =>
  Object.fromEntries(
    Object.entries(webhookHeaders).map(([name, what]) => [
      name,
      { name, in: 'header', required: true, description: what, schema: { type: 'string' } },
    ]),
  );

export function scopeSentence(access: Access): string {
  if (access === 'public') return '';
  const enough = scopesFor[access];
  return enough.length === scopes.length
    ? ' Any scope.'
    : ` Scope: ${enough.map((scope) => `\`${scope}\``).join(' or ')}.`;
}

function queryParameters(components: Components, query: TSchema | undefined, example: Example['query']): Json[] {
  const schema = query === undefined ? {} : components.use(query);
  const required = (schema['required'] ?? []) as string[];
  return Object.entries((schema['properties'] ?? {}) as Record<string, Json>).map(([name, property]) => {
    const { description, ...rest } = property;
    return {
      name,
      in: 'query',
      required: required.includes(name),
      description,
      schema: rest,
      example: example?.[name],
    };
  });
}

const failure = (status: string, what: string, errors: Json): Json => ({
  description: what,
  headers: headersNamed(['409', '422', '429', '503'].includes(status) ? ['Retry-After'] : []),
  content: json(errors),
});

const headersNamed = (further: readonly string[]): Json =>
  Object.fromEntries(
    [...Object.keys(usualHeaders), ...further].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );

function header(what: string, type = 'integer'): Json {
  return { description: what, schema: { type } };
}

function apiKey(name: string, what: string): Json {
  return { type: 'apiKey', in: 'header', name, description: what };
}

const json = (schema: Json, example?: unknown): Json => ({ 'application/json': { schema, example } });

const file = (schema: Json, example?: unknown): Json => ({
  'text/csv': { schema, example },
  'application/json': { schema: {} },
});
