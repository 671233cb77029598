/** Whom the sandbox's bank knows. The bank, its customers and all their numbers are invented. */
import { ibanOf } from './iban-of.ts';

export type Party = {
  readonly name: string;
  readonly iban: string | null;
  readonly bic: string | null;
  /** Of the account, where there are no IBANs. */
  readonly number?: string;
  /** Where who holds it lives, as banks tell it of payments from far away. */
  readonly address?: { readonly town: string; readonly country: string };
};

export type BankAccount = {
  readonly iban: string;
  readonly currency: string;
  /** Of its holder, the operator of the service. */
  readonly owner: string;
};

/** No code of a German bank begins with a 9, so this one is nobody's. */
const ownBankCode = '99010203';
export const ownBic = 'ZZQTDEFFXXX';

export const operatorName = 'Quittance Sandbox GmbH';

export const euroAccount: BankAccount = {
  iban: ibanOf('DE', `${ownBankCode}0000401100`),
  currency: 'EUR',
  owner: operatorName,
};

/** Dollars come to it by SWIFT. */
export const dollarAccount: BankAccount = {
  iban: ibanOf('DE', `${ownBankCode}0000401184`),
  currency: 'USD',
  owner: operatorName,
};

/** The operator's account at another bank. */
export const ownAccountElsewhere: Party = {
  name: operatorName,
  iban: ibanOf('DE', '990900000700000042'),
  bic: 'ZZNRDEHHXXX',
};

/** Of somebody else at the same bank. */
export const strangersIban: string = ibanOf('DE', `${ownBankCode}0000777001`);

/** People and firms with money without end. */
export const customers: readonly Party[] = [
  { name: 'Änne Grünwald', iban: ibanOf('DE', '990400440532013000'), bic: 'ZZCODEFFXXX' },
  { name: 'Jörg Weiß & Söhne OHG', iban: ibanOf('DE', '990500000123456789'), bic: 'ZZHEDEFFXXX' },
  { name: 'Elin Ødegård', iban: ibanOf('FI', '12345600000785'), bic: 'ZZNDFIHHXXX' },
  { name: 'Café Lumière SARL', iban: ibanOf('FR', '20041010050500013M02606'), bic: 'ZZPOFRPPXXX' },
  { name: 'Sanne de Vries', iban: ibanOf('NL', 'ZZRA0300065264'), bic: 'ZZRANL2UXXX' },
  { name: 'Núria Peña', iban: ibanOf('ES', '21000418450200051332'), bic: 'ZZCXESBBXXX' },
  { name: 'Łukasz Żółkiewski', iban: ibanOf('PL', '109010140000071219812874'), bic: 'ZZWBPLPPXXX' },
  { name: 'Brightwater Trading Ltd', iban: ibanOf('GB', 'ZZBA20201530093459'), bic: 'ZZBAGB22XXX' },
  {
    name: 'Harborview Goods Inc',
    iban: null,
    bic: 'ZZCHUS33XXX',
    number: '4001122334455',
    address: { town: 'Baltimore', country: 'US' },
  },
];

export const firstCustomer = customers[0] as Party;
/** Beyond SEPA, without an IBAN. */
export const overseasCustomer = customers.at(-1) as Party;

/** Banks on the way of a payment by SWIFT. */
export const correspondents: readonly string[] = ['ZZCIUS33XXX', 'ZZDBDEFFXXX'];
