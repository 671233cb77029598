/**
 * `npm start` makes what the environment does not give, but only if nothing is wrong with the rest. To find that out
 * before anything is made, values of the same form are used in its place.
 */
import type { Environment } from '@quittance/server/config';
import { issuerKeypair } from '@quittance/server/lib/strkey';
import { isNamed, sandboxList } from './sandbox-list.ts';
import { rehearseMailbox } from './sandbox-mailbox.ts';

const account = issuerKeypair(Buffer.alloc(32, 1));

export function rehearse(env: Environment): Environment {
  const made = sandboxList.filter((part) => !isNamed(part, (name) => env[name] !== undefined));
  return {
    MASTER_KEY: '00'.repeat(32),
    ISSUER_ACCOUNT: account.accountId,
    DATABASE_URL: 'postgres://127.0.0.1',
    ...env,
    ...(env['MODE'] === 'production'
      ? {}
      : Object.assign({}, rehearseMailbox(env), ...made.map(({ rehearsed }) => rehearsed))),
  };
}
