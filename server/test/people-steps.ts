/**
 * What people do in the accounts of a house, drawn by chance: numbers are places in what there is by then, of humans, of the
 * names under which they sign in, of links that they were shown, of keys and of orders. Beside single acts there are attempts
 * of one human to be two: a second name or another way in, some hours, an order by one name and its approval by the other.
 */
import fc from 'fast-check';
import type { Role } from '../src/people/roles.ts';

/** Whom something is about, and by whom: places in the list of names. */
export type PeopleStep =
  | {
      readonly what: 'invite';
      readonly shop: number;
      readonly by: number;
      readonly address: number;
      readonly role: Role;
    }
  | {
      readonly what: 'inviteByOperator';
      readonly shop: number;
      readonly address: number;
      readonly role: Role;
    }
  | { readonly what: 'open'; readonly human: number; readonly link: number; readonly asNew: boolean }
  | { readonly what: 'handOver'; readonly human: number; readonly link: number; readonly to: number }
  | { readonly what: 'prove'; readonly who: number }
  | { readonly what: 'addPasskey'; readonly who: number; readonly human: number }
  | { readonly what: 'role'; readonly shop: number; readonly by: number; readonly who: number; readonly role: Role }
  | {
      readonly what: 'remove' | 'signOut' | 'recover';
      readonly shop: number;
      readonly by: number;
      readonly who: number;
    }
  | { readonly what: 'roleByOperator'; readonly shop: number; readonly who: number; readonly role: Role | null }
  | { readonly what: 'linkByOperator'; readonly who: number }
  | { readonly what: 'leave'; readonly shop: number; readonly who: number }
  | { readonly what: 'key' | 'rotate'; readonly shop: number; readonly by: number; readonly key: number }
  | { readonly what: 'ask'; readonly shop: number; readonly by: Hand }
  | { readonly what: 'approve'; readonly shop: number; readonly order: number; readonly by: Hand }
  | { readonly what: 'agree'; readonly shop: number; readonly by: number }
  | { readonly what: 'refuse'; readonly shop: number; readonly order: number; readonly by: number }
  | { readonly what: 'guess'; readonly who: number }
  | { readonly what: 'pass'; readonly hours: number };

/** A name, or a key; counted from the newest, which is the one that somebody has just made. */
export type Hand = { readonly kind: 'person' | 'key'; readonly place: number };

const place = fc.nat({ max: 11 });
const shop = fc.nat({ max: 1 });
/** Who approves, who asks for what others approve, and who does neither. */
const role = fc.constantFrom<Role>('admin', 'admin', 'owner', 'accountant', 'support', 'viewer');
const hours = fc.constantFrom(1, 12, 23, 24, 25, 25, 24 * 8);
const hand: fc.Arbitrary<Hand> = fc.record({ kind: fc.constantFrom('person' as const, 'person', 'key'), place });
const step = <What extends PeopleStep['what'], More extends object>(
  what: What,
  more: { [Name in keyof More]: fc.Arbitrary<More[Name]> },
) => fc.record({ what: fc.constant(what), ...more }) as fc.Arbitrary<{ what: What } & More>;

const single: fc.Arbitrary<PeopleStep> = fc.oneof(
  { weight: 4, arbitrary: step('invite', { shop, by: place, address: place, role }) },
  { weight: 1, arbitrary: step('inviteByOperator', { shop, address: place, role }) },
  { weight: 5, arbitrary: step('open', { human: place, link: place, asNew: fc.boolean() }) },
  { weight: 1, arbitrary: step('handOver', { human: place, link: place, to: place }) },
  { weight: 1, arbitrary: step('prove', { who: place }) },
  { weight: 2, arbitrary: step('addPasskey', { who: place, human: place }) },
  { weight: 2, arbitrary: step('role', { shop, by: place, who: place, role }) },
  { weight: 1, arbitrary: step('remove', { shop, by: place, who: place }) },
  { weight: 1, arbitrary: step('signOut', { shop, by: place, who: place }) },
  { weight: 1, arbitrary: step('recover', { shop, by: place, who: place }) },
  {
    weight: 1,
    arbitrary: step('roleByOperator', { shop, who: place, role: fc.option<Role>(role) }),
  },
  { weight: 1, arbitrary: step('linkByOperator', { who: place }) },
  { weight: 1, arbitrary: step('leave', { shop, who: place }) },
  { weight: 1, arbitrary: step('key', { shop, by: place, key: place }) },
  { weight: 1, arbitrary: step('rotate', { shop, by: place, key: place }) },
  { weight: 3, arbitrary: step('ask', { shop, by: hand }) },
  { weight: 4, arbitrary: step('approve', { shop, order: place, by: hand }) },
  { weight: 2, arbitrary: step('agree', { shop, by: place }) },
  { weight: 1, arbitrary: step('refuse', { shop, order: place, by: place }) },
  { weight: 1, arbitrary: step('guess', { who: place }) },
  { weight: 3, arbitrary: step('pass', { hours }) },
);

/** By the newest name or key for what the oldest asked, and the other way round. */
const crossed = (at: number, kind: Hand['kind'], isNewAsker: boolean): PeopleStep[] => {
  const [fresh, old] = [{ kind, place: 0 } as const, { kind: 'person', place: -1 } as const];
  const [asker, approver] = isNewAsker ? [fresh, old] : [old, fresh];
  return [
    { what: 'ask', shop: at, by: asker },
    { what: 'approve', shop: at, order: 0, by: approver },
  ];
};

/** Ways to a second hand, of which a step may fail. */
const attempt: fc.Arbitrary<readonly PeopleStep[]> = fc
  .record({
    at: shop,
    by: place,
    way: fc.constantFrom('invite', 'role', 'recover', 'passkey', 'key', 'rotate', 'operator', 'alone', 'back'),
    role,
    hours: fc.constantFrom(1, 23, 24),
    isNewAsker: fc.boolean(),
    address: place,
    other: place,
  })
  .map(({ at, by, way, role: given, hours: waited, isNewAsker, address, other }) => {
    const asNew: PeopleStep = { what: 'open', human: at, link: 0, asNew: true };
    const ways: Readonly<Record<typeof way, PeopleStep[]>> = {
      invite: [{ what: 'invite', shop: at, by, address, role: given }, asNew],
      role: [
        { what: 'invite', shop: at, by, address, role: 'viewer' },
        asNew,
        { what: 'pass', hours: 25 },
        { what: 'role', shop: at, by, who: 0, role: given },
      ],
      recover: [
        { what: 'recover', shop: at, by, who: other },
        { what: 'pass', hours: 24 },
        { what: 'open', human: other, link: 0, asNew: false },
      ],
      passkey: [{ what: 'addPasskey', who: other, human: at }],
      key: [{ what: 'key', shop: at, by, key: 0 }],
      rotate: [
        { what: 'key', shop: at, by, key: 0 },
        { what: 'pass', hours: 25 },
        { what: 'rotate', shop: at, by: other, key: 0 },
      ],
      operator: [{ what: 'roleByOperator', shop: at, who: 0, role: given }],
      alone: [
        { what: 'remove', shop: at, by, who: other },
        { what: 'invite', shop: at, by, address, role: given },
        asNew,
      ],
      back: [{ what: 'leave', shop: at, who: other }, { what: 'invite', shop: at, by, address, role: given }, asNew],
    };
    const kind = way === 'key' || way === 'rotate' ? 'key' : 'person';
    return [...ways[way], { what: 'pass', hours: waited }, ...crossed(at, kind, isNewAsker)] as const;
  });

export const peopleSteps = (attempts: number): fc.Arbitrary<readonly PeopleStep[]> =>
  fc
    .array(fc.oneof({ weight: 3, arbitrary: single.map((each) => [each]) }, { weight: 1, arbitrary: attempt }), {
      minLength: attempts,
      maxLength: attempts,
      size: 'max',
    })
    .map((all) => all.flat());
