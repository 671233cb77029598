/**
 * What a client needs before its first order: the server's time, whether its credentials work, and what errors look
 * like.
 */
import type { Static } from 'typebox';
import { Type } from './json-schema.ts';
import { here } from './text.ts';

export const authMethod = Type.Enum(['digest', 'basic'], {
  title: 'AuthMethod',
  description: 'How a request proves who sent it: by a signature of its own, or by a text that is always the same.',
});

export const timeReply = Type.Object(
  { time: Type.Integer({ description: 'Unix time of the server in seconds, for signing.' }) },
  { title: 'ServerTime', description: 'What time it is here.' },
);

export const authTestReply = Type.Object(
  {
    authenticated: Type.Boolean({ description: 'Always true: a request that is not authenticated is answered 401.' }),
    method: here(authMethod, 'The method that worked.'),
  },
  { title: 'AuthTest', description: 'That the credentials work, and how.' },
);

export const errorReply = Type.Object(
  {
    errors: Type.Array(Type.String(), {
      minItems: 1,
      description: 'What is wrong, one plain sentence per problem. The first may be shown to a shopper.',
    }),
  },
  { title: 'Errors', description: 'The body of every reply that is not 200.' },
);

export const healthReply = Type.Object(
  { status: Type.Enum(['ok'], { description: 'The process can serve.' }) },
  { title: 'Health', description: 'That the process can serve.' },
);

export const statusReply = Type.Object(
  {
    status: Type.Enum(['ok', 'degraded'], { description: 'degraded: at least one part is away.' }),
    parts: Type.Record(Type.String(), Type.Enum(['ok', 'away']), {
      description: 'The parts the service depends on, for example the database and each network.',
    }),
  },
  { title: 'ServiceStatus', description: 'How the service and its parts are.' },
);

export type TimeReply = Static<typeof timeReply>;
export type AuthTestReply = Static<typeof authTestReply>;
export type StatusReply = Static<typeof statusReply>;
