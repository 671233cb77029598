/** Amounts as the interface writes them: reais with exactly two decimals, at most ten digits before them. */
const form = /^(\d{1,10})\.(\d{2})$/;

/** In centavos. Undefined: it is no amount of this interface. */
export function readCentavos(given: unknown): bigint | undefined {
  const [, reais, centavos] = (typeof given === 'string' && form.exec(given)) || [];
  return reais === undefined ? undefined : BigInt(`${reais}${centavos}`);
}

export const mostCentavos = 999_999_999_999n;

export function writeReais(centavos: bigint): string {
  const digits = centavos.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
