/** Keys of the account: made, rotated and revoked by people, each as far as the role allows. */
import { scopes as allScopes, type Scope } from '@quittance/contract/permissions';
import { personActor } from '../../http/actor.ts';
import { notFound } from '../../lib/errors.ts';
import { findKey, type ListedKey, listKeys } from '../../merchants/api-key-store.ts';
import { createKey } from '../../merchants/create-key.ts';
import { revokeKey } from '../../merchants/revoke-key.ts';
import { rotateKey } from '../../merchants/rotate-key.ts';
import { membersOf } from '../../people/person-store.ts';
import { accountReply } from '../frame/account-layout.ts';
import { redirect } from '../frame/account-request.ts';
import {
  type AccountDeps,
  type AccountRoute,
  createAccountRoutes,
  type MemberContext,
} from '../frame/account-route.ts';
import { momentText } from '../frame/moment-text.ts';
import { keysPath } from './developer-parts.ts';
import { keyNameMissing, mayGive, noScope, scopeNotYours } from './key-rights.ts';
import { keyPage, keySecretPage, keysPage, type MakerNames, newKeyPage } from './keys-page.ts';

const readScopes = (form: URLSearchParams): Scope[] => {
  const wanted = form.getAll('scope');
  for (const word of wanted) if (!allScopes.some((scope) => scope === word)) throw notFound('scope', word);
  if (wanted.length === 0) throw noScope();
  return allScopes.filter((scope) => wanted.includes(scope));
};

export function keysRoutes(deps: AccountDeps): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  const { db } = deps;
  const access = { may: 'chargeKeys' } as const;

  async function makersOf(merchantId: string): Promise<MakerNames> {
    const members = await membersOf(db, merchantId);
    return new Map(members.map(({ personId, name }) => [personActor(personId), name]));
  }
  async function keyOf({ merchant, request }: MemberContext): Promise<ListedKey> {
    const apiKey = request.params['key'] ?? '';
    const key = await findKey(db, merchant.id, apiKey);
    if (!key) throw notFound('API key', apiKey);
    return key;
  }

  return [
    accountRoute({
      method: 'GET',
      path: keysPath,
      access,
      async handle({ look, merchant, now, request }) {
        const [keys, makers] = await Promise.all([listKeys(db, merchant.id), makersOf(merchant.id)]);
        const isRevokedNow = request.query['revoked'] === 'yes';
        return accountReply(200, look, keysPage(look, { keys, makers, now, isRevokedNow }));
      },
    }),
    accountRoute({
      method: 'GET',
      path: `${keysPath}/new`,
      access,
      handle: ({ look }) => accountReply(200, look, newKeyPage(look)),
    }),
    accountRoute({
      method: 'POST',
      path: keysPath,
      access,
      async handle({ look, merchant, form, signedIn, db: held }) {
        const label = (form.get('label') ?? '').trim();
        if (label === '') throw keyNameMissing();
        const scopes = readScopes(form);
        if (!mayGive(look, scopes)) throw scopeNotYours();
        const made = await createKey({ ...deps, db: held }, merchant.id, personActor(signedIn.person.id), {
          scopes,
          label,
        });
        const shown = {
          label,
          apiKey: made.apiKey,
          secret: made.apiSecret,
          text: look.say('keyMadeText'),
          publicUrl: deps.publicUrl,
        };
        return accountReply(200, look, keySecretPage(look, shown));
      },
    }),
    accountRoute({
      method: 'GET',
      path: `${keysPath}/:key`,
      access,
      async handle(context) {
        const { look, merchant, now } = context;
        const [key, makers] = await Promise.all([keyOf(context), makersOf(merchant.id)]);
        return accountReply(200, look, keyPage(look, key, { makers, now, isRevokedNow: false }));
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${keysPath}/:key/rotate`,
      access,
      async handle(context) {
        const { look, merchant, form, signedIn } = context;
        const key = await keyOf(context);
        if (!mayGive(look, key.scopes)) throw scopeNotYours();
        const isAtOnce = form.get('at-once') === 'yes';
        const actor = personActor(signedIn.person.id);
        const { apiSecret, formerUntil } = await rotateKey(
          { ...deps, db: context.db },
          merchant.id,
          key.apiKey,
          actor,
          { isAtOnce },
        );
        const text = formerUntil
          ? look.say.html('keyRotatedText', { until: momentText(look, formerUntil) })
          : look.say('keyRotatedAtOnce');
        const shown = { label: key.label, apiKey: key.apiKey, secret: apiSecret, text, publicUrl: deps.publicUrl };
        return accountReply(200, look, keySecretPage(look, shown));
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${keysPath}/:key/revoke`,
      access,
      isProtective: true,
      async handle(context) {
        const { look, merchant, signedIn } = context;
        const { apiKey, scopes } = await keyOf(context);
        if (!mayGive(look, scopes)) throw scopeNotYours();
        await revokeKey({ ...deps, db: context.db }, merchant.id, apiKey, personActor(signedIn.person.id));
        return redirect(`${keysPath}?revoked=yes`);
      },
    }),
  ];
}
