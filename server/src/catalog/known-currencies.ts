/**
 * Every currency a charge can be in: what shops around the world use, and the coins. Decimals are those of ISO 4217,
 * even where people use fewer: a forint has two although nobody prints them, and rounding a shop's total to fewer would
 * change what is due.
 */
import type { Currency } from '@quittance/contract/catalog';
import { type AssetDefinition, rateSymbols } from '../networks/port/asset-definition.ts';
import { knownAssets } from './known-assets.ts';
import { paymentUnits } from './payment-units.ts';

export type KnownCurrency = {
  readonly code: string;
  readonly name: string;
  readonly type: Currency['type'];
  /** Decimal places of a price in this currency. */
  readonly decimals: number;
  readonly isBilled: boolean;
};

const withoutDecimals = {
  BIF: 'Burundian Franc',
  CLP: 'Chilean Peso',
  DJF: 'Djiboutian Franc',
  GNF: 'Guinean Franc',
  ISK: 'Icelandic Króna',
  JPY: 'Japanese Yen',
  KMF: 'Comorian Franc',
  KRW: 'South Korean Won',
  PYG: 'Paraguayan Guarani',
  RWF: 'Rwandan Franc',
  UGX: 'Ugandan Shilling',
  VND: 'Vietnamese Dong',
  VUV: 'Vanuatu Vatu',
  XAF: 'Central African CFA Franc',
  XOF: 'West African CFA Franc',
  XPF: 'CFP Franc',
};

const withThreeDecimals = {
  BHD: 'Bahraini Dinar',
  IQD: 'Iraqi Dinar',
  JOD: 'Jordanian Dinar',
  KWD: 'Kuwaiti Dinar',
  LYD: 'Libyan Dinar',
  OMR: 'Omani Rial',
  TND: 'Tunisian Dinar',
};

/** VEF was replaced in 2018 and is here because existing shop plugins still offer it. */
const withTwoDecimals = {
  AED: 'United Arab Emirates Dirham',
  AFN: 'Afghan Afghani',
  ALL: 'Albanian Lek',
  AMD: 'Armenian Dram',
  AOA: 'Angolan Kwanza',
  ARS: 'Argentine Peso',
  AUD: 'Australian Dollar',
  AWG: 'Aruban Florin',
  AZN: 'Azerbaijani Manat',
  BAM: 'Bosnia and Herzegovina Convertible Mark',
  BBD: 'Barbadian Dollar',
  BDT: 'Bangladeshi Taka',
  BMD: 'Bermudian Dollar',
  BND: 'Brunei Dollar',
  BOB: 'Bolivian Boliviano',
  BRL: 'Brazilian Real',
  BSD: 'Bahamian Dollar',
  BTN: 'Bhutanese Ngultrum',
  BWP: 'Botswana Pula',
  BYN: 'Belarusian Ruble',
  BZD: 'Belize Dollar',
  CAD: 'Canadian Dollar',
  CDF: 'Congolese Franc',
  CHF: 'Swiss Franc',
  CNY: 'Chinese Yuan',
  COP: 'Colombian Peso',
  CRC: 'Costa Rican Colón',
  CUP: 'Cuban Peso',
  CVE: 'Cape Verdean Escudo',
  CZK: 'Czech Koruna',
  DKK: 'Danish Krone',
  DOP: 'Dominican Peso',
  DZD: 'Algerian Dinar',
  EGP: 'Egyptian Pound',
  ERN: 'Eritrean Nakfa',
  ETB: 'Ethiopian Birr',
  EUR: 'Euro',
  FJD: 'Fijian Dollar',
  FKP: 'Falkland Islands Pound',
  GBP: 'British Pound',
  GEL: 'Georgian Lari',
  GHS: 'Ghanaian Cedi',
  GIP: 'Gibraltar Pound',
  GMD: 'Gambian Dalasi',
  GTQ: 'Guatemalan Quetzal',
  GYD: 'Guyanese Dollar',
  HKD: 'Hong Kong Dollar',
  HNL: 'Honduran Lempira',
  HTG: 'Haitian Gourde',
  HUF: 'Hungarian Forint',
  IDR: 'Indonesian Rupiah',
  ILS: 'Israeli New Shekel',
  INR: 'Indian Rupee',
  IRR: 'Iranian Rial',
  JMD: 'Jamaican Dollar',
  KES: 'Kenyan Shilling',
  KGS: 'Kyrgyz Som',
  KHR: 'Cambodian Riel',
  KPW: 'North Korean Won',
  KYD: 'Cayman Islands Dollar',
  KZT: 'Kazakhstani Tenge',
  LAK: 'Lao Kip',
  LBP: 'Lebanese Pound',
  LKR: 'Sri Lankan Rupee',
  LRD: 'Liberian Dollar',
  LSL: 'Lesotho Loti',
  MAD: 'Moroccan Dirham',
  MDL: 'Moldovan Leu',
  MGA: 'Malagasy Ariary',
  MKD: 'Macedonian Denar',
  MMK: 'Myanmar Kyat',
  MNT: 'Mongolian Tögrög',
  MOP: 'Macanese Pataca',
  MRU: 'Mauritanian Ouguiya',
  MUR: 'Mauritian Rupee',
  MVR: 'Maldivian Rufiyaa',
  MWK: 'Malawian Kwacha',
  MXN: 'Mexican Peso',
  MYR: 'Malaysian Ringgit',
  MZN: 'Mozambican Metical',
  NAD: 'Namibian Dollar',
  NGN: 'Nigerian Naira',
  NIO: 'Nicaraguan Córdoba',
  NOK: 'Norwegian Krone',
  NPR: 'Nepalese Rupee',
  NZD: 'New Zealand Dollar',
  PAB: 'Panamanian Balboa',
  PEN: 'Peruvian Sol',
  PGK: 'Papua New Guinean Kina',
  PHP: 'Philippine Peso',
  PKR: 'Pakistani Rupee',
  PLN: 'Polish Złoty',
  QAR: 'Qatari Riyal',
  RON: 'Romanian Leu',
  RSD: 'Serbian Dinar',
  RUB: 'Russian Ruble',
  SAR: 'Saudi Riyal',
  SBD: 'Solomon Islands Dollar',
  SCR: 'Seychellois Rupee',
  SDG: 'Sudanese Pound',
  SEK: 'Swedish Krona',
  SGD: 'Singapore Dollar',
  SHP: 'Saint Helena Pound',
  SLE: 'Sierra Leonean Leone',
  SOS: 'Somali Shilling',
  SRD: 'Surinamese Dollar',
  SSP: 'South Sudanese Pound',
  STN: 'São Tomé and Príncipe Dobra',
  SVC: 'Salvadoran Colón',
  SYP: 'Syrian Pound',
  SZL: 'Swazi Lilangeni',
  THB: 'Thai Baht',
  TJS: 'Tajikistani Somoni',
  TMT: 'Turkmenistani Manat',
  TOP: 'Tongan Paʻanga',
  TRY: 'Turkish Lira',
  TTD: 'Trinidad and Tobago Dollar',
  TWD: 'New Taiwan Dollar',
  TZS: 'Tanzanian Shilling',
  UAH: 'Ukrainian Hryvnia',
  USD: 'US Dollar',
  UYU: 'Uruguayan Peso',
  UZS: 'Uzbekistani Som',
  VEF: 'Venezuelan Bolívar Fuerte',
  VES: 'Venezuelan Bolívar',
  WST: 'Samoan Tala',
  XCD: 'East Caribbean Dollar',
  XCG: 'Caribbean Guilder',
  YER: 'Yemeni Rial',
  ZAR: 'South African Rand',
  ZMW: 'Zambian Kwacha',
  ZWG: 'Zimbabwean Gold',
};

/** Charges can be in these, but they are on no network of ours. */
export const coinsElsewhere: readonly Pick<AssetDefinition, 'code' | 'name' | 'coin' | 'rateSymbols' | 'sandboxUsd'>[] =
  [
    {
      code: 'XRP',
      name: 'XRP',
      coin: { decimals: 6, isBilled: true },
      sandboxUsd: '0.5',
      rateSymbols: rateSymbols('XRP', { coingecko: 'ripple', kraken: { asked: 'XRPUSD', answered: 'XXRPZUSD' } }),
    },
  ];

const coins: readonly KnownCurrency[] = [
  ...[...knownAssets, ...coinsElsewhere].flatMap(({ code, name, coin }): KnownCurrency[] =>
    coin ? [{ code, name, type: 'CRYPTO', ...coin }] : [],
  ),
  // What a wallet counts in, if that is not the coin itself. Charges are written in the coin.
  ...Array.from(paymentUnits, ([code, { name }]): KnownCurrency => {
    return { code, name, type: 'CRYPTO', decimals: 0, isBilled: false };
  }),
];

export const knownCurrencies: readonly KnownCurrency[] = [
  ...coins,
  ...fiat(withTwoDecimals, 2),
  ...fiat(withoutDecimals, 0),
  ...fiat(withThreeDecimals, 3),
].sort((a, b) => (a.code < b.code ? -1 : 1));

function fiat(names: Readonly<Record<string, string>>, decimals: number): KnownCurrency[] {
  return Object.entries(names).map(([code, name]) => ({ code, name, type: 'FIAT', decimals, isBilled: true }));
}
