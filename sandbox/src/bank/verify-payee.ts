/** Whether the name is that of the account's holder, as banks in the euro area must say before they pay. */
import { customers } from './bank-parties.ts';

/** Match; close match, with the right name; no match; nothing can be said. */
export type Verification =
  | { readonly status: 'RCVC' | 'RVNM' | 'RVNA' }
  | { readonly status: 'RVMC'; readonly name: string };

export function verifyPayee(name: string, iban: string | null): Verification {
  const holder = customers.find((each) => each.iban !== null && each.iban === iban);
  if (!holder) return { status: 'RVNA' };
  const [given, right] = [plain(name), plain(holder.name)];
  if (given === right) return { status: 'RCVC' };
  return distance(given, right) <= Math.max(2, Math.floor(right.length / 5)) || shareSurname(given, right)
    ? { status: 'RVMC', name: holder.name }
    : { status: 'RVNM' };
}

/** As SEPA's letters would write it. */
const plain = (name: string): string =>
  name
    .replaceAll('ß', 'ss')
    .replaceAll(/[Øø]/g, 'o')
    .replaceAll(/[Łł]/g, 'l')
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, ' ')
    .trim();

const shareSurname = (a: string, b: string): boolean => {
  const [first, second] = [a.split(' ').at(-1) ?? '', b.split(' ').at(-1) ?? ''];
  return first.length > 3 && first === second;
};

/** How many letters must be changed, put in or left out. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
