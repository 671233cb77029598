import { type Scope, scopeMeanings, scopes } from '@quittance/contract/permissions';
import { unsentRefunds } from '@quittance/server/checkouts/refund-store';
import type { Db, Query } from '@quittance/server/db/database';
import { type Actor, personActor } from '@quittance/server/http/actor';
import { systemClock as clock, formatTimestamp } from '@quittance/server/lib/clock';
import { readAccess, writeAccess } from '@quittance/server/lib/data-folder';
import { notFound } from '@quittance/server/lib/errors';
import { usualScopes } from '@quittance/server/merchants/api-credentials';
import { findOwnerOfKey, type ListedKey, listKeys } from '@quittance/server/merchants/api-key-store';
import { createKey } from '@quittance/server/merchants/create-key';
import { findMerchant } from '@quittance/server/merchants/merchant-store';
import { revokeKey } from '@quittance/server/merchants/revoke-key';
import { rotateKey } from '@quittance/server/merchants/rotate-key';
import { findPersonId } from '@quittance/server/people/person-store';
import { unsentTransfers } from '@quittance/server/wallets/transfer-store';
import { type Command, command, UsageError } from '../command-line.ts';
import { amountText, assetCode, factList, textTable } from '../text-table.ts';

/** The name under which the audit log has these commands. */
const actor = 'operator';

export const scopeOption = {
  value: 'scope',
  meaning: `What the key may do: ${scopes.join(', ')}; several times or with commas (${usualScopes.join(', ')}).`,
  isRepeatable: true,
} as const;

/** `--scope charge,read --scope money`; if none is given, the usual ones. */
export function readScopes(given: readonly string[]): readonly Scope[] {
  const words = given.flatMap((text) => text.split(',')).map((word) => word.trim());
  for (const word of words)
    if (!scopes.some((scope) => scope === word))
      throw new UsageError(`--scope must be one of ${scopes.join(', ')}, but is ${JSON.stringify(word)}.`);
  return words.length === 0 ? usualScopes : scopes.filter((scope) => words.includes(scope));
}

/** Who gets a secret from the operator. */
async function personOf(query: Query, email: string): Promise<Actor> {
  const personId = await findPersonId(query, email.trim().toLowerCase());
  if (personId === undefined) throw notFound('person', email);
  return personActor(personId);
}

const meanings = scopes.map((scope) => `${scope}: ${scopeMeanings[scope]}.`).join('\n');

function stateOf({ revokedAt, formerUntil }: ListedKey): string {
  if (revokedAt !== null) return `revoked ${formatTimestamp(revokedAt)}`;
  return formerUntil !== null && formerUntil > clock.now()
    ? `in use; a former secret works until ${formatTimestamp(formerUntil)}`
    : 'in use';
}

/** Orders of the key that will still be sent after it was revoked: they wait for a time, an approval or an address. */
async function unsentOrders(db: Db, merchantId: string, apiKey: string) {
  const [transfers, refunds] = await Promise.all([
    unsentTransfers(db, merchantId, apiKey),
    unsentRefunds(db, merchantId, apiKey),
  ]);
  return [
    ...transfers.map((transfer) => ({ kind: 'transfer', ...transfer })),
    ...refunds.map(({ refund }) => ({ kind: 'refund', ...refund })),
  ].map(({ kind, id, state, units, asset, network, address }) => {
    const amount = `${amountText(units, asset)} ${assetCode(asset)}`;
    return { kind, id, state, amount, network, address };
  });
}

function warningOf(unsent: Awaited<ReturnType<typeof unsentOrders>>): string {
  const rows = unsent.map(({ kind, id, state, amount, network, address }) => [
    ...[kind, id, state, amount, network],
    address ?? 'whoever has the link',
  ]);
  const table = textTable(['ORDER', 'ID', 'STATE', 'AMOUNT', 'NETWORK', 'TO'], rows);
  return (
    '\nThis was asked for with it. What waits for approval cannot be approved any more; the rest will be sent all the same, ' +
    `unless another key of the merchant cancels it (POST /transfer/cancel, POST /refund/cancel):\n${table}`
  );
}

export const keyCommands: readonly Command[] = [
  command({
    name: 'key create',
    summary: 'Give a merchant a further API key; prints its secret, once.',
    details:
      'For another server, or for the second approval of transfers: it must come from another key, with the scope approve.\n' +
      'One that was made for nobody in particular (without --for) approves nothing that people ask for.\n' +
      meanings,
    arguments: ['merchantId'],
    options: {
      scope: scopeOption,
      label: { value: 'name', meaning: 'What people call it: the shop or program that has it.' },
      for: { value: 'email', meaning: 'Who gets it: with it this person approves nothing of their own.' },
    },
    examples: [
      'key create 4cq0zr1lbdk9',
      'key create 4cq0zr1lbdk9 --scope read,money',
      'key create 4cq0zr1lbdk9 --scope approve --for ada@example.com',
    ],
    async run({ withDatabase, openEncryption }, { merchantId }, { scope, label = '', for: email }) {
      const wanted = readScopes(scope);
      const encryption = await openEncryption();
      const made = await withDatabase(async (db) => {
        const givenTo = email === undefined ? [] : [await personOf(db, email)];
        return createKey({ db, clock, encryption }, merchantId, actor, { scopes: wanted, label, givenTo });
      });
      const data = { apiKey: made.apiKey, apiSecret: made.apiSecret.reveal(), scopes: wanted };
      const text = factList({ 'API key': data.apiKey, 'API secret': data.apiSecret, scopes: wanted.join(', ') });
      return { data, text: `${text}\nKeep the secret now: it is not shown again.` };
    },
  }),
  command({
    name: 'key list',
    summary: 'List the API keys of a merchant with their scopes.',
    arguments: ['merchantId'],
    examples: ['key list 4cq0zr1lbdk9'],
    run: ({ withDatabase }, { merchantId }) =>
      withDatabase(async (db) => {
        if (!(await findMerchant(db, merchantId))) throw notFound('merchant', merchantId);
        const keys = await listKeys(db, merchantId);
        const rows = keys.map((key) => [
          key.apiKey,
          key.label,
          key.scopes.join(', '),
          formatTimestamp(key.createdAt),
          key.lastUsedAt === null ? '' : formatTimestamp(key.lastUsedAt),
          key.rotatedAt === null ? '' : formatTimestamp(key.rotatedAt),
          stateOf(key),
        ]);
        return {
          data: keys,
          text: textTable(['API KEY', 'NAME', 'SCOPES', 'CREATED', 'LAST USED', 'ROTATED', 'STATE'], rows),
        };
      }),
  }),
  command({
    name: 'key rotate',
    summary: 'Give an API key a new secret; prints it, once.',
    details:
      'The old secret works for 24 more hours, so that there is time to bring the new one to every server; with --at-once ' +
      'it ends now, and so do those before it. Webhooks are signed with the new one from the first request that is.',
    arguments: ['apiKey'],
    options: {
      'at-once': { meaning: 'End the old secret now, because somebody else knows it.' },
      for: { value: 'email', meaning: 'Who gets it. Without it the key approves no more what people ask for.' },
    },
    examples: ['key rotate m2x7k90qwe1z', 'key rotate m2x7k90qwe1z --at-once'],
    async run({ withDatabase, openEncryption, folder }, { apiKey }, { 'at-once': isAtOnce, for: email }) {
      const encryption = await openEncryption();
      const { apiSecret, formerUntil } = await withDatabase(async (db) => {
        const merchantId = await findOwnerOfKey(db, apiKey);
        if (merchantId === undefined) throw notFound('API key', apiKey);
        const givenTo = email === undefined ? [] : [await personOf(db, email)];
        return rotateKey({ db, clock, encryption }, merchantId, apiKey, actor, { isAtOnce, givenTo });
      });
      const access = await readAccess(folder);
      const isInAccess = access?.apiKey === apiKey;
      if (access && isInAccess) await writeAccess(folder, { ...access, apiSecret });
      const oldWorksUntil = formerUntil && formatTimestamp(formerUntil);
      const data = { apiKey, apiSecret: apiSecret.reveal(), oldWorksUntil };
      const text = factList({
        'API key': apiKey,
        'API secret': data.apiSecret,
        'the old one works until': oldWorksUntil ?? 'now',
      });
      const note = isInAccess ? 'access.json has it too.' : 'Keep the secret now: it is not shown again.';
      return { data, text: `${text}\n${note}` };
    },
  }),
  command({
    name: 'key revoke',
    summary: 'End an API key, at once and for good.',
    details:
      'When this command is done, no process lets it in any more. What was asked for with it goes on, and its webhooks are ' +
      'signed as before: what of that has not been sent is listed, so that a thief does not get it after all.',
    arguments: ['apiKey'],
    examples: ['key revoke m2x7k90qwe1z'],
    run: ({ withDatabase }, { apiKey }) =>
      withDatabase(async (db) => {
        const merchantId = await findOwnerOfKey(db, apiKey);
        if (merchantId === undefined) throw notFound('API key', apiKey);
        await revokeKey({ db, clock }, merchantId, apiKey, actor);
        const unsent = await unsentOrders(db, merchantId, apiKey);
        const text = `The key ${apiKey} of merchant ${merchantId} is revoked.${unsent.length > 0 ? warningOf(unsent) : ''}`;
        return { data: { apiKey, merchantId, unsent }, text };
      }),
  }),
];
