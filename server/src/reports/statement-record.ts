/** A statement as the API and the file say it. */
import type { StatementRecord } from '@quittance/contract/report';
import { formatUnits } from '../money/amount.ts';
import { formatFixed, fromUnits } from '../money/decimal.ts';
import { coveredRecord } from './covered-record.ts';
import type { Statement } from './statement.ts';
import { statementLines } from './statement-lines.ts';
import { decimalsOf } from './worth.ts';

/** With all decimals of the currency. */
export const valueText = (currency: string, value: bigint): string =>
  formatFixed(fromUnits(value, decimalsOf(currency)), decimalsOf(currency));

export function statementRecord({ covered, assets, total, addsUp }: Statement): StatementRecord {
  const { currency } = covered;
  const worth = (value: bigint): string => valueText(currency, value);
  return {
    ...coveredRecord(covered),
    addsUp,
    assets: assets.map(({ asset, opening, closing, lines, apart, value, ...rest }) => {
      const text = (units: bigint): string => formatUnits(units, asset.ledgerScale);
      const ends = (each: { opening: bigint; closing: bigint }) => ({
        opening: text(each.opening),
        closing: text(each.closing),
      });
      return {
        assetId: asset.id,
        assetCode: asset.assetCode,
        opening: text(opening),
        lines: statementLines.flatMap((line) => {
          const sum = lines.get(line);
          if (!sum) return [];
          return {
            line,
            amount: text(sum.units),
            entries: sum.entries,
            value: sum.value === null ? null : worth(sum.value),
          };
        }),
        closing: text(closing),
        addsUp: rest.addsUp,
        pending: ends(apart.pending),
        suspense: ends(apart.suspense),
        reserved: ends(apart.reserved),
        receivable: ends(apart.receivable),
        value: value && {
          opening: worth(value.opening),
          revaluation: worth(value.revaluation),
          closing: worth(value.closing),
        },
      };
    }),
    total: {
      opening: worth(total.opening),
      lines: statementLines.flatMap((line) => {
        const value = total.lines.get(line);
        return value === undefined ? [] : { line, value: worth(value) };
      }),
      revaluation: worth(total.revaluation),
      closing: worth(total.closing),
    },
  };
}
