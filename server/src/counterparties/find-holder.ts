/**
 * Whose account a destination is, for networks that ask for it: the beneficiary of the target account. An address that is
 * given in full has none, so on such a network money goes only to destinations that were saved.
 */
import type { Query } from '../db/database.ts';
import { type Problem, told } from '../lib/errors.ts';
import type { Connector } from '../networks/port/connector.ts';
import { missingOfHolder, type NetworkIdentity } from '../networks/port/definition.ts';
import { destinationProblem, type OrderProblem } from '../networks/port/orders.ts';
import type { Holder } from '../networks/port/sending.ts';
import { beneficiaryName } from './beneficiary-fields.ts';
import { type Beneficiary, findBeneficiary } from './beneficiary-store.ts';
import type { TargetAccountDraft } from './target-account.ts';

type Asking = Pick<NetworkIdentity, 'id' | 'name' | 'holderNeeds'>;

export async function findHolder(
  query: Query,
  merchantId: string,
  connector: Pick<Connector, 'network' | 'sender' | 'addressProblem'>,
  account: Pick<TargetAccountDraft, 'beneficiaryId' | 'bic' | 'address'> | undefined,
): Promise<{ readonly holder: Holder | null; readonly problems: readonly Problem[] }> {
  const { network, sender } = connector;
  if (!network.holderNeeds) return { holder: null, problems: [] };
  const id = account?.beneficiaryId ?? null;
  const beneficiary = id === null ? undefined : await findBeneficiary(query, merchantId, id);
  if (!account || !beneficiary) return { holder: null, problems: [holderNeeded(network)] };
  const holder = holderOf(beneficiary, account.bic);
  const missing = missingOfHolder(network, holder);
  if (missing.length > 0) return { holder: null, problems: [incomplete(network, missing)] };
  // What is wrong with the address alone is said by whoever asks.
  const address = { address: account.address ?? '', memo: null, memoType: null };
  const isWrong = address.address === '' || (connector.addressProblem?.(address) ?? null) !== null;
  const assetCode = network.assets[0]?.assetCode ?? '';
  const problem = isWrong ? null : destinationProblem(sender, { ...address, holder }, assetCode);
  return problem === null ? { holder, problems: [] } : { holder: null, problems: [notPayable(network, problem)] };
}

/** What is missing and who can mend it differ, so each has a name of its own. */
const notPayable = ({ name }: Asking, { about, sentence, country = '' }: OrderProblem): Problem =>
  told(namesOfProblems[about], sentence, { network: name, country });

const namesOfProblems: Readonly<Record<OrderProblem['about'], string>> = {
  account: 'account_wrong',
  payment: 'address_wrong',
  bic: 'bic_needed',
  holderName: 'holder_name_unwritable',
  holderAddress: 'holder_address_needed',
  ownAddress: 'own_address_needed',
};

function holderOf(beneficiary: Beneficiary, bic: string | null): Holder {
  const { streetName, buildingNumber, postCode = null, townName: town = null, country = null } = beneficiary.fields;
  const street = [streetName, buildingNumber].filter((part) => part !== undefined).join(' ') || null;
  return { name: beneficiaryName(beneficiary), street, postCode, town, country, bic };
}

const holderNeeded = ({ id, name }: Asking): Problem =>
  told(
    'holder_needed',
    `On ${id} money goes to somebody by name: send it to a target account with a beneficiary (beneficiaryId).`,
    { network: name },
  );

/** What the API calls it. */
const fieldNames: Readonly<Record<keyof Holder, string>> = {
  name: 'beneficiary.lastname',
  street: 'beneficiary.streetName',
  postCode: 'beneficiary.postCode',
  town: 'beneficiary.townName',
  country: 'beneficiary.country',
  bic: 'bic',
};

function incomplete({ id, name }: Asking, missing: readonly (keyof Holder)[]): Problem {
  const fields = missing.map((part) => fieldNames[part]).join(', ');
  return told('holder_incomplete', `On ${id} these must be known of whoever holds the account: ${fields}.`, {
    network: name,
    fields,
  });
}
