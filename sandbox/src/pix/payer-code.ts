/** BR Codes as a payer's bank reads them. Written apart from the service's own, so that each proves the other. */
const field = (id: number, value: string): string =>
  `${String(id).padStart(2, '0')}${String(value.length).padStart(2, '0')}${value}`;

/** CRC-16/CCITT-FALSE, bit by bit. */
export function checksum(text: string): string {
  let register = 0xffff;
  for (const byte of Buffer.from(text))
    for (let bit = 7; bit >= 0; bit -= 1) {
      const isOdd = ((register >> 15) & 1) !== ((byte >> bit) & 1);
      register = ((register << 1) & 0xffff) ^ (isOdd ? 0x1021 : 0);
    }
  return register.toString(16).padStart(4, '0').toUpperCase();
}

export function dynamicCode(location: string, amount: string | null): string {
  const body = [
    field(0, '01'),
    field(1, '12'),
    field(26, field(0, 'br.gov.bcb.pix') + field(25, location)),
    field(52, '0000'),
    field(53, '986'),
    amount === null ? '' : field(54, amount),
    field(58, 'BR'),
    field(59, 'SANDBOX'),
    field(60, 'BRASILIA'),
    field(62, field(5, '***')),
    '6304',
  ].join('');
  return body + checksum(body);
}

/** Where the charge of a code is, for whoever wants to pay it. */
export function locationIn(code: string): string {
  if (checksum(code.slice(0, -4)) !== code.slice(-4)) throw new Error('the code is damaged');
  const account = valueAt(code, '26');
  const location = account === undefined ? undefined : valueAt(account, '25');
  if (location === undefined) throw new Error('the code names no charge');
  return location;
}

function valueAt(text: string, wanted: string): string | undefined {
  for (let at = 0; at < text.length; ) {
    const length = Number(text.slice(at + 2, at + 4));
    if (text.slice(at, at + 2) === wanted) return text.slice(at + 4, at + 4 + length);
    at += 4 + length;
  }
  return undefined;
}
