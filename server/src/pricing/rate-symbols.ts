import { knownAssets } from '../catalog/known-assets.ts';
import { coinsElsewhere } from '../catalog/known-currencies.ts';
import type { RateSymbols } from '../networks/port/asset-definition.ts';

type Source = keyof RateSymbols;

/** The names that a source uses for the coins that it lists, by our code. */
export const symbolsOf = <Name extends Source>(source: Name): ReadonlyMap<string, NonNullable<RateSymbols[Name]>> =>
  new Map(
    [...knownAssets, ...coinsElsewhere].flatMap(({ code, rateSymbols }) => {
      const symbol = rateSymbols?.[source];
      return symbol === undefined ? [] : [[code, symbol] as const];
    }),
  );

export type Wanted<Symbol> = { readonly code: string; readonly symbol: Symbol };

export const wantedOf = <Symbol>(symbols: ReadonlyMap<string, Symbol>, codes: readonly string[]): Wanted<Symbol>[] =>
  codes.flatMap((code) => {
    const symbol = symbols.get(code);
    return symbol === undefined ? [] : [{ code, symbol }];
  });
