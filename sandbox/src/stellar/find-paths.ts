/** Which ways lead from one asset to another over the book, and what each costs: Horizon's /paths. */
import { assetOf, formatStroops, type LedgerEntries } from './ledger-entries.ts';
import { assetFields } from './operation-context.ts';
import { OperationFailure } from './operation-outcome.ts';
import { convertToReceive, convertToSend } from './path-payment-operations.ts';

/** Horizon looks further; nothing in the sandbox is that far apart. */
const stepsMax = 3;

function* waysBetween(entries: LedgerEntries, from: string, to: string): Generator<string[]> {
  const steps = new Map<string, Set<string>>();
  for (const { selling, buying } of entries.offers.values()) {
    const known = steps.get(buying) ?? new Set();
    steps.set(buying, known.add(selling));
  }
  const open = [[from]];
  for (let path = open.shift(); path; path = open.shift()) {
    const last = path.at(-1) as string;
    if (last === to) yield path.length === 1 ? [from, to] : path;
    if (last === to || path.length > stepsMax) continue;
    for (const next of steps.get(last) ?? []) if (!path.includes(next)) open.push([...path, next]);
  }
}

/** Carries it out on the real book and undoes it. */
function dryRun(entries: LedgerEntries, convert: () => bigint): bigint | null {
  const found: { units: bigint | null } = { units: null };
  try {
    entries.attempt(() => {
      found.units = convert();
      throw new OperationFailure('DryRun');
    });
  } catch (error) {
    if (!(error instanceof OperationFailure)) throw error;
  }
  return found.units;
}

type PathWish = { readonly from: readonly string[]; readonly to: readonly string[]; readonly units: bigint };

const nobody = '';

export function pathsToReceive(entries: LedgerEntries, wish: PathWish) {
  return eachWay(entries, wish).flatMap((path) => {
    const sent = dryRun(entries, () => convertToReceive(entries, nobody, path, wish.units).sent);
    return sent === null ? [] : [pathRecord(path, sent, wish.units)];
  });
}

export function pathsToSend(entries: LedgerEntries, wish: PathWish) {
  return eachWay(entries, wish).flatMap((path) => {
    const received = dryRun(entries, () => convertToSend(entries, nobody, path, wish.units).received);
    return received === null || received === 0n ? [] : [pathRecord(path, wish.units, received)];
  });
}

const eachWay = (entries: LedgerEntries, { from, to }: PathWish): string[][] =>
  from.flatMap((source) => to.flatMap((target) => [...waysBetween(entries, source, target)]));

const pathRecord = (path: readonly string[], sent: bigint, received: bigint) => ({
  ...assetFields(path[0] as string, 'source_'),
  source_amount: formatStroops(sent),
  ...assetFields(path.at(-1) as string, 'destination_'),
  destination_amount: formatStroops(received),
  path: path.slice(1, -1).map((key) => assetFields(key)),
});

/** `native` or `CODE:ISSUER`, or null when it is neither. */
export function readAsset(text: string): string | null {
  try {
    assetOf(text);
    return text;
  } catch {
    return null;
  }
}
