import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Statement } from '../../reports/statement.ts';
import { figureCell } from '../../web/csv.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { sayInAccount } from '../texts/account-texts.ts';
import { firstRows, momentColumn, numberColumn, reportTable, tableHtml } from './report-table.ts';
import { unitsTable } from './statement-tables.ts';

const look = { language: 'en', say: sayInAccount('en'), signedIn: null } as AccountLook;

const statementOf = (codes: readonly string[], opening = 0n, closing = 1n): Statement => {
  const assets = codes.map((assetCode) => ({
    asset: { id: assetCode, assetCode, ledgerScale: 8 },
    opening,
    closing,
    lines: new Map(),
    apart: {},
    value: null,
  }));
  const covered = {
    currency: 'EUR',
    from: '2026-03-01',
    to: '2026-04-01',
    period: { kind: 'month', name: '2026-03', first: '2026-03-01' },
  };
  const total = { opening: 0n, closing: 0n, revaluation: 0n, lines: new Map() };
  return { assets, covered, total, lines: [] } as object as Statement;
};

test('of several assets side by side a small screen keeps the sum, and tells the others below the name of a row', () => {
  const roomsOf = (...codes: string[]) =>
    unitsTable(look, statementOf(codes)).columns.map(({ room }) => room ?? 'always');
  assert.deepEqual(roomsOf('BTC'), ['always', 'always', 'always']);
  assert.deepEqual(roomsOf('BTC', 'USDC'), ['always', 'desk', 'desk', 'always']);
  assert.deepEqual(new Set(roomsOf('BTC', 'ETH', 'LTC', 'USDC').slice(1, -1)), new Set(['roomy']));
});

test('a column has as many decimals as its asset; of money of a state, its own or as many as a row of it needs', async () => {
  const cellsOf = async (code: string, opening: bigint, closing: bigint) => {
    const { rows } = await firstRows(unitsTable(look, statementOf([code], opening, closing)), 9);
    return [rows.at(0)?.[1], rows.at(-1)?.[1]];
  };
  assert.deepEqual(await cellsOf('BTC', 10n ** 8n, 1n), [figureCell('1.00000000'), figureCell('0.00000001')]);
  assert.deepEqual(await cellsOf('EUR', 0n, 680_60000000n), [figureCell('0.00'), figureCell('680.60')]);
  assert.deepEqual(await cellsOf('EUR', 680_60000000n, -1_23400000n), [figureCell('680.600'), figureCell('-1.234')]);
});

test('a moment is a date and a clock on the screen, and stays exact for programs', async () => {
  const columns = [
    momentColumn('Time', () => '2026-03-04T02:01:00+01:00'),
    numberColumn('Amount', () => figureCell('1.5')),
  ];
  const { rows } = await firstRows(reportTable('Rows', columns, [0]), 1);
  assert.equal(rows[0]?.[0], '2026-03-04T02:01:00+01:00');
  assert.match(tableHtml(look, 'h', reportTable('Rows', columns, [0]), rows).toString(), />Mar 4, 2026, 01:01</);
});
