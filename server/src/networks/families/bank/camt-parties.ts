/** Who paid and who was paid, in every version of camt: from .08 on a party has a level more, and a BIC another name. */
import { electronicFormatIBAN, isValidIBAN } from 'ibantools';
import { type AccountTold, meant, type Party, type PartyAddress } from './bank-statement.ts';
import { at, textAt, type XmlRecord } from './read-xml-records.ts';

/** Null where it is none: banks also write other numbers there. */
export function readIban(text: string | null | undefined): string | null {
  const plain = text == null ? null : electronicFormatIBAN(text);
  return plain !== null && isValidIBAN(plain) ? plain : null;
}

const nameOf = (party: XmlRecord | undefined): string | null =>
  meant(textAt(party, 'Pty/Nm') ?? textAt(party, 'Nm') ?? textAt(party, 'Agt/FinInstnId/Nm'));

function accountIds(account: XmlRecord | undefined): Pick<Party, 'iban' | 'other'> {
  const told = textAt(account, 'Id/IBAN') ?? textAt(account, 'Id/Othr/Id') ?? textAt(account, 'Id/PrtryAcct/Id');
  const iban = readIban(told);
  return { iban, other: iban === null ? meant(told) : null };
}

const bicOf = (agent: XmlRecord | undefined): string | null =>
  meant(textAt(agent, 'FinInstnId/BICFI') ?? textAt(agent, 'FinInstnId/BIC') ?? textAt(agent, 'FinInstnId/BICOrBEI'));

/** Whole or not at all: banks take no other. In lines, as some banks write it, nobody can tell the town. */
function addressOf(party: XmlRecord | undefined): PartyAddress | null {
  const told = at(party, 'Pty/PstlAdr') ?? at(party, 'PstlAdr');
  const part = (name: string): string | null => meant(textAt(told, name));
  const [town, country] = [part('TwnNm'), part('Ctry')];
  if (town === null || country === null) return null;
  const street = [part('StrtNm'), part('BldgNb')].filter((each) => each !== null).join(' ') || null;
  return { street, postCode: part('PstCd'), town, country };
}

function partyOf(details: XmlRecord, role: 'Dbtr' | 'Cdtr'): Party {
  const parties = at(details, 'RltdPties');
  const ids = accountIds(at(parties, `${role}Acct`));
  return {
    name: nameOf(at(parties, role)) ?? nameOf(at(parties, `Ultmt${role}`)),
    iban: ids.iban,
    other: ids.other,
    bic: bicOf(at(details, `RltdAgts/${role}Agt`)),
    address: addressOf(at(parties, role)),
  };
}

export const payerOf = (details: XmlRecord): Party => partyOf(details, 'Dbtr');
export const payeeOf = (details: XmlRecord): Party => partyOf(details, 'Cdtr');

export function readCamtAccount(account: XmlRecord | undefined): AccountTold {
  const ids = accountIds(account);
  return {
    iban: ids.iban,
    other: ids.other,
    currency: textAt(account, 'Ccy'),
    name: nameOf(at(account, 'Ownr')) ?? meant(textAt(account, 'Nm')),
    bic: bicOf(at(account, 'Svcr')),
  };
}
