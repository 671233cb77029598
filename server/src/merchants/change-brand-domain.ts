/** A merchant's own domain and its keys: made, changed, removed. Everything is in the audit log, but never a key. */

import type { Db, Tx } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import { leavingNoTrail } from '../http/trail.ts';
import { present } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import { invalidRequest, notFound, told } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import type { Secret } from '../lib/secret.ts';
import {
  type BrandBehaviour,
  type BrandDomain,
  deleteBrandDomain,
  deleteBrandingKeys,
  findBrandDomain,
  insertBrandingKey,
  listBrandingKeys,
  lockNamers,
  markDomainSeen,
  saveBrandDomain,
  unmarkDomainOfOthers,
} from './brand-domain-store.ts';
import { domainIsOurs } from './brand-errors.ts';
import { defaultFramers, readFramers } from './brand-framers.ts';
import { brandingKeyDigest, isOurOwn, newBrandingKey, readDomain } from './branding-key.ts';
import { insertAudit, lockMerchant } from './merchant-store.ts';

type Deps = { readonly db: Db; readonly clock: Clock };

const keysMax = 10;

/**
 * A further key for the domain. Earlier ones stay valid until they are revoked, so that a container can get its new key
 * while the old one works. If the domain is another one than before, all earlier keys end.
 */
export async function createBrandingKey(
  { db, clock }: Deps,
  merchantId: string,
  wish: {
    readonly domain: string;
    readonly behaviour?: BrandBehaviour | undefined;
    readonly serviceUrl: string;
    /** Where people sign in, if that is another host: nobody has what we are reached at. */
    readonly accountUrl?: string;
  },
  actor: Actor,
): Promise<{ keyId: string; key: Secret; domain: BrandDomain }> {
  const at = readDomain(wish.domain);
  if (isOurOwn(at, [wish.serviceUrl, wish.accountUrl ?? wish.serviceUrl])) throw domainIsOurs(at.domain);
  const key = newBrandingKey({ serviceUrl: wish.serviceUrl, domain: at.domain });
  const keyId = newId();
  const now = clock.now();
  return db.begin(async (tx) => {
    await lockKnown(tx, merchantId);
    const before = await findBrandDomain(tx, merchantId);
    const isSame = before?.domain === at.domain;
    const behaviour = wish.behaviour ?? before?.behaviour ?? 'both';
    const framedBy = isSame ? before.framedBy : defaultFramers;
    if (before && !isSame) await deleteBrandingKeys(tx, merchantId, null);
    const domain = await saved(tx, { merchantId, ...at, behaviour, framedBy }, now);
    if ((await listBrandingKeys(tx, merchantId)).length >= keysMax)
      throw invalidRequest([
        told('domain_keys_full', `A domain can have at most ${keysMax} keys: revoke one first.`, {
          most: String(keysMax),
        }),
      ]);
    await insertBrandingKey(tx, { merchantId, id: keyId, digest: brandingKeyDigest(key.reveal()) }, now);
    const detail = { keyId, domain: at.domain, behaviour };
    await insertAudit(tx, { merchantId, at: now, actor, action: 'branding-key.created', detail });
    return { keyId, key, domain };
  });
}

/**
 * The merchant's container was seen answering at the domain it named: from now on customers are sent there. Who had the
 * domain before has it no more, because whoever is sent there comes to this merchant's container.
 */
export async function holdBrandDomain(
  { db, clock }: Deps,
  { merchantId, domain, origin }: Pick<BrandDomain, 'merchantId' | 'domain' | 'origin'>,
  actor: Actor,
): Promise<void> {
  const [at, detail] = [clock.now(), { domain }];
  await db.begin(async (tx) => {
    await lockKnown(tx, merchantId);
    await lockNamers(tx, origin);
    const named = await findBrandDomain(tx, merchantId);
    if (named?.origin !== origin || named.seenAt !== null) return;
    for (const loser of await unmarkDomainOfOthers(tx, named)) {
      const lost = { merchantId: loser, at, actor: 'operator', action: 'brand-domain.lost', detail } as const;
      await leavingNoTrail(() => insertAudit(tx, lost));
    }
    await markDomainSeen(tx, named, at);
    await insertAudit(tx, { merchantId, at, actor, action: 'brand-domain.shown', detail });
  });
}

export async function revokeBrandingKey(
  { db, clock }: Deps,
  merchantId: string,
  keyId: string,
  actor: Actor,
): Promise<void> {
  await db.begin(async (tx) => {
    await lockKnown(tx, merchantId);
    if ((await deleteBrandingKeys(tx, merchantId, keyId)) === 0) throw notFound('branding key', keyId);
    const detail = { keyId };
    await insertAudit(tx, { merchantId, at: clock.now(), actor, action: 'branding-key.revoked', detail });
  });
}

/** What is not named stays. */
export async function changeBrandDomain(
  { db, clock }: Deps,
  merchantId: string,
  change: { readonly behaviour?: BrandBehaviour | undefined; readonly framedBy?: readonly string[] | undefined },
  actor: Actor,
): Promise<BrandDomain> {
  const framedBy = change.framedBy && readFramers(change.framedBy);
  return db.begin(async (tx) => {
    const before = await lockDomain(tx, merchantId);
    const after = { behaviour: change.behaviour ?? before.behaviour, framedBy: framedBy ?? before.framedBy };
    const domain = await saved(tx, { ...before, ...after }, clock.now());
    const detail = { domain: domain.domain, ...after };
    await insertAudit(tx, { merchantId, at: clock.now(), actor, action: 'brand-domain.changed', detail });
    return domain;
  });
}

/** Removes the domain with all its keys. The pages are on the service's own domain again, with the brand. */
export async function removeBrandDomain({ db, clock }: Deps, merchantId: string, actor: Actor): Promise<void> {
  await db.begin(async (tx) => {
    const { domain } = await lockDomain(tx, merchantId);
    await deleteBrandDomain(tx, merchantId);
    await insertAudit(tx, { merchantId, at: clock.now(), actor, action: 'brand-domain.removed', detail: { domain } });
  });
}

async function saved(tx: Tx, domain: Omit<BrandDomain, 'seenAt'>, now: Date): Promise<BrandDomain> {
  await saveBrandDomain(tx, domain, now);
  return present(await findBrandDomain(tx, domain.merchantId), 'what was just written');
}

async function lockKnown(tx: Tx, merchantId: string): Promise<void> {
  if (!(await lockMerchant(tx, merchantId))) throw notFound('merchant', merchantId);
}

async function lockDomain(tx: Tx, merchantId: string): Promise<BrandDomain> {
  await lockKnown(tx, merchantId);
  const domain = await findBrandDomain(tx, merchantId);
  if (!domain)
    throw invalidRequest([
      told('domain_none', 'There is no domain of its own yet: it is made with its first branding key.'),
    ]);
  return domain;
}
