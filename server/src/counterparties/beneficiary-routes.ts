import type { BeneficiaryRecord } from '@quittance/contract/beneficiary';
import { endpoints } from '@quittance/contract/endpoints';
import type { Db } from '../db/database.ts';
import { type Route, route } from '../http/route.ts';
import { type Clock, formatTimestamp } from '../lib/clock.ts';
import { type Beneficiary, findBeneficiary } from './beneficiary-store.ts';
import { listBeneficiaries } from './list-beneficiaries.ts';
import { beneficiaryNotFound, changeBeneficiary, createBeneficiary, deleteBeneficiary } from './save-beneficiary.ts';

export const beneficiaryRoutes = (deps: { readonly db: Db; readonly clock: Clock }): Route[] => [
  route({
    endpoint: endpoints.createBeneficiary,
    handle({ merchant, actor, body: { beneficiary }, carryOut }) {
      const { id } = beneficiary;
      return id === undefined
        ? carryOut(({ begin }) => createBeneficiary({ ...deps, begin }, merchant.id, beneficiary, actor), named)
        : carryOut(
            ({ begin }) => changeBeneficiary({ ...deps, begin }, merchant.id, { ...beneficiary, id }, actor),
            named,
          );
    },
  }),
  route({
    endpoint: endpoints.changeBeneficiary,
    handle: ({ merchant, actor, body, carryOut }) =>
      carryOut(({ begin }) => changeBeneficiary({ ...deps, begin }, merchant.id, body.beneficiary, actor), named),
  }),
  route({
    endpoint: endpoints.deleteBeneficiary,
    handle: ({ merchant, actor, body, carryOut }) =>
      carryOut(({ begin }) => deleteBeneficiary({ ...deps, begin }, merchant.id, body.id, actor), named),
  }),
  route({
    endpoint: endpoints.getBeneficiary,
    async handle({ merchant, query: { id } }) {
      const beneficiary = await findBeneficiary(deps.db, merchant.id, id);
      if (!beneficiary) throw beneficiaryNotFound(id);
      return { beneficiary: toRecord(beneficiary) };
    },
  }),
  route({
    endpoint: endpoints.listBeneficiaries,
    async handle({ merchant, query }) {
      const { items, next } = await listBeneficiaries(deps.db, merchant.id, query);
      return { beneficiaries: items.map(toRecord), next };
    },
  }),
];

const named = (beneficiaryId: string) => ({ beneficiaryId });

const toRecord = ({ id, type, fields, meta, createdAt }: Beneficiary): BeneficiaryRecord => ({
  id,
  type,
  firstname: fields.firstname ?? null,
  lastname: fields.lastname ?? null,
  company: fields.company ?? null,
  email: fields.email ?? null,
  phonenumber: fields.phonenumber ?? null,
  taxid: fields.taxid ?? null,
  streetName: fields.streetName ?? null,
  buildingNumber: fields.buildingNumber ?? null,
  addressLine: fields.addressLine ?? null,
  postCode: fields.postCode ?? null,
  townName: fields.townName ?? null,
  countrySubDivision: fields.countrySubDivision ?? null,
  country: fields.country ?? null,
  meta,
  timestamp: formatTimestamp(createdAt),
});
