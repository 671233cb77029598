/**
 * What may happen at an account at a bank, drawn by chance: numbers are places in what there is by then, of checkouts, of what
 * arrived, of what waits and of what was ordered.
 */
import fc from 'fast-check';

/** In one statement, in two, in a ZIP of two, the later one first, or by a person where there is none. */
export type ToldIn = 'one' | 'two' | 'zip' | 'hand';

export type BankStep =
  | { readonly what: 'open'; readonly shop: number; readonly cents: number; readonly isConverted: boolean }
  | { readonly what: 'pay'; readonly checkout: number; readonly cents: number; readonly isOther: boolean }
  | { readonly what: 'stray'; readonly cents: number; readonly isOther: boolean }
  | { readonly what: 'takeBack'; readonly arrival: number; readonly cents: number | null }
  | { readonly what: 'move'; readonly cents: number; readonly code: '808' | '177' | '814' }
  | { readonly what: 'tell'; readonly form: ToldIn }
  | { readonly what: 'announce' }
  | { readonly what: 'again'; readonly documents: number }
  | { readonly what: 'pass'; readonly days: number }
  | { readonly what: 'assign'; readonly unmatched: number; readonly checkout: number }
  | { readonly what: 'own'; readonly unmatched: number }
  | { readonly what: 'ownSmall' }
  | {
      readonly what: 'explain';
      readonly movement: number;
      readonly as: 'FEE' | 'OWN_MONEY' | 'REVERSAL' | 'PAYOUT';
      readonly arrival: number;
    }
  | { readonly what: 'accept' | 'keep'; readonly checkout: number }
  | { readonly what: 'refund'; readonly checkout: number; readonly cents: number | null }
  | { readonly what: 'return'; readonly unmatched: number }
  | { readonly what: 'file' }
  | { readonly what: 'giveUp'; readonly file: number; readonly isDownloaded: boolean }
  | { readonly what: 'refused'; readonly order: number; readonly isWholeFile: boolean }
  | { readonly what: 'booked'; readonly order: number; readonly more: number }
  | { readonly what: 'cameBack'; readonly order: number; readonly less: number }
  | { readonly what: 'swap'; readonly shop: number };

const place = fc.nat({ max: 30 });
const cents = fc.constantFrom(1, 500, 999, 1_000, 1_500, 2_000);
export const bankStep: fc.Arbitrary<BankStep> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant('open' as const),
      shop: place,
      cents: fc.constantFrom(1_000, 2_000),
      isConverted: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ what: fc.constant('pay' as const), checkout: place, cents, isOther: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('stray' as const), cents, isOther: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({ what: fc.constant('takeBack' as const), arrival: place, cents: fc.option(cents) }),
  },
  fc.record({
    what: fc.constant('move' as const),
    cents: fc.constantFrom(-390, -500, -1, 12),
    code: fc.constantFrom('808' as const, '177' as const, '814' as const),
  }),
  {
    weight: 8,
    arbitrary: fc.record({
      what: fc.constant('tell' as const),
      form: fc.constantFrom<ToldIn>('one', 'one', 'one', 'two', 'zip', 'hand'),
    }),
  },
  fc.constant({ what: 'announce' as const }),
  fc.record({ what: fc.constant('again' as const), documents: fc.constantFrom(1, 2, 5) }),
  { weight: 2, arbitrary: fc.record({ what: fc.constant('pass' as const), days: fc.constantFrom(1, 8, 16) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('assign' as const), unmatched: place, checkout: place }) },
  fc.record({ what: fc.constant('own' as const), unmatched: place }),
  fc.constant({ what: 'ownSmall' as const }),
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('explain' as const),
      movement: place,
      as: fc.constantFrom('FEE' as const, 'OWN_MONEY' as const, 'REVERSAL' as const, 'PAYOUT' as const),
      arrival: place,
    }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constantFrom('accept' as const, 'keep' as const), checkout: place }) },
  {
    weight: 3,
    arbitrary: fc.record({ what: fc.constant('refund' as const), checkout: place, cents: fc.option(cents) }),
  },
  fc.record({ what: fc.constant('return' as const), unmatched: place }),
  { weight: 3, arbitrary: fc.constant({ what: 'file' as const }) },
  fc.record({ what: fc.constant('giveUp' as const), file: place, isDownloaded: fc.boolean() }),
  fc.record({ what: fc.constant('refused' as const), order: place, isWholeFile: fc.boolean() }),
  {
    weight: 5,
    arbitrary: fc.record({ what: fc.constant('booked' as const), order: place, more: fc.constantFrom(0, 0, 0, 35) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ what: fc.constant('cameBack' as const), order: place, less: fc.constantFrom(0, 0, 250) }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('swap' as const), shop: place }) },
);
