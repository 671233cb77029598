import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Query } from '../db/database.ts';
import { sentenceOf } from '../lib/errors.ts';
import { sepaNetwork } from '../networks/sepa/sepa.ts';
import { swiftNetwork } from '../networks/swift/swift.ts';
import { findHolder } from './find-holder.ts';

const account = {
  iban: 'DE67500502011234567890',
  bic: 'HELADEF1822',
  holder: 'Shop AG',
  otherNames: [],
  address: null,
  creditsFrom: 'camt.053',
  fileVersion: 'pain.001.001.09',
} as const;
const sepa = sepaNetwork.connect({ ...account, isInstant: false });
const swift = swiftNetwork.connect({ ...account, currency: 'USD', charges: 'SHA' });

/** What is told of a destination of this beneficiary: the name of the problem, and the sentence. */
async function told(
  connector: typeof sepa,
  {
    address,
    bic = null,
    ...fields
  }: { address: string; bic?: string | null; [field: string]: string | null | undefined },
): Promise<string> {
  const row = {
    id: 'ben',
    type: 'PERSON',
    fields: { lastname: 'Wirt', ...fields },
    meta: null,
    created_at: new Date(),
  };
  const query = (async () => [row]) as unknown as Query;
  const { problems } = await findHolder(query, 'shop', connector, { beneficiaryId: 'ben', address, bic });
  return problems.map((each) => `${typeof each === 'string' ? '' : each.code}: ${sentenceOf(each)}`).join();
}

test('what keeps a destination at a bank from being paid has a name of its own, by who can mend it', async () => {
  const british = { address: 'GB29NWBK60161331926819', bic: 'NWBKGB2L' };
  for (const [problem, said] of [
    [told(sepa, { address: 'DE89370400440532013000' }), /^$/],
    [
      told(sepa, british),
      /^own_address_needed: .* in GB .* the operator .* SEPA_ACCOUNT_TOWN and SEPA_ACCOUNT_COUNTRY/,
    ],
    [told(sepa, { ...british, bic: null }), /^bic_needed: An account in GB can only be paid with the BIC/],
    [told(sepa, { ...british, bic: 'CHASUS33' }), /^bic_needed: The BIC is of a bank in US/],
    [told(sepa, { address: 'DE89370400440532013000', lastname: '王伟' }), /^holder_name_unwritable: .*Latin letters/],
    [told(swift, { address: '00123456789', bic: 'CHASUS33' }), /^holder_address_needed: .* in US .* town and country/],
    [
      told(swift, { address: '00123456789', bic: 'CHASUS33', townName: 'New York', country: 'US' }),
      /^own_address_needed: .* SWIFT_ACCOUNT_TOWN and SWIFT_ACCOUNT_COUNTRY/,
    ],
    [told(swift, { address: '00123456789', bic: 'COBADEFFXXX' }), /^account_wrong: An account in DE has an IBAN/],
  ] as const)
    assert.match(await problem, said);
});
