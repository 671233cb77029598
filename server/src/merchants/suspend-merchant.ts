/**
 * The operator suspends an account, and lets it go again. While it is suspended nothing is charged and nothing leaves; what
 * arrives is credited, and webhooks are delivered. What is still open to its keys and people is in `auth/suspended`.
 */
import type { Db } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import { leavingNoTrail } from '../http/trail.ts';
import type { Clock } from '../lib/clock.ts';
import { GatewayError, invalidRequest, notFound } from '../lib/errors.ts';
import { renewKeyVersions } from './api-key-store.ts';
import type { Merchant } from './merchant.ts';
import { insertAudit, lockMerchant, updateSuspension } from './merchant-store.ts';

type Deps = { readonly db: Db; readonly clock: Clock };

type By = { readonly actor: Actor; readonly begin?: Begin<void> };

const whyMax = 300;

/** `why` is read by the people of the account. */
export async function suspendMerchant(deps: Deps, merchantId: string, why: string, by: By): Promise<void> {
  const sentence = why.trim();
  if (sentence.length === 0 || sentence.length > whyMax || /\p{Cc}/u.test(sentence))
    throw invalidRequest(`Say in a sentence of at most ${whyMax} characters why: the people of the account read it.`);
  const at = deps.clock.now();
  await change(deps, merchantId, { at, why: sentence }, by);
}

export const resumeMerchant = (deps: Deps, merchantId: string, by: By): Promise<void> =>
  change(deps, merchantId, null, by);

async function change(
  { db, clock }: Deps,
  merchantId: string,
  suspended: Merchant['suspended'],
  { actor, begin = (work) => db.begin(work) }: By,
): Promise<void> {
  await begin(async (tx) => {
    if (!(await lockMerchant(tx, merchantId))) throw notFound('merchant', merchantId);
    if (!(await updateSuspension(tx, merchantId, suspended))) throw alreadySo(suspended !== null);
    await renewKeyVersions(tx, merchantId); // Nobody charges for another second because of what is remembered.
    const action = suspended ? 'merchant.suspended' : 'merchant.resumed';
    const detail = suspended ? { why: suspended.why } : {};
    await leavingNoTrail(() => insertAudit(tx, { merchantId, at: clock.now(), actor, action, detail }));
  });
}

const alreadySo = (isSuspended: boolean): GatewayError =>
  new GatewayError({
    code: 'already_so',
    httpStatus: 409,
    message: isSuspended ? 'This account is suspended already.' : 'This account is not suspended.',
  });
