/** Whether a tax id is a VAT number of the EU, which has a name of its own: it begins with the country. */

/** Greece calls itself EL here, and Northern Ireland has XI. */
const countries = 'AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI'.split(' ');

export function isVatNumber(id: string): boolean {
  const plain = id.replaceAll(/[\s.-]/gu, '').toUpperCase();
  return countries.includes(plain.slice(0, 2)) && /^(?=.*\d)[A-Z]{2}[0-9A-Z+*]{2,12}$/u.test(plain);
}
