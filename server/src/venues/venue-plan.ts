/**
 * Where one asset is exchanged for another, in the order in which it is tried: `treasury`, the operator's own stock at
 * the quoted rate, or `stellar-dex`, the offers on Stellar's ledger. Chosen by configuration for each pair.
 */
export type VenueName = 'treasury' | 'stellar-dex';

export const venueNames: readonly VenueName[] = ['treasury', 'stellar-dex'];

// A pair is `BTC/USDC`, `BTC/*`, `*/USDC` or `*`: the first rule that fits is used.
export type VenueRule = { readonly source: string; readonly credited: string; readonly venues: readonly VenueName[] };

export const usualVenues: readonly VenueRule[] = [{ source: '*', credited: '*', venues: ['treasury'] }];

/** Reads `BTC/USDC:stellar-dex,treasury;*:treasury`. */
export function readVenueRules(
  text: string,
  isAssetCode: (code: string) => boolean,
): { readonly rules: readonly VenueRule[]; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const rules = text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part): VenueRule => {
      const [pair = '', names = ''] = part.split(':').map((each) => each.trim());
      const [source = '', credited = pair === '*' ? '*' : ''] = pair.split('/').map((each) => each.trim());
      for (const code of [source, credited])
        if (code !== '*' && !isAssetCode(code))
          problems.push(`VENUES must name pairs of asset codes such as BTC/USDC or *, but contains ${said(pair)}.`);
      const venues = names.split(',').map((name) => name.trim());
      for (const name of venues)
        if (!isVenue(name))
          problems.push(`VENUES may name ${venueNames.join(' and ')}, but ${said(part)} names ${said(name)}.`);
      return { source, credited, venues: [...new Set(venues.filter(isVenue))] };
    });
  return { rules: rules.length === 0 ? usualVenues : rules, problems };
}

/** Empty for a pair without a rule: then there is no market for it. */
export const venuesFor = (rules: readonly VenueRule[], source: string, credited: string): readonly VenueName[] =>
  rules.find((rule) => fits(rule.source, source) && fits(rule.credited, credited))?.venues ?? [];

const fits = (pattern: string, code: string): boolean => pattern === '*' || pattern === code;
const isVenue = (name: string): name is VenueName => venueNames.some((each) => each === name);
const said = (text: string): string => JSON.stringify(text);
