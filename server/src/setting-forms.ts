/** The kinds of values that only settings of the whole installation take. */

import type { AnchoredAsset } from './catalog/asset-catalog.ts';
import { knownAssets } from './catalog/known-assets.ts';
import { databaseUrlProblems } from './db/database-problem.ts';
import { parseRange } from './http/client-address.ts';
import { Secret } from './lib/secret.ts';
import { list } from './lib/setting-kinds.ts';
import type { Kind } from './lib/setting-table.ts';
import { isAccountId } from './lib/strkey.ts';
import { withoutEnd } from './lib/without-end.ts';
import { liveRateSources } from './pricing/live-rate-sources.ts';
import { readVenueRules, type VenueRule } from './venues/venue-plan.ts';
import { readSupportContact, type SupportContact } from './web/support-contact.ts';

export type Role = 'api' | 'worker' | 'watcher';
export const allRoles: readonly Role[] = ['api', 'worker', 'watcher'];

export const isAssetCode = (code: string): boolean => knownAssets.some((asset) => asset.code === code);

export const roles: Kind<readonly Role[]> = {
  read(given, told) {
    const { name, problem } = told;
    const named = list((part): readonly Role[] | undefined => {
      if (part === 'all') return allRoles;
      const role = allRoles.find((each) => each === part);
      if (role) return [role];
      return problem(`${name} must be a list of ${allRoles.join(', ')} or all, but contains ${JSON.stringify(part)}.`);
    }).read(given, told);
    const found = [...new Set(named?.flat())];
    if (found.length === 0) problem(`${name} must name at least one role.`);
    return found;
  },
};

export const origin: Kind<string> = {
  read(given, { name, problem }) {
    const url = withoutEnd(given, (sign) => sign === '/');
    if (!/^https?:\/\/[^/?#]+$/.test(url))
      problem(`${name} must be an origin such as https://pay.example.com, but is ${JSON.stringify(url)}.`);
    return url;
  },
};

export const supportContact: Kind<SupportContact> = {
  read(given, { name, problem }) {
    const contact = readSupportContact(given);
    return (
      contact ?? problem(`${name} must be an e-mail address or a page with https://, but is ${JSON.stringify(given)}.`)
    );
  },
};

export const databaseUrl: Kind<Secret> = {
  isSecret: true,
  read(given, { problem }) {
    databaseUrlProblems(given).forEach(problem);
    return new Secret(given);
  },
};

export const masterKey: Kind<Secret> = {
  isSecret: true,
  read(given, { name, problem }) {
    if (!/^[0-9a-f]{64}$/i.test(given)) problem(`${name} must be 64 hexadecimal digits.`);
    return new Secret(given);
  },
};

export const liveSourceNames: readonly string[] = liveRateSources.map(({ name }) => name);

export const rateSources = list((source, { name, problem }) => {
  if (source === 'fixed' || liveSourceNames.includes(source)) return source;
  return problem(`${name} may contain ${liveSourceNames.join(', ')} or fixed, but contains ${JSON.stringify(source)}.`);
});

export const addressRanges = list((range, { name, problem }) => {
  try {
    parseRange(range);
    return range;
  } catch {
    return problem(`${name} must be addresses or ranges such as 10.0.0.0/8, but contains ${JSON.stringify(range)}.`);
  }
});

export const venueRules: Kind<readonly VenueRule[]> = {
  read(given, { problem }) {
    const { rules, problems } = readVenueRules(given, isAssetCode);
    problems.forEach(problem);
    return rules;
  },
};

export const anchoredAssets: Kind<readonly AnchoredAsset[]> = {
  read(given, told) {
    const seen = new Set<string>();
    return list((part, { name, problem }) => {
      const [, code = '', issuer = '', domain = ''] = /^([^:@]+):([^:@]+)@([^:@]+)$/.exec(part) ?? [];
      const id = `${code}:${issuer}`;
      if (!isAssetCode(code) || !isAccountId(issuer))
        return problem(`${name} must be a list such as BTC:G…@anchor.example, but contains ${JSON.stringify(part)}.`);
      if (seen.has(id)) return problem(`${name} must name every asset once, but names ${id} twice.`);
      seen.add(id);
      return { code, issuer, domain };
    }).read(given, told);
  },
};

export const sandboxChains: Kind<ReadonlyMap<string, Secret>> = {
  isSecret: true,
  read(given, { name, problem }) {
    try {
      const urls = Object.entries(JSON.parse(given) as Record<string, string>);
      return new Map(urls.map(([network, url]) => [network.toUpperCase(), new Secret(new URL(url).href)]));
    } catch {
      return problem(`${name} must be JSON with a URL for each network.`);
    }
  },
};
