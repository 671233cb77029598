/** The operator opens an account and invites who shall own it. From then on its owners invite others. */
import type { Db, Tx } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import { leavingNoTrail } from '../http/trail.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { listBalances } from '../ledger/ledger-store.ts';
import { addMs, type Clock, hours } from '../lib/clock.ts';
import type { Encryption } from '../lib/encryption.ts';
import { GatewayError, notFound } from '../lib/errors.ts';
import { listKeys } from '../merchants/api-key-store.ts';
import { openMerchant } from '../merchants/create-merchant.ts';
import { findMerchant, insertAudit } from '../merchants/merchant-store.ts';
import { inviteIn, isOwned } from './join-account.ts';
import { deleteFirstOwnerLink } from './one-time-link-store.ts';
import { readEmail } from './person.ts';
import { tellHands } from './tell-hands.ts';

export type OpenAccountDeps = { readonly db: Db; readonly clock: Clock; readonly encryption: Encryption };

type By = { readonly actor: Actor; readonly isByEmail: boolean };

/** As long as who may move money waits to be let in anew: time enough to take it back. */
const waitMs = hours(24);

/** `token`: of the invitation, here and never again; null: it goes by e-mail. */
export async function openAccount(
  { clock, encryption }: OpenAccountDeps,
  tx: Tx,
  account: { readonly name: string; readonly accountCurrency: string; readonly email: string },
  by: By,
): Promise<{ readonly merchantId: string; readonly token: string | null }> {
  const { name, accountCurrency } = account;
  const email = readEmail(account.email);
  const now = clock.now();
  const merchantId = await leavingNoTrail(() =>
    openMerchant(tx, encryption, { name, accountCurrency, detail: {} }, { actor: by.actor, now }),
  );
  return { merchantId, token: await invited(tx, merchantId, email, by, { now, goodFrom: now }) };
}

/**
 * Only while nobody owns it: otherwise the operator could walk into an account through an owner of its own making. Of several
 * such links, to whatever addresses, the first that is used is the last (`useUpJoiningLink`). An account that programs use is
 * not one person's to give away: its link is good a day later, and the others and the account are told at once.
 */
export async function inviteFirstOwner(
  { clock }: OpenAccountDeps,
  tx: Tx,
  merchantId: string,
  address: string,
  by: By,
): Promise<string | null> {
  const email = readEmail(address);
  if (await isOwned(tx, merchantId)) throw hasOwner();
  const now = clock.now();
  const isUsed = await isInUse(tx, merchantId);
  const goodFrom = isUsed ? addMs(now, waitMs) : now;
  if (isUsed) await announce(tx, merchantId, email, { actor: by.actor, now, goodFrom });
  return invited(tx, merchantId, email, by, { now, goodFrom });
}

async function isInUse(tx: Tx, merchantId: string): Promise<boolean> {
  const keys = await listKeys(tx, merchantId);
  return keys.some(({ revokedAt }) => revokedAt === null) || (await listBalances(tx, merchantId)).length > 0;
}

async function announce(
  tx: Tx,
  merchantId: string,
  email: string,
  { actor, now, goodFrom }: { readonly actor: Actor; readonly now: Date; readonly goodFrom: Date },
): Promise<void> {
  const merchant = await findMerchant(tx, merchantId);
  const news = { what: 'owner-invited' as const, about: email, role: null, account: merchant?.name ?? merchantId };
  await tellHands(tx, news, { personId: null, actor, now });
  if (!merchant?.email) return;
  const payload = { kind: 'owner-invited' as const, merchantId, email, goodFrom: goodFrom.toISOString() };
  await enqueue(tx, [{ name: 'person.email', payload, runAt: now }]);
}

/** The link ends with the place among the staff of who made it. */
const invited = (
  tx: Tx,
  merchantId: string,
  email: string,
  { actor, isByEmail }: By,
  { now, goodFrom }: { readonly now: Date; readonly goodFrom: Date },
) =>
  leavingNoTrail(() =>
    inviteIn(
      tx,
      { email, merchantId, role: 'owner', language: 'en' },
      { madeBy: actor, now, goodFrom, isByEmail, isFirstOwner: true },
    ),
  );

/** Only what the operator made: whom the people of an account invited is theirs to say. */
export async function takeBackFirstOwner(
  tx: Tx,
  merchantId: string,
  id: string,
  { actor, now: at }: { readonly actor: Actor; readonly now: Date },
): Promise<void> {
  if (!(await deleteFirstOwnerLink(tx, merchantId, id))) throw notFound('invitation', id.slice(0, 40));
  const action = 'person.invitation_taken_back';
  await leavingNoTrail(() => insertAudit(tx, { merchantId, at, actor, action, detail: {} }));
}

const hasOwner = (): GatewayError =>
  new GatewayError({
    code: 'has_owner',
    httpStatus: 409,
    message: 'This account has an owner, who invites others.',
  });
