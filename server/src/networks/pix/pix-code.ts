/**
 * The text that a payer's bank reads from the QR code, or gets pasted: a BR Code. Fields of EMV, each an id and a length
 * of two digits and a value, with a CRC at the end. The provider makes it; we hold it against what we asked for, and see
 * to it that the amount is in it, because our own pages read it from there.
 */
export type CodeField = { readonly id: string; readonly value: string };

export class PixCodeError extends Error {}

/** CRC-16/CCITT-FALSE over bytes, as four digits. */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (const byte of Buffer.from(text, 'utf8')) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

function readFields(text: string): CodeField[] {
  const fields: CodeField[] = [];
  for (let at = 0; at < text.length; ) {
    const [, id, length] = /^(\d\d)(\d\d)/.exec(text.slice(at, at + 4)) ?? [];
    const end = at + 4 + Number(length);
    if (id === undefined || end > text.length) throw new PixCodeError('The code breaks off.');
    fields.push({ id, value: text.slice(at + 4, end) });
    at = end;
  }
  return fields;
}

const writeFields = (fields: readonly CodeField[]): string =>
  fields.map(({ id, value }) => `${id}${String(value.length).padStart(2, '0')}${value}`).join('');

const valueOf = (fields: readonly CodeField[], id: string): string | undefined =>
  fields.find((field) => field.id === id)?.value;

/** What a code says, if its checksum is right. `amount` is null where only the provider's payload has it. */
export type PixCode = {
  readonly fields: readonly CodeField[];
  readonly amount: string | null;
  /** Where the payer's bank fetches the charge; null: the code names a key. */
  readonly url: string | null;
};

export function readPixCode(text: string): PixCode {
  const body = text.slice(0, -4);
  if (!body.endsWith('6304') || crc16(body) !== text.slice(-4).toUpperCase())
    throw new PixCodeError('The checksum of the code is wrong.');
  const fields = readFields(text).slice(0, -1);
  const account = readFields(valueOf(fields, '26') ?? '');
  if (valueOf(account, '00')?.toLowerCase() !== 'br.gov.bcb.pix') throw new PixCodeError('The code is not of Pix.');
  if (valueOf(fields, '53') !== '986') throw new PixCodeError('The code is not in reais.');
  return { fields, amount: valueOf(fields, '54') ?? null, url: valueOf(account, '25') ?? null };
}

/** The same with the amount in it. */
export function withAmount({ fields }: PixCode, amount: string): string {
  const others = fields.filter(({ id }) => id !== '54');
  return sealed([...others, { id: '54', value: amount }].sort((a, b) => Number(a.id) - Number(b.id)));
}

/** For a charge of which the provider tells only where it is: the field came into its answers later. */
export const codeOfLocation = (url: string, amount: string, receiver: { name: string; city: string }): string =>
  sealed([
    { id: '00', value: '01' },
    { id: '01', value: '12' }, // It is paid once.
    {
      id: '26',
      value: writeFields([
        { id: '00', value: 'br.gov.bcb.pix' },
        { id: '25', value: url },
      ]),
    },
    { id: '52', value: '0000' },
    { id: '53', value: '986' },
    { id: '54', value: amount },
    { id: '58', value: 'BR' },
    { id: '59', value: receiver.name },
    { id: '60', value: receiver.city },
    { id: '62', value: writeFields([{ id: '05', value: '***' }]) }, // The charge itself has the txid.
  ]);

function sealed(fields: readonly CodeField[]): string {
  const body = `${writeFields(fields)}6304`;
  return `${body}${crc16(body)}`;
}
