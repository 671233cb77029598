/** What developers look at and press: keys with rights, failed requests, webhooks sent again. */
import type { Saboteur } from './saboteur.ts';

const people = 'server/test/account-developers.test.ts';
const resending = 'server/src/webhooks/redeliver-failed.test.ts';
const requests = 'server/test/failed-requests.test.ts';

export const saboteurs: readonly Saboteur[] = [
  {
    file: 'account/developers/key-rights.ts',
    fault: 'a developer makes keys that read what developers do not see',
    find: "scopes.every((scope) => scope === 'charge')",
    replace: "!scopes.includes('money')",
    noticedBy: people,
  },
  {
    file: 'account/developers/key-rights.ts',
    fault: 'admins make keys that approve',
    find: "return 'approveKeys';",
    replace: "return 'moneyKeys';",
    noticedBy: people,
  },
  {
    file: 'account/developers/keys-routes.ts',
    fault: 'a developer gets the secret of any key by rotating it',
    find: '        const key = await keyOf(context);\n        if (!mayGive(look, key.scopes)) throw scopeNotYours();',
    replace: '        const key = await keyOf(context);',
    noticedBy: people,
  },
  {
    file: 'account/developers/deliveries-routes.ts',
    fault: "a test event is signed with another merchant's secret",
    find: "if (!key || key.revokedAt !== null) throw notFound('API key', apiKey);",
    replace: '',
    noticedBy: people,
  },
  {
    file: 'account/developers/delivery-page.ts',
    fault: 'everybody who sees webhooks sees what was transferred',
    find: "? 'seeBalances' : 'seeCheckouts'",
    replace: "? 'seeCheckouts' : 'seeCheckouts'",
    noticedBy: people,
  },
  {
    file: 'merchants/webhook-secrets.ts',
    fault: 'the former webhook secret signs for ever',
    find: 'former && former.goodUntil > now ?',
    replace: 'former ?',
    noticedBy: people,
  },
  {
    file: 'merchants/failed-requests.ts',
    fault: 'a stranger fills the list of failed requests',
    find: 'if (!isOneOfFew(apiKey, isSigned, createdAt)) return;',
    replace: '',
    noticedBy: requests,
  },
  {
    file: 'merchants/failed-requests.ts',
    fault: 'a stranger takes the room of what the owner of a key asked for',
    find: 'isSigned ? apiKey : `${apiKey} unsigned`',
    replace: 'apiKey',
    noticedBy: requests,
  },
  {
    file: 'webhooks/redeliver-failed.ts',
    fault: 'what has arrived meanwhile is sent again',
    find: "newest.state === 'FAILED' && ",
    replace: '',
    noticedBy: resending,
  },
  {
    file: 'webhooks/delivery-list-store.ts',
    fault: 'two who press the button send everything twice',
    find: 'limit ${limit} for update',
    replace: 'limit ${limit}',
    noticedBy: resending,
  },
  {
    file: 'webhooks/delivery-outcome.ts',
    fault: 'a test event is sent for four days',
    find: 'if (isTest) return',
    replace: 'if (false) return',
    noticedBy: resending,
  },
];
