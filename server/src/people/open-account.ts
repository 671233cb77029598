/** The operator opens an account and invites who shall own it. From then on its owners invite others. */
import type { Db, Tx } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import { leavingNoTrail } from '../http/trail.ts';
import type { Clock } from '../lib/clock.ts';
import type { Encryption } from '../lib/encryption.ts';
import { GatewayError } from '../lib/errors.ts';
import { openMerchant } from '../merchants/create-merchant.ts';
import { inviteIn, isOwned } from './join-account.ts';
import { readEmail } from './person.ts';

export type OpenAccountDeps = { readonly db: Db; readonly clock: Clock; readonly encryption: Encryption };

type By = { readonly actor: Actor; readonly isByEmail: boolean };

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
  return { merchantId, token: await invited(tx, merchantId, email, by, now) };
}

/**
 * Only while nobody owns it: otherwise the operator could walk into an account through an owner of its own making. Of several
 * such links, to whatever addresses, the first that is used is the last (`useUpJoiningLink`).
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
  return invited(tx, merchantId, email, by, clock.now());
}

const invited = (tx: Tx, merchantId: string, email: string, { actor, isByEmail }: By, now: Date) =>
  leavingNoTrail(() =>
    inviteIn(
      tx,
      { email, merchantId, role: 'owner', language: 'en' },
      // The link is the operator's, not of one who may have left by the time it is used.
      { madeBy: 'operator', doneBy: actor, now, isByEmail, isFirstOwner: true },
    ),
  );

const hasOwner = (): GatewayError =>
  new GatewayError({
    code: 'has_owner',
    httpStatus: 409,
    message: 'This account has an owner, who invites others.',
  });
