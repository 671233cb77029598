/** A merchant's own domain and looks, and what a page may be made to show or to do. */
import type { Saboteur } from './saboteur.ts';

const branding = 'server/test/branding.test.ts';
const markup = 'server/src/pages/html.test.ts';
const busy = 'server/test/page-limits.test.ts';

export const saboteurs: readonly Saboteur[] = [
  {
    file: 'merchants/brand-domain-store.ts',
    fault: 'a merchant takes over the domain of another',
    find: 'if (others.length > 0) return false;',
    replace: 'if (others.length > 1) return false;',
    noticedBy: branding,
  },
  {
    file: 'merchants/brand-domains.ts',
    fault: 'a branding key speaks for every domain',
    find: 'return domain?.domain === hostnameOf(hostname) ? domain : undefined;',
    replace: `return hostnameOf(hostname) === '-' ? undefined : domain;`,
    noticedBy: branding,
  },
  {
    file: 'merchants/brand-domains.ts',
    fault: 'customers are sent to a domain that nobody has seen yet',
    find: 'return domain?.seenAt ? domain : undefined;',
    replace: 'return domain;',
    noticedBy: branding,
  },
  {
    file: 'pages/front-door.ts',
    fault: 'a key that is not valid is ignored',
    find: `if (!domain) return (await refuseTooMany(deps, 'file', context)) ?? refused(context.path);`,
    replace: `if (!domain) return serve(context);`,
    noticedBy: branding,
  },
  {
    file: 'pages/front-door.ts',
    fault: 'a container passes on what is no page',
    find: 'if (!isForwarded(context.path)) return',
    replace: 'if (!isForwarded(context.path) && context.path === hostname) return',
    noticedBy: branding,
  },
  {
    file: 'pages/front-door.ts',
    fault: 'a customer says in a header who he is, and is believed',
    find: `behind.findLast((hop) => addressKind(hop) === 'public') ?? behind.at(-1)`,
    replace: `behind.find((hop) => addressKind(hop) === 'public') ?? behind.at(-1)`,
    noticedBy: busy,
  },
  {
    file: 'pages/front-door.ts',
    fault: 'a container’s customers use up what the same addresses may do elsewhere',
    find: 'address: `${customer} at ${domain}`',
    replace: 'address: `${customer}${domain.slice(0, 0)}`',
    noticedBy: busy,
  },
  {
    file: 'pages/page-limits.ts',
    fault: 'a merchant who invents customers has no limit',
    find: 'return all && !all.isAllowed ? refused(deps, cost, context, all) : undefined;',
    replace: 'return all && !all ? refused(deps, cost, context, all) : undefined;',
    noticedBy: busy,
  },
  {
    file: 'pages/brand-placement.ts',
    fault: 'a checkout is shown on the domain of another merchant',
    find: `shopDomain.merchantId === merchantId ? 'branded' : 'hidden'`,
    replace: `shopDomain.merchantId === merchantId ? 'branded' : 'plain'`,
    noticedBy: branding,
  },
  {
    file: 'pages/brand-placement.ts',
    fault: 'a blocked domain shows the page all the same',
    find: `    case 'block':
      return 'hidden';`,
    replace: `    case 'block':
      return 'plain';`,
    noticedBy: branding,
  },
  {
    file: 'pages/page-framing.ts',
    fault: 'pages on the service’s own domain may be framed by everybody',
    find: 'if (framers.length === 0 || !policy?.includes(nobody)) return reply;',
    replace: 'if (!policy?.includes(nobody)) return reply;',
    noticedBy: branding,
  },
  {
    file: 'merchants/brand-framers.ts',
    fault: 'a framer may be any text, also one that adds to the header',
    find: String.raw`/^https:\/\/[^\s;,'"*]{1,260}$/.test(url.origin)`,
    replace: String.raw`/^https:/.test(url.origin)`,
    noticedBy: branding,
  },
  {
    file: 'merchants/brand-framers.ts',
    fault: 'a framer may have a path',
    find: 'url.href === `${url.origin}/` &&',
    replace: '',
    noticedBy: branding,
  },
  {
    file: 'merchants/preview-token.ts',
    fault: 'a preview never ends',
    find: 'return now.getTime() < Number(until) ? merchantId : null;',
    replace: 'return Number(until) > 0 && now ? merchantId : null;',
    noticedBy: branding,
  },
  {
    file: 'pages/html.ts',
    fault: 'a quotation mark ends an attribute',
    find: `text.replace(/[&<>"'\`]/g,`,
    replace: `text.replace(/[&<>'\`]/g,`,
    noticedBy: markup,
  },
  {
    file: 'pages/html.ts',
    fault: 'an attribute may be without quotes',
    find: 'if (/\\s[\\w-]+=$/.test(before)) throw',
    replace: 'if (/\\s[\\w-]+=$/.test(part)) throw',
    noticedBy: markup,
  },
];
