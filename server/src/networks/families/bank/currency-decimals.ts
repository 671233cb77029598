/** Decimals of ISO 4217. A bank's amount may be written with more of them, which are zeros then. */
const without = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF';
const withThree = 'BHD IQD JOD KWD LYD OMR TND';
const withFour = 'CLF UYW';

const unusual: ReadonlyMap<string, number> = new Map([
  ...without.split(' ').map((code): [string, number] => [code, 0]),
  ...withThree.split(' ').map((code): [string, number] => [code, 3]),
  ...withFour.split(' ').map((code): [string, number] => [code, 4]),
]);

export const currencyDecimals = (currency: string): number => unusual.get(currency) ?? 2;
