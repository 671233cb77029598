/** All SQL about requests for an account of one's own. Decides nothing. */
import type { Query, Tx } from '../db/database.ts';
import type { SignUpState } from './sign-up-state.ts';

export type SignUp = {
  readonly id: string;
  readonly email: string;
  readonly business: string;
  readonly network: string;
  readonly state: SignUpState;
  readonly personId: string | null;
  readonly merchantId: string | null;
  readonly askedAt: Date;
  readonly decidedAt: Date | null;
};

type SignUpRow = {
  id: string;
  email: string;
  business: string;
  network: string;
  state: SignUpState;
  person_id: string | null;
  merchant_id: string | null;
  asked_at: Date;
  decided_at: Date | null;
};

const toSignUp = (row: SignUpRow): SignUp => ({
  id: row.id,
  email: row.email,
  business: row.business,
  network: row.network,
  state: row.state,
  personId: row.person_id,
  merchantId: row.merchant_id,
  askedAt: row.asked_at,
  decidedAt: row.decided_at,
});

/** Whoever asks or proves waits for the others who do, so that what is counted stays true. */
export async function lockSignUps(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtext('sign_up'))`;
}

export async function countWaitingSignUps(query: Query): Promise<number> {
  const [row] = await query<{ count: number }>`select count(*)::int as count from sign_up where state = 'WAITING'`;
  return row?.count ?? 0;
}

/** Open ones that were last asked for from there and around it, other than that of the address. */
export async function countOpenSignUps(
  query: Query,
  { network, nearby }: { readonly network: string; readonly nearby: string },
  exceptEmail: string,
): Promise<{ readonly network: number; readonly nearby: number }> {
  const [row] = await query<{ network: number; nearby: number }>`
    select count(*) filter (where network = ${network})::int as network, count(*)::int as nearby from sign_up
     where starts_with(network, ${nearby}) and state in ('ASKED', 'WAITING') and email <> ${exceptEmail}`;
  return row ?? { network: 0, nearby: 0 };
}

export async function insertSignUp(
  tx: Tx,
  { id, email, business, network, state, askedAt }: Omit<SignUp, 'personId' | 'merchantId' | 'decidedAt'>,
): Promise<void> {
  await tx`
    insert into sign_up (id, email, business, network, state, asked_at)
    values (${id}, ${email}, ${business}, ${network}, ${state}, ${askedAt})`;
}

/** Asked for once more. */
export async function updateSignUp(
  tx: Tx,
  { id, business, network, askedAt }: Pick<SignUp, 'id' | 'business' | 'network' | 'askedAt'>,
): Promise<void> {
  await tx`
    update sign_up set business = ${business}, network = ${network}, asked_at = ${askedAt} where id = ${id}`;
}

export async function findOpenSignUp(query: Query, email: string): Promise<SignUp | undefined> {
  const [row] = await query<SignUpRow>`
    select * from sign_up where email = ${email} and state in ('ASKED', 'WAITING')`;
  return row && toSignUp(row);
}

export async function findSignUp(query: Query, id: string): Promise<SignUp | undefined> {
  const [row] = await query<SignUpRow>`select * from sign_up where id = ${id}`;
  return row && toSignUp(row);
}

export async function findLatestSignUp(query: Query, personId: string): Promise<SignUp | undefined> {
  const [row] = await query<SignUpRow>`
    select * from sign_up where person_id = ${personId} order by asked_at desc, id limit 1`;
  return row && toSignUp(row);
}

/** With the name of who asks; oldest first. */
export async function listWaitingSignUps(query: Query): Promise<(SignUp & { readonly name: string })[]> {
  const rows = await query<SignUpRow & { name: string }>`
    select sign_up.*, person.name from sign_up join person on person.id = sign_up.person_id
     where state = 'WAITING' order by asked_at, sign_up.id`;
  return rows.map((row) => ({ ...toSignUp(row), name: row.name }));
}

type SignUpMove = { readonly from: SignUpState[]; readonly to: SignUpState };

/** False: it was proven before. */
export async function proveSignUpRow(tx: Tx, id: string, { from, to }: SignUpMove, personId: string): Promise<boolean> {
  const rows = await tx`
    update sign_up set state = ${to}, person_id = ${personId}
     where id = ${id} and state = any(${from}::text[]) returning id`;
  return rows.length > 0;
}

/** False: it was decided before. */
export async function decideSignUpRow(
  tx: Tx,
  id: string,
  { from, to }: SignUpMove,
  { merchantId, at }: { readonly merchantId: string | null; readonly at: Date },
): Promise<boolean> {
  const rows = await tx`
    update sign_up set state = ${to}, merchant_id = ${merchantId}, decided_at = ${at}
     where id = ${id} and state = any(${from}::text[]) returning id`;
  return rows.length > 0;
}

/** In which nothing has happened since. */
export async function forgetSignUps(query: Query, states: readonly SignUpState[], before: Date): Promise<void> {
  await query`
    delete from sign_up where state = any(${[...states]}::text[]) and coalesce(decided_at, asked_at) < ${before}`;
}
