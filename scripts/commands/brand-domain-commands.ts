/** A merchant's own domain and the keys of its container. */
import { systemClock as clock } from '@quittance/server/lib/clock';
import { createGuardedFetch } from '@quittance/server/lib/guarded-fetch';
import { type BrandBehaviour, brandBehaviours, findBrandDomain } from '@quittance/server/merchants/brand-domain-store';
import {
  changeBrandDomain,
  createBrandingKey,
  holdBrandDomain,
  removeBrandDomain,
  revokeBrandingKey,
} from '@quittance/server/merchants/change-brand-domain';
import { checkBrandDomain, type DomainCheck } from '@quittance/server/merchants/check-brand-domain';
import { type Command, CommandError, command, UsageError } from '../command-line.ts';
import { describeBrand } from '../describe-brand.ts';
import { factList } from '../text-table.ts';

const actor = 'operator';

function readBehaviour(text: string): BrandBehaviour {
  const behaviour = brandBehaviours.find((each) => each === text);
  if (!behaviour) throw new UsageError(`--behaviour must be ${brandBehaviours.join(', ')}.`);
  return behaviour;
}

const behaviours =
  'own-domain: the service shows the pages too, but without the brand. both: with it. redirect: it sends customers to\n' +
  "the merchant's domain. block: it knows nothing of the merchant's pages.";

const findings: Record<DomainCheck['is'], string> = {
  noName: 'The name leads nowhere.',
  notPublic: 'The name does not lead to a public address.',
  silent: 'Nothing answers there as it should.',
  other: 'Something answers there that is not the container.',
  keyRefused: 'A container answers there, but its key is not valid.',
  works: 'It works.',
};

export const brandDomainCommands: readonly Command[] = [
  command({
    name: 'brand key',
    summary: "Make a branding key for a merchant's own domain; prints it, once.",
    details: `It is all that the container in brand-connect/ needs. Earlier keys of the domain stay valid until revoked.\n${behaviours}`,
    arguments: ['merchantId'],
    options: {
      domain: { value: 'domain', meaning: 'Where the container runs, such as pay.shop.example.', isRequired: true },
      behaviour: { value: 'behaviour', meaning: `What the two domains do: ${brandBehaviours.join(', ')} (both).` },
      service: { value: 'url', meaning: 'Where the container finds this service (PUBLIC_URL).' },
    },
    examples: ['brand key 4cq0zr1lbdk9 --domain pay.shop.example --behaviour redirect'],
    async run({ withDatabase, serviceUrl, env }, { merchantId }, { domain, behaviour, service }) {
      const here = service === undefined ? await serviceUrl() : readOrigin(service);
      const wish = {
        domain,
        behaviour: behaviour === undefined ? undefined : readBehaviour(behaviour),
        serviceUrl: here,
        accountUrl: env['ACCOUNT_URL']?.trim() || here,
      };
      const made = await withDatabase((db) => createBrandingKey({ db, clock }, merchantId, wish, actor));
      const data = { keyId: made.keyId, brandingKey: made.key.reveal(), domain: made.domain.domain };
      const text = factList({
        key: data.keyId,
        domain: data.domain,
        behaviour: made.domain.behaviour,
        'branding key': data.brandingKey,
      });
      return { data, text: `${text}\nKeep the key now: it is not shown again.` };
    },
  }),
  command({
    name: 'brand check',
    summary: "Look from outside whether a merchant's own domain shows its pages.",
    details:
      'If the container of this merchant is found there, customers are sent there from now on, if that was chosen; and no\n' +
      'longer for another merchant who had this domain before.',
    arguments: ['merchantId'],
    examples: ['brand check 4cq0zr1lbdk9'],
    async run({ withDatabase }, { merchantId }) {
      const domain = await withDatabase((db) => findBrandDomain(db, merchantId));
      if (!domain) throw new CommandError('This merchant has no domain of its own.');
      // A domain on this machine has no certificate and is only for trying it out.
      const fetch = createGuardedFetch({ allowLoopback: domain.origin.startsWith('http://') });
      const check = await checkBrandDomain({ fetch }, domain);
      if (check.is === 'works') await withDatabase((db) => holdBrandDomain({ db, clock }, domain, actor));
      const found = { domain: domain.domain, found: findings[check.is], addresses: check.addresses.join(', ') || null };
      return { data: { domain: domain.domain, ...check }, text: factList({ ...found, answer: check.detail || null }) };
    },
  }),
  command({
    name: 'brand revoke',
    summary: 'Revoke a branding key: its container serves nothing within seconds.',
    arguments: ['merchantId', 'keyId'],
    examples: ['brand revoke 4cq0zr1lbdk9 m2x7k90qwe1z'],
    run: ({ withDatabase }, { merchantId, keyId }) =>
      withDatabase(async (db) => {
        await revokeBrandingKey({ db, clock }, merchantId, keyId, actor);
        return describeBrand(db, merchantId);
      }),
  }),
  command({
    name: 'brand domain',
    summary: "Change what a merchant's own domain and ours do, or give the domain up.",
    details: `${behaviours}\nPages may be framed on the merchant's own domain only, by itself unless others are named.`,
    arguments: ['merchantId'],
    options: {
      behaviour: { value: 'behaviour', meaning: brandBehaviours.join(', ') },
      'framed-by': { value: 'origins', meaning: 'Who may frame its pages: self, https://shop.example, …, or none.' },
      'in-use': { meaning: 'Send customers there without looking: for a domain that only your own network reaches.' },
      remove: { meaning: 'Give up the domain with all its keys.' },
    },
    examples: [
      'brand domain 4cq0zr1lbdk9 --behaviour block',
      'brand domain 4cq0zr1lbdk9 --framed-by self,https://shop.example',
      'brand domain 4cq0zr1lbdk9 --remove',
    ],
    async run({ withDatabase }, { merchantId }, { behaviour, 'framed-by': framers, 'in-use': isInUse, remove }) {
      if (remove === (behaviour !== undefined || framers !== undefined || isInUse))
        throw new UsageError('Name either --remove, or what to change: --behaviour, --framed-by, --in-use.');
      const change = {
        behaviour: behaviour === undefined ? undefined : readBehaviour(behaviour),
        framedBy: framers === undefined ? undefined : framers === 'none' ? [] : framers.split(','),
      };
      return withDatabase(async (db) => {
        if (remove) await removeBrandDomain({ db, clock }, merchantId, actor);
        else {
          const domain = await changeBrandDomain({ db, clock }, merchantId, change, actor);
          if (isInUse) await holdBrandDomain({ db, clock }, domain, actor);
        }
        return describeBrand(db, merchantId);
      });
    },
  }),
];

function readOrigin(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search !== '')
    throw new CommandError(`${JSON.stringify(text)} is not the address of a service, such as https://pay.example.com.`);
  return url.origin;
}
