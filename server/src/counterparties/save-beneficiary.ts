import type { BeneficiaryChange, BeneficiaryInput } from '@quittance/contract/beneficiary';
import type { Tx } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import type { Clock } from '../lib/clock.ts';
import { GatewayError, invalidRequest, notFound } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import { nameProblems, readBeneficiaryFields } from './beneficiary-fields.ts';
import {
  insertBeneficiary,
  labelsOfBeneficiary,
  lockBeneficiary,
  markBeneficiaryDeleted,
  updateBeneficiary,
} from './beneficiary-store.ts';

type Deps = { readonly begin: Begin<string>; readonly clock: Clock };

/** To whom money goes is as precious as where to. Which fields, not what they say: the log is for ever, and these are people. */
function audit(tx: Tx, merchantId: string, actor: Actor, at: Date, action: string, detail: Record<string, unknown>) {
  return insertAudit(tx, { merchantId, at, actor, action: `beneficiary.${action}`, detail });
}

export const beneficiaryNotFound = (id: string): GatewayError => notFound('beneficiary', id);

export async function createBeneficiary(
  { begin, clock }: Deps,
  merchantId: string,
  beneficiary: BeneficiaryInput,
  actor: Actor,
): Promise<string> {
  const { changes, problems } = readBeneficiaryFields(beneficiary);
  const type = beneficiary.type ?? (changes.company ? 'COMPANY' : 'PERSON');
  const all = [...nameProblems(type, changes), ...problems];
  if (all.length > 0) throw invalidRequest(all);
  const made = { id: newId(), type, fields: changes, meta: beneficiary.meta ?? null };
  return begin(async (tx) => {
    const now = clock.now();
    await insertBeneficiary(tx, merchantId, made, now);
    await audit(tx, merchantId, actor, now, 'created', { id: made.id, type, fields: Object.keys(changes) });
    return made.id;
  });
}

export async function changeBeneficiary(
  { begin, clock }: Deps,
  merchantId: string,
  beneficiary: BeneficiaryChange,
  actor: Actor,
): Promise<string> {
  const { id, meta } = beneficiary;
  const { changes, problems } = readBeneficiaryFields(beneficiary);
  return begin(async (tx) => {
    const before = await lockBeneficiary(tx, merchantId, id);
    if (!before) throw beneficiaryNotFound(id);
    const type = beneficiary.type ?? before.type;
    const all = [...nameProblems(type, { ...before.fields, ...changes }), ...problems];
    if (all.length > 0) throw invalidRequest(all);
    const now = clock.now();
    await updateBeneficiary(tx, merchantId, { id, type, fields: changes, meta: meta ?? null }, now);
    await audit(tx, merchantId, actor, now, 'changed', { id, type, fields: Object.keys(changes) });
    return id;
  });
}

/** A beneficiary that a destination names cannot be deleted: a transfer there must be able to say to whom it goes. */
export async function deleteBeneficiary(
  { begin, clock }: Deps,
  merchantId: string,
  id: string,
  actor: Actor,
): Promise<string> {
  return begin(async (tx) => {
    if (!(await lockBeneficiary(tx, merchantId, id))) throw beneficiaryNotFound(id);
    const labels = await labelsOfBeneficiary(tx, merchantId, id);
    if (labels.length > 0) throw stillNamed(labels);
    const now = clock.now();
    await markBeneficiaryDeleted(tx, merchantId, id, now);
    await audit(tx, merchantId, actor, now, 'deleted', { id });
    return id;
  });
}

const stillNamed = (labels: readonly string[]): GatewayError =>
  new GatewayError({
    code: 'beneficiary_named',
    httpStatus: 409,
    message: `This beneficiary is named by the target account ${labels.join(', ')}: change or delete that first.`,
  });
