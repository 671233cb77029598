/**
 * The BR Code that apps of Brazilian banks read and whose text payers paste: EMV's list of fields (tag, length, value), as the
 * central bank's manual of Pix describes it. For a key, or for the address of a charge at our bank, which is paid once.
 */
import { latinName } from '../families/bank/latin-text.ts';

export type BrCode = {
  readonly of:
    | { readonly kind: 'key'; readonly key: string; readonly amount: string | null; readonly txid: string | null }
    /** Without `https://`. The bank tells there who is paid how much; the amount may be in the code too. */
    | { readonly kind: 'charge'; readonly url: string; readonly amount: string | null };
  readonly name: string;
  readonly city: string;
};

const domain = 'br.gov.bcb.pix';
/** In a code for a charge, and where a key is paid without a name for it. */
const noTxid = '***';

export function writeBrCode({ of, name, city }: BrCode): string {
  if (of.amount !== null && !isAmount(of.amount)) throw new Error(`not an amount of Pix: ${of.amount}`);
  if (of.kind === 'key' && of.txid !== null && !isKeyTxid(of.txid)) throw new Error(`not a txid of a key: ${of.txid}`);
  if (of.kind === 'charge' && !isChargeUrl(of.url)) throw new Error(`not the address of a charge: ${of.url}`);
  const fields = [
    field('00', '01'),
    of.kind === 'charge' ? field('01', '12') : '',
    field('26', field('00', domain) + (of.kind === 'key' ? field('01', of.key) : field('25', of.url))),
    field('52', '0000'),
    field('53', '986'),
    of.amount === null ? '' : field('54', of.amount),
    field('58', 'BR'),
    field('59', latinName(name, 25)),
    field('60', latinName(city, 15)),
    field('62', field('05', (of.kind === 'key' && of.txid) || noTxid)),
  ].join('');
  return sealed(fields);
}

function sealed(fields: string): string {
  const body = `${fields}6304`;
  return body + crc16(body);
}

/** The same code, whoever wrote it, with this amount in it. */
export function withAmount(text: string, amount: string): string {
  if (!isAmount(amount)) throw new Error(`not an amount of Pix: ${amount}`);
  const fields = readFields(text.trim());
  if (!fields) throw new Error('not a BR Code');
  fields.set('54', amount).delete('63');
  const inOrder = [...fields].sort(([a], [b]) => Number(a) - Number(b));
  return sealed(inOrder.map(([tag, value]) => field(tag, value)).join(''));
}

const isAmount = (text: string): boolean => /^\d{1,10}\.\d{2}$/.test(text) && /[1-9]/.test(text);
const isKeyTxid = (text: string): boolean => /^[a-zA-Z0-9]{1,25}$/.test(text);
export const isChargeUrl = (text: string): boolean => /^[a-z0-9.-]+\/[\x21-\x7e]+$/i.test(text) && text.length <= 77;

function field(tag: string, value: string): string {
  if (value.length === 0 || value.length > 99) throw new Error(`field ${tag} has ${value.length} characters`);
  return `${tag}${String(value.length).padStart(2, '0')}${value}`;
}

/** Null: it is no BR Code of Pix, or a character of it is missing or wrong. */
export function readBrCode(text: string): BrCode | null {
  const whole = text.trim();
  const signed = /^(.+6304)([0-9A-F]{4})$/is.exec(whole);
  if (!signed || crc16(signed[1] ?? '') !== signed[2]?.toUpperCase()) return null;
  const fields = readFields(whole);
  const account = readFields(fields?.get('26') ?? '');
  if (!fields || !account || fields.get('00') !== '01' || account.get('00')?.toLowerCase() !== domain) return null;
  if (fields.get('53') !== '986' || fields.get('58') !== 'BR') return null;
  const [key, url] = [account.get('01'), account.get('25')];
  const txid = readFields(fields.get('62') ?? '')?.get('05') ?? noTxid;
  const parties = { name: fields.get('59') ?? '', city: fields.get('60') ?? '' };
  const amount = fields.get('54') ?? null;
  if (url !== undefined) return { of: { kind: 'charge', url, amount }, ...parties };
  if (key === undefined) return null;
  return { of: { kind: 'key', key, amount, txid: txid === noTxid ? null : txid }, ...parties };
}

/** By tag; null: lengths that do not agree with the text, or a tag that is there twice. */
function readFields(text: string): Map<string, string> | null {
  const fields = new Map<string, string>();
  for (let at = 0; at < text.length; ) {
    const [, tag = '', length = ''] = /^(\d\d)(\d\d)/.exec(text.slice(at, at + 4)) ?? [];
    const value = text.slice(at + 4, at + 4 + Number(length));
    if (tag === '' || value.length !== Number(length) || fields.has(tag)) return null;
    fields.set(tag, value);
    at += 4 + value.length;
  }
  return fields;
}

/** CRC-16/CCITT-FALSE, in four hexadecimal digits: polynomial 1021, beginning with FFFF. */
export function crc16(text: string): string {
  let sum = 0xffff;
  for (const byte of Buffer.from(text, 'utf8')) {
    sum ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum & 0x8000) === 0 ? sum << 1 : (sum << 1) ^ 0x1021;
    sum &= 0xffff;
  }
  return sum.toString(16).toUpperCase().padStart(4, '0');
}
